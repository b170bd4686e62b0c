import {
  CONDITION_RANK,
  PUSHED,
  type SourceCondition,
  type SourceHealth,
} from '../../../core/domain/source-health.ts';
import type { StateReasonName } from '../../../core/domain/state-names.ts';
import { ageSec, caracasDayOf, caracasTimeOf, type Instant } from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { momentText, nearDayText, shortDay } from '../frame/format.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { STATE_TEXTS, STATUS_TEXTS } from '../texts/texts.ts';
import { STRIP_DAYS, stripLegend } from './day-strip.ts';
import { doubtfulSection, heldSection } from './held-section.ts';
import { problemList } from './problem-list.ts';
import { isStopped, isUnread, sourceCards, unreadLine } from './source-card.ts';
import { agoText, type Fact, figureList, type ReadStatus, type StatusView } from './status-view.ts';

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
export function statusPage(view: PageView, given: StatusView): string {
  const { language } = view;
  const words = STATUS_TEXTS[language];
  const status: ReadStatus = { ...given, language, words, simulated: view.notice !== undefined };
  const rank = (source: SourceHealth) => (isStopped(source) ? 0 : CONDITION_RANK[source.condition]);
  const sorted = given.sources.toSorted((a, b) => rank(a) - rank(b));
  const [read, unread] = [sorted.filter(isInUse), sorted.filter((one) => !isInUse(one))];
  return framed(
    view,
    html`${nowSection(status)}
${doubtfulSection(status)}
${heldSection(status)}
<h2>${words.read}</h2>
${!read.every(isUnread) && stripLegend(status)}
<ul class="sources">
${sourceCards(read, status)}</ul>
${
  unread.length > 0 &&
  html`<h2>${words.notRead}</h2>
<p>${words.notReadAbout}</p>
<ul class="sources unread">
${unread.map((source) => unreadLine(source, status))}</ul>`
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
    assets: ['paper.js'],
    content: html`<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
${content}`,
  });
}

function nowSection(status: ReadStatus): Html {
  const { words, state, fetchedAt, checkedAt, collecting, inDoubt, frozen, marketName, now } =
    status;
  const ago = (at: Instant) =>
    ageSec({ since: at, now }) < JUST_NOW_SEC ? words.justNow : agoText(at, status);
  return html`<section class="now ${{ ok: 'good', degraded: 'unsure', failing: 'bad' }[state.status]}">
<p class="verdict">${verdictOf(status)}</p>
${figureList([
  sinceFact(status),
  [words.checked, ago(checkedAt)],
  fetchedAt !== undefined && [words.taken, ago(fetchedAt)],
  publicationFact(status),
  inDoubt.length > 0 && [words.inDoubt, inDoubt.map(marketName).join(', ')],
  frozen.length > 0 && [words.frozenRates, frozen.map(marketName).join(', ')],
])}
${!collecting && state.reasons.length === 0 && html`<p>${words.notCollecting}</p>`}
${problemList(status)}</section>`;
}

function verdictOf({ state: { status, reasons }, words, language }: ReadStatus): string {
  const names = reasons.map(({ name }) => name);
  if (names.includes('no_figures')) {
    const hadSome = reasons.some(({ name, since }) => name === 'quotes_missing' && since);
    return hadSome ? words.noFiguresLeft : words.noFigures;
  }
  if (status === 'degraded') {
    if (names.includes('database_not_writable')) return words.notUpdated;
    const isFresh = names.every((name) => NOT_ABOUT_FIGURES.includes(name));
    if (isFresh && names.includes('database_unavailable')) return words.databaseDown;
    if (isFresh) return words.onlySources(reasons.flatMap(({ sources = [] }) => sources).length);
    if (names.some((name) => NO_READINGS.includes(name))) return words.notUpdated;
  }
  return STATE_TEXTS[language].verdict[status];
}

/** Start of the oldest problem; without problems, day of the last failed reading. */
function sinceFact(status: ReadStatus): Fact {
  const { state, sources, language, words } = status;
  if (state.reasons.length > 0) {
    const [first] = state.reasons.flatMap(({ since }) => since ?? []).sort();
    if (first === undefined) return false;
    const at = Date.parse(first);
    const moment = html`<time datetime="${first}">${momentText(at, language)}</time>`;
    return [words.since, html`${moment} <span class="quiet">(${agoText(at, status)})</span>`];
  }
  const days = sources.flatMap((source) => source.days);
  const failed = days.filter(({ failures }) => failures > 0).map(({ day }) => day);
  const last = failed.sort().at(-1);
  const said = last === undefined ? words.noFailureInDays(STRIP_DAYS) : shortDay(last, language);
  return days.length > 0 && [words.lastFailure, said];
}

function publicationFact({ nextPublication, now, words, language }: ReadStatus): Fact {
  // One that is late is among the problems.
  if (nextPublication === undefined || nextPublication.by < now) return false;
  const { by, valueDate } = nextPublication;
  const today = caracasDayOf(now);
  const day = caracasDayOf(by);
  const name =
    day === today ? words.publicationToday : words.publicationOn(nearDayText(day, today, language));
  const value = nearDayText(valueDate, today, language);
  return [words.nextPublication, words.publicationBy(name, caracasTimeOf(by), value)];
}
