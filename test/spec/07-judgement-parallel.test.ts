import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { judgingMarkets } from '../harness/judging.ts';
import { FIVE, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const [FIRST = ''] = FIVE;

/** Venues, by default five, and the parallel market, all at 1000, read in bodies of their own. */
async function markets({
  parallel = 1_000,
  count = FIVE.length,
}: {
  readonly parallel?: number | null;
  readonly count?: number;
} = {}) {
  const found = await judgingMarkets(...FIVE.slice(0, count));
  const { service, readAll, mid } = found;
  if (parallel !== null) await service.push(quote('parallel', parallel));
  return {
    ...found,
    venues: (minute: number, ...mids: readonly number[]) =>
      readAll(Object.fromEntries(mids.map((rate, at) => [FIVE[at], rate])), minute, 'criptoya'),
    parallel: (minute: number, rate: number) => readAll({ parallel: rate }, minute),
    mids: () => Promise.all([...FIVE, 'parallel'].map((market) => mid(market))),
  };
}

const all = (mid: number) => FIVE.map(() => mid);

describe('the parallel market as a voice among venues (contract §8)', () => {
  test.each([
    ['rise', 1_300],
    ['fall', 770],
  ])('two venues that froze do not outvote three that moved with it: a %s', async (_, moved) => {
    const { venues, parallel, mids } = await markets();
    await parallel(1, moved);
    expect(await venues(1, moved, moved, moved, 1_000, 1_000)).toMatchObject({ accepted: 3 });
    expect(await mids()).toEqual([moved, moved, moved, 1_000, 1_000, moved]);
    expect(await venues(2, moved, moved, moved, 1_000, 1_000)).toMatchObject({ held: 2 });
  });

  test('a larger move waits its ten minutes beside them', async () => {
    const { venues, parallel, mids } = await markets();
    for (let minute = 1; minute <= 11; minute += 1) {
      await parallel(minute, 1_800);
      await venues(minute, 1_800, 1_800, 1_800, 1_000, 1_000);
      const now = minute < 11 ? 1_000 : 1_800;
      expect(await mids()).toEqual([now, now, now, 1_000, 1_000, now]);
    }
  });

  test.each([
    ['at what is published', 1_000, 3],
    ['nearer to the readings', 1_140, 2],
    ['nearer to what is published', 1_120, 3],
  ])('counts for the side that it is nearer to: %s', async (_, parallel, held) => {
    const { venues } = await markets({ parallel });
    expect(await venues(1, 1_260, 1_260, 1_260, 1_000, 1_000)).toMatchObject({ held });
  });

  test('without a fresh parallel quote the two still hold back the three', async () => {
    const { venues } = await markets({ parallel: null });
    expect(await venues(1, 1_300, 1_300, 1_300, 1_000, 1_000)).toMatchObject({ held: 3 });
  });

  test('two wrong venues of five are not helped by a parallel quote near to them', async () => {
    const { venues } = await markets({ parallel: 1_158 });
    expect(await venues(1, 1_250, 1_250, 1_000, 1_000, 1_000)).toMatchObject({ held: 2 });
  });

  test.each([
    ['three of five', [810, 810, 810, 1_000, 1_000]],
    ['two of four', [810, 810, 1_000, 1_000]],
  ])('decides a tie: the side that it agrees with is released against %s', async (_, readings) => {
    const { venues, mids } = await markets({ count: readings.length });
    for (const minute of [1, 2, 3]) {
      // 19 % lower is near enough to be published, and then the right ones are too far from it.
      expect(await venues(minute, ...readings)).toMatchObject({ accepted: readings.length });
    }
    expect((await mids()).slice(0, readings.length)).toEqual(readings);
  });

  test.each([
    ['one venue against three', 1_000, [810, 810, 810, 1_000], 1],
    ['a parallel that agrees with the others', 850, [810, 810, 810, 1_000, 1_000], 2],
    ['a parallel that is not fresh', null, [810, 810, 810, 1_000, 1_000], 2],
  ])('is no tie: %s', async (_, parallel, readings, held) => {
    const { venues } = await markets({ parallel, count: readings.length });
    await venues(1, ...readings);
    expect(await venues(2, ...readings)).toMatchObject({ held });
  });

  test('a venue that moves with all others is not held back by an older parallel quote', async () => {
    const { venues } = await markets();
    expect(await venues(1, ...all(1_240))).toMatchObject({ accepted: 5 });
  });
});

describe('the parallel market as a bound of P2P quotes (contract §8)', () => {
  test.each([
    ['up', 1_000, 1_250, 1_250.01],
    ['down', 1_040, 780, 779.99],
  ])(
    'all venues at exactly 25 percent from it pass %s, and further away are held',
    async (_, parallel, within, beyond) => {
      const near = await markets({ parallel });
      expect(await near.venues(1, ...all(within))).toMatchObject({ accepted: 5 });
      const far = await markets({ parallel });
      expect(await far.venues(1, ...all(beyond))).toMatchObject({ held: 5 });
      expect(new Set(await far.reasons())).toEqual(new Set(['parallel_differs']));
    },
  );

  test('they are released when the parallel market follows, without a new reading', async () => {
    const { venues, parallel, mids, held } = await markets();
    expect(await venues(1, ...all(1_290))).toMatchObject({ held: 5 });
    expect(await parallel(2, 1_290)).toMatchObject({ accepted: 1 });
    expect([await mids(), await held()]).toEqual([[...all(1_290), 1_290], []]);
  });

  test('a jump before an hourly parallel reading is published with the next one after it', async () => {
    const { venues, parallel, mids } = await markets();
    for (let minute = 1; minute <= 40; minute += 1) {
      expect(await venues(minute, ...all(2_000))).toMatchObject({ held: 5 });
    }
    expect(await parallel(40, 2_010)).toMatchObject({ held: 1 });
    expect(await venues(41, ...all(2_000))).toMatchObject({ accepted: 5 });
    expect(await mids()).toEqual([...all(2_000), 1_000]);
  });

  test('insistence releases them once the parallel market is no longer fresh', async () => {
    const { venues, mids } = await markets();
    for (let minute = 5; minute <= 120; minute += 5) {
      expect(await venues(minute, ...all(1_900))).toMatchObject({ held: 5 });
    }
    expect(await venues(121, ...all(1_900))).toMatchObject({ accepted: 5 });
    expect(await mids()).toEqual([...all(1_900), 1_000]);
  });

  test('silence of the parallel market alone releases nothing', async () => {
    const { venues, ingestAll, service, reasons } = await markets();
    expect(await venues(115, ...all(1_280))).toMatchObject({ held: 5 });
    service.clock.set(START + 121 * MINUTE_MS);
    await ingestAll([quote('cash', 900)]);
    expect(await reasons()).toHaveLength(5);
  });

  test('the operator releases one', async () => {
    const { venues, held, ingest, mid, service } = await markets();
    await venues(1, ...all(1_290));
    const of = (await held()).find(({ subject }) => subject === FIRST);
    await ingest.release(of?.id ?? '');
    await service.service.changePoller.poll();
    expect(await mid(FIRST)).toBe(1_290);
  });

  test('without a fresh parallel quote, and with one that is in doubt, nothing is held for it', async () => {
    const without = await markets({ parallel: null });
    expect(await without.venues(1, ...all(1_290))).toMatchObject({ accepted: 5 });
    const doubtful = await markets();
    // Far from the venues, it is held itself.
    expect(await doubtful.parallel(1, 1_350)).toMatchObject({ held: 1 });
    expect(await doubtful.venues(2, ...all(1_260))).toMatchObject({ accepted: 5 });
  });
});

describe('the venues as a bound of the parallel market (contract §8)', () => {
  test.each([
    ['up', 1_100, 1_333.33, 1_333.34],
    ['down', 970, 800, 799.99],
  ])(
    'their median at exactly 25 percent of its figure passes %s, and further away it is held',
    async (_, parallel, within, beyond) => {
      const near = await markets({ parallel });
      expect(await near.parallel(1, within)).toMatchObject({ accepted: 1 });
      const far = await markets({ parallel });
      expect(await far.parallel(1, beyond)).toMatchObject({ held: 1 });
      expect(await far.reasons()).toEqual(['parallel_differs']);
    },
  );

  test('a fault of a lone market is never published while the venues are fresh', async () => {
    const { venues, parallel, mid } = await markets();
    for (let minute = 5; minute <= 360; minute += 5) {
      await venues(minute, ...all(1_000));
      expect(await parallel(minute, 1_900)).toMatchObject({ held: 1 });
    }
    expect(await mid()).toBe(1_000);
    expect(await parallel(361, 1_001)).toMatchObject({ accepted: 1 });
  });

  test('it is released when they follow, without a new reading', async () => {
    const { venues, parallel, mid } = await markets({ parallel: 1_100 });
    expect(await parallel(1, 1_350)).toMatchObject({ held: 1 });
    expect(await venues(2, ...all(1_240))).toMatchObject({ accepted: 5 });
    expect(await mid()).toBe(1_350);
  });

  test.each([
    ['a wrong parallel quote within it does not hold back right venues', 'parallel', 'venues'],
    ['wrong venues within it do not hold back a right parallel quote', 'venues', 'parallel'],
  ] as const)('%s', async (_, wrong, right) => {
    const { venues, parallel } = await markets();
    const read = {
      venues: (minute: number, mid: number) => venues(minute, ...all(mid)),
      parallel: (minute: number, mid: number) => parallel(minute, mid),
    };
    for (let minute = 1; minute <= 30; minute += 1) {
      await read[wrong](minute, 775);
      expect(await read[right](minute, 1_000)).toMatchObject({ held: 0 });
    }
  });

  test('fewer than three that agree do not hold it', async () => {
    const { venues, parallel } = await markets({ parallel: 1_100 });
    await venues(1, 1_900, 1_900, 1_900, 1_000, 1_000);
    expect(await parallel(2, 1_350)).toMatchObject({ accepted: 1 });
  });

  test.each([1_310, 2_000, 3_000, 720])(
    'a true jump of both to %d is published ten minutes after it',
    async (moved) => {
      const { venues, parallel, mids } = await markets();
      for (let minute = 1; minute <= 12; minute += 1) {
        await venues(minute, ...all(moved));
        await parallel(minute, moved + 10);
        if (minute < 11) expect(await mids()).toEqual([...all(1_000), 1_000]);
      }
      expect(await mids()).toEqual([...all(moved), moved + 10]);
    },
  );

  test('a jump with noise of 15 percent is published too', async () => {
    const { venues, parallel, mids } = await markets();
    for (let minute = 1; minute <= 12; minute += 1) {
      const noise = [1.15, 0.86, 1.13, 0.9, 1][minute % 5] ?? 1;
      await venues(minute, ...all(2_000 * noise));
      await parallel(minute, 2_000 * noise);
    }
    expect((await mids()).every((mid) => mid > 1_600)).toBe(true);
  });
});
