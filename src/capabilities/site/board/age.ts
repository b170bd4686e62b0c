import { h } from 'preact';
import type { BoardRate } from '../../../client/types.ts';
import { PUSHED, SHIFTED, SIMULATED } from '../../../core/domain/source-health.ts';
import { ageSec, caracasDayOf, type Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { ageText, durationText, momentText, nearDayShort, nearDayText } from '../frame/format.ts';
import { sourceName } from '../frame/source-names.ts';
import type { BoardTexts } from '../texts/es/board.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';
import type { ConvertibleRate } from './board-figures.ts';
import { useAt } from './clock.ts';
import { doubtOf, type MarkedRate } from './staleness.ts';

export interface BoardReader {
  readonly language: Language;
  /** Whether the address names the language. Then links on the page name it too. */
  readonly languageChosen: boolean;
  readonly now: Instant;
  /** Whether the service does not answer, so that the figures may no longer be the newest. */
  readonly isCutOff?: boolean;
}

/** The name of a market in the reader's language. */
export function nameIn(
  { name, name_en }: Pick<BoardRate, 'name' | 'name_en'>,
  language: Language,
): string {
  return language === 'en' ? name_en : name;
}

/** The unit of which the rate is the price: on P2P markets USDT, which the API counts as dollars. */
export const quotedUnit = ({ type, base }: Pick<BoardRate, 'type' | 'base'>) =>
  type.startsWith('p2p') ? 'USDT' : base;

/** The source of a quote in words, or in short for tables. */
export function sourceText(
  { source }: Pick<BoardRate, 'source'>,
  texts: BoardTexts,
  short = false,
): string {
  if (source.kind === 'official') return short ? texts.sourceBcvShort : texts.sourceBcv;
  if (source.name === SIMULATED) return texts.sourceSimulated;
  if (source.name === SHIFTED) return texts.sourceShifted;
  if (source.name !== PUSHED) return sourceName(source.name);
  return short ? texts.sourcePushedShort : texts.sourcePushed;
}

interface AgeLook {
  /** In a column of ages only those who hear it get its words. */
  readonly bare?: boolean;
  /** A sentence has them: nobody gets them again. */
  readonly lasting?: boolean;
}

/** An age that keeps counting. */
export function age(since: string, reader: BoardReader, look: AgeLook = {}): Html {
  return h(Age, { since, reader, ...look });
}

interface AgeParts extends AgeLook {
  readonly since: string;
  readonly reader: BoardReader;
}

function Age({ since, reader, bare, lasting }: AgeParts): Html {
  const { language } = reader;
  const at = Date.parse(since);
  const duration = useAt(reader.now, (now) => durationText(ageSec({ since: at, now }), language));
  const moment = momentText(at, language);
  // Without a connection the age of what was received says nothing of what there is.
  if (reader.isCutOff && !lasting)
    return html`<time class="age" datetime="${since}">${moment}</time>`;
  const [before = '', after = ''] = ageText(0, language).split(durationText(0, language));
  const word = (text: string) =>
    bare && text !== '' ? html`<span class="unseen">${text}</span>` : text;
  return html`<time class="age" datetime="${since}" title="${moment}"><span class="ago">${lasting ? duration : [word(before), duration, word(after)]}</span><span class="moment">${moment}</span></time>`;
}

interface StaleMarkParts {
  /** When the mark appears; never without one. */
  readonly from: Instant | undefined;
  readonly reader: BoardReader;
}

/** A mark that says that the figure is out of date, as soon as it is. */
export function StaleMark({ from = Number.POSITIVE_INFINITY, reader }: StaleMarkParts): Html {
  const isStale = useAt(reader.now, (now) => now >= from);
  const { stale, staleAbout } = BOARD_TEXTS[reader.language];
  if (from === Number.POSITIVE_INFINITY) return undefined;
  return html`<span class="stale" title="${staleAbout}" hidden=${!isStale}>${stale}</span>`;
}

/** A dot for the freshness of a figure, its content, and the same in words if it is stale. */
export function fresh(beside: Html, marks: Html): Html {
  return html`<span class="fresh"><span class="since"><i class="dot"></i>${beside}</span>${marks}</span>`;
}

/** The mark of an old rate, or of one that nobody knows to be the newest. */
export function ageMark(rate: AgedRate, reader: BoardReader): Html {
  return h(RateMark, { rate, reader });
}

interface RateMarkParts {
  readonly rate: AgedRate;
  readonly reader: BoardReader;
}

function RateMark({ rate, reader }: RateMarkParts): Html {
  const doubt = useAt(reader.now, (now) => doubtOf(rate, now));
  const { stale, staleAbout, maybeNewer, maybeNewerAbout } = BOARD_TEXTS[reader.language];
  const [word, about] =
    doubt === 'maybeNewer' ? [maybeNewer, maybeNewerAbout] : [stale, staleAbout];
  return html`<span class="stale" title="${about}" hidden=${doubt === false}>${word}</span>`;
}

type AgedRate = MarkedRate & Pick<ConvertibleRate, 'effective_date'>;

/** The age of a rate and the mark of an old one. An official rate shows its value date instead. */
export function rateAge(rate: AgedRate, reader: BoardReader, look: AgeLook = {}): Html {
  const { updated_at, effective_date: day } = rate;
  const mark = ageMark(rate, reader);
  if (day === undefined) return fresh(age(updated_at, reader, look), mark);
  return fresh(h(ValueDate, { rate, day, reader, look }), mark);
}

interface ValueDateParts extends RateMarkParts {
  readonly day: string;
  readonly look: AgeLook;
}

/** Since when an official rate is in force; the day of one that no longer is. */
function ValueDate({ rate, day, reader, look }: ValueDateParts): Html {
  const { language, now } = reader;
  const { since, inForceSince, ofDay } = BOARD_TEXTS[language];
  const isLate = useAt(now, (at) => doubtOf(rate, at) === 'stale');
  const today = caracasDayOf(now);
  const text = nearDayText(day, today, language);
  if (!look.bare) return html`<span>${isLate ? ofDay(text) : inForceSince(text)}</span>`;
  const short = nearDayShort(day, today, language);
  return html`<span class="long">${isLate ? ofDay(text) : since(text)}</span><span class="short">${short}</span>`;
}
