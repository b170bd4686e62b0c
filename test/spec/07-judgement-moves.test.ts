import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { judgingMarkets } from '../harness/judging.ts';
import { FIVE, iso, quotesAt } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

const at = (venues: readonly string[], mid: number): Record<string, number> =>
  Object.fromEntries(venues.map((market) => [market, mid]));

/** Five venues that one aggregator reads, and the parallel market, by minutes after the start. */
async function markets() {
  const found = await judgingMarkets();
  const { service, readAll, get } = found;
  const key = await service.keyFor('Escala');
  return {
    ...found,
    venues: (minute: number, mid: number) => readAll(at(FIVE, mid), minute, 'criptoya'),
    venue: (minute: number, mid: number) =>
      readAll({ [FIVE[0] ?? '']: mid }, minute, 'binance-p2p'),
    parallel: (minute: number, mid: number) => readAll({ parallel: mid }, minute),
    doubted: async (market: string) =>
      (await get(`rates/${market}?details=true`)).in_doubt === true,
    headers: async (path = 'rates') => {
      const { headers } = await service.call(`/v1/fx/${path}`, { key });
      return {
        inDoubt: headers.get('x-vesfx-in-doubt') ?? '',
        frozen: headers.get('x-vesfx-frozen') ?? '',
      };
    },
  };
}

describe('the step of one origin (contract §8)', () => {
  test.each([
    ['10 %', 1_100, ''],
    ['over 10 %', 1_100.1, FIVE.join()],
    ['10 % down', 909.1, ''],
    ['over 10 % down', 909, FIVE.join()],
  ])('of %s within an hour marks its venues or not', async (_, mid, marked) => {
    const { venues, parallel, headers } = await markets();
    await parallel(0, 1_000);
    await venues(0, 1_000);
    await venues(1, mid);
    expect((await headers()).inDoubt).toBe(marked);
  });

  test.each([
    ['a new market', 0],
    ['one that was silent for hours', 5 * HOUR],
  ])('of small steps marks %s within its first hour', async (_, silence) => {
    const { parallel, doubted } = await markets();
    await parallel(0, 900);
    const marks: number[] = [];
    for (let minute = 1; minute <= 20; minute += 1) {
      await parallel(silence + minute, Math.round(900 * 1.01 ** minute));
      if (await doubted('parallel')) marks.push(minute);
    }
    expect(marks).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  test('is measured from the furthest figure of the hour', async () => {
    const { parallel, doubted } = await markets();
    const marks: number[] = [];
    // Each figure is far from that of half an hour before, and near to that of an hour before.
    for (const [minute, mid] of [
      [0, 1_000],
      [30, 950],
      [60, 1_000],
      [75, 1_045],
      [90, 1_046],
    ] as const) {
      await parallel(minute, mid);
      if (await doubted('parallel')) marks.push(minute);
    }
    expect(marks).toEqual([90]);
  });

  test('is measured from the last fresh figure', async () => {
    const { read, doubted } = await markets();
    const [venue = ''] = FIVE;
    for (const minute of [0, 10]) await read(1_000, minute, { market: venue });
    for (let minute = 20; minute <= 90; minute += 10) {
      await read(1_200, minute, {
        market: venue,
        updated_at: iso(START + (minute - 20) * MINUTE_MS),
      });
    }
    await read(1_200, 100, { market: venue });
    expect(await doubted(venue)).toBe(true);
  });

  test('that was confirmed confirms none after it', async () => {
    const { venues, parallel, headers } = await markets();
    for (const minute of [0, 10]) {
      await venues(minute, 1_000);
      await parallel(minute, 1_000);
    }
    await venues(11, 1_280);
    await parallel(30, 1_280);
    await venues(31, 1_280);
    expect((await headers()).inDoubt).toBe('');
    await venues(60, 1_430);
    expect((await headers()).inDoubt).toBe(FIVE.join());
    await parallel(65, 1_360);
    expect((await headers()).inDoubt).toBe('');
  });

  test.each([
    ['in the two hours before', 119, ''],
    ['before that, and in doubt since', 121, 'cucuta'],
  ])('of another origin confirms one when it was %s', async (_, minute, marked) => {
    const { cash, cucuta, headers } = await cashMarkets();
    for (const early of [-60, 0]) {
      await cash(60 + early, 1_000);
      await cucuta(60 + early, 1_000);
    }
    await cash(61, 1_150);
    await cucuta(60 + minute - 30, 1_000);
    await cucuta(61 + minute, 1_150);
    expect((await headers()).inDoubt).toBe(marked);
  });

  test('is not joined by a market that was read before those two hours only', async () => {
    const { cash, cucuta, headers } = await cashMarkets();
    await cash(0, 1_000);
    await cucuta(0, 1_000);
    for (let minute = 10; minute < 5 * HOUR; minute += 10) await cash(minute, 1_000);
    await cucuta(5 * HOUR, 1_065);
    await cash(5 * HOUR, 1_120);
    expect((await headers()).inDoubt).toBe('cash');
  });

  test('ends when another origin has moved at least half as far in the same direction', async () => {
    const { venues, parallel, headers } = await markets();
    await parallel(0, 1_000);
    await venues(0, 1_000);
    await venues(1, 1_200);
    await parallel(5, 900);
    await venues(6, 1_200);
    expect((await headers()).inDoubt).toContain('binance');
    await parallel(10, 1_090);
    await venues(11, 1_200);
    expect((await headers()).inDoubt).toContain('binance');
    await parallel(15, 1_100);
    await venues(16, 1_200);
    expect(await headers()).toEqual({ inDoubt: '', frozen: '' });
  });

  /** Cash and cash in Cúcuta, each read by a source of its own: another origin of the same kind. */
  async function cashMarkets() {
    const found = await markets();
    const { read } = found;
    return {
      ...found,
      cash: (minute: number, mid: number) => read(mid, minute, { market: 'cash', source: 'one' }),
      cucuta: (minute: number, mid: number) =>
        read(mid, minute, { market: 'cucuta', source: 'other' }),
    };
  }

  test.each([
    ['less than half as far', 1_072.3, 'cash'],
    ['at least half as far', 1_072.4, ''],
    ['as far in the other direction', 870, 'cash'],
  ])(
    'of a market that is not read again ends or not when another origin moves %s',
    async (_, mid, marked) => {
      const { cash, cucuta, headers, doubted, get } = await cashMarkets();
      await cash(0, 1_000);
      await cucuta(0, 1_000);
      await cash(1, 1_150);
      const { inDoubt } = await headers();
      expect(inDoubt).toBe('cash');
      await cucuta(30, mid);
      const isMarked = marked === 'cash';
      expect((await headers()).inDoubt.split(',').includes('cash')).toBe(isMarked);
      expect(await doubted('cash')).toBe(isMarked);
      expect((await get('rates/cucuta?details=true')).in_doubt === true).toBe(mid === 870);
    },
  );

  test('stays confirmed when the other origin returns, and is none of a day ago', async () => {
    const { cash, cucuta, headers } = await cashMarkets();
    await cash(0, 1_000);
    await cucuta(0, 1_000);
    await cash(1, 1_150);
    await cucuta(30, 1_140);
    expect((await headers()).inDoubt).toBe('');
    await cucuta(40, 1_000);
    expect((await headers()).inDoubt).toBe('');
    // The step of cash, which was not read since, confirms none that comes more than a day later.
    await cucuta(DAY + 60, 1_150);
    expect((await headers()).inDoubt).toBe('cucuta');
  });

  test('of venues that are not read again ends when the parallel market comes near it', async () => {
    const { venues, parallel, headers, service } = await markets();
    await venues(0, 1_000);
    await venues(1, 1_200);
    await parallel(3, 1_400);
    expect((await headers()).inDoubt).toBe('');
    // That it is silent later changes nothing of what it has confirmed.
    service.clock.set(START + 10 * HOUR * MINUTE_MS);
    expect((await headers()).inDoubt).toBe('');
  });

  test('ends when its figures are back, and after a day', async () => {
    const { venues, headers, service } = await markets();
    await venues(0, 1_000);
    await venues(1, 1_150);
    expect((await headers()).inDoubt).toBe(FIVE.join());
    await venues(2, 1_010);
    expect((await headers()).inDoubt).toBe('');
    await venues(3, 1_150);
    for (let minute = 10; minute < DAY; minute += 10) await venues(minute, 1_150);
    expect((await headers()).inDoubt).toBe(FIVE.join());
    service.clock.set(START + (3 + DAY) * MINUTE_MS);
    expect((await headers()).inDoubt).toBe('');
  });

  test.each([
    ['step', 1_150],
    ['jump', 1_900],
  ])('marks nothing after the figures of a %s are back, for a day', async (_, wrong) => {
    const { read, doubted } = await markets();
    const marked: number[] = [];
    for (let minute = 0; minute <= DAY + 4 * HOUR; minute += 5) {
      const mid = minute >= HOUR && minute < 3 * HOUR ? wrong : 1_000;
      await read(mid, minute, { market: 'cash' });
      if (await doubted('cash')) marked.push(minute);
    }
    // A jump waits for ten minutes before its source has repeated it.
    expect(marked.slice(-1)).toEqual([3 * HOUR - 5]);
  });

  test('that follows another one within an hour is not marked', async () => {
    const { venues, parallel, headers } = await markets();
    for (const minute of [0, 5]) await parallel(minute, 1_000);
    for (let minute = 0; minute < 10; minute += 1) await venues(minute, 1_000);
    for (let minute = 10; minute < 130; minute += 5) {
      await venues(minute, 1_200);
      await parallel(minute, minute < 65 ? 1_000 : 1_200);
      if (minute > 70) expect((await headers()).inDoubt).toBe('');
    }
  });

  test('marks a venue of it too that was held for hours, while the step is open', async () => {
    const { readAll, parallel, headers } = await markets();
    const [first = '', ...others] = FIVE;
    const show = (minute: number, own: number, mid: number) =>
      readAll({ ...at(others, mid), [first]: own }, minute, 'criptoya');
    for (const minute of [0, 10]) {
      await parallel(minute, 1_000);
      await show(minute, 1_030, 1_000);
    }
    for (let minute = 11; minute <= 100; minute += 1) {
      if (minute % 5 === 0) await parallel(minute, 1_000);
      await show(minute, 1_267, 1_230);
    }
    expect((await headers()).inDoubt).toBe([...others].sort().join());
    // Now it is within a quarter of the parallel market.
    await parallel(101, 1_020);
    await show(102, 1_267, 1_230);
    expect((await headers()).inDoubt).toBe(FIVE.join());
    // What confirms the step confirms it for all of them.
    await parallel(105, 1_120);
    await show(106, 1_267, 1_230);
    expect((await headers()).inDoubt).toBe('');
  });

  test('a venue alone among others that stand still moves no origin', async () => {
    const { venues, venue, headers } = await markets();
    await venues(0, 1_000);
    await venues(10, 1_000);
    await venue(11, 1_050);
    expect((await headers()).inDoubt).toBe('');
  });

  test('of figures that the operator has checked is not marked', async () => {
    const { venues, ingestAll, headers } = await markets();
    await venues(0, 1_000);
    const options = { source: 'operator', trust: true };
    await ingestAll(quotesAt(START + MINUTE_MS, at(FIVE, 1_200)), options);
    expect((await headers()).inDoubt).toBe('');
  });
});

describe('a drift (contract §8)', () => {
  test('of 1 % a minute is marked when it is over the ratio from the day before', async () => {
    const { read, doubted } = await markets();
    for (let hours = 0; hours <= 24; hours += 1) {
      await read(1_000, hours * HOUR, { market: 'cash' });
    }
    const steps = [1_090, 1_180, 1_270, 1_300, 1_300.1];
    const marked: boolean[] = [];
    for (const [place, mid] of steps.entries()) {
      await read(mid, (25 + place * 2) * HOUR, { market: 'cash' });
      marked.push(await doubted('cash'));
    }
    expect(marked.slice(-2)).toEqual([false, true]);
  });

  test.each([
    ['up', [1_000, 1_090, 1_180, 1_270, 1_300, 1_300.1]],
    ['down', [1_300, 1_190, 1_090, 1_010, 1_000, 999.9]],
  ])(
    '%s in the first day of a market is marked over the ratio from its first figure',
    async (_, mids) => {
      const { read, doubted } = await markets();
      const marked: boolean[] = [];
      for (const [place, mid] of mids.entries()) {
        await read(mid, place * 2 * HOUR, { market: 'cash' });
        marked.push(await doubted('cash'));
      }
      expect(marked).toEqual([false, false, false, false, false, true]);
    },
  );

  test.each([
    ['as far, within 10 %', 0, 1_229, [11]],
    ['less far', 0, 1_228, [11, 20, 30, HOUR]],
    ['as far, within 10 %', 2 * DAY, 1_229, [11]],
    ['less far', 2 * DAY, 1_228, [11, 20, 30, HOUR]],
  ])(
    'and its jump are marked no longer when another origin moved %s, after %i minutes of history',
    async (_, start, mid, expected) => {
      const { venue, parallel, doubted } = await markets();
      for (let minute = 0; minute <= start; minute += HOUR) {
        await venue(minute, 1_000);
        await parallel(minute, 1_000);
      }
      for (const minute of [1, 6, 11]) await parallel(start + minute, 1_351);
      const marked = (await doubted('parallel')) ? [11] : [];
      await venue(start + 15, mid);
      for (const minute of [20, 30, HOUR]) {
        await parallel(start + minute, 1_351);
        if (await doubted('parallel')) marked.push(minute);
      }
      expect(marked).toEqual(expected);
    },
  );

  test('and its jump are marked no longer when the other origin comes in two moves, without a reading', async () => {
    const { venue, parallel, doubted } = await markets();
    await venue(0, 1_000);
    await parallel(0, 1_000);
    for (const minute of [1, 6, 11]) await parallel(minute, 1_351);
    await venue(15, 1_170);
    expect(await doubted('parallel')).toBe(true);
    await venue(20, 1_351);
    expect(await doubted('parallel')).toBe(false);
  });

  test('is none from a figure that was read before the operator checked one', async () => {
    const { read, doubted, ingestAll, service } = await markets();
    await read(1_500, 0, { market: 'cash' });
    const at = START + 20 * MINUTE_MS;
    service.clock.set(at);
    await ingestAll(quotesAt(at, { cash: 1_000 }), { source: 'operator', trust: true });
    for (const minute of [30, HOUR, DAY + 10, DAY + 30]) {
      await read(1_000, minute, { market: 'cash' });
      expect(await doubted('cash')).toBe(false);
    }
  });

  test('that a second voice supports is none', async () => {
    const { venues, parallel, headers } = await markets();
    for (let hour = 0; hour <= 24; hour += 1) {
      await parallel(hour * HOUR, 1_000);
      await venues(hour * HOUR, 1_000);
    }
    for (let step = 1; step <= 16; step += 1) {
      const minute = DAY + step * 70;
      await parallel(minute, 1_000 + step * 25);
      await venues(minute + 1, 1_000 + step * 25);
    }
    expect((await headers()).inDoubt).toBe('');
  });
});

describe('a drift over days (contract §8)', () => {
  /** The first two in one hour, the others twelve hours apart. */
  const half = (mids: readonly number[]) =>
    mids.map(
      (mid, place) => [place === 1 ? HOUR : Math.max(0, place - 1) * 12 * HOUR, mid] as const,
    );

  test.each([
    ['up', [1_000, 1_001, 1_090, 1_150, 1_201.2, 1_201.3]],
    ['down', [1_001, 1_000, 950, 900, 833.4, 833.3]],
  ])('%s is marked when it is over 1.2 times from all of a day before', async (_, mids) => {
    const { parallel, doubted } = await markets();
    const marked: boolean[] = [];
    for (const [minute, mid] of half(mids)) {
      await parallel(minute, mid);
      marked.push(await doubted('parallel'));
    }
    expect(marked).toEqual([false, false, false, false, false, true]);
  });

  test('is marked in a market that may have a second source, and in no other', async () => {
    const { read, headers } = await markets();
    for (const [minute, mid] of half([1_000, 1_000, 1_100, 1_150, 1_210]))
      for (const market of ['parallel', 'cash']) await read(mid, minute, { market });
    expect((await headers()).inDoubt).toBe('parallel');
  });

  test('is marked until the days before it are seven days old', async () => {
    const { parallel, doubted } = await markets();
    const marked: number[] = [];
    for (const [minute, mid] of half([
      1_000,
      1_000,
      1_090,
      1_170,
      ...Array<number>(15).fill(1_210),
    ])) {
      await parallel(minute, mid);
      if (await doubted('parallel')) marked.push(minute / DAY);
    }
    expect([marked[0], marked.at(-1)]).toEqual([1.5, 7]);
  });

  test('is none after the operator has checked its figure', async () => {
    const { parallel, doubted, ingestAll, service } = await markets();
    for (const [minute, mid] of half([1_000, 1_000, 1_150, 1_250])) await parallel(minute, mid);
    expect(await doubted('parallel')).toBe(true);
    const at = START + 2 * DAY * MINUTE_MS;
    service.clock.set(at);
    await ingestAll(quotesAt(at, { parallel: 1_250 }), { source: 'operator', trust: true });
    await parallel(2.5 * DAY, 1_250);
    expect(await doubted('parallel')).toBe(false);
  });

  test.each([
    ['stand still', 1_000, true],
    ['move up by 3.3 %', 1_033, true],
    ['move up by 3.4 %', 1_034, false],
    ['come within 10 %', 1_127.4, false],
  ])(
    'of the parallel market to 1.24 times, while the venues beside it %s',
    async (_, last, marked) => {
      const { venues, parallel, doubted } = await markets();
      const steps = [1_000, 1_000, 1_100, 1_150, 1_240];
      for (const [minute, mid] of half(steps)) {
        await venues(minute, minute === 3 * 12 * HOUR ? last : 1_000);
        await parallel(minute + 1, mid);
      }
      expect(await doubted('parallel')).toBe(marked);
    },
  );
});

describe('two sides apart (contract §8)', () => {
  /** Venues at 1000, and a parallel market that moves in four steps of over an hour. */
  async function drifted(last: number) {
    const found = await markets();
    for (const [place, mid] of [1_000, 1_080, 1_160, last].entries()) {
      await found.venues(place * 70, 1_000);
      await found.parallel(place * 70 + 1, mid);
    }
    return found;
  }

  test.each([
    ['20 %', 1_250, ''],
    ['over 20 %', 1_250.1, ['parallel', ...FIVE].sort().join()],
  ])('are both in doubt after ten minutes at %s of the parallel figure', async (_, mid, marked) => {
    const { venues, parallel, headers } = await drifted(mid);
    await venues(212, 1_000);
    await venues(220, 1_000);
    expect((await headers()).inDoubt).toBe('');
    await parallel(222, mid);
    await venues(222, 1_000);
    expect((await headers()).inDoubt.split(',').sort().join()).toBe(marked);
  });

  test('are in doubt no longer when one of them comes near, also while the other is not read', async () => {
    const { venues, parallel, headers } = await drifted(1_260);
    await venues(212, 1_000);
    await venues(230, 1_000);
    await parallel(230, 1_260);
    expect((await headers()).inDoubt).not.toBe('');
    await parallel(231, 1_200);
    expect((await headers()).inDoubt).toBe('');
  });

  test('are not both in doubt when one of them moved alone', async () => {
    const { venues, parallel, headers } = await markets();
    for (const minute of [0, 10]) {
      await venues(minute, 1_000);
      await parallel(minute, 1_000);
    }
    for (let minute = 11; minute <= 40; minute += 1) {
      await venues(minute, 1_230);
      if (minute % 5 === 0) await parallel(minute, 1_000);
    }
    expect((await headers()).inDoubt).toBe([...FIVE].sort().join());
  });

  test('are in doubt too when one holds the other from the first day on', async () => {
    const { venues, parallel, read, headers } = await markets();
    for (let minute = 0; minute <= 20; minute += 5) {
      await venues(minute, 3_900);
      await parallel(minute + 1, 1_000);
      await read(1_000, minute + 2, { market: 'cash' });
    }
    expect((await headers()).inDoubt).toBe([...FIVE].sort().join());
  });

  test('are not in doubt for what they hold once a second source has supported them', async () => {
    const { venues, parallel, headers } = await markets();
    for (let minute = 0; minute <= 30; minute += 5) {
      await venues(minute, 1_000);
      await parallel(minute + 1, minute < 10 ? 1_000 : 3_900);
    }
    expect((await headers()).inDoubt).toBe('');
  });
});

describe('a frozen figure (contract §8)', () => {
  test.each([
    ['parallel', DAY],
    [FIVE[0] ?? '', 6 * HOUR],
  ])('of %s is told once it is unchanged for longer than its time', async (market, minutes) => {
    const { read, get, headers } = await markets();
    const standing = async () => {
      const { unchanged_since: since, frozen } = await get(`rates/${market}?details=true`);
      return [since, frozen];
    };
    for (let minute = 0; minute <= minutes; minute += 10) await read(1_000, minute, { market });
    expect(await standing()).toEqual([iso(START), false]);
    expect((await headers()).frozen).toBe('');
    await read(1_000, minutes + 1, { market });
    expect(await standing()).toEqual([iso(START), true]);
    expect((await headers()).frozen).toBe(market);
    expect((await headers(`rates/${market}`)).frozen).toBe(market);
    await read(1_000.01, minutes + 2, { market });
    expect(await standing()).toEqual([iso(START + (minutes + 2) * MINUTE_MS), false]);
  });

  test('is never an official rate, which says when it was first read', async () => {
    const { service, get } = await markets();
    service.clock.set(START + 30 * DAY * MINUTE_MS);
    const { frozen, unchanged_since: since } = await get('rates/reference?details=true');
    expect([frozen, typeof since]).toEqual([false, 'string']);
  });
});
