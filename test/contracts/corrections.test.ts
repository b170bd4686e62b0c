import { describe, expect, test } from 'vitest';
import type { Settlement } from '../../src/core/app/ports/held.ts';
import type { Entry } from '../../src/core/app/ports/records.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import type { SupersededPublication } from '../../src/core/domain/judgement/value-dates.ts';
import { MAX_GATHERED_ENTRIES } from '../../src/core/storage/gathered-entries.ts';
import { day } from '../../testkit/day.ts';
import { append, ENGINES, quote, quoteEntry, storeForEachTest, yes } from './engines.ts';

const FRIDAY = day('2026-11-20');
const ALL = { since: 0, markets: ['reference', 'eur_reference', 'parallel'], limit: 100 };

/** The dollar of a value date, as it was read at an instant. */
function dollar(mid: number, observedAt: number, given: Partial<Entry> = {}): Entry {
  return { ...rate('reference', mid, observedAt), ...given };
}

function rate(market: string, mid: number, observedAt: number): Entry {
  const read = { updatedAt: 500, capturedAt: 500, observedAt, effectiveDate: FRIDAY };
  return { captures: [quote({ market, mid, ...read })] };
}

function settled(supersede: readonly SupersededPublication[]): () => Settlement {
  return () => ({ supersede });
}

const filler = Array.from({ length: MAX_GATHERED_ENTRIES }, (_, index) =>
  quoteEntry({ market: 'filler', mid: index + 1, capturedAt: 1 + index }),
);

describe.each(ENGINES)('contract §21 corrections on $name', ({ create }) => {
  let store: Store;

  storeForEachTest(create, (opened) => {
    ({ store } = opened);
  });

  const withdraw = (rates: SupersededPublication['rates'], more: object = {}, at = 60_000) =>
    store.appendBatch(
      { source: 'test', receivedAt: at },
      [],
      settled([{ valueDate: FRIDAY, rates, state: 'withdrawn', ...more }]),
    );

  const ofDollar = (was: number, is: number | undefined, correctedAt: number, why: string) => ({
    ...{ kind: 'publication', name: 'reference', valueDate: FRIDAY, was, is, correctedAt, why },
  });

  test('another figure of a value date is one correction, the same figure and an older one none', async () => {
    await append(store, [dollar(889, 10)], 20_000);
    await append(store, [dollar(889, 11)], 21_000);
    expect(await store.corrections(ALL)).toEqual([]);
    await append(store, [dollar(890, 12, { why: 'operator' })], 22_000);
    await append(store, [dollar(890, 13)], 23_000);
    await append(store, [dollar(888, 9)], 24_000);
    await append(store, [dollar(890, 12)], 25_000);
    expect(await store.corrections(ALL)).toEqual([ofDollar(889, 890, 22_000, 'operator')]);
  });

  test('other sides of the same figure are no correction', async () => {
    const sides = (ask: number, observedAt: number): Entry => ({
      captures: dollar(889, observedAt).captures.map((one) => ({ ...one, ask })),
    });
    await append(store, [sides(890, 10)]);
    await append(store, [sides(891, 11)]);
    expect(await store.corrections(ALL)).toEqual([]);
  });

  test('what only one batch saw was never published, however large the batch is', async () => {
    const wrong = dollar(889, 10);
    await append(store, [wrong, dollar(890, 11)]);
    await append(store, [wrong, ...filler, dollar(891, 12), ...filler, dollar(890, 13)]);
    expect(await store.corrections(ALL)).toEqual([]);
    await append(store, [dollar(1, 14), ...filler, dollar(892, 15, { insisted: true })], 30_000);
    expect(await store.corrections(ALL)).toEqual([ofDollar(890, 892, 30_000, 'insisted')]);
  });

  test('a batch that is not stored corrects nothing', async () => {
    await append(store, [dollar(889, 10)]);
    const origin = { source: 'test', receivedAt: 30_000 };
    await store.appendBatch(origin, [dollar(890, 11)], () => false);
    const fails = () => {
      throw new Error('no');
    };
    await expect(store.appendBatch(origin, [dollar(890, 11)], fails)).rejects.toThrow('no');
    expect(await store.corrections(ALL)).toEqual([]);
  });

  test('a withdrawn figure has none in its place, and is corrected once', async () => {
    await append(store, [dollar(889, 10), rate('eur_reference', 1020, 10), rate('CNY', 125, 10)]);
    await withdraw({ USD: 889, EUR: 1020, TRY: 20 }, { why: 'witness_differs' });
    await withdraw({ USD: 889, EUR: 1020 }, {}, 61_000);
    const found = await store.corrections(ALL);
    expect(found.map(({ name, was, is, why }) => [name, was, is, why])).toEqual([
      ['reference', 889, undefined, 'witness_differs'],
      ['eur_reference', 1020, undefined, 'witness_differs'],
    ]);
  });

  test('a figure that takes the place of the withdrawn one in its batch is one correction', async () => {
    await append(store, [dollar(889, 10)]);
    await append(store, [dollar(890, 11), rate('CNY', 125, 11)], 30_000);
    const withdrawn: SupersededPublication = {
      ...{ valueDate: FRIDAY, rates: { USD: 890, CNY: 125 }, state: 'withdrawn' },
      ...{ restored: { USD: 889 }, why: 'page_returned' },
    };
    const origin = { source: 'test', receivedAt: 40_000 };
    const again = dollar(889, 12, { why: 'page_returned' });
    await store.appendBatch(origin, [again], settled([withdrawn]));
    const found = await store.corrections({ ...ALL, since: 40_000 });
    expect(found.map(({ name, was, is, why }) => [name, was, is, why])).toEqual([
      ['reference', 890, 889, 'page_returned'],
      ['CNY', 125, undefined, 'page_returned'],
    ]);
  });

  test('a restored quote is one correction, and a quote that moves is none', async () => {
    const restored = { ...quoteEntry({ mid: 900, capturedAt: 3_000 }), restoredFrom: 1_300 };
    await append(store, [quoteEntry({ mid: 1_300, capturedAt: 2_000 })]);
    await append(store, [restored]);
    await append(store, [restored]);
    await append(store, [quoteEntry({ mid: 920, capturedAt: 4_000 })]);
    expect(await store.corrections(ALL)).toEqual([
      { kind: 'quote', name: 'parallel', was: 1_300, is: 900, correctedAt: 3_000, why: 'restored' },
    ]);
  });

  test('the newest come first, since an instant, of the given markets, as many as asked', async () => {
    const mids = [889, 890, 891, 892];
    for (const [index, mid] of mids.entries()) {
      await append(store, [dollar(mid, 10 + index)], 20_000 + index);
    }
    await store.appendBatch({ source: 'test', receivedAt: 5 }, [quoteEntry({ mid: 1 })], yes);
    const times = async (wanted: object) =>
      (await store.corrections({ ...ALL, ...wanted })).map(({ correctedAt }) => correctedAt);
    expect(await times({})).toEqual([20_003, 20_002, 20_001]);
    expect(await times({ since: 20_002 })).toEqual([20_003, 20_002]);
    expect(await times({ limit: 1 })).toEqual([20_003]);
    expect(await times({ markets: ['parallel'] })).toEqual([]);
    expect(await times({ markets: [] })).toEqual([]);
  });

  test('a currency without a market comes whatever the markets are', async () => {
    await append(store, [dollar(889, 10), rate('JPY', 5.1, 10)], 20_000);
    await append(store, [dollar(890, 11), rate('JPY', 5.2, 11)], 20_001);
    const namesOf = async (markets: readonly string[]) =>
      (await store.corrections({ ...ALL, markets })).map(({ name }) => name);
    expect(await namesOf(['reference'])).toEqual(['reference', 'JPY']);
    expect(await namesOf([])).toEqual(['JPY']);
  });
});
