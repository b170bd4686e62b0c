import { type Sentence, sentence } from '../errors/sentence.ts';
import { type DoubtReason, RULE_WORDS } from './rule-words.ts';

/**
 * The rules of judgement (contract §8), one entry each: all that is said and decided by a code. The
 * files named `*-judgement.ts` beside this one find the doubts, `confirmation.ts` what releases them.
 *
 * `{quote_ratio}` in a sentence is that number of `catalog/judgement.json`, `{…_sec min}` the same in
 * minutes, `{quote_band.0}` its first.
 */
export interface Rule {
  /** As stored, and in answers of the API. */
  readonly code: DoubtReason;
  readonly cases: readonly RuleCase[];
  /** When a witness that agrees releases a publication: `figures` unless it says otherwise. */
  readonly witness?: WitnessNeeded;
}

/**
 * `figures`: it is within the percentage. `digits`: it shows the figures in question to all decimals
 * that both have. `never`: it cannot show what is in question.
 */
type WitnessNeeded = 'figures' | 'digits' | 'never';

/** What a rule holds of one kind of record. */
interface RuleCase {
  readonly record: RecordName;
  readonly release: ReleaseName;
  /** When a record is held: the end of a sentence about it. */
  readonly seen: Sentence;
  /** Such a doubt says so itself (`isLasting`); the others of this rule and record do not. */
  readonly isLasting?: true;
}

type KindOfRecord = 'quote' | 'publication' | 'bank_table';

/** A record as rules name it, and the kinds that it may be. */
function record(en: string, es: string, ...kinds: readonly KindOfRecord[]) {
  return { ...sentence(en, es), kinds };
}

export const RECORDS = {
  any: record('Any record', 'Cualquier registro', 'quote', 'publication', 'bank_table'),
  quote: record('Quote', 'Cotización', 'quote'),
  venue: record('Quote of a P2P venue', 'Cotización de una plataforma P2P', 'quote'),
  pair: record('Quote, P2P or parallel', 'Cotización P2P o del paralelo', 'quote'),
  publication: record('Publication', 'Publicación', 'publication'),
  page: record('Page of the BCV', 'Página del BCV', 'publication'),
  archive: record('Archive of the BCV', 'Archivo del BCV', 'publication'),
  bank_table: record('Bank table', 'Tabla de bancos', 'bank_table'),
  bank_row: record('Row of the bank table', 'Fila de la tabla de bancos', 'bank_table'),
};
type RecordName = keyof typeof RECORDS;

/** What releases a held record, besides a change of what it was compared with. */
export interface Release {
  /** Whether a second source that agrees releases it. */
  readonly bySource?: true;
  /** When repeated readings release it; never if absent. */
  readonly byRepetition?: 'at_any_time' | 'from_eve' | 'until_eve';
  /** Whether it ends when other markets come near. */
  readonly byOthers?: true;
  readonly words: Sentence;
}

/** @param en What releases a record besides a second source, where `by` has it, and the operator. */
function release(en: string, es: string, by: Omit<Release, 'words'> = {}): Release {
  const [other, otra] = by.bySource ? ['a second source; ', 'una segunda fuente; '] : ['', ''];
  return { ...by, words: sentence(`${other}${en}; the operator`, `${otra}${es}; el operador`) };
}

const REPEATED = { bySource: true, byRepetition: 'at_any_time' } as const;

export const RELEASES = {
  operator: { words: sentence('only the operator', 'solo el operador') },
  others: release(
    'the other markets, when they come near it',
    'los otros mercados, cuando se le acercan',
    { byOthers: true },
  ),
  witness: release(
    'a witness with the same digits, the archive of the BCV',
    'un testigo con los mismos dígitos, el archivo del BCV',
  ),
  source: {
    bySource: true,
    words: sentence('a second source; the operator', 'una segunda fuente; el operador'),
  },
  first: release('an official rate that it fits', 'una tasa oficial con la que concuerda', {
    bySource: true,
  }),
  repeated: release(
    'repeated readings, and then it is in doubt',
    'lecturas repetidas, y entonces queda sin confirmar',
    REPEATED,
  ),
  repeated_page: release(
    'repeated readings, at any hour',
    'lecturas repetidas, a cualquier hora',
    REPEATED,
  ),
  repeated_from_eve: release(
    'repeated readings, from {release_before_effect_sec min} minutes before its value date begins',
    'lecturas repetidas, desde {release_before_effect_sec min} minutos antes de que empiece su fecha valor',
    { bySource: true, byRepetition: 'from_eve' },
  ),
  repeated_until_eve: release(
    'repeated readings, until {release_before_effect_sec min} minutes before its value date begins',
    'lecturas repetidas, hasta {release_before_effect_sec min} minutos antes de que empiece su fecha valor',
    { bySource: true, byRepetition: 'until_eve' },
  ),
  repeated_table: release('the same in repeated tables', 'lo mismo en tablas repetidas', REPEATED),
  second_table: release('the same row in a second table', 'la misma fila en una segunda tabla'),
} satisfies Readonly<Record<string, Release>>;
type ReleaseName = keyof typeof RELEASES;

/** A case of a rule: the record, what releases it, and when it is held. */
function held(record: RecordName, release: ReleaseName, seen: Sentence): RuleCase {
  return { record, release, seen };
}

/** The same for a doubt that is harder to overcome than the others of its rule. */
function heldFor(...given: Parameters<typeof held>): RuleCase {
  return { ...held(...given), isLasting: true };
}

function rule(...cases: readonly RuleCase[]) {
  return { cases };
}

/** The same where it takes more than a witness whose figures are near. */
function witnessed(witness: WitnessNeeded, ...cases: readonly RuleCase[]) {
  return { cases, witness };
}

const TABLE: Readonly<Record<DoubtReason, Omit<Rule, 'code'>>> = {
  other_unit: rule(
    held('any', 'operator', {
      en: 'it is for a day of before 1 October 2021, and its dollar or euro is right in the other unit: in the bolívar of its day, or in that of 1 October 2021',
      es: 'es de un día anterior al 1 de octubre de 2021, y su dólar o su euro es correcto en la otra unidad: en el bolívar de su día, o en el del 1 de octubre de 2021',
    }),
  ),
  out_of_band: rule(
    held('quote', 'operator', {
      en: 'it, or its ask or bid, is outside of {quote_band.0} to {quote_band.1} times the official rate in force of its currency',
      es: 'ella, o su compra o su venta, está fuera de {quote_band.0} a {quote_band.1} veces la tasa oficial que rige en su moneda',
    }),
  ),
  first_quote: rule(
    held('quote', 'first', {
      en: 'it is the first of its market and no official rate is stored; unless {venues_needed} other venues of the same answer are within {venue_percent}% of it, and the whole answer is in the range of its source',
      es: 'es la primera de su mercado y no hay tasa oficial guardada; salvo que {venues_needed} plataformas más de la misma respuesta estén a no más de {venue_percent} % de ella, y toda la respuesta dentro del rango de su fuente',
    }),
  ),
  venues_differ: rule(
    held('venue', 'others', {
      en: 'it is over {venue_percent}% from the median of the other fresh venues, of which there are at least {venues_needed}',
      es: 'está a más de {venue_percent} % de la mediana de las demás plataformas al día, que son al menos {venues_needed}',
    }),
  ),
  parallel_differs: rule(
    held('pair', 'others', {
      en: 'it is a P2P quote over {parallel_percent}% from the fresh parallel quote, or a parallel quote as far from the median of at least {parallel_venues_needed} fresh venues that agree. Without a fresh figure to compare with, the rule holds nothing',
      es: 'es una P2P a más de {parallel_percent} % de la del paralelo al día, o una del paralelo igual de lejos de la mediana de al menos {parallel_venues_needed} plataformas al día que coinciden. Sin una cifra al día con la cual comparar, la regla no retiene nada',
    }),
  ),
  side_apart: witnessed(
    'never',
    held('quote', 'source', {
      en: 'the ratio of its ask or bid to its own middle, and to the last published ask or bid, is over {quote_ratio}',
      es: 'la razón de su compra o su venta con su propio punto medio, y con la última publicada, pasa de {quote_ratio}',
    }),
  ),
  moved: rule(
    held('quote', 'repeated', {
      en: 'its ratio to the last published quote of its market is over {quote_ratio}',
      es: 'su razón con la última publicada de su mercado pasa de {quote_ratio}',
    }),
    held('publication', 'repeated_from_eve', {
      en: 'a rate is over a ratio of {publication_ratio} to the last one of its currency; in an archive a currency other than USD only if it moved by more than its `cross_percent` in dollars too. If figures that fit are stored for its date, repeated readings release nothing',
      es: 'una tasa pasa de una razón de {publication_ratio} con la última de su moneda; en un archivo, la de otra moneda que el USD solo si además se movió más que su `cross_percent` en dólares. Si hay guardadas cifras de su fecha que concuerdan, las lecturas repetidas no liberan nada',
    }),
    heldFor('page', 'source', {
      en: 'a rate is over a ratio of {insisted_ratio} to the last one of its currency',
      es: 'una tasa pasa de una razón de {insisted_ratio} con la última de su moneda',
    }),
    heldFor('archive', 'source', {
      en: 'a rate is over a ratio of {archive_ratio} to the last one of its currency; for a rise, twice as much with every {archive_doubles_in_days} days between them',
      es: 'una tasa pasa de una razón de {archive_ratio} con la última de su moneda; para un alza, el doble por cada {archive_doubles_in_days} días entre ambas',
    }),
  ),
  other_figure: witnessed(
    'digits',
    held('publication', 'witness', {
      en: 'it has another figure for a value date in force or past',
      es: 'trae otra cifra para una fecha valor que rige o pasada',
    }),
  ),
  page_returned: witnessed(
    'digits',
    held('page', 'repeated_page', {
      en: 'it shows again figures that repeated readings of others had replaced. Released, it withdraws those',
      es: 'muestra de nuevo cifras que lecturas repetidas de otras habían sustituido. Al liberarse, retira esas otras',
    }),
  ),
  date_closed: rule(
    held('publication', 'source', {
      en: 'its value date is a day on which banks are closed, by the list of the regulator or, after its end, as computed',
      es: 'su fecha valor es un día en que los bancos no trabajan, según la lista del regulador o, después de su fin, según el cálculo',
    }),
  ),
  date_ahead: rule(
    held('publication', 'source', {
      en: 'its value date is after the first business day after the reading',
      es: 'su fecha valor es posterior al primer día hábil después de la lectura',
    }),
    held('bank_table', 'repeated_table', {
      en: 'its date is more than {value_date_days_ahead} days after the reading',
      es: 'su fecha es de más de {value_date_days_ahead} días después de la lectura',
    }),
  ),
  date_back: rule(
    held('page', 'source', {
      en: 'its value date is earlier than the one in force, and not stored',
      es: 'su fecha valor es anterior a la que rige, y no está guardada',
    }),
    held('bank_table', 'repeated_table', {
      en: 'its date is before that of the last table',
      es: 'su fecha es anterior a la de la última tabla',
    }),
  ),
  cross_moved: rule(
    held('publication', 'repeated_from_eve', {
      en: 'a currency, measured in dollars, moved by more than its `cross_percent`, which is {cross_percent.EUR} for EUR',
      es: 'una moneda, medida en dólares, se movió más que su `cross_percent`, que para el EUR es {cross_percent.EUR}',
    }),
    heldFor('page', 'source', {
      en: 'a currency, measured in dollars, moved by more than `cross_percent` for each business day since its last figure',
      es: 'una moneda, medida en dólares, se movió más que `cross_percent` por cada día hábil desde su última cifra',
    }),
    heldFor('archive', 'source', {
      en: 'EUR over USD moved by more than {cross_percent.EUR}% in less than {archive_doubles_in_days} days, or by more than {archive_cross_percent}% and as much again with every such time',
      es: 'EUR/USD se movió más de {cross_percent.EUR} % en menos de {archive_doubles_in_days} días, o más de {archive_cross_percent} % y otro tanto por cada lapso como ese',
    }),
  ),
  figure_repeated: witnessed(
    'digits',
    held('page', 'source', {
      en: 'a currency other than USD has, to more than four decimals, its figure of another value date read in the last {repeated_within_days} days, or all have, to at least four; and the page does not correct that date',
      es: 'una moneda distinta del USD trae, con más de cuatro decimales, su cifra de otra fecha valor leída en los últimos {repeated_within_days} días, o todas la traen, con cuatro al menos; y la página no corrige esa fecha',
    }),
    held('archive', 'source', {
      en: 'two value dates up to 7 days apart have the same figures, so its rows stand under wrong dates. All its new publications are held',
      es: 'dos fechas valor separadas por 7 días como máximo traen las mismas cifras: sus filas están bajo fechas equivocadas. Se retienen todas sus publicaciones nuevas',
    }),
  ),
  figures_unrelated: witnessed(
    'digits',
    held('page', 'source', {
      en: 'on a page with figures of more than four decimals, one does not follow from that of USD by a quote of at most {cross_decimals} decimals, although all figures of one of the last three publications did: a digit is wrong; or two currencies have the same figure',
      es: 'en una página con cifras de más de cuatro decimales, una no se deduce de la del USD con una cotización de {cross_decimals} decimales como máximo, aunque todas las de una de las tres últimas publicaciones sí: hay un dígito equivocado; o dos monedas traen la misma cifra',
    }),
    held('page', 'source', {
      en: 'of two currencies, each figure, measured in dollars, is nearer to the last one of the other: they are swapped',
      es: 'de dos monedas, la cifra de cada una, medida en dólares, se acerca más a la última de la otra: están intercambiadas',
    }),
    heldFor('archive', 'source', {
      en: 'EUR over USD is over {archive_apart_percent}% above that of the value dates before and after it, or below both; or a figure does not follow from that of USD, although those of both dates do',
      es: 'EUR/USD está a más de {archive_apart_percent} % por encima del de las fechas valor anterior y siguiente, o por debajo de ambos; o una cifra no se deduce de la del USD, aunque las de ambas fechas sí',
    }),
  ),
  witness_differs: rule(
    held('publication', 'source', {
      en: 'two witnesses of different origins show another figure for its value date, and none agrees; one is enough against a publication that another rule holds. One against a publication that no other rule holds does not hold it: its rates are in doubt',
      es: 'dos testigos de orígenes distintos muestran otra cifra para su fecha valor y ninguno coincide; basta uno contra una publicación que otra regla retiene. Uno solo contra una publicación que ninguna otra regla retiene no la retiene: sus tasas quedan sin confirmar',
    }),
  ),
  currency_lost: rule(
    held('publication', 'repeated_from_eve', {
      en: 'it lacks a currency that the last one had',
      es: 'le falta una moneda que la última traía',
    }),
  ),
  figure_changed: witnessed(
    'digits',
    held('publication', 'repeated_until_eve', {
      en: 'it has another figure for a stored value date that is still to come',
      es: 'trae otra cifra para una fecha valor guardada que aún no ha llegado',
    }),
  ),
  rows_lost: rule(
    held('bank_table', 'repeated_table', {
      en: 'it has less than {bank_rows_percent}% of the rows of the last one',
      es: 'trae menos de {bank_rows_percent} % de las filas de la última',
    }),
  ),
  row_apart: rule(
    held('bank_row', 'second_table', {
      en: 'it is outside of {bank_band.0} to {bank_band.1} times the official rate on its date, or over a ratio of {bank_ratio} to the last row of its bank. The other rows are published',
      es: 'está fuera de {bank_band.0} a {bank_band.1} veces la tasa oficial de su fecha, o pasa de una razón de {bank_ratio} con la última fila de su banco. Las demás filas se publican',
    }),
  ),
};

/** Why a record is held, hardest to overcome first. */
export const DOUBTS = Object.keys(RULE_WORDS) as readonly DoubtReason[];

export const RULES: readonly Rule[] = DOUBTS.map((code) => ({ code, ...TABLE[code] }));

/** The rule of a code; undefined for a code of another version. */
export function judgementRule(code: string): Rule | undefined {
  return RULES.find((rule) => rule.code === code);
}

/** What releases a record of a kind that a rule holds. */
export function releaseOf(code: string, kind: KindOfRecord): Release | undefined {
  const cases = judgementRule(code)?.cases.filter(({ isLasting }) => isLasting !== true) ?? [];
  const one = cases.find(({ record }) => RECORDS[record].kinds.includes(kind)) ?? cases[0];
  return one && RELEASES[one.release];
}

/** The codes that hold records of these kinds, as the reference lists them. */
export function codesOfRecords(...kinds: readonly KindOfRecord[]): string {
  return RULES.filter(({ cases }) =>
    cases.some(({ record }) => kinds.some((kind) => RECORDS[record].kinds.includes(kind))),
  )
    .map(({ code }) => `\`${code}\``)
    .join(', ');
}
