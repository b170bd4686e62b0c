import type { Calculation, Rate } from '../../../client/types.ts';
import { subtract, toNumber } from '../../../core/domain/decimal.ts';
import { OFFICIAL_USD } from '../../../core/domain/markets.ts';
import { applyMarkup, type MarkupRule } from '../../../core/domain/markup.ts';
import { ageSec, type Instant } from '../../../core/domain/time.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { readTypedAmount } from '../frame/amount.ts';
import { exactText, RATE_CHANGE, rateText, signedText, withPercent } from '../frame/format.ts';
import { table } from '../frame/table.ts';
import { type ConsoleData, type ConsoleReader, sampleTitle } from './console-data.ts';
import { coloured } from './highlight.ts';
import { nameList } from './plan-view.ts';

type ShownRate = Pick<Rate, 'market' | 'base' | 'mid' | 'updated_at' | 'stale_after_sec'>;

type MarkupReader = ConsoleReader & Pick<ConsoleData, 'marketNames'>;

/** The name of a market; its id when it is no longer in the catalogue. */
export function marketName(market: string, { marketNames }: MarkupReader): string {
  return marketNames[market] ?? market;
}

export function markupText(
  { kind, value }: Pick<MarkupRule, 'kind' | 'value'>,
  language: Language,
): string {
  const amount = `${value > 0 ? '+' : ''}${exactText(value, language)}`;
  return kind === 'fixed' ? `${amount}\u00a0VES` : withPercent(amount, language);
}

/** The official dollar, from the calculator: it needs no key, so that the list costs no unit. */
export type OfficialDollar = Pick<Calculation['results'][number], 'rate' | 'stale'>;

export function dollarIn({ results }: Calculation): OfficialDollar | undefined {
  return results.find(({ market }) => market === OFFICIAL_USD);
}

/** The dollar before the rule and with it. */
function dollarText(
  rule: MarkupRule,
  dollar: OfficialDollar | undefined,
  { language, texts }: MarkupReader,
): Html {
  if (dollar === undefined) return '–';
  const { rate: mid, stale } = dollar;
  const isCovered = rule.markets.length === 0 || rule.markets.includes(OFFICIAL_USD);
  const marked = applyMarkup(rule, { market: OFFICIAL_USD, mid });
  if (marked === undefined) {
    return html`<span class="quiet">${isCovered ? texts.notPositive : texts.notCovered}</span>`;
  }
  return html`<span class="nowrap"><span class="quiet">${rateText(mid, language)} →</span> <strong>${rateText(marked, language)}</strong></span>${stale && html` <span class="tag">${texts.stale}</span>`}`;
}

/** The rules; `actions` makes the last cell of each, for a key that may change them. */
export function rulesView(
  rules: readonly MarkupRule[],
  {
    actions,
    dollar,
  }: {
    readonly actions: ((rule: MarkupRule) => Html) | undefined;
    readonly dollar: OfficialDollar | undefined;
  },
  reader: MarkupReader,
): Html {
  const { language, texts } = reader;
  return table(
    texts.tabs.margenes,
    [
      { label: texts.tag },
      { label: texts.amount, kind: 'figure' },
      { label: texts.markets },
      { label: texts.officialDollar, kind: 'figure' },
      ...(actions === undefined ? [] : [{ label: texts.action, kind: 'action' as const }]),
    ],
    rules.map((rule) => [
      html`<span class="key-name"><span>${rule.tag}</span>${!rule.active && html` <span class="tag">${texts.inactive}</span>`}</span><code>markup=${rule.tag}</code>`,
      markupText(rule, language),
      nameList(rule.markets.map((market) => marketName(market, reader))) ?? texts.allMarkets,
      dollarText(rule, dollar, reader),
      ...(actions === undefined ? [] : [actions(rule)]),
    ]),
    { stacks: true },
  );
}

/** What a request with a rule looks like, for an account that has none. */
export function exampleView(reader: ConsoleReader & Pick<ConsoleData, 'sampleDollar'>): Html {
  const { texts } = reader;
  const { rate: mid, valueDate } = reader.sampleDollar;
  const rule = {
    tag: texts.exampleTag,
    kind: 'percent',
    value: 3,
    markets: [],
    active: true,
  } as const;
  const marked = applyMarkup(rule, { market: OFFICIAL_USD, mid });
  const example = `# ${sampleTitle(texts.exampleRule, reader)}
GET /v1/fx/rates?markup=${texts.exampleTag}

{
  "market": "reference",
  "effective_date": "${valueDate}",
  "mid": ${mid},
  "mid_with_markup": ${marked}
}`;
  return html`<pre class="band-code" tabindex="0" aria-label=${texts.exampleRule}><code>${coloured(example)}</code></pre>`;
}

/** The result of the rule for the first rates, or each rate, that it covers, calculated as in the API, or that there is none. An old rate says so. */
export function previewView(
  rule: MarkupRule,
  {
    rates,
    now,
    most = rates.length,
    more,
  }: {
    readonly rates: readonly ShownRate[];
    readonly now: Instant;
    /** Most rows. */
    readonly most?: number;
    /** What shows the others, when there are more of them. */
    readonly more?: (all: number) => Html;
  },
  reader: MarkupReader,
): Html {
  const { language, texts } = reader;
  const rows = rates.flatMap((rate) => {
    if (rule.markets.length > 0 && !rule.markets.includes(rate.market)) return [];
    const marked = applyMarkup(rule, rate);
    const isStale = ageSec({ since: Date.parse(rate.updated_at), now }) > rate.stale_after_sec;
    return [
      [
        html`${marketName(rate.market, reader)} <span class="quiet">${rate.base}</span>${isStale && html` <span class="tag">${texts.stale}</span>`}`,
        rateText(rate.mid, language),
        marked === undefined
          ? html`<span class="late">${texts.notPositive}</span>`
          : html`<strong>${rateText(marked, language)}</strong>`,
        marked && signedText(toNumber(subtract(marked, rate.mid)), language, RATE_CHANGE),
      ],
    ];
  });
  if (rows.length === 0) return html`<p class="empty">${texts.previewNone}</p>`;
  const figures = [texts.before, texts.after, texts.difference];
  const columns = figures.map((label) => ({ label, kind: 'figure' as const }));
  return html`${table(texts.preview, [{ label: texts.market }, ...columns], rows.slice(0, most))}${rows.length > most && more?.(rows.length)}`;
}

/**
 * A value with its sign and perhaps a percent sign, parsed as on the board.
 * @returns Its meanings: none of an invalid number, two of an ambiguous one.
 */
export function writtenValues(text: string, language: Language): readonly number[] {
  const [, sign, size = ''] = /^\s*([+\u2212-])?(.*?)\s*%?\s*$/.exec(text) ?? [];
  const { amount, other } = readTypedAmount(size, language) ?? {};
  const isPositive = sign === undefined || sign === '+';
  return [amount, other].flatMap((one) =>
    one === undefined ? [] : [isPositive ? Number(one) : -Number(one)],
  );
}
