import {
  CONDITION_RANK,
  PUSHED,
  type SourceCondition,
  type SourceHealth,
} from '../../domain/source-health.ts';
import type { StateReasonName } from '../../domain/state-names.ts';
import { ageSec, caracasDayOf, caracasTimeOf, type Instant } from '../../domain/time.ts';
import { ageText, momentText, nearDayText, shortDay } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { STATE_TEXTS, type StateView } from '../frame/state.ts';
import { STRIP_DAYS, stripLegend } from './day-strip.ts';
import { doubtfulSection, heldSection } from './held-section.ts';
import { problemList } from './problem-list.ts';
import { type CardContext, isStopped, isUnread, sourceCards, unreadLine } from './source-card.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { StatusTexts } from './status-texts-es.ts';
import type { StatusView } from './status-view.ts';

/** A younger reading is "now". */
const JUST_NOW_SEC = 3;

const UNREAD: readonly SourceCondition[] = ['off', 'standby'];

/** With one of these reasons the service gets no new figures. */
const NO_READINGS: readonly StateReasonName[] = ['all_sources_failing', 'collecting_stopped'];

/** Reasons that are not about figures: the rates are fresh. */
const NOT_ABOUT_FIGURES: readonly StateReasonName[] = [
  ...NO_READINGS,
  'sources_failing',
  'sources_frozen',
  'database_unavailable',
];

/** The current problems, their start and the service's actions, then the state of each source. */
export function statusPage(view: PageView, status: StatusView): string {
  const { language } = view;
  const words = STATUS_TEXTS[language];
  const { sources, now, marketName } = status;
  const simulated = view.notice !== undefined;
  const context: CardContext = { language, now, sources, marketName, simulated };
  const rank = (source: SourceHealth) => (isStopped(source) ? 0 : CONDITION_RANK[source.condition]);
  const sorted = sources.toSorted((a, b) => rank(a) - rank(b));
  const [read, unread] = [sorted.filter(isInUse), sorted.filter((one) => !isInUse(one))];
  return framed(
    view,
    html`${nowSection(status, context)}
${doubtfulSection(status, context)}
${status.heldCount > 0 && heldSection(status.heldRecords, status.heldCount, context)}
<h2>${words.read}</h2>
${!read.every(isUnread) && stripLegend(language)}
<ul class="sources">
${sourceCards(read, context)}</ul>
${
  unread.length > 0 &&
  html`<h2>${words.notRead}</h2>
<p>${words.notReadAbout}</p>
<ul class="sources unread">
${unread.map((source) => unreadLine(source, context))}</ul>`
}
<p class="quiet"><a href="/v1/status">/v1/status</a>: ${words.asJson}.</p>`,
  );
}

/** Whether it is read, or something was pushed. */
function isInUse({ kind, condition }: SourceHealth): boolean {
  return !UNREAD.includes(condition) && !(kind === PUSHED && condition === 'waiting');
}

/** The page before the first state is known. */
export function unknownStatusPage(view: PageView): string {
  const { unknown } = STATUS_TEXTS[view.language];
  return framed(view, html`<p class="alert" role="alert">${unknown}</p>`);
}

function framed(view: PageView, content: Html): string {
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

function agoText(since: Instant, { now, language }: CardContext): string {
  const seconds = ageSec({ since, now });
  return seconds < JUST_NOW_SEC ? STATUS_TEXTS[language].justNow : ageText(seconds, language);
}

function nowSection(status: StatusView, context: CardContext): Html {
  const { language } = context;
  const words = STATUS_TEXTS[language];
  const { state, fetchedAt, checkedAt, collecting, inDoubt, marketName } = status;
  const facts: readonly (readonly [string, Html] | undefined)[] = [
    sinceFact(status, context),
    [words.checked, agoText(checkedAt, context)],
    fetchedAt === undefined ? undefined : [words.taken, agoText(fetchedAt, context)],
    publicationFact(status, words, language),
    inDoubt.length === 0 ? undefined : [words.inDoubt, inDoubt.map(marketName).join(', ')],
  ];
  const shown = facts.flatMap((fact) => (fact === undefined ? [] : [fact]));
  return html`<section class="now ${{ ok: 'good', degraded: 'unsure', failing: 'bad' }[state.status]}">
<p class="verdict">${verdictOf(state, words, language)}</p>
<dl class="figures">
${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
${!collecting && state.reasons.length === 0 && html`<p>${words.notCollecting}</p>`}
${problemList(status, context)}</section>`;
}

function verdictOf({ status, reasons }: StateView, words: StatusTexts, language: Language): string {
  if (reasons.some(({ name }) => name === 'no_figures')) return words.noFigures;
  if (status === 'degraded') {
    const names = reasons.map(({ name }) => name);
    const isFresh = names.every((name) => NOT_ABOUT_FIGURES.includes(name));
    if (isFresh && names.includes('database_unavailable')) return words.databaseDown;
    if (isFresh) return words.onlySources(reasons.flatMap(({ sources = [] }) => sources).length);
    if (names.some((name) => NO_READINGS.includes(name))) return words.notUpdated;
  }
  return STATE_TEXTS[language].verdict[status];
}

/** Start of the oldest problem; without problems, time of the last failed reading. */
function sinceFact(
  { state, sources, now }: StatusView,
  { language }: CardContext,
): readonly [string, Html] | undefined {
  const words = STATUS_TEXTS[language];
  if (state.reasons.length > 0) {
    const began = state.reasons.flatMap(({ since }) => (since === undefined ? [] : [since])).sort();
    const [first] = began;
    if (first === undefined) return undefined;
    const at = Date.parse(first);
    const moment = momentText(at, language);
    return [
      words.since,
      html`<time datetime="${first}">${moment}</time> <span class="quiet">(${ageText(ageSec({ since: at, now }), language)})</span>`,
    ];
  }
  const days = sources.flatMap(({ days: own }) => own);
  if (days.length === 0) return undefined;
  const last = days
    .filter(({ failures }) => failures > 0)
    .map(({ day }) => day)
    .sort()
    .at(-1);
  return [
    words.lastFailure,
    last === undefined ? words.noFailureInDays(STRIP_DAYS) : shortDay(last, language),
  ];
}

function publicationFact(
  { nextPublication, now }: StatusView,
  words: StatusTexts,
  language: Language,
): readonly [string, Html] | undefined {
  // One that is late is among the problems.
  if (nextPublication === undefined || nextPublication.by < now) return undefined;
  const { by, valueDate } = nextPublication;
  const today = caracasDayOf(now);
  const day = caracasDayOf(by);
  const name =
    day === today ? words.publicationToday : words.publicationOn(nearDayText(day, today, language));
  const value = nearDayText(valueDate, today, language);
  return [words.nextPublication, words.publicationBy(name, caracasTimeOf(by), value)];
}
