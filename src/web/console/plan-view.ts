import type { Account } from '../../client/types.ts';
import { countText, momentText, numberText, withPercent } from '../frame/format.ts';
import { type Html, html } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { table } from '../frame/table.ts';
import { CONSOLE_TEXTS } from './texts.ts';

/** The plan, what is left of the month, and the limits. */
export function planView({ plan, limits, usage }: Account, language: Language): Html {
  const texts = CONSOLE_TEXTS[language];
  const count = (limit: number | null) =>
    limit === null ? texts.noLimit : countText(limit, language);
  const list = (words: readonly string[]) =>
    words.length === 0 ? texts.none : html`<code>${words.join(', ')}</code>`;
  const featureName = (name: string) =>
    Object.entries(texts.featureNames).find(([feature]) => feature === name)?.[1] ?? name;
  const reset = `${momentText(Date.parse(usage.resets_at), language)} (${texts.inCaracas})`;
  return html`<p class="plan-name">${plan}</p>
${monthView(usage, limits.units_per_month, language)}
<p class="quiet">${texts.resets} <span class="nowrap">${reset}</span>.</p>
${table(
  texts.plan,
  [{ label: texts.limit }, { label: texts.value, kind: 'figure' }],
  [
    [texts.perMinute, count(limits.requests_per_minute)],
    [texts.bulkPerHour, count(limits.bulk_calls_per_hour)],
    [texts.historyDays, count(limits.history_days)],
    [texts.keysMax, count(limits.keys_max)],
    [texts.markupsMax, count(limits.markups_max)],
    [texts.formats, list(limits.formats)],
    [
      texts.features,
      html`<span class="wraps">${limits.features.map(featureName).join(', ') || texts.none}</span>`,
    ],
  ],
)}`;
}

function monthView(
  { month, units_used: used, units_remaining: left }: Account['usage'],
  limit: number | null,
  language: Language,
): Html {
  const texts = CONSOLE_TEXTS[language];
  const name = `${texts.unitsOf} ${monthText(month, language)}`;
  const spent = countText(used, language);
  if (limit === null || left === null) {
    return html`<p>${name}: <strong class="figure">${spent}</strong> (${texts.noLimit})</p>`;
  }
  const share = limit === 0 ? 0 : (used / limit) * 100;
  const percent = withPercent(numberText(share, language, { min: 0, max: 1 }), language);
  return html`<p id="month-name">${name}: <strong class="figure">${spent}</strong> ${texts.ofUnits}
<span class="figure">${countText(limit, language)}</span> (${percent}),
${texts.unitsLeft} <strong class="figure">${countText(left, language)}</strong>.</p>
<progress max="${limit}" value="${Math.min(used, limit)}" aria-labelledby="month-name"></progress>`;
}

/** `2026-11` as `11/2026`, which reads alike in both languages. */
function monthText(month: string, language: Language): string {
  const [year, number] = month.split('-');
  return language === 'es' ? `${number}/${year}` : `${month}`;
}
