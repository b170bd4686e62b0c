import type { DoubtReason } from '../../domain/judgement.ts';
import type { Language, Texts } from './language.ts';

/** Why a record is held, for readers: the end of a sentence about a figure. */
const HELD_REASONS: Texts<Readonly<Record<DoubtReason, string>>> = {
  en: {
    out_of_band: 'it is outside the possible range',
    first_quote: 'it is the first of its market and no other source confirms it yet',
    venues_differ: 'it is too far from the other P2P markets',
    parallel_differs: 'the P2P markets and the parallel dollar are too far apart',
    side_apart: 'its two sides are too far apart',
    moved: 'it changed too much at once',
    other_figure: 'it contradicts the one already published for that date',
    page_returned: 'its page shows again a figure that another one had replaced',
    date_closed: 'its value date is a day on which banks are closed',
    date_ahead: 'its date is too far ahead',
    date_back: 'its date is before the last one',
    cross_moved: 'the ratio between currencies changed too much',
    figure_repeated: 'it repeats a figure of another date',
    figures_unrelated: 'its currencies do not fit together',
    witness_differs: 'a witness shows another figure for that date',
    currency_lost: 'a currency is missing',
    figure_changed: 'it differs from the one already announced for that date',
    rows_lost: 'banks are missing',
    row_apart: 'one bank is too far from the official rate',
  },
  es: {
    out_of_band: 'está fuera del rango posible',
    first_quote: 'es la primera de su mercado y ninguna otra fuente la confirma todavía',
    venues_differ: 'se aparta demasiado de los demás mercados P2P',
    parallel_differs: 'los mercados P2P y el dólar paralelo están demasiado separados',
    side_apart: 'su compra y su venta están demasiado separadas',
    moved: 'cambió demasiado de golpe',
    other_figure: 'contradice la que ya se publicó para esa fecha',
    page_returned: 'su página muestra de nuevo una cifra que otra había sustituido',
    date_closed: 'su fecha valor es un día en que los bancos no trabajan',
    date_ahead: 'su fecha está demasiado adelantada',
    date_back: 'su fecha es anterior a la última',
    cross_moved: 'la relación entre monedas cambió demasiado',
    figure_repeated: 'repite una cifra de otra fecha',
    figures_unrelated: 'sus monedas no concuerdan entre sí',
    witness_differs: 'un testigo muestra otra cifra para esa fecha',
    currency_lost: 'le falta una moneda',
    figure_changed: 'difiere de la que ya se anunció para esa fecha',
    rows_lost: 'le faltan bancos',
    row_apart: 'un banco se aparta demasiado de la tasa oficial',
  },
};

/** Undefined for a reason of another version. */
export function heldReasonText(reason: string, language: Language): string | undefined {
  const reasons: Readonly<Record<string, string>> = HELD_REASONS[language];
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}
