import { describe, expect, test } from 'vitest';
import { Vesfx, VesfxError } from '../../src/client/vesfx.ts';
import { startUpstream } from '../harness/upstream.ts';

/** A client of a service that counts what it is asked. */
async function asking() {
  const upstream = await startUpstream();
  upstream.answers((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"rows":[]}');
  });
  const clients = [
    new Vesfx({ baseUrl: upstream.url, key: 'a-key' }),
    // JavaScript callers have the methods of a client of a service.
    copyAsClient(new Vesfx({ static: upstream.url })),
  ];
  return { upstream, clients };
}

/** Safe in this test: no call of it gets as far as an answer. */
const copyAsClient = (copy: object) => copy as Vesfx;

/** What JavaScript callers may pass as a day. */
const asDay = (value: unknown) => value as string;

const PAIR = { from: 'USD', to: 'VES', amount: 1 } as const;
const NOT_OPTIONS = 'The options are text: give an object, such as { date }.';
const EMPTY: readonly unknown[] = ['', ' ', '\t', null];

const CALLS: readonly [string, string, (vesfx: Vesfx, day: string) => Promise<unknown>][] = [
  ['historyPoint', 'date', (vesfx, day) => vesfx.historyPoint('parallel', day)],
  ['officialOn', 'date', (vesfx, day) => vesfx.officialOn(day)],
  ['rates', 'date', (vesfx, date) => vesfx.rates({ date })],
  ['rate', 'date', (vesfx, date) => vesfx.rate('reference', { date })],
  ['convert', 'date', (vesfx, date) => vesfx.convert({ ...PAIR, date })],
  [
    'convert with a rule',
    'rule',
    (vesfx, rule) => vesfx.convert({ ...PAIR, date: '2026-11-20', rule: rule as 'value_date' }),
  ],
  [
    'bulkConvert',
    'date',
    (vesfx, date) => vesfx.bulkConvert({ from: 'USD', to: 'VES', amounts: [1], date }),
  ],
  ['historyCollection', 'from', (vesfx, from) => vesfx.historyCollection('parallel', { from })],
  ['history', 'to', (vesfx, to) => vesfx.history('parallel', { to }).next()],
  ['read', 'to', (vesfx, to) => vesfx.read('getCalendar', { to })],
  ['corrections', 'since', (vesfx, since) => vesfx.corrections({ since })],
];

describe('contract §2: the client refuses an empty day before it asks', () => {
  test.each(CALLS)('%s', async (_, field, call) => {
    const { upstream, clients } = await asking();
    for (const vesfx of clients) {
      for (const value of EMPTY) {
        const error = await call(vesfx, asDay(value)).catch((one: unknown) => one);
        expect(error).toBeInstanceOf(VesfxError);
        expect(error).toMatchObject({ code: 'invalid_format', field, status: undefined });
      }
    }
    expect(upstream.asked).toBe(0);
  });

  // As of an invoice without its day: `{ date: invoice.day }`.
  test.each(CALLS.filter(([, field]) => field === 'date'))(
    'a missing day of %s too',
    async (_, field, call) => {
      const { upstream, clients } = await asking();
      for (const vesfx of clients) {
        const error = await call(vesfx, asDay(undefined)).catch((one: unknown) => one);
        expect(error).toBeInstanceOf(VesfxError);
        expect(error).toMatchObject({ code: 'invalid_format', field, details: { rule: 'empty' } });
      }
      expect(upstream.asked).toBe(0);
    },
  );

  test('a day or a rule in the place of the options too', async () => {
    const { upstream, clients } = await asking();
    const asOptions = (text: unknown) => text as object;
    for (const vesfx of clients) {
      for (const call of [
        () => vesfx.rates(asOptions('2026-11-20')),
        () => vesfx.rate('reference', asOptions('2026-11-20')),
        () => vesfx.historyCollection('reference', asOptions('2026-11-20')),
        () => vesfx.history('reference', asOptions('2026-11-20')).next(),
        () => vesfx.officialHistory(asOptions('2026-11-20')),
        () => vesfx.officialOn('2026-11-21', asOptions('next_banking_day')),
        () => vesfx.read('getRate', { market: 'reference', ...asOptions('2026-11-20') }),
      ]) {
        const error = await call().catch((one: unknown) => one);
        expect(error).toBeInstanceOf(VesfxError);
        expect(error).toMatchObject({ code: 'invalid_format', message: NOT_OPTIONS });
      }
    }
    expect(upstream.asked).toBe(0);
  });

  test('an empty currency is for the service to refuse, and without a day it is now', async () => {
    const { upstream, clients } = await asking();
    await clients[0]?.read('convert', { ...PAIR, from: asDay('') as 'USD' });
    await clients[0]?.convert(PAIR);
    await clients[0]?.convert({ ...PAIR, via: undefined, rule: undefined, signal: undefined });
    expect(upstream.asked).toBe(3);
  });
});
