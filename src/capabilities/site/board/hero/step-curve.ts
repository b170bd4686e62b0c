import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
} from '../../../../core/domain/time.ts';
import { type Html, html } from '../../../../core/http/framework/encoding/html.ts';
import { dayAndMonth, nearDayText, rateText } from '../../frame/format.ts';
import { HERO_TEXTS } from '../../texts/texts.ts';
import type { BoardReader } from '../age.ts';
import type { BoardDays, BoardFigures, OfficialStep } from '../board-figures.ts';
import { isOfficialLate } from '../late-warning.ts';
import { officialDollar, rateStaleFrom } from '../staleness.ts';

/** Most days of the curve before today. */
const CURVE_DAYS = 30;
/** Of 1000 units of height, for the line: ticks stand below it. */
const TOP = 120;
const BOTTOM = 700;
/** Days of room beside today, for its dot. */
const AFTER_TODAY = 1;
/** Where in its day a dot stands. */
const MIDDAY = 0.5;
/** Days between two ticks. */
const TICK_DAYS = 7;
/** A tick nearer to the left edge, as a share of the width, would be cut off. */
const FIRST_TICK = 0.05;

/** The steps as known now: the figures may be newer than those of the page. */
export function officialSteps(
  { steps }: BoardDays,
  { official }: BoardFigures,
  today: CaracasDay,
): readonly OfficialStep[] {
  const { previous, in_force: inForce } = official['USD'] ?? {};
  const known = new Map(steps.map(({ from, rate }) => [from, rate]));
  for (const one of [previous, inForce]) {
    if (one !== undefined && (known.size > 0 || one === inForce))
      known.set(one.value_date, one.rate);
  }
  const first = addCaracasDays(today, -CURVE_DAYS);
  const all = [...known]
    .map(([from, rate]) => ({ from, rate }))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  const opening = all.findLastIndex(({ from }) => from <= first);
  // What began before the first day holds on it.
  return all
    .slice(Math.max(0, opening))
    .map((step) => (step.from < first ? { ...step, from: first } : step));
}

/** Days from one to the other. */
const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

interface StepCurveParts {
  readonly steps: readonly OfficialStep[];
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  readonly today: CaracasDay;
}

/**
 * The official dollar of the last month in steps, as it is in force: solid until today, dashed for what
 * is published. Only its shape matters, so it begins at the lowest rate.
 */
export function StepCurve({ steps, figures, reader, today }: StepCurveParts): Html {
  const { language } = reader;
  const texts = HERO_TEXTS[language];
  const [first] = steps;
  const last = steps.at(-1);
  const next = figures.official['USD']?.next;
  if (first === undefined || last === undefined || steps.length < 2)
    return html`<div class="curve-steps"></div>`;
  const isNear = next !== undefined && days(today, next.value_date) <= TICK_DAYS;
  const end = days(first.from, isNear ? next.value_date : today) + AFTER_TODAY;
  const rates = [...steps.map(({ rate }) => rate), ...(isNear ? [next.rate] : [])];
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const x = (day: number) => tenths((day / end) * 1000);
  const y = (rate: number) => tenths(BOTTOM - ((rate - low) / (high - low || 1)) * (BOTTOM - TOP));
  const now = days(first.from, today) + MIDDAY;
  const corners = steps.map(({ from, rate }, place) =>
    place === 0 ? `M0 ${y(rate)}` : `H${x(days(first.from, from))}V${y(rate)}`,
  );
  // Of the days since a publication is missing nothing is known.
  const dollar = officialDollar(figures);
  const isLate = isOfficialLate(figures, reader.now);
  const lateDay = dollar && isLate ? caracasDayOf(rateStaleFrom(dollar)) : undefined;
  const known = lateDay === undefined ? undefined : Math.min(days(first.from, lateDay), now);
  const unknown = known !== undefined && `M${x(known)} ${y(last.rate)}H1000`;
  const dot = known === undefined ? now : Math.max(0, known - MIDDAY);
  // The rate of today holds until the next one, of which nothing may be known.
  const until = known === undefined ? (isNear ? x(now) : 1000) : x(known);
  const line = `${corners.join('')}H${until}`;
  const coming =
    isNear &&
    `M${x(now)} ${y(last.rate)}H${x(days(first.from, next.value_date))}V${y(next.rate)}H1000`;
  const ticks = Array.from(
    { length: Math.floor(now / TICK_DAYS) + 1 },
    (_, place) => now - MIDDAY - place * TICK_DAYS,
  ).filter((day) => day >= FIRST_TICK || day === 0);
  const dayAt = (day: number) =>
    dayAndMonth(addCaracasDays(first.from as CaracasDay, day), language);
  const [from, to] = [rateText(first.rate, language), rateText(last.rate, language)];
  const label =
    (lateDay === undefined
      ? texts.curve(days(first.from, today), from, to)
      : texts.curveLate(nearDayText(lateDay, today, language), from, to)) +
    (next === undefined
      ? ''
      : texts.curveNext(
          rateText(next.rate, language),
          nearDayText(next.value_date, today, language),
        ));
  return html`<figure class="curve-steps" role="img" aria-label="${label}"><svg aria-hidden="true"><svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none"><path class="fill" d="${line}V1000H0Z"/><path class="line" d="${line}"/>${unknown && html`<path class="line unknown" d="${unknown}"/>`}${coming && html`<path class="line coming" d="${coming}"/>`}</svg><circle class=${unknown ? 'old' : undefined} cx="${x(dot) / 10}%" cy="${y(last.rate) / 10}%" r="4"/>${ticks.map(
    (day, place) =>
      html`<text key=${day} class=${place % 2 === 1 ? 'roomy-tick' : undefined} x="${place === 0 ? Math.min(x(now) / 10 + 1, 99) : x(day + MIDDAY) / 10}%" y="100%" dy="-12" text-anchor="${place === 0 ? 'end' : 'middle'}">${place === 0 ? texts.now : dayAt(day)}</text>`,
  )}</svg></figure>`;
}

const tenths = (value: number) => Math.trunc(value * 10) / 10;
