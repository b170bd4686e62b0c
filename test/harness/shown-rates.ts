import type { ApiDocument } from '../../src/core/http/openapi/api-document.ts';
import type { Reply } from './service.ts';

/** Finds the official rates that samples show. */

const CURRENCIES = new Set(['USD', 'EUR', 'CNY', 'TRY', 'RUB']);
const OF_MARKET: Readonly<Record<string, string>> = { reference: 'USD', eur_reference: 'EUR' };

/** An official rate that a sample shows, as `USD 2026-11-20 771.0714`. */
export type Shown = string;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The pairs of fields in which answers have a rate and its day. */
const PAIRS = [
  ['rate', 'value_date'],
  ['rate', 'effective_date'],
  ['mid', 'effective_date'],
  ['next_banking_day_rate', 'next_banking_day'],
  ['is', 'value_date'],
  ['close', 'close_value_date'],
] as const;

/** @param currency Of the official rates in it; undefined for those of another market. */
export function ratesIn(value: unknown, currency: string | undefined = 'USD'): readonly Shown[] {
  if (Array.isArray(value)) return value.flatMap((one) => ratesIn(one, currency));
  if (!isFields(value)) return [];
  const named = typeof value['currency'] === 'string' ? value['currency'] : currency;
  const own = typeof value['market'] === 'string' ? OF_MARKET[value['market']] : named;
  const pairs = PAIRS.flatMap(([rate, day]) => {
    const isShown = own !== undefined && typeof value[rate] === 'number' && value[day];
    return isShown ? [`${own} ${value[day]} ${value[rate]}`] : [];
  });
  // A figure in doubt is none of the day.
  const { in_doubt: _, ...others } = value;
  const inside = Object.entries(others).flatMap(([name, one]) =>
    ratesIn(one, CURRENCIES.has(name) ? name : own),
  );
  return [...pairs, ...tableOf(value), ...inside];
}

/** A publication as it is loaded or told of: the rates by currency, or by currency what is said of each. */
const tableOf = ({ rates, value_date: day }: Fields): readonly Shown[] =>
  isFields(rates) && typeof day === 'string'
    ? Object.entries(rates).map(([currency, told]) => {
        const rate = isFields(told) ? (told['rate'] ?? told['is']) : told;
        return `${currency} ${day} ${rate}`;
      })
    : [];

/** A rate in the text of a program, with its day after it or, as in a table, before it. */
const IN_TEXT =
  /^.*?(?:(?<before>2026-\d\d-\d\d)\b\D.*?)?(?<rate>\b[789]\d\d\.\d{4})\b(?:.*?(?<after>2026-\d\d-\d\d))?/gm;

export function ratesOfPage(page: string): readonly Shown[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].flatMap(([, kind = '', text = '']) => {
    // A block may have several answers, each from the beginning of a line.
    if (kind === 'json') return ratesIn(text.split(/\n(?=\{)/).map((one) => JSON.parse(one)));
    if (kind !== 'text' && kind !== 'csv') return [];
    return [...text.matchAll(IN_TEXT)].flatMap(({ groups = {} }) => {
      // The day after a rate is its value date: the one before may be a Sunday.
      const day = groups['after'] ?? groups['before'];
      return day === undefined ? [] : [`USD ${day} ${groups['rate']}`];
    });
  });
}

/** The examples of every answer and message of the reference, with what is said of them. */
export function examplesOf({ paths, components, webhooks }: ApiDocument) {
  return [paths, components, webhooks].flatMap(function found(value: unknown): {
    readonly summary: string;
    readonly value: unknown;
  }[] {
    if (Array.isArray(value)) return value.flatMap(found);
    if (!isFields(value)) return [];
    const own = isFields(value['examples']) ? Object.values(value['examples']) : [];
    const examples = own.flatMap((one) =>
      isFields(one) && 'value' in one
        ? [{ summary: String(one['summary']), value: one['value'] }]
        : [],
    );
    return [...examples, ...Object.values(value).flatMap(found)];
  });
}

/** The official rates that a service has from October 2026 to a day. */
export async function publishedRates(
  call: (path: string, options: { readonly key: string }) => Promise<Reply>,
  { key, to }: { readonly key: string; readonly to: string },
): Promise<ReadonlySet<Shown>> {
  const published = new Set<Shown>();
  for (const currency of CURRENCIES) {
    const path = `/v1/fx/official/history?currency=${currency}&from=2026-10-01&to=${to}`;
    const { rows = [] } = (await call(path, { key })).json;
    for (const { value_date, rate } of rows) published.add(`${currency} ${value_date} ${rate}`);
  }
  return published;
}
