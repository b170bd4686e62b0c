import {
  CONDITION_RANK,
  type SourceCondition,
  type SourceHealth,
} from '../../domain/source-health.ts';
import type { StateReasonName } from '../../domain/state-names.ts';
import { ageSec, type CaracasDay, caracasDayOf, type Instant } from '../../domain/time.ts';
import { ageText, momentText, nearDayText, shortDay, timeText } from '../frame/format.ts';
import { heldReasonText } from '../frame/held-reasons.ts';
import { type Html, type HtmlValue, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { sourceName } from '../frame/source-names.ts';
import { reasonText, STATE_TEXTS, type StateView } from '../frame/state.ts';
import { STRIP_DAYS, stripLegend } from './day-strip.ts';
import { type CardContext, isStopped, sourceCard, titleOf, unreadLine } from './source-card.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import type { StatusTexts } from './status-texts-es.ts';

/** A record that judgement holds; its figure is in doubt, so it is not told. */
export interface StatusHeld {
  /** The id of a market, `bcv.official` or `bcv.banks`. */
  readonly subject: string;
  readonly source: string;
  /** One word of judgement. */
  readonly reason: string;
  readonly heldAt: Instant;
}

/** What is known of all sources, and when it was found out. */
export interface StatusView {
  /** How far the figures can be relied on. */
  readonly state: StateView;
  readonly sources: readonly SourceHealth[];
  readonly fetchedAt?: Instant;
  /** The publication of the central bank that comes next, and when it should be there. */
  readonly nextPublication?: { readonly valueDate: CaracasDay; readonly by: Instant };
  /** The newest held records, and how many there are. */
  readonly heldRecords: readonly StatusHeld[];
  readonly heldCount: number;
  readonly collecting: boolean;
  readonly checkedAt: Instant;
  /** False while the database does not answer: this is what was known last. */
  readonly isCurrent: boolean;
  readonly now: Instant;
  /** Name of a market in the reader's language. */
  readonly marketName: (id: string) => string;
}

/** Younger than this is now. */
const JUST_NOW_SEC = 3;

const UNREAD: readonly SourceCondition[] = ['off', 'standby'];

/** Reasons that are about the sources alone: the rates are fresh. */
const ABOUT_SOURCES: readonly StateReasonName[] = [
  'sources_failing',
  'sources_frozen',
  'collecting_stopped',
];
/** Reasons about which an operator has to do something, whether sources are read or not. */
const OPERATORS: readonly StateReasonName[] = ['collecting_stopped', 'database_unavailable'];

/** What is right now, since when and what is being done; then how each source is. */
export function statusPage(view: PageView, status: StatusView): string {
  const { language } = view;
  const words = STATUS_TEXTS[language];
  const { sources, now, marketName } = status;
  const simulated = view.notice !== undefined;
  const context: CardContext = { language, now, sources, marketName, simulated };
  const rank = (source: SourceHealth) =>
    isStopped(source, now) ? 0 : CONDITION_RANK[source.condition];
  const sorted = sources.toSorted((a, b) => rank(a) - rank(b));
  const [read, unread] = [sorted.filter(isInUse), sorted.filter((one) => !isInUse(one))];
  return framed(
    view,
    html`${!status.isCurrent && html`<p class="alert" role="alert">${words.databaseDown(agoText(status.checkedAt, context))}</p>`}
${nowSection(status, context)}
${status.heldCount > 0 && heldSection(status, context)}
<h2>${words.read}</h2>
${stripLegend(language)}
<ul class="sources">
${read.map((source) => sourceCard(source, context))}</ul>
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
  return !UNREAD.includes(condition) && !(kind === 'operator' && condition === 'waiting');
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

function agoText(since: Instant, { now, language }: CardContext): string {
  const seconds = ageSec({ since, now });
  return seconds < JUST_NOW_SEC ? STATUS_TEXTS[language].justNow : ageText(seconds, language);
}

/** The state in one sentence, when it began, and what is being done about each problem. */
function nowSection(status: StatusView, context: CardContext): Html {
  const { language } = context;
  const words = STATUS_TEXTS[language];
  const { state, fetchedAt, checkedAt, collecting } = status;
  const facts: readonly (readonly [string, HtmlValue] | undefined)[] = [
    sinceFact(status, context),
    [words.checked, agoText(checkedAt, context)],
    fetchedAt === undefined ? undefined : [words.taken, agoText(fetchedAt, context)],
    publicationFact(status, words, language),
  ];
  const shown = facts.flatMap((fact) => (fact === undefined ? [] : [fact]));
  return html`<section class="now ${{ ok: 'good', degraded: 'unsure', failing: 'bad' }[state.status]}">
<p class="verdict">${verdictOf(state, words, language)}</p>
<dl class="figures">
${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>
${!collecting && !state.reasons.some(({ name }) => OPERATORS.includes(name)) && html`<p>${words.notCollecting}</p>`}
${
  state.reasons.length > 0 &&
  html`<h2>${words.problems}</h2>
<ul class="problems">
${state.reasons.map((reason) => problem(reason, status, context))}</ul>`
}</section>`;
}

function verdictOf({ status, reasons }: StateView, words: StatusTexts, language: Language): string {
  if (reasons.some(({ name }) => name === 'no_figures')) return words.noFigures;
  const isAboutSources = reasons.every(({ name }) => ABOUT_SOURCES.includes(name));
  if (status === 'degraded' && isAboutSources) return words.onlySources;
  return STATE_TEXTS[language].verdict[status];
}

/** When the oldest problem began; where there is none, when a reading last failed. */
function sinceFact(
  { state, sources, now }: StatusView,
  { language }: CardContext,
): readonly [string, HtmlValue] | undefined {
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
): readonly [string, HtmlValue] | undefined {
  // One that is late is among the problems.
  if (nextPublication === undefined || nextPublication.by < now) return undefined;
  const { by, valueDate } = nextPublication;
  const today = caracasDayOf(now);
  const day = caracasDayOf(by);
  const name =
    day === today ? words.publicationToday : words.publicationOn(nearDayText(day, today, language));
  const value = nearDayText(valueDate, today, language);
  return [words.nextPublication, words.publicationBy(name, timeText(by), value)];
}

function problem(
  reason: StateView['reasons'][number],
  { collecting, sources, now }: StatusView,
  context: CardContext,
): Html {
  const { language, marketName } = context;
  const words = STATUS_TEXTS[language];
  const source = (name: string) => {
    const found = sources.find((one) => one.name === name);
    if (found === undefined) return sourceName(name);
    const title = titleOf(found, context);
    return words.names[found.kind] === undefined ? `${sourceName(name)} (${title})` : title;
  };
  const { since } = reason;
  const moment =
    since !== undefined &&
    html` <time class="quiet" datetime="${since}">${STATE_TEXTS[language].since(momentText(Date.parse(since), language))}, ${ageText(ageSec({ since: Date.parse(since), now }), language)}</time>`;
  const doing =
    collecting || OPERATORS.includes(reason.name)
      ? words.doing[reason.name]
      : words.doingWithoutReading;
  return html`<li><strong>${reasonText(reason, language, { market: marketName, source })}</strong>${moment}<br>
${doing}</li>
`;
}

function heldSection({ heldRecords, heldCount }: StatusView, context: CardContext): Html {
  const { language, now, marketName, simulated } = context;
  const words = STATUS_TEXTS[language];
  const more = heldCount - heldRecords.length;
  const line = ({ subject, source, reason, heldAt }: StatusHeld) => {
    const known = heldReasonText(reason, language);
    const from = simulated ? words.simulated : (words.names[source] ?? sourceName(source));
    return html`<li><strong>${words.heldSubjects[subject] ?? marketName(subject)}</strong>${known !== undefined && `: ${known}`}
<span class="quiet">· ${from} · ${ageText(ageSec({ since: heldAt, now }), language)}</span></li>
`;
  };
  return html`<h2>${words.heldHeading(heldCount)}</h2>
<p>${words.heldAbout}</p>
<ul class="held">
${heldRecords.map(line)}</ul>
${more > 0 && html`<p class="quiet">${words.heldMore(more)}</p>`}`;
}
