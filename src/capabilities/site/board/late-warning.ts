import type { StateReasonName } from '../../../core/domain/state-names.ts';
import { caracasDayOf, DAY_MS, type Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { nearDayText } from '../frame/format.ts';
import { linkTo } from '../frame/page-view.ts';
import { BOARD_TEXTS, STATE_TEXTS } from '../texts/texts.ts';
import type { BoardReader } from './age.ts';
import type { BoardFigures } from './board-figures.ts';
import { doubtOf, officialDollar } from './staleness.ts';

/** What the warning above the figures says, so that the list below them does not repeat it. */
export const SAID_ABOVE: readonly StateReasonName[] = [
  'official_stale',
  'publications_missed',
  'all_quotes_stale',
];

/** Whether the official dollar of the board must not be used. */
export function isOfficialLate(figures: BoardFigures, now: Instant): boolean {
  const dollar = officialDollar(figures);
  return dollar !== undefined && doubtOf(dollar, now) === 'stale';
}

/** Days in Caracas from the value date until now. */
export function daysOld(valueDate: string, now: Instant): number {
  return (Date.parse(caracasDayOf(now)) - Date.parse(valueDate)) / DAY_MS;
}

/**
 * Why the figures must not be used to charge, from all that is known of them: a heading, and what a reader
 * can do. Undefined while the official dollar can be used.
 */
export function lateWords(
  figures: BoardFigures,
  { language, now }: { readonly language: Language; readonly now: Instant },
): { readonly heading: string; readonly more?: string } | undefined {
  const { state, rates } = figures;
  if (rates.length === 0) return undefined;
  const reason = (name: StateReasonName) => state.reasons.find((one) => one.name === name);
  const day = officialDollar(figures)?.effective_date;
  if (day === undefined || !isOfficialLate(figures, now)) {
    const isFailing = state.status === 'failing';
    return isFailing ? { heading: STATE_TEXTS[language].verdict.failing } : undefined;
  }
  const { lateHeading, lateMore } = BOARD_TEXTS[language];
  const isAll = reason('all_quotes_stale') !== undefined;
  const missed = reason('publications_missed')?.count ?? 0;
  return {
    heading: lateHeading(isAll, daysOld(day, now)),
    more: lateMore(nearDayText(day, caracasDayOf(now), language), missed),
  };
}

/** The warning, above the figure that it is about. */
export function lateWarning(figures: BoardFigures, reader: BoardReader): Html {
  const words = lateWords(figures, reader);
  if (words === undefined) return undefined;
  const { heading, more } = words;
  return html`<div class="alert failing late-alert">${WARNING_ICON}<div><h2>${heading}</h2>${more && html`<p>${more}</p>`}</div>
<a href="${linkTo(reader, '/status')}">${BOARD_TEXTS[reader.language].seeStatus}</a></div>`;
}

export const WARNING_ICON = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4 2.5 20h19L12 4Zm0 6v4.5m0 2.8v.2"/></svg>`;
