import { type Sentence, sentence } from '../errors/sentence.ts';

/**
 * The codes of the rules of judgement, hardest to overcome first, each with why a figure is held, for
 * readers: the end of a sentence about it. Apart from `rules.ts`, because the board's script has them.
 */
export const RULE_WORDS = {
  other_unit: sentence(
    'it looks like the bolívar of another day',
    'parece estar en el bolívar de otro día',
  ),
  out_of_band: sentence('it is outside the possible range', 'está fuera del rango posible'),
  first_quote: sentence(
    'it is the first of its market and no other source confirms it yet',
    'es la primera de su mercado y ninguna otra fuente la confirma todavía',
  ),
  venues_differ: sentence(
    'it is too far from the other P2P markets',
    'se aparta demasiado de los demás mercados P2P',
  ),
  parallel_differs: sentence(
    'the P2P markets and the parallel dollar are too far apart',
    'los mercados P2P y el dólar paralelo están demasiado separados',
  ),
  side_apart: sentence(
    'its two sides are too far apart',
    'su compra y su venta están demasiado separadas',
  ),
  moved: sentence('it changed too much at once', 'cambió demasiado de golpe'),
  other_figure: sentence(
    'it contradicts the one already published for that date',
    'contradice la que ya se publicó para esa fecha',
  ),
  page_returned: sentence(
    'its page shows again a figure that another one had replaced',
    'su página muestra de nuevo una cifra que otra había sustituido',
  ),
  date_closed: sentence(
    'its value date is a day on which banks are closed',
    'su fecha valor es un día en que los bancos no trabajan',
  ),
  date_ahead: sentence('its date is too far ahead', 'su fecha está demasiado adelantada'),
  date_back: sentence('its date is before the last one', 'su fecha es anterior a la última'),
  cross_moved: sentence(
    'the ratio between currencies changed too much',
    'la relación entre monedas cambió demasiado',
  ),
  figure_repeated: sentence(
    'it repeats a figure of another date',
    'repite una cifra de otra fecha',
  ),
  figures_unrelated: sentence(
    'its currencies do not fit together',
    'sus monedas no concuerdan entre sí',
  ),
  witness_differs: sentence(
    'a witness shows another figure for that date',
    'un testigo muestra otra cifra para esa fecha',
  ),
  currency_lost: sentence('a currency is missing', 'le falta una moneda'),
  figure_changed: sentence(
    'it differs from the one already announced for that date',
    'difiere de la que ya se anunció para esa fecha',
  ),
  rows_lost: sentence('banks are missing', 'le faltan bancos'),
  row_apart: sentence(
    'one bank is too far from the official rate',
    'un banco se aparta demasiado de la tasa oficial',
  ),
} as const satisfies Readonly<Record<string, Sentence>>;

export type DoubtReason = keyof typeof RULE_WORDS;

/** The words of a code; undefined for a code of another version. */
export function ruleWords(code: string): Sentence | undefined {
  const words: Readonly<Record<string, Sentence>> = RULE_WORDS;
  return words[code];
}
