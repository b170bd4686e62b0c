import { describe, expect, test } from 'vitest';
import {
  bankTable,
  capture,
  fullMarket,
  official,
  quote,
} from '../../../../../test/harness/make.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { openNdjson } from '../../ndjson-file.ts';
import { exported } from '../exporting.ts';

/* A service that is loaded with an export gives the answers of the first one (contract §22). */

const RANGE = 'from=2026-11-10&to=2026-11-21';
const OF_CLOSES = [
  'rates',
  `rates/parallel/history?${RANGE}`,
  'official',
  'official?currency=EUR',
  `official/history?${RANGE}`,
  `official/history?${RANGE}&days=all`,
  `official/history?${RANGE}&currency=CNY`,
  'bcv/banks',
  'bcv/currencies',
  'index',
  'convert?amount=100&from=USD&to=VES&date=2026-11-18',
];
const OF_CAPTURES = [
  ...OF_CLOSES,
  `rates/reference/history?${RANGE}`,
  `rates/reference/history?${RANGE}&granularity=raw`,
  `rates/parallel/history?${RANGE}&granularity=raw`,
  `rates/parallel/candles?${RANGE}`,
  `rates/reference/candles?${RANGE}`,
];

const at = (time: string) => ({ captured_at: time });
const ALL = (usd: number) => ({ USD: usd, EUR: usd + 120, CNY: 110.25, TRY: 19.5, RUB: 9.9 });

/** A week in which much happens that an import could get wrong. */
async function fill(service: TestService): Promise<void> {
  const times: [string, readonly object[]][] = [
    ['2026-11-13T21:00:00Z', [official('2026-11-16', ALL(790), at('2026-11-13T20:30:00Z'))]],
    // The date was wrong, and is corrected.
    ['2026-11-16T21:00:00Z', [official('2026-11-18', ALL(791), at('2026-11-16T20:30:00Z'))]],
    ['2026-11-16T22:00:00Z', [official('2026-11-17', ALL(791), at('2026-11-16T21:30:00Z'))]],
    // The euro was wrong, and is corrected before it takes effect; another figure after it.
    ['2026-11-17T21:00:00Z', [official('2026-11-18', ALL(792), at('2026-11-17T20:30:00Z'))]],
    [
      '2026-11-17T22:00:00Z',
      [official('2026-11-18', { ...ALL(792), EUR: 905 }, at('2026-11-17T21:30:00Z'))],
    ],
    [
      '2026-11-18T15:00:00Z',
      [official('2026-11-18', { ...ALL(792.5), EUR: 905 }, at('2026-11-18T14:00:00Z'))],
    ],
    // Set by hand, with sides; then read late.
    [
      '2026-11-19T15:00:00Z',
      [
        {
          ...{ kind: 'quote', market: 'reference', mid: 793, ask: 794, bid: 792 },
          ...{ effective_date: '2026-11-19', captured_at: '2026-11-19T14:00:00Z' },
        },
      ],
    ],
    [
      '2026-11-20T15:00:00Z',
      [
        official('2026-11-20', ALL(795), at('2026-11-19T20:30:00Z')),
        official('2026-11-13', ALL(780), at('2026-11-20T14:00:00Z')),
      ],
    ],
    [
      '2026-11-20T21:00:00Z',
      [
        bankTable('2026-11-19', [{ bank: 'Banesco', buy: 790.1 }], at('2026-11-19T20:30:00Z')),
        bankTable(
          '2026-11-20',
          [
            { bank: 'Banesco', buy: 791.1, sell: 793 },
            { bank: 'Provincial', sell: 794.75, date: '2026-11-18' },
          ],
          at('2026-11-20T20:30:00Z'),
        ),
      ],
    ],
    ['2026-11-21T12:00:00Z', fullMarket().filter((record) => !('value_date' in record))],
    // Older quotes, which their source dates back and forth.
    [
      '2026-11-21T12:30:00Z',
      [
        capture(801, '2026-11-19T10:00:00Z', { updated_at: '2026-11-19T09:59:00Z' }),
        capture(802, '2026-11-19T11:00:00Z', { updated_at: '2026-11-19T09:58:00Z' }),
        capture(803, '2026-11-20T10:00:00Z', { updated_at: '2026-11-20T09:59:00Z' }),
        // At one instant the one that came last counts.
        quote('parallel', 805, {
          ...at('2026-11-20T11:00:00Z'),
          updated_at: '2026-11-20T11:00:00Z',
        }),
        quote('parallel', 804, {
          ...at('2026-11-20T11:00:00Z'),
          updated_at: '2026-11-20T11:00:00Z',
        }),
        // The middle has more digits than a record may give.
        {
          ...{ kind: 'quote', market: 'binance', ask: 851.000000000001, bid: 850.000000000001 },
          ...{ ...at('2026-11-19T11:00:00Z'), updated_at: '2026-11-19T11:00:00Z' },
        },
      ],
    ],
  ];
  for (const [now, records] of times) {
    service.clock.set(Date.parse(now));
    await service.push(...records);
  }
}

async function answers(service: TestService, paths: readonly string[]) {
  const key = await service.keyFor('Escala');
  const all: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, text } = await service.call(`/v1/fx/${path}`, { key });
    all[path] = [status, JSON.parse(text.replaceAll(service.url, ''))];
  }
  return all;
}

async function again(text: string, like: TestService): Promise<TestService> {
  const service = await startTestService({ start: like.clock.now() });
  await service.push(
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  return service;
}

describe('an export in NDJSON (contract §22)', () => {
  test('a service loaded with every capture gives the same answers, and exports the same bytes', async () => {
    const first = await startTestService();
    await fill(first);
    const { text, rows } = await exported(first.service, await temporaryDir(), openNdjson);
    expect(rows).toBe(text.trimEnd().split('\n').length);
    const second = await again(text, first);
    const expected = await answers(first, OF_CAPTURES);
    for (const answer of Object.values(expected)) expect(answer).toMatchObject([200, {}]);
    expect(await answers(second, OF_CAPTURES)).toEqual(expected);
    const repeated = await exported(second.service, await temporaryDir(), openNdjson);
    expect(repeated.text).toBe(text);
  });

  test('a service loaded with the daily closes gives the same current and daily rates', async () => {
    const first = await startTestService();
    await fill(first);
    const closes = { captures: false };
    const { text } = await exported(first.service, await temporaryDir(), openNdjson, closes);
    const second = await again(text, first);
    expect(await answers(second, OF_CLOSES)).toEqual(await answers(first, OF_CLOSES));
    const repeated = await exported(second.service, await temporaryDir(), openNdjson, closes);
    expect(repeated.text).toBe(text);
  });

  test('an official market alone brings its rates as quotes, and no publication', async () => {
    const first = await startTestService();
    await fill(first);
    const { markets } = first.service;
    const chosen = {
      markets: markets.list.filter(({ id }) => id === 'reference'),
      publications: false,
    };
    const { text } = await exported(first.service, await temporaryDir(), openNdjson, chosen);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).toMatchObject({ kind: 'quote', market: 'reference' });
    const second = await again(text, first);
    const paths = OF_CAPTURES.filter((path) => path.includes('reference/'));
    expect(await answers(second, paths)).toEqual(await answers(first, paths));
  });
});
