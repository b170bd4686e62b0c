import type { Account } from '../../../client/types.ts';
import type { Sentence } from '../../../core/domain/errors/sentence.ts';
import { FEATURE_LABELS, PLAN_CELLS, PLAN_LIMITS } from '../../../core/domain/plans.ts';
import {
  addUtcDays,
  caracasDayOf,
  caracasTimeOf,
  DAY_MS,
  utcDayOf,
} from '../../../core/domain/time.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { countText, monthInWords, numberText, shortDay, withPercent } from '../frame/format.ts';
import { type ConsoleReader, filled } from './console-data.ts';

type Line = readonly [name: string, value: Html];

/** Names with their values, one below the other. */
function factList(lines: readonly (Line | false | undefined)[]): Html {
  const shown = lines.filter((line) => line !== undefined && line !== false);
  return html`<dl class="facts-list">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd class=${typeof value === 'string' ? 'nowrap' : undefined}>${value}</dd></div>`)}</dl>`;
}

/** The limits of the plan. */
export function planView({ limits }: Account, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const count = (limit: number | null) =>
    limit === null ? texts.noLimit : countText(limit, language);
  const labels: Readonly<Record<string, Sentence>> = FEATURE_LABELS;
  const names = limits.features.map((name) => labels[name]?.[language] ?? name);
  return factList([
    ...PLAN_LIMITS.map(
      ({ name, label, feature }) =>
        (feature === undefined || limits.features.includes(feature)) &&
        ([label[language], count(limits[name])] as const),
    ),
    [
      PLAN_CELLS.formats.label[language],
      limits.formats.map((format) => format.toUpperCase()).join(', '),
    ],
    [PLAN_CELLS.features.label[language], nameList(names) ?? texts.none],
  ]);
}

/**
 * Names separated by points, because some contain a comma. No name breaks, and a point stays with
 * the name before it. Undefined without names.
 */
export function nameList(names: readonly string[]): Html {
  if (names.length === 0) return undefined;
  const mark = (position: number) => position < names.length - 1 && '\u00a0·';
  return names.map((name, position) => html`<span class="nowrap">${name}${mark(position)}</span> `);
}

const LEAST_SHARE_PERCENT = 0.1;

/** `12,5 %`, or "less than 0,1 %" for a share that would round to nothing. */
function shareText(share: number, { language, texts }: ConsoleReader): string {
  const text = (value: number) =>
    withPercent(numberText(value, language, { min: 0, max: 1 }), language);
  if (share === 0 || share >= LEAST_SHARE_PERCENT) return text(share);
  return filled(texts.lessThan, { n: text(LEAST_SHARE_PERCENT) });
}

/** The page marks the units from this share of the month's on, and once more at the end. */
const HIGH_PERCENT = 80;
const LOW_UNITS_FRACTION = 0.1;

/** The units of the month: one large figure, what is left, and where the month is heading. */
export function unitsView({ limits, usage }: Account, now: number, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const { month, units_used: used, units_remaining: left, resets_at } = usage;
  const limit = limits.units_per_month;
  const resets = Date.parse(resets_at);
  const total = limit === null ? texts.noLimit : `${texts.ofUnits} ${countText(limit, language)}`;
  const share = limit === null ? 0 : limit === 0 ? 100 : (used / limit) * 100;
  const isLow = left !== null && limit !== null && left <= limit * LOW_UNITS_FRACTION;
  const { units = 0, endsOn } = projected({ month, used, limit, resets, now }) ?? {};
  const heading = limit === null ? 0 : (units / limit) * 100;
  const state = heading >= 100 ? 'bad' : heading >= HIGH_PERCENT ? 'late' : 'calm';
  const about = filled(texts.about, { n: countText(roundedUp(units), language) });
  return html`<h2 id="month-name">${filled(texts.unitsOf, { month: monthInWords(month, language) })}</h2>
<p class="units"><b>${countText(used, language)}</b> <span>${total}</span></p>
${
  limit !== null &&
  left !== null &&
  html`<progress max="${Math.max(1, limit)}" value="${Math.min(used, limit)}" aria-labelledby="month-name" class=${isLow ? 'low' : share >= HIGH_PERCENT && 'high'}></progress>
<p class="note">${shareText(share, reader)}. ${filled(texts.unitsLeft, { n: countText(left, language) })}</p>
${left === 0 && html`<p class="trouble">${texts.unitsUsedUp}</p>`}`
}
${factList([
  units > 0 && [texts.atThisRate, html`<span class=${`nowrap ${state}`}>${about}</span>`],
  endsOn && [texts.unitsEnd, html`<span class="bad">${shortDay(endsOn, language)}</span>`],
  [texts.resets, `${shortDay(caracasDayOf(resets), language)}, ${caracasTimeOf(resets)}`],
])}`;
}

interface MonthSoFar {
  readonly month: string;
  readonly used: number;
  readonly limit: number | null;
  readonly resets: number;
  readonly now: number;
}

/** A rate of two days is the first that says something. */
const PROJECTED_FROM_DAYS = 2;

/** Units at the end of the month at the rate so far, and the day on which they end before it. */
export function projected({ month, used, limit, resets, now }: MonthSoFar) {
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const days = (now - start) / DAY_MS;
  if (days < PROJECTED_FROM_DAYS || now >= resets || used === 0) return undefined;
  const units = (used / days) * ((resets - start) / DAY_MS);
  if (limit === null || units < limit || used >= limit) return { units };
  return { units, endsOn: addUtcDays(utcDayOf(start), Math.floor((limit / used) * days)) };
}

const SHOWN_DIGITS = 3;

/** About as many units: with three digits, rounded up. */
function roundedUp(units: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(units)) + 1 - SHOWN_DIGITS);
  return Math.ceil(units / unit) * unit;
}
