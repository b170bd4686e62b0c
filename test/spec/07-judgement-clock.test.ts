import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, HELD, judging } from '../harness/judging.ts';
import { FIVE, iso, official, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const OFFICIAL = official('2026-11-19', { USD: 800, EUR: 920 });
const UNDATED: Readonly<Record<string, unknown>> = { updated_at: undefined };

/** A service with a quote of the parallel market and five venues, read at the start. */
async function service(more: object = {}) {
  const found = await judging();
  await found.service.push(
    OFFICIAL,
    ...['parallel', ...FIVE].map((market) => quote(market, 1_000, more)),
  );
  const shown = async (market = 'parallel') => {
    const { rates } = await found.get('rates');
    const row = rates.find((one: { market: string }) => one.market === market);
    return { mid: row.mid, isAfterNow: Date.parse(row.updated_at) > found.service.clock.now() };
  };
  return { ...found, shown };
}

describe("after a step of the service's clock (contract §8)", () => {
  test.each<[string, number, typeof UNDATED]>([
    ['three minutes back, without times of the source', -3, UNDATED],
    ['an hour back', -60, {}],
    ['an hour back, without times of the source', -60, UNDATED],
    ['an hour back, the source keeps its times', -60, { updated_at: iso(START + MINUTE_MS) }],
    ['a day back', -1_440, {}],
  ])('new readings are published at once, and go on: %s', async (_, minutes, more) => {
    const { read, shown } = await service();
    for (const [place, mid] of [1_010, 1_020, 1_015].entries()) {
      expect(await read(mid, minutes + place, more)).toEqual(ACCEPTED);
      expect(await shown()).toEqual({ mid, isAfterNow: false });
    }
    // Until it has caught up, and after that.
    expect(await read(1_030, -1)).toEqual(ACCEPTED);
    expect(await shown()).toEqual({ mid: 1_030, isAfterNow: false });
    expect(await read(1_040, 2)).toEqual(ACCEPTED);
    expect(await shown()).toEqual({ mid: 1_040, isAfterNow: false });
  });

  test('a quote that a fast clock dated keeps no reading of the right time out', async () => {
    const { read, shown } = await service();
    expect(await read(1_010, 600)).toEqual(ACCEPTED);
    expect(await read(1_020, 1)).toEqual(ACCEPTED);
    expect(await shown()).toEqual({ mid: 1_020, isAfterNow: false });
  });

  test('venues are compared with each other at once', async () => {
    const { read, shown, reasons } = await service();
    for (const market of FIVE.slice(1)) {
      expect(await read(1_010, -60, { market })).toEqual(ACCEPTED);
    }
    expect(await read(1_290, -60, { market: FIVE[0] })).toEqual(HELD);
    expect(await reasons()).toEqual(['venues_differ']);
    expect(await shown(FIVE[1])).toEqual({ mid: 1_010, isAfterNow: false });
  });

  test('a real move waits its ten minutes of the new time', async () => {
    const { read, shown } = await service();
    expect(await read(1_900, -1, { market: 'cash' })).toEqual(ACCEPTED);
    for (const minute of [0, 5])
      expect(await read(1_100, minute, { market: 'cash' })).toEqual(HELD);
    for (const minute of [-60, -55]) {
      expect(await read(1_100, minute, { market: 'cash' })).toEqual(HELD);
    }
    expect(await read(1_100, -50, { market: 'cash' })).toEqual(ACCEPTED);
    expect(await shown('cash')).toEqual({ mid: 1_100, isAfterNow: false });
  });

  test('history that is pushed then stays history', async () => {
    const { ingestAll, service: running, shown } = await service();
    running.clock.set(START - 60 * MINUTE_MS);
    const at = iso(START - 90 * MINUTE_MS);
    for (const more of [{ updated_at: at }, UNDATED]) {
      await ingestAll([quote('parallel', 900, { captured_at: at, ...more })]);
    }
    expect(await shown()).toEqual({ mid: 1_000, isAfterNow: false });
  });
});
