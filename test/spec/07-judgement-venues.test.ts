import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { ACCEPTED, DUPLICATE, HELD, judging, OFFICIAL } from '../harness/judging.ts';
import { FIVE, iso, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

const [VENUE = '', SECOND = '', THIRD = '', FOURTH = '', FIFTH = ''] = FIVE;

/** Five venues that published 1000 at the start, each read by itself afterwards. */
async function fiveVenues(more: object = {}) {
  const found = await judging();
  await found.service.push(OFFICIAL, ...FIVE.map((market) => quote(market, 1_000, more)));
  const mids = async () => {
    const shown: number[] = [];
    for (const market of FIVE) shown.push(await found.mid(market));
    return shown;
  };
  return { ...found, mids };
}

describe('a venue that differs waits for agreement (contract §8)', () => {
  test('a page that was read before releases no held venue', async () => {
    const { read, ingestAll, mid, reasons, service } = await fiveVenues();
    expect(await read(1_250, 1, { market: VENUE })).toEqual(HELD);
    service.clock.set(START + 2 * MINUTE_MS);
    expect(await ingestAll([OFFICIAL], { source: 'bcv-official', isPage: true })).toEqual(
      DUPLICATE,
    );
    expect([await mid(VENUE), await reasons()]).toEqual([1_000, ['venues_differ']]);
  });

  test('a quote of the past releases no held venue', async () => {
    const { read, ingestAll, mid, reasons } = await fiveVenues();
    expect(await read(1_250, 1, { market: VENUE })).toEqual(HELD);
    const past = { updated_at: iso(START - 9e8), captured_at: iso(START - 9e8) };
    await ingestAll([quote('cash', 900, past)]);
    expect([await mid(VENUE), await reasons()]).toEqual([1_000, ['venues_differ']]);
  });

  test('the silence of the other venues releases no held venue', async () => {
    const { read, mid, reasons, service } = await fiveVenues();
    service.clock.set(START + 8 * MINUTE_MS);
    expect(await read(1_250, 8, { market: VENUE })).toEqual(HELD);
    // The others are stale now, but the held reading is not.
    expect(await read(900, 17, { market: 'cash' })).toEqual(ACCEPTED);
    expect([await mid(VENUE), await reasons()]).toEqual([1_000, ['venues_differ']]);
  });
});

describe('which other venues are fresh (contract §8)', () => {
  const bare = { updated_at: undefined };

  test('venues without source times are fresh while they are read, even with unchanged figures', async () => {
    const { read, mid } = await fiveVenues(bare);
    for (let minute = 5; minute <= 40; minute += 5) {
      for (const market of FIVE.slice(1)) await read(1_000, minute, { market, ...bare });
    }
    expect(await read(1_250, 41, { market: VENUE })).toEqual(HELD);
    expect(await mid(VENUE)).toBe(1_000);
    expect(await read(1_200, 42, { market: VENUE })).toEqual(ACCEPTED);
  });

  test('venues with unchanged source times are not fresh', async () => {
    const { read } = await fiveVenues({ updated_at: iso(START - MINUTE_MS) });
    for (const market of FIVE.slice(1)) {
      const old = { updated_at: iso(START - MINUTE_MS) };
      await read(1_000, 15, { market, ...old });
    }
    expect(await read(1_250, 15, { market: VENUE })).toEqual(ACCEPTED);
  });
});

describe('wrong venues that publish first (contract §8)', () => {
  test('do not block the right ones after a silence', async () => {
    const { read, mids } = await fiveVenues();
    for (const market of [VENUE, SECOND]) {
      expect(await read(1_290, 60, { market })).toEqual(ACCEPTED);
    }
    for (const market of [THIRD, FOURTH]) expect(await read(1_000, 61, { market })).toEqual(HELD);
    expect(await read(1_001, 61, { market: FIFTH })).toEqual(ACCEPTED);
    expect(await mids()).toEqual([1_290, 1_290, 1_000, 1_000, 1_001]);
    for (const market of [VENUE, SECOND]) {
      expect(await read(1_290, 62, { market })).toEqual(HELD);
      expect(await read(1_002, 63, { market })).toEqual(ACCEPTED);
    }
  });

  test('do not block the right ones with their first quotes', async () => {
    const { read, mid, service } = await judging();
    await service.push(OFFICIAL);
    for (const market of [VENUE, SECOND]) {
      expect(await read(1_900, 0, { market })).toEqual(ACCEPTED);
    }
    for (const market of [THIRD, FOURTH]) expect(await read(1_000, 1, { market })).toEqual(HELD);
    expect(await read(1_001, 1, { market: FIFTH })).toEqual(ACCEPTED);
    expect([await mid(THIRD), await mid(FOURTH)]).toEqual([1_000, 1_000]);
    expect(await read(1_900, 2, { market: VENUE })).toEqual(HELD);
  });

  test('while they are held, they do not oppose a move of the other three', async () => {
    const { read, mids } = await fiveVenues();
    for (let minute = 1; minute <= 5; minute += 1) {
      expect(await read(1_900, minute, { market: FOURTH })).toEqual(HELD);
      expect(await read(100, minute, { market: FIFTH })).toEqual(HELD);
    }
    for (const market of [VENUE, SECOND]) expect(await read(1_250, 6, { market })).toEqual(HELD);
    expect(await read(1_255, 6, { market: THIRD })).toEqual(ACCEPTED);
    expect(await mids()).toEqual([1_250, 1_250, 1_255, 1_000, 1_000]);
    expect(await read(1_900, 7, { market: FOURTH })).toEqual(HELD);
  });

  test('half of the venues do not confirm a venue that moves', async () => {
    const { read, mid } = await fiveVenues();
    for (const market of [SECOND, THIRD]) {
      expect(await read(1_250, 1, { market })).toEqual(HELD);
    }
    expect(await read(1_250, 1, { market: VENUE })).toEqual(HELD);
    expect(await mid(VENUE)).toBe(1_000);
  });
});
