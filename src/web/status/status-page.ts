import {
  addCaracasDays,
  ageSec,
  type CaracasDay,
  caracasDayOf,
  type Instant,
} from '../../domain/time.ts';
import { ageText, countText, durationText, momentText, shortDay } from '../frame/format.ts';
import { type Html, type HtmlValue, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { reasonList, STATE_TEXTS, type StateView } from '../frame/state.ts';
import {
  type DayMark,
  type SourceCondition,
  type SourceFailureWord,
  STATUS_TEXTS,
} from './status-texts.ts';

/** A source as the page tells of it. */
export interface StatusSource {
  readonly name: string;
  readonly kind: string;
  readonly markets: readonly string[];
  readonly fallbackFor?: string;
  readonly condition: SourceCondition;
  /** What is wrong with its entry in the catalogue, for which it is off. */
  readonly whyOff?: string;
  readonly failure?: SourceFailureWord;
  readonly lastSuccessAt?: Instant;
  readonly lastChangeAt?: Instant;
  readonly consecutiveFailures: number;
  readonly publicationsMissed?: number;
  readonly valueDatesMissing?: readonly CaracasDay[];
  /** Its host is paused until then, so it was not asked. */
  readonly pausedUntil?: Instant;
  /** Ids of markets that it no longer brings. */
  readonly missingMarkets?: readonly string[];
  /** Whether its page shows an earlier publication again. */
  readonly pageWentBack?: true;
  readonly nextRunAt?: Instant;
  readonly held: number;
  readonly days: readonly StatusDay[];
}

export interface StatusDay {
  readonly day: CaracasDay;
  readonly successes: number;
  readonly failures: number;
}

/** What is known of all sources, and when it was found out. */
export interface StatusView {
  /** How far the figures can be relied on. */
  readonly state: StateView;
  readonly sources: readonly StatusSource[];
  readonly fetchedAt?: Instant;
  readonly collecting: boolean;
  readonly checkedAt: Instant;
  /** False while the database does not answer: this is what was known last. */
  readonly isCurrent: boolean;
  readonly now: Instant;
  /** Display name of a market. */
  readonly marketName: (id: string) => string;
}

/** Days of the strip, today included. */
const STRIP_DAYS = 30;
/** Names of markets that stand for a source before the rest is only counted. */
const NAMED_MARKETS = 2;
/** Readings of a day of which one may fail without the day being marked. */
const READINGS_A_FAILURE = 20;

/** Younger than this nobody counts. */
const JUST_NOW_SEC = 3;

type Words = (typeof STATUS_TEXTS)[Language];

/** Who reads this page wants to know of these first. */
const TROUBLES: readonly SourceCondition[] = ['failing', 'late', 'frozen', 'incomplete'];
const UNREAD: readonly SourceCondition[] = ['off', 'standby'];

/** How the sources are, for people who only want to know whether a rate can be relied upon. */
export function statusPage(view: PageView, status: StatusView): string {
  const { language } = view;
  const words = STATUS_TEXTS[language];
  const { sources, fetchedAt, checkedAt, isCurrent, now } = status;
  const read = sources.filter(({ condition }) => !UNREAD.includes(condition));
  const unread = sources.filter(({ condition }) => UNREAD.includes(condition));
  const age = (since: Instant) => {
    const seconds = ageSec({ since, now });
    return seconds < JUST_NOW_SEC ? words.justNow : ageText(seconds, language);
  };
  return framed(
    view,
    html`${!isCurrent && html`<p class="alert" role="alert">${words.databaseDown(age(checkedAt))}</p>`}
<p class="verdict ${verdictKind(status)}">${STATE_TEXTS[language].verdict[status.state.status]}</p>
${status.state.reasons.length > 0 && reasonList(status.state.reasons, language, status.marketName)}<p>${sourcesVerdict(status, words)}</p>
<p class="quiet">${words.checked} ${age(checkedAt)}${fetchedAt !== undefined && html`. ${words.taken}: ${age(fetchedAt)}`}.</p>
<h2>${words.read}</h2>
<ul class="sources">
${read.map((source) => sourceCard(source, status, language))}</ul>
${
  unread.length > 0 &&
  html`<h2>${words.notRead}</h2>
<p>${words.notReadAbout}</p>
<ul class="sources unread">
${unread.map((source) => unreadLine(source, status, language))}</ul>`
}
<p class="quiet"><a href="/v1/status">/v1/status</a>: ${words.asJson}.</p>`,
  );
}

/** While nothing was ever known. */
export function unknownStatusPage(view: PageView): string {
  const { unknown } = STATUS_TEXTS[view.language];
  return framed(view, html`<p class="alert" role="alert">${unknown}</p>`);
}

function framed(view: PageView, content: HtmlValue): string {
  const words = STATUS_TEXTS[view.language];
  return page(view, {
    title: words.title,
    description: words.description,
    kind: 'status',
    content: html`<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
${content}`,
  });
}

function troubled({ sources, now }: StatusView): number {
  return sources.filter((source) => TROUBLES.includes(source.condition) || isStopped(source, now))
    .length;
}

/** Whether the sources work, and whether anyone reads them: beside the state of the figures. */
function sourcesVerdict(status: StatusView, words: Words): string {
  const count = troubled(status);
  const works = count > 0 ? words.someBad(count) : words.allGood;
  return status.collecting
    ? works
    : count > 0
      ? `${works} ${words.notCollecting}`
      : words.notCollecting;
}

function verdictKind({ state }: StatusView): string {
  return { ok: 'good', degraded: 'unsure', failing: 'bad' }[state.status];
}

/** Read before, and its turn has passed. */
function isStopped({ condition, nextRunAt }: StatusSource, now: Instant): boolean {
  return condition === 'waiting' && nextRunAt !== undefined && nextRunAt < now;
}

function titleOf(source: StatusSource, { marketName }: StatusView, words: Words): string {
  const known = words.names[source.kind];
  if (known !== undefined) return known;
  const names = source.markets.map(marketName);
  if (names.length === 0) return source.name;
  const more = names.length - NAMED_MARKETS;
  const shown = names.slice(0, NAMED_MARKETS).join(', ');
  return more > 0 ? `${shown} ${words.andMore(more)}` : shown;
}

function stateOf(source: StatusSource, now: Instant, words: Words): string {
  return isStopped(source, now) ? words.stopped : words.states[source.condition];
}

function sentenceOf(source: StatusSource, status: StatusView, words: Words): string {
  const { why } = words;
  const { condition, kind, consecutiveFailures, failure, publicationsMissed = 0 } = source;
  switch (condition) {
    case 'ok':
      if (source.pageWentBack) return why.wentBack;
      return kind === 'operator' ? why.pushed : why.ok;
    case 'failing':
      return why.failing(consecutiveFailures, words.failures[failure ?? 'content']);
    case 'frozen':
      return why.frozen;
    case 'late':
      return why.late(publicationsMissed);
    case 'incomplete':
      return why.incomplete((source.missingMarkets ?? []).map(status.marketName).join(', '));
    case 'waiting':
      if (isStopped(source, status.now)) return why.stopped;
      if (source.pausedUntil !== undefined) return why.paused;
      return kind === 'operator' ? why.neverPushed : why.neverRead;
    case 'off':
      return source.whyOff === undefined ? why.off : why.misnamed;
    case 'standby': {
      const other = status.sources.find(({ name }) => name === source.fallbackFor);
      return other === undefined ? why.byCommand : why.standby(other.name);
    }
    default:
      return condition satisfies never;
  }
}

function sourceCard(source: StatusSource, status: StatusView, language: Language): Html {
  const words = STATUS_TEXTS[language];
  const { now } = status;
  const { name, kind, condition, held, publicationsMissed, valueDatesMissing, nextRunAt } = source;
  const isPushed = kind === 'operator';
  const kindOfState = isStopped(source, now) ? 'failing' : condition;
  const moment = (at: Instant | undefined): HtmlValue =>
    at === undefined
      ? words.never
      : html`${ageText(ageSec({ since: at, now }), language)} <span class="quiet">(${momentText(at, language)})</span>`;
  const facts: readonly (readonly [string, HtmlValue])[] = [
    [isPushed ? words.lastPush : words.lastSuccess, moment(source.lastSuccessAt)],
    ...(isPushed ? [] : ([[words.lastChange, moment(source.lastChangeAt)]] as const)),
    ...(nextRunAt === undefined || nextRunAt < now
      ? []
      : ([
          [
            condition === 'failing' ? words.nextTry : words.nextRun,
            words.within(durationText(ageSec({ since: now, now: nextRunAt }), language)),
          ],
        ] as const)),
    ...(publicationsMissed === undefined
      ? []
      : ([
          [
            words.missed,
            publicationsMissed === 0 ? words.none : countText(publicationsMissed, language),
          ],
        ] as const)),
    ...(valueDatesMissing === undefined
      ? []
      : ([
          [
            words.missing,
            valueDatesMissing.map((day) => shortDay(day, language)).join(', ') || words.none,
          ],
        ] as const)),
  ];
  return html`<li class="source" id="${name}">
<h3>${titleOf(source, status, words)} <span class="state ${kindOfState}">${stateOf(source, now, words)}</span></h3>
<p>${sentenceOf(source, status, words)}${held > 0 && html` ${words.why.held(held)}`}</p>
<dl class="figures">
${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
${source.days.length > 0 && strip(source, status, language)}
<p class="quiet source-name"><code>${name}</code></p>
</li>
`;
}

function unreadLine(source: StatusSource, status: StatusView, language: Language): Html {
  const words = STATUS_TEXTS[language];
  return html`<li><strong>${titleOf(source, status, words)}</strong>
<span class="state ${source.condition}">${stateOf(source, status.now, words)}</span>
<span>${sentenceOf(source, status, words)}</span> <code>${source.name}</code></li>
`;
}

/** A failed reading among many good ones marks no day. */
function markOf(day: StatusDay | undefined): DayMark {
  if (day === undefined) return 'none';
  const { successes, failures } = day;
  if (successes === 0) return 'bad';
  return failures * READINGS_A_FAILURE > successes + failures ? 'some' : 'good';
}

/** The last days as a row of marks, in words for whoever does not see them. */
function strip({ days }: StatusSource, { now }: StatusView, language: Language): Html {
  const words = STATUS_TEXTS[language];
  const today = caracasDayOf(now);
  const byDay = new Map(days.map((one) => [one.day, one]));
  const shown = Array.from({ length: STRIP_DAYS }, (_, index) => {
    const day = addCaracasDays(today, index + 1 - STRIP_DAYS);
    return { day, found: byDay.get(day), mark: markOf(byDay.get(day)) };
  });
  const counts = { good: 0, some: 0, bad: 0, none: 0 };
  for (const { mark } of shown) counts[mark] += 1;
  const titleOfDay = ({ day, found, mark }: (typeof shown)[number]) => {
    const detail =
      found === undefined
        ? words.marks[mark]
        : `${words.marks[mark]} (${words.dayCounts(found.successes, found.failures)})`;
    return `${shortDay(day, language)}: ${detail}`;
  };
  return html`<div class="strip" role="img" aria-label="${words.days}: ${words.marksCount(counts)}">
${shown.map((one) => html`<i class="${one.mark}" title="${titleOfDay(one)}"></i>`)}
</div>
<p class="strip-ends quiet" aria-hidden="true"><span>${words.daysAgo}</span><span>${words.today}</span></p>`;
}
