import { PUSHED, type SourceHealth } from '../../../core/domain/source-health.ts';
import { ageSec, type Instant } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { countText, durationText, momentText, shortDay } from '../frame/format.ts';
import { sourceName } from '../frame/source-names.ts';
import { dayStrip } from './day-strip.ts';
import { agoText, type Fact, figureList, type ReadStatus } from './status-view.ts';

/** Most markets named for a source. The others are counted. */
const NAMED_MARKETS = 2;

/** Whether its turn has passed without a reading. */
export function isStopped({ condition, overdueSince }: SourceHealth): boolean {
  return condition === 'waiting' && overdueSince !== undefined;
}

/** What the source provides, in words. */
export function sourceTitle(source: SourceHealth, { words, marketName }: ReadStatus): string {
  const known = words.names[source.kind];
  if (known !== undefined) return known;
  if (source.role === 'witness') return words.witness;
  const names = source.markets.map(marketName);
  if (names.length === 0) return sourceName(source.name);
  const more = names.length - NAMED_MARKETS;
  const shown = names.slice(0, NAMED_MARKETS).join(', ');
  return more > 0 ? `${shown} ${words.andMore(more)}` : shown;
}

/** Where its figures come from; empty if the title says so. */
function byline(source: SourceHealth, status: ReadStatus): Html {
  const { words, simulated } = status;
  const name = sourceName(source.name);
  const isSaid =
    words.names[source.kind] !== undefined || sourceTitle(source, status).includes(name);
  const parts = [...(isSaid ? [] : [name]), ...(simulated ? [words.simulated] : [])];
  return parts.length > 0 && html` <span class="byline">${parts.join(' · ')}</span>`;
}

/** How it is, in a word. */
function tag(source: SourceHealth, { words }: ReadStatus): Html {
  const { condition, kind, pausedUntil } = source;
  const isWaiting = condition === 'waiting';
  const stopped = isStopped(source) && words.stopped;
  const unused = isWaiting && kind === PUSHED && words.unused;
  // "Not read yet" would be wrong for a source that was read before the pause.
  const paused = isWaiting && pausedUntil !== undefined && words.paused;
  const said = stopped || unused || paused || words.states[condition];
  return html`<span class="state ${stopped ? 'failing' : condition}">${said}</span>`;
}

function sentenceOf(source: SourceHealth, { words, marketName, sources }: ReadStatus): string {
  const { why } = words;
  const { condition, kind, fallbackFor, consecutiveFailures, failure } = source;
  const { publicationsMissed = 0 } = source;
  switch (condition) {
    case 'ok':
      if (source.pageWentBack) return why.wentBack;
      if (kind === PUSHED) return why.pushed;
      return fallbackFor === undefined ? why.ok : why.okFor(sourceName(fallbackFor));
    case 'failing':
      return why.failing(consecutiveFailures, words.failures[failure ?? 'content']);
    case 'frozen':
      return why.frozen;
    case 'late':
      return why.late(publicationsMissed);
    case 'incomplete':
      return why.incomplete((source.missingMarkets ?? []).map(marketName).join(', '));
    case 'waiting':
      if (isStopped(source)) return why.stopped;
      if (source.pausedUntil !== undefined) return why.paused;
      return kind === PUSHED ? why.neverPushed : why.neverRead;
    case 'off': {
      if (source.whyOff !== undefined) return why.misnamed;
      const other = sources.find((one) => standsFor(one, source));
      return other === undefined ? why.off : why.offFor(sourceName(other.name));
    }
    case 'standby': {
      const other = sources.find(({ name }) => name === source.fallbackFor);
      return other === undefined ? why.byCommand : why.standby(sourceName(other.name));
    }
    default:
      return condition satisfies never;
  }
}

/** Whether a switched-on source provides every market of one that is off. */
function standsFor(one: SourceHealth, off: SourceHealth): boolean {
  const { markets } = off;
  return one.enabled && markets.length > 0 && markets.every((id) => one.markets.includes(id));
}

function factsOf(source: SourceHealth, status: ReadStatus): readonly Fact[] {
  const { language, words, now } = status;
  const { condition, publicationsMissed: missed, valueDatesMissing, pausedUntil } = source;
  const isPushed = source.kind === PUSHED;
  const moment = (at: Instant | undefined): Html =>
    at === undefined
      ? words.never
      : html`${agoText(at, status)} <span class="quiet">(${momentText(at, language)})</span>`;
  const next = condition === 'failing' ? words.nextTry : words.nextRun;
  // A fallback is read only when needed, so it has no next turn.
  const turns = [
    [next, source.nextRunAt ?? 0],
    [words.pauseEnds, pausedUntil ?? 0],
  ] as const;
  const turn = turns.find(([, at]) => at >= now);
  // A date must not break.
  const dates = valueDatesMissing?.map((day) => shortDay(day, language).replaceAll(' ', '\u00a0'));
  return [
    !isUnread(source) && [
      isPushed ? words.lastPush : words.lastSuccess,
      moment(source.lastSuccessAt),
    ],
    !isUnread(source) && !isPushed && [words.lastChange, moment(source.lastChangeAt)],
    // "In 0 s" would not help.
    turn !== undefined && [
      turn[0],
      words.within(durationText(Math.max(1, ageSec({ since: now, now: turn[1] })), language)),
    ],
    missed !== undefined && [words.missed, missed === 0 ? words.none : countText(missed, language)],
    dates !== undefined && [words.missing, dates.join(', ') || words.none],
  ];
}

/** Whether it was never read and so has no times or days to show. */
export function isUnread({ lastSuccessAt, days }: SourceHealth): boolean {
  return lastSuccessAt === undefined && days.length === 0;
}

/** A card for each market or group of them: sources that bring the same ones stand in one card. */
export function sourceCards(sources: readonly SourceHealth[], status: ReadStatus): Html {
  const { words, simulated } = status;
  const origin = simulated && html` <span class="byline">${words.simulated}</span>`;
  const part = (source: SourceHealth) => html`<section id="${source.name}">
<h4>${sourceName(source.name)} ${tag(source, status)}${origin}</h4>
${readings(source, status)}</section>
`;
  const groups = Map.groupBy(sources, (source) => sourceTitle(source, status));
  return [...groups].map(([title, group]) => {
    const [only] = group.length === 1 ? group : [];
    return html`<li class="source" id=${only?.name}>
<h3>${title} ${only && [tag(only, status), byline(only, status)]}</h3>
${only ? readings(only, status) : group.map(part)}</li>
`;
  });
}

/** How the readings of a source go, with its last days. */
function readings(source: SourceHealth, status: ReadStatus): Html {
  const { held, days, kind } = source;
  return html`<p>${sentenceOf(source, status)}${held > 0 && html` ${status.words.why.held(held)}`}</p>
${figureList(factsOf(source, status))}
${kind !== PUSHED && !isUnread(source) && dayStrip(days, status)}
`;
}

/** One line for a source that is not read now. */
export function unreadLine(source: SourceHealth, status: ReadStatus): Html {
  return html`<li><strong>${sourceTitle(source, status)}</strong>${' '}
${tag(source, status)}${byline(source, { ...status, simulated: false })}
<p>${sentenceOf(source, status)}</p></li>
`;
}
