import { describe, expect, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { startCompatService } from '../official-week.ts';

/**
 * What programs ask for that have Frankfurter's addresses as a setting, in the steps of their own code
 * (contract §12). Only the base address is ours.
 */

const RECORDS = [
  official('2026-11-19', { USD: 800, EUR: 920, JPY: 5.2 }, { captured_at: '2026-11-18T21:10:00Z' }),
  official('2026-11-20', { USD: 804.5, EUR: 925.5 }, { captured_at: '2026-11-19T21:10:00Z' }),
];

const serving = () => startCompatService(['frankfurter'], { records: RECORDS });

async function json(url: string | URL) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // biome-ignore lint/suspicious/noExplicitAny: such programs read what they were promised.
  return (await response.json()) as any;
}

/** ERPNext's Currency Exchange Settings: `currency_exchange_settings.py`. */
interface ErpnextSettings {
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly resultKeys: readonly string[];
}

async function erpnext(settings: ErpnextSettings, fields: Readonly<Record<string, string>>) {
  const filled = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => fields[name] ?? '');
  const url = new URL(filled(settings.endpoint));
  for (const [name, value] of Object.entries(settings.parameters)) {
    url.searchParams.set(name, filled(value));
  }
  let value = await json(url);
  for (const key of settings.resultKeys) value = value[filled(key)];
  if (typeof value !== 'number') throw new Error('Returned exchange rate is no number.');
  return value;
}

/** On saving it always asks for the rupees of a dollar today, whatever currencies there are. */
const validate = (settings: ErpnextSettings) =>
  erpnext(settings, {
    transaction_date: '2026-11-21',
    from_currency: 'USD',
    to_currency: 'INR',
  });

describe('ERPNext', () => {
  const settingsAt = (base: string): ErpnextSettings => ({
    endpoint: `${base}/v1/{transaction_date}`,
    parameters: { base: '{from_currency}', symbols: 'VES' },
    resultKeys: ['rates', 'VES'],
  });

  test('saves the setting of the guide, which serves amounts to bolívares', async () => {
    const { url } = await serving();
    const settings = settingsAt(url);
    expect(await validate(settings)).toBe(804.5);
    const asked = { transaction_date: '2026-11-19', from_currency: 'EUR', to_currency: 'VES' };
    expect(await erpnext(settings, asked)).toBe(920);
  });

  test('does not save its default without rupees, and does with those of a workbook', async () => {
    const byDefault = (base: string) => ({
      ...settingsAt(base),
      parameters: { base: '{from_currency}', symbols: '{to_currency}' },
      resultKeys: ['rates', '{to_currency}'],
    });
    const { url, push } = await serving();
    await expect(validate(byDefault(url))).rejects.toThrow('HTTP 404');
    await push(official('2026-11-20', { INR: 9.1, USD: 804.5, EUR: 925.5 }));
    expect(await validate(byDefault(url))).toBe(88.4066);
  });
});

test('Dolibarr: one source currency, all rates, its own added (MultiCurrency::syncRates)', async () => {
  const { url } = await serving();
  const answer = await json(`${url}/v1/latest?base=EUR`);
  const quotes = Object.fromEntries([
    ...Object.entries(answer.rates).map(([code, rate]) => [`EUR${code}`, rate]),
    ['EUREUR', 1],
  ]);
  expect(quotes).toEqual({ EURUSD: 1.1504, EURVES: 925.5, EUREUR: 1 });
});

test('Wallos: the main currency as base, a flat list, unknown currencies left out', async () => {
  const { url } = await serving();
  const rows = await json(`${url}/v2/rates?base=USD&quotes=EUR,VES,JPY,USD,XYZ`);
  const rates = Object.fromEntries(
    rows.map(({ quote, rate }: { quote: string; rate: number }) => [quote, rate]),
  );
  expect(rates).toEqual({ EUR: 0.86926, VES: 804.5, JPY: 153.846 });
});

test('Sure: the list of currencies, a pair of a day, and a pair in a range', async () => {
  const { url } = await serving();
  expect((await json(`${url}/v2/currencies`)).length).toBeGreaterThan(0);
  const one = await json(`${url}/v2/rate/USD/EUR?date=2026-11-21`);
  expect([one.date, one.rate]).toEqual(['2026-11-20', 0.86926]);
  const rows = await json(`${url}/v2/rates?base=EUR&quotes=USD&from=2026-11-19&to=2026-11-20`);
  expect(rows.map(({ date }: { date: string }) => date)).toEqual(['2026-11-19', '2026-11-20']);
});

test('Firefly III: a file of each week and currency (DownloadExchangeRates)', async () => {
  const { url, call } = await serving();
  // 21 November 2026 is in week 47, which lasts.
  const now = await json(`${url}/2026/47/USD.json`);
  expect(now).toEqual({ date: '2026-11-20', rates: { EUR: 0.86926, VES: 804.5 } });
  const { headers } = await call('/2026/47/USD.json');
  expect(headers.get('x-vesfx-derived')).toBe('USD/EUR');
  for (const path of [
    '/2026/47/XYZ.json',
    '/2026/40/USD.json',
    '/2026/47/usd',
    '/26/47/USD.json',
  ]) {
    const { status } = await call(path);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
  }
});
