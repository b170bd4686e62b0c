import { OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { OFFICIAL_KIND, type SourceHealth } from '../../../core/domain/source-health.ts';
import type { StateReasonName } from '../../../core/domain/state-names.ts';
import { type ReasonView, reasonText } from '../../../core/domain/words/state-words.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { momentText } from '../frame/format.ts';
import { sourceName } from '../frame/source-names.ts';
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
  const names = state.reasons.map(({ name }) => name);
  // Without any figure no market has one.
  const told = state.reasons.filter(
    ({ name }) => name !== 'quotes_missing' || !names.includes('no_figures'),
  );
  const sorted = told.toSorted((a, b) => rank(a) - rank(b));
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

/** Reasons of which the source of the official rate is the remedy. */
const OFFICIAL: readonly StateReasonName[] = [
  'official_stale',
  'official_missing',
  'publications_missed',
];

/**
 * What is done about a reason, as far as it is true in the whole state: what is shown meanwhile only where
 * there is a figure. Undefined if the cause, listed above, already says it.
 */
function doing(reason: ReasonView, status: ReadStatus): string | undefined {
  const { name, sources: failing = [] } = reason;
  const { state, sources, words } = status;
  const hasStopped = state.reasons.some((one) => one.name === 'collecting_stopped');
  const isReading = status.collecting && !hasStopped;
  const texts: Partial<Record<StateReasonName, string>> = words.meanwhile;
  const meanwhile = isShown(reason, status) ? texts[name] : undefined;
  const said = (action: string) => [action, ...(meanwhile ? [meanwhile] : [])].join(' ');
  if (isReading && name === 'sources_failing') {
    const replaced = failing.map((source) => replacementOf(source, sources));
    const inUse = replaced.filter((source) => source !== undefined);
    const names = [...new Set(inUse.map((source) => sourceName(source.name)))].join(', ');
    // A fallback that has brought no figure yet stands in for nothing.
    if (inUse.length === 0 || !meanwhile) return said(words.doing.sources_failing);
    if (inUse.length === failing.length) return words.fallbacksInUse(names);
    const others = failing.filter((_, place) => replaced[place] === undefined);
    const hasOthers = isShown({ ...reason, sources: others }, status);
    return hasOthers ? words.someFallbacksInUse(names) : words.fallbacksForSome(names);
  }
  const isPushed = sources.some(({ kind, enabled }) => kind === OFFICIAL_KIND && !enabled);
  if (isPushed && OFFICIAL.includes(name)) return said(words.officialPushed);
  if (isReading || OPERATORS.includes(name)) return said(words.doing[name]);
  return hasStopped ? undefined : words.doingWithoutReading;
}

/** Whether there is a figure of those that the reason is about. */
function isShown({ name, sources: failing = [] }: ReasonView, status: ReadStatus): boolean {
  const { state, sources } = status;
  const has = (one: StateReasonName) => state.reasons.some((reason) => reason.name === one);
  if (has('no_figures')) return false;
  if (OFFICIAL.includes(name)) return !has('official_missing');
  if (name !== 'sources_failing') return true;
  const missing = state.reasons
    .filter((one) => one.name === 'quotes_missing' || one.name === 'official_missing')
    .flatMap(({ markets = [] }) => markets);
  const affected = sources.filter((source) => failing.includes(source.name));
  return affected.some(({ kind, markets }) =>
    kind === OFFICIAL_KIND
      ? !missing.includes(OFFICIAL_USD)
      : markets.some((market) => !missing.includes(market)),
  );
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
