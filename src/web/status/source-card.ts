import { PUSHED, type SourceHealth } from '../../domain/source-health.ts';
import { ageSec, type Instant } from '../../domain/time.ts';
import { ageText, countText, durationText, momentText, shortDay } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { sourceName } from '../frame/source-names.ts';
import { dayStrip } from './day-strip.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { StatusTexts } from './status-texts-es.ts';

/** Inputs of a card besides its source. */
export interface CardContext {
  readonly language: Language;
  readonly now: Instant;
  readonly sources: readonly SourceHealth[];
  /** Name of a market in the reader's language. */
  readonly marketName: (id: string) => string;
  /** Whether this is the demonstration, which simulates its readings. */
  readonly simulated: boolean;
}

/** Most markets named for a source. The others are counted. */
const NAMED_MARKETS = 2;

/** Whether its turn has passed without a reading. */
export function isStopped({ condition, overdueSince }: SourceHealth): boolean {
  return condition === 'waiting' && overdueSince !== undefined;
}

/** What the source provides, in words. */
export function sourceTitle(source: SourceHealth, { language, marketName }: CardContext): string {
  const words = STATUS_TEXTS[language];
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
function byline(source: SourceHealth, context: CardContext): Html {
  const { language, simulated } = context;
  const words = STATUS_TEXTS[language];
  const name = sourceName(source.name);
  const isSaid =
    words.names[source.kind] !== undefined || sourceTitle(source, context).includes(name);
  const own = isSaid ? undefined : name;
  const parts = [own, simulated ? words.simulated : undefined].flatMap((part) => part ?? []);
  return parts.length > 0 && html` <span class="byline">${parts.join(' · ')}</span>`;
}

function stateOf(source: SourceHealth, words: StatusTexts): string {
  if (isStopped(source)) return words.stopped;
  if (source.condition === 'waiting' && source.kind === PUSHED) return words.unused;
  // "Not read yet" would be wrong for a source that was read before the pause.
  if (source.condition === 'waiting' && source.pausedUntil !== undefined) return words.paused;
  return words.states[source.condition];
}

function sentenceOf(source: SourceHealth, context: CardContext): string {
  const words = STATUS_TEXTS[context.language];
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
      return why.incomplete((source.missingMarkets ?? []).map(context.marketName).join(', '));
    case 'waiting':
      if (isStopped(source)) return why.stopped;
      if (source.pausedUntil !== undefined) return why.paused;
      return kind === PUSHED ? why.neverPushed : why.neverRead;
    case 'off': {
      if (source.whyOff !== undefined) return why.misnamed;
      const other = context.sources.find((one) => standsFor(one, source));
      return other === undefined ? why.off : why.offFor(sourceName(other.name));
    }
    case 'standby': {
      const other = context.sources.find(({ name }) => name === source.fallbackFor);
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

type Fact = readonly [label: string, value: Html];

function factsOf(source: SourceHealth, { language, now }: CardContext): readonly Fact[] {
  const words = STATUS_TEXTS[language];
  const { condition, publicationsMissed, valueDatesMissing, nextRunAt, pausedUntil } = source;
  const isPushed = source.kind === PUSHED;
  const moment = (at: Instant | undefined): Html =>
    at === undefined
      ? words.never
      : html`${ageText(ageSec({ since: at, now }), language)} <span class="quiet">(${momentText(at, language)})</span>`;
  // "In 0 s" would not help.
  const within = (at: Instant) =>
    words.within(durationText(Math.max(1, ageSec({ since: now, now: at })), language));
  const facts: Fact[] = [];
  if (!isUnread(source)) {
    facts.push([isPushed ? words.lastPush : words.lastSuccess, moment(source.lastSuccessAt)]);
    if (!isPushed) facts.push([words.lastChange, moment(source.lastChangeAt)]);
  }
  if (nextRunAt !== undefined && nextRunAt >= now) {
    facts.push([condition === 'failing' ? words.nextTry : words.nextRun, within(nextRunAt)]);
  } else if (pausedUntil !== undefined && pausedUntil >= now) {
    // A fallback is read only when needed, so it has no next turn.
    facts.push([words.pauseEnds, within(pausedUntil)]);
  }
  if (publicationsMissed !== undefined) {
    const missed = publicationsMissed === 0 ? words.none : countText(publicationsMissed, language);
    facts.push([words.missed, missed]);
  }
  if (valueDatesMissing !== undefined) {
    // A date must not break.
    const dates = valueDatesMissing.map((day) => shortDay(day, language).replaceAll(' ', '\u00a0'));
    const missing = dates.join(', ');
    facts.push([words.missing, missing || words.none]);
  }
  return facts;
}

/** Whether it was never read and so has no times or days to show. */
export function isUnread({ lastSuccessAt, days }: SourceHealth): boolean {
  return lastSuccessAt === undefined && days.length === 0;
}

/** A card for each market or group of them: sources that bring the same ones stand in one card. */
export function sourceCards(sources: readonly SourceHealth[], context: CardContext): Html {
  const groups = Map.groupBy(sources, (source) => sourceTitle(source, context));
  return [...groups].map(([title, [first, ...others]]) => {
    if (first === undefined) return undefined;
    if (others.length === 0) {
      return html`<li class="source" id="${first.name}">
<h3>${title} ${tag(first, context)}${byline(first, context)}</h3>
${readings(first, context)}</li>
`;
    }
    return html`<li class="source">
<h3>${title}</h3>
${[first, ...others].map(
  (source) => html`<section id="${source.name}">
<h4>${sourceName(source.name)} ${tag(source, context)}${context.simulated && html` <span class="byline">${STATUS_TEXTS[context.language].simulated}</span>`}</h4>
${readings(source, context)}</section>
`,
)}</li>
`;
  });
}

function tag(source: SourceHealth, { language }: CardContext): Html {
  const kind = isStopped(source) ? 'failing' : source.condition;
  return html`<span class="state ${kind}">${stateOf(source, STATUS_TEXTS[language])}</span>`;
}

/** How the readings of a source go, with its last days. */
function readings(source: SourceHealth, context: CardContext): Html {
  const { language, now } = context;
  const { held, days, kind } = source;
  const facts = factsOf(source, context);
  return html`<p>${sentenceOf(source, context)}${held > 0 && html` ${STATUS_TEXTS[language].why.held(held)}`}</p>
${
  facts.length > 0 &&
  html`<dl class="figures">
${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`
}
${kind !== PUSHED && !isUnread(source) && dayStrip(days, now, language)}
`;
}

/** One line for a source that is not read now. */
export function unreadLine(source: SourceHealth, context: CardContext): Html {
  return html`<li><strong>${sourceTitle(source, context)}</strong>${' '}
${tag(source, context)}${byline(source, { ...context, simulated: false })}
<p>${sentenceOf(source, context)}</p></li>
`;
}
