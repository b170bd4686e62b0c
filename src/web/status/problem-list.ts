import type { SourceHealth } from '../../domain/source-health.ts';
import type { StateReasonName } from '../../domain/state-names.ts';
import { momentText } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { sourceName } from '../frame/source-names.ts';
import { type ReasonView, reasonText } from '../frame/state.ts';
import { STATE_TEXTS } from '../texts/texts.ts';
import { sourceTitle } from './source-card.ts';
import { agoText, type ReadStatus } from './status-view.ts';

/** Reasons that need an operator. */
const OPERATORS: readonly StateReasonName[] = [
  'collecting_stopped',
  'database_unavailable',
  'database_not_writable',
];
/** Reasons that cause others. */
const CAUSES: readonly StateReasonName[] = [...OPERATORS, 'all_sources_failing'];

/** Each problem with its start and the service's action, causes first. */
export function problemList(status: ReadStatus): Html {
  const { state, sources, language, words, marketName: market } = status;
  if (state.reasons.length === 0) return undefined;
  const rank = ({ name }: ReasonView) => (CAUSES.includes(name) ? 0 : 1);
  const sorted = state.reasons.toSorted((a, b) => rank(a) - rank(b));
  const doings = sorted.map((reason) => doing(reason, status));
  const source = (name: string) => {
    const found = sources.find((one) => one.name === name);
    if (found === undefined) return sourceName(name);
    const title = sourceTitle(found, status);
    return words.names[found.kind] === undefined ? `${sourceName(name)} (${title})` : title;
  };
  const lines = sorted.map((reason, place) => {
    const at = Date.parse(reason.since ?? '');
    const moment =
      reason.since !== undefined &&
      html` <time class="quiet" datetime="${reason.since}">${STATE_TEXTS[language].since(momentText(at, language))}, ${agoText(at, status)}</time>`;
    // If one action is for several problems, only the last of them shows it.
    const isSaidHere = doings[place] !== undefined && doings[place] !== doings[place + 1];
    const about = isSaidHere && html`<p>${doings[place]}</p>`;
    return html`<li><strong>${reasonText(reason, language, { market, source })}</strong>${moment}${about}</li>
`;
  });
  return html`<h2>${words.problems}</h2>
<ul class="problems">
${lines}</ul>`;
}

/** Undefined if the cause, listed above, already says it. */
function doing(
  { name, sources: failing = [] }: ReasonView,
  { collecting, state, sources, words }: ReadStatus,
): string | undefined {
  if (collecting && name === 'sources_failing') {
    const replaced = failing.map((source) => replacementOf(source, sources));
    const inUse = replaced.filter((source) => source !== undefined);
    const names = [...new Set(inUse.map((source) => sourceName(source.name)))].join(', ');
    if (inUse.length === failing.length) return words.fallbacksInUse(names);
    return inUse.length > 0 ? words.someFallbacksInUse(names) : words.doing.sources_failing;
  }
  if (collecting || OPERATORS.includes(name)) return words.doing[name];
  const isSaidAbove = state.reasons.some((one) => one.name === 'collecting_stopped');
  return isSaidAbove ? undefined : words.doingWithoutReading;
}

/** The working fallback of a failing source. A fallback may have its own fallback. */
function replacementOf(
  failing: string,
  sources: readonly SourceHealth[],
): SourceHealth | undefined {
  const fallback = sources.find(({ fallbackFor }) => fallbackFor === failing);
  if (fallback === undefined || fallback.condition === 'ok') return fallback;
  return replacementOf(fallback.name, sources);
}
