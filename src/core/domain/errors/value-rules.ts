import { type Sentence, sentence } from './sentence.ts';

/**
 * What a value that is refused has broken: the words of `details.rule`, each with its meaning
 * (contract §4). Programs decide by them, so a word never changes and keeps its meaning.
 */
export const VALUE_RULES = {
  missing: sentence('A required value is absent.', 'Falta un valor obligatorio.'),
  empty: sentence('The value is there, but has nothing in it.', 'El valor está, pero vacío.'),
  repeated: sentence('A name is given twice.', 'Un nombre está dos veces.'),
  wrong_type: sentence(
    'The value is of another type: text where a list is wanted.',
    'El valor es de otro tipo: un texto donde va una lista.',
  ),
  not_a_number: sentence(
    'The value is not a number as the parameter takes it.',
    'El valor no es un número como lo acepta el parámetro.',
  ),
  out_of_range: sentence(
    'The number or day is below the least or above the greatest that is accepted.',
    'El número o el día es menor que el mínimo o mayor que el máximo que se acepta.',
  ),
  too_many_digits: sentence(
    'The number has more digits than are kept exactly.',
    'El número tiene más cifras de las que se guardan exactas.',
  ),
  not_a_day: sentence(
    'The value is not a date that exists, YYYY-MM-DD.',
    'El valor no es una fecha que exista, AAAA-MM-DD.',
  ),
  future_day: sentence('The day has not begun.', 'El día no ha comenzado.'),
  not_a_time: sentence(
    'The value is not a time in ISO 8601 with its zone.',
    'El valor no es una hora en ISO 8601 con su zona.',
  ),
  reversed_range: sentence(
    'The first day is after the last.',
    'El primer día es posterior al último.',
  ),
  too_many: sentence(
    'More days, items or markets than one request may ask for.',
    'Más días, elementos o mercados de los que admite una consulta.',
  ),
  too_long: sentence(
    'The text has more characters than are accepted.',
    'El texto tiene más caracteres de los que se aceptan.',
  ),
  malformed: sentence(
    'The text is not written in the form that the parameter takes.',
    'El texto no tiene la forma que acepta el parámetro.',
  ),
  unknown_value: sentence(
    'The value is none of those that are accepted.',
    'El valor no es ninguno de los que se aceptan.',
  ),
  unknown_market: sentence(
    'The catalogue has no market of that name.',
    'El catálogo no tiene un mercado con ese nombre.',
  ),
  unknown_field: sentence(
    'The body has a field that the endpoint does not take.',
    'El cuerpo tiene un campo que el endpoint no acepta.',
  ),
  wrong_pair: sentence(
    'One currency must be VES, and the other a foreign one.',
    'Una moneda debe ser VES y la otra, extranjera.',
  ),
  wrong_market: sentence(
    'The market exists, but cannot answer this request.',
    'El mercado existe, pero no puede responder esta consulta.',
  ),
  not_applicable: sentence(
    'The value does not go with the others of the request.',
    'El valor no va con los demás de la consulta.',
  ),
  not_changeable: sentence(
    'What the value would change cannot be changed.',
    'Lo que el valor cambiaría no se puede cambiar.',
  ),
  after_own_key: sentence(
    'The end is later than that of the key of the request.',
    'El vencimiento es posterior al de la clave de la consulta.',
  ),
  after_grace: sentence(
    'The end is later than the grace period of a rotated key.',
    'El vencimiento es posterior al plazo de gracia de una clave rotada.',
  ),
  not_utf8: sentence('The body is not UTF-8.', 'El cuerpo no es UTF-8.'),
  not_json: sentence(
    'The body is not JSON, or not JSON in lines where lines are wanted.',
    'El cuerpo no es JSON, o no es JSON en líneas donde se piden líneas.',
  ),
  not_an_object: sentence('The body is not a JSON object.', 'El cuerpo no es un objeto JSON.'),
  bad_records: sentence(
    'Some lines are no records; nothing was stored.',
    'Algunas líneas no son registros; no se guardó nada.',
  ),
} as const satisfies Record<string, Sentence>;

export type ValueRule = keyof typeof VALUE_RULES;

/** What is wrong with a value. */
export interface ValueFault {
  readonly rule: ValueRule;
  /** Without its subject and full stop: `must be a number`. */
  readonly what: Sentence;
}

export function fault(rule: ValueRule, en: string, es: string): ValueFault {
  return { rule, what: sentence(en, es) };
}
