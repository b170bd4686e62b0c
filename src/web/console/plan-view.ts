import type { Account } from '../../client/types.ts';
import { caracasDayOf, caracasTimeOf } from '../../domain/time.ts';
import { countText, monthInWords, numberText, shortDay, withPercent } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import { type ConsoleReader, filled } from './console-reader.ts';

/** The plan, the remaining units of the month, and the limits. */
export function planView({ plan, limits, usage }: Account, reader: ConsoleReader): Html {
  const { language, texts } = reader;
  const count = (limit: number | null) =>
    limit === null ? texts.noLimit : countText(limit, language);
  const featureName = (name: string) =>
    Object.entries(texts.featureNames).find(([feature]) => feature === name)?.[1] ?? name;
  const rows: readonly (readonly [string, Html])[] = [
    [texts.perMinute, count(limits.requests_per_minute)],
    ...(limits.features.includes('bulk_convert')
      ? [[texts.bulkPerHour, count(limits.bulk_calls_per_hour)] as const]
      : []),
    [texts.historyDays, count(limits.history_days)],
    [texts.officialDays, count(limits.official_days)],
    [texts.keysMax, count(limits.keys_max)],
    [texts.publicKeysMax, count(limits.public_keys_max)],
    [texts.markupsMax, count(limits.markups_max)],
    [texts.formats, limits.formats.map((format) => format.toUpperCase()).join(', ')],
    [texts.features, nameList(limits.features.map(featureName)) ?? texts.none],
  ];
  return html`<div class="panel plan">
<p class="plan-name">${plan}</p>
${monthView(usage, limits.units_per_month, reader)}
<dl class="limits">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
</div>`;
}

/**
 * Names separated by points, because some contain a comma. No name breaks, and a point stays with
 * the name before it. Undefined without names.
 */
export function nameList(names: readonly string[]): Html {
  if (names.length === 0) return undefined;
  return names.map((name, position) => {
    const mark = position < names.length - 1 ? '\u00a0·' : '';
    return html`<span class="nowrap">${name}${mark}</span> `;
  });
}

/** `12,5 %`, or "less than 0,1 %" for a share that would round to nothing. */
function shareText(used: number, limit: number, reader: ConsoleReader): string {
  const { language, texts } = reader;
  const share = limit === 0 ? 0 : (used / limit) * 100;
  const text = (value: number) =>
    withPercent(numberText(value, language, { min: 0, max: 1 }), language);
  if (share === 0 || share >= LEAST_SHARE_PERCENT) return text(share);
  return filled(texts.lessThan, { n: text(LEAST_SHARE_PERCENT) });
}

const LEAST_SHARE_PERCENT = 0.1;
/** The page warns once no more than this share of the units is left. */
const LOW_UNITS_FRACTION = 0.1;

function monthView(
  { month, units_used: used, units_remaining: left, resets_at: resetsAt }: Account['usage'],
  limit: number | null,
  reader: ConsoleReader,
): Html {
  const { language, texts } = reader;
  const name = filled(texts.unitsOf, { month: monthInWords(month, language) });
  const spent = html`<strong class="figure">${countText(used, language)}</strong>`;
  const reset = Date.parse(resetsAt);
  const resets = filled(texts.resets, {
    day: shortDay(caracasDayOf(reset), language),
    time: caracasTimeOf(reset),
  });
  const about = (figures: Html) => html`<p id="month-name">${name}: ${figures}</p>`;
  if (limit === null || left === null) {
    return html`${about(html`${spent} (${texts.noLimit})`)}
<p class="quiet">${resets}</p>`;
  }
  const percent = shareText(used, limit, reader);
  return html`${about(html`${spent} ${texts.ofUnits} <span class="figure">${countText(limit, language)}</span> (${percent})`)}
<progress max="${limit}" value="${Math.min(used, limit)}" aria-labelledby="month-name" class=${left <= limit * LOW_UNITS_FRACTION ? 'low' : undefined}></progress>
<p class="quiet">${filled(texts.unitsLeft, { n: countText(left, language) })} ${resets}</p>
${left === 0 && html`<p class="trouble">${texts.unitsUsedUp}</p>`}`;
}
