import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import {
  ACCEPTED,
  DUPLICATE,
  HELD,
  judging,
  judgingMarket,
  judgingMarkets,
} from '../harness/judging.ts';
import { iso, official, P2P, quote, quotesAt } from '../harness/make.ts';
import { ADMIN_TOKEN, START } from '../harness/service.ts';

const HOUR = 60 * MINUTE_MS;
const [VENUE = '', SECOND = '', THIRD = '', FOURTH = '', FIFTH = ''] = P2P;

describe('the official rate in force (contract §8)', () => {
  test.each([
    ['low', 560, 559.99999999],
    ['high', 4_000, 4_000.00000001],
  ])(
    'a quote at its %s bound passes, and beyond it only the operator releases it',
    async (_, within, beyond) => {
      const { read, ingest, held, reasons, mid } = await judgingMarket();
      expect(await read(within, 1, { market: 'cash' })).toEqual(ACCEPTED);
      for (const minute of [2, 7, 12, 17, 30]) {
        expect(await read(beyond, minute, { market: 'cucuta' })).toEqual(HELD);
        expect(await read(beyond, minute, { market: 'cucuta', source: 'other' })).toEqual(HELD);
      }
      expect(new Set(await reasons())).toEqual(new Set(['out_of_band']));
      const [one] = await held();
      await ingest.release(one?.id ?? '');
      expect(await mid('cash')).toBe(within);
    },
  );

  test('readings that were outside the band never help a later one inside it', async () => {
    const { read, mid, reasons } = await judgingMarket();
    for (let minute = 1; minute <= 30; minute += 1) {
      expect(await read(4_040, minute)).toEqual(HELD);
    }
    // Inside the band, and near the readings before: it needs as many repetitions as any jump.
    for (const minute of [31, 36]) expect(await read(3_920, minute)).toEqual(HELD);
    expect([await mid(), (await reasons())[0]]).toEqual([1_000, 'moved']);
    expect(await read(3_920, 41)).toEqual(ACCEPTED);
    expect(await mid()).toBe(3_920);
  });

  test('a change of the official rate releases nothing by itself', async () => {
    const { read, mid, service, get } = await judgingMarket();
    for (let minute = 1; minute <= 30; minute += 1) await read(4_040, minute);
    await service.push(official('2026-11-22', { USD: 850, EUR: 978 }));
    service.clock.set(START + 26 * HOUR);
    const since = 26 * 60;
    for (const minute of [0, 5]) expect(await read(4_040, since + minute)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
    expect(await read(4_040, since + 10)).toEqual(ACCEPTED);
    expect((await get('rates/parallel?details=true')).in_doubt).toBe(true);
  });
});

describe('the first quote while no official rate is stored (contract §8)', () => {
  test('is held until an official rate puts it into the band', async () => {
    const { read, ingestAll, reasons, mid } = await judging();
    for (const minute of [0, 5, 10, 15]) expect(await read(1_000, minute)).toEqual(HELD);
    expect(await reasons()).toEqual(['first_quote', 'first_quote', 'first_quote', 'first_quote']);
    expect(await mid()).toBeUndefined();
    expect(await ingestAll([official('2026-11-20', { USD: 800 })])).toEqual(ACCEPTED);
    expect(await mid()).toBe(1_000);
    expect(await reasons()).toEqual([]);
  });

  test('stays held if the official rate does not put it into the band', async () => {
    const { read, ingestAll, mid, held } = await judging();
    await read(1_000, 0);
    await ingestAll([official('2026-11-20', { USD: 100 })]);
    expect([await mid(), (await held()).length]).toEqual([undefined, 1]);
  });

  test('is released by an official rate later in the same file', async () => {
    const { ingestAll, mid } = await judging();
    const file = [quote('parallel', 1_000), official('2026-11-20', { USD: 800 })];
    expect(await ingestAll(file)).toEqual({ ...ACCEPTED, accepted: 2 });
    expect(await mid()).toBe(1_000);
  });

  test('is released by an independent source that agrees, but not by another reader of the same venue', async () => {
    const { read, mid } = await judging();
    expect(await read(1_000, 0, { source: 'first-reader' })).toEqual(HELD);
    expect(await read(1_001, 1, { source: 'second-reader' })).toEqual(HELD);
    expect(await read(1_002, 2, { source: 'other' })).toEqual(ACCEPTED);
    expect(await mid()).toBe(1_002);
  });

  const between = () => [500, 2_000] as const;
  const body = (...mids: readonly number[]) =>
    mids.map((mid, position) => quote(P2P[position] ?? '', mid));

  test('is released by two other venues of its body that agree within 20 percent', async () => {
    const two = await judging();
    expect(await two.ingestAll(body(1_000, 1_010), { between })).toMatchObject({ held: 2 });
    const three = await judging();
    expect(await three.ingestAll(body(1_000, 1_010, 1_200), { between })).toMatchObject({
      accepted: 3,
    });
    const beyond = await judging();
    expect(await beyond.ingestAll(body(1_000, 1_010, 1_200.01), { between })).toMatchObject({
      held: 2,
    });
    const apart = await judging();
    const counts = await apart.ingestAll(body(1_000, 1_010, 1_020, 1_900), { between });
    expect(counts).toMatchObject({ accepted: 3, held: 1 });
  });

  test("is held with a body in another currency, outside the source's `between`", async () => {
    const { ingestAll, reasons } = await judging();
    const pesos = body(3_950, 3_960, 3_970, 3_980);
    expect(await ingestAll(pesos, { between })).toMatchObject({ accepted: 0, held: 4 });
    expect(await ingestAll(body(1_000, 1_001, 3_000), { between })).toMatchObject({
      accepted: 0,
    });
    // Pushed records have no such range.
    expect(await ingestAll(body(1_000, 1_001, 1_002))).toMatchObject({ accepted: 0 });
    expect(new Set(await reasons())).toEqual(new Set(['first_quote']));
  });
});

describe('the other venues (contract §8)', () => {
  test.each([
    ['up', 1_200, 1_200.00000001],
    ['down', 800, 799.99999999],
  ])(
    'a quote exactly 20 percent from their median passes %s, and a larger distance is held',
    async (_, within, beyond) => {
      const first = await judgingMarkets(VENUE, SECOND, THIRD);
      expect(await first.read(beyond, 1, { market: VENUE })).toEqual(HELD);
      expect(await first.reasons()).toEqual(['venues_differ']);
      expect(await first.read(within, 2, { market: VENUE })).toEqual(ACCEPTED);
    },
  );

  test('with fewer than two fresh venues a quote is not compared with a median', async () => {
    const two = await judgingMarkets(VENUE, SECOND);
    expect(await two.read(1_250, 1, { market: VENUE })).toEqual(ACCEPTED);
    const stale = await judgingMarkets(VENUE, SECOND, THIRD);
    expect(await stale.read(1_250, 15, { market: VENUE })).toEqual(HELD);
    expect(await stale.read(1_250, 16, { market: VENUE })).toEqual(ACCEPTED);
  });

  test('only agreement with the median releases a held quote, not repetition or a second reader', async () => {
    const { read, mid, held, service } = await judgingMarkets(VENUE, SECOND, THIRD, FOURTH, FIFTH);
    const others = (minute: number, rate: number) => {
      const mids = { [SECOND]: rate, [THIRD]: rate, [FOURTH]: rate, [FIFTH]: rate };
      return service.push(...quotesAt(START + minute * MINUTE_MS, mids));
    };
    for (let minute = 1; minute <= 60; minute += 1) {
      await others(minute, 1_000);
      expect(await read(1_290, minute, { market: VENUE, source: 'a' })).toEqual(HELD);
      expect(await read(1_290, minute, { market: VENUE, source: 'b' })).toEqual(HELD);
    }
    expect(await mid(VENUE)).toBe(1_000);
    await others(61, 1_280);
    expect(await read(1_290, 61, { market: VENUE, source: 'a' })).toEqual(ACCEPTED);
    expect(await mid(VENUE)).toBe(1_290);
    expect((await held()).every(({ source }) => source === 'b')).toBe(true);
  });

  test('a held quote is released when the median comes to agree, without a new reading of its own', async () => {
    const { read, mid, ingestAll, held } = await judgingMarkets(VENUE, SECOND, THIRD);
    expect(await read(1_250, 1, { market: VENUE })).toEqual(HELD);
    const others = quotesAt(START + MINUTE_MS, { [SECOND]: 1_240, [THIRD]: 1_240 });
    await ingestAll(others, { trust: true });
    expect([await mid(VENUE), await held()]).toEqual([1_250, []]);
  });

  test('a move of all venues of a body is accepted, and a move of half of them is not', async () => {
    const { readAll } = await judgingMarkets(VENUE, SECOND, THIRD, FOURTH);
    const body = (...mids: readonly number[]) =>
      Object.fromEntries(mids.map((mid, place) => [P2P[place], mid]));
    expect(await readAll(body(1_250, 1_250, 1_000, 1_001), 1)).toMatchObject({
      accepted: 2,
      held: 2,
    });
    expect(await readAll(body(1_251, 1_252, 1_253, 1_254), 2)).toMatchObject({ accepted: 4 });
  });

  test.each([
    ['first', [VENUE, SECOND, THIRD, FOURTH, FIFTH]],
    ['last', [SECOND, THIRD, FOURTH, FIFTH, VENUE]],
  ])(
    'a venue that comes %s in a body is compared with the others of that body',
    async (_, order) => {
      const { readAll, mid } = await judgingMarkets(...order);
      const body = (rate: number, others: number) =>
        Object.fromEntries(order.map((market) => [market, market === VENUE ? rate : others]));
      // Within 20 percent of the others' earlier quotes, not of those in this body.
      expect(await readAll(body(1_195, 985), 1)).toMatchObject({ accepted: 4, held: 1 });
      expect([await mid(VENUE), await mid(SECOND)]).toEqual([1_000, 985]);
      expect(await readAll(body(1_195, 1_000), 2)).toMatchObject({ accepted: 5 });
    },
  );

  test('a held wrong venue does not support another wrong venue', async () => {
    const { readAll, mid } = await judgingMarkets(VENUE, SECOND, THIRD, FOURTH, FIFTH);
    const others = { [THIRD]: 1_010, [FOURTH]: 1_010, [FIFTH]: 1_010 };
    await readAll({ [VENUE]: 1_010, [SECOND]: 1_000, ...others }, 1);
    // The others' median is 1009.5 with SECOND's reading, and 1006.5 with its published quote.
    const body = { ...others, [VENUE]: 1_210, [SECOND]: 1_211.9, [THIRD]: 1_004, [FOURTH]: 1_009 };
    expect(await readAll(body, 2)).toMatchObject({ accepted: 3, held: 2 });
    expect([await mid(VENUE), await mid(SECOND)]).toEqual([1_010, 1_000]);
  });

  test.each([
    ['one', [VENUE]],
    ['two', [VENUE, SECOND]],
  ])('after a silence a body itself reveals %s wrong of five venues', async (_, wrong) => {
    const order = [VENUE, SECOND, THIRD, FOURTH, FIFTH];
    const { readAll, mid } = await judgingMarkets(...order);
    const body = order.map((market) => [market, wrong.includes(market) ? 1_290 : 1_010]);
    expect(await readAll(Object.fromEntries(body), 60)).toMatchObject({
      accepted: order.length - wrong.length,
      held: wrong.length,
    });
    expect([await mid(VENUE), await mid(FIFTH)]).toEqual([1_000, 1_010]);
  });

  test('a real move of all venues beyond the ratio is published after ten minutes', async () => {
    const { readAll, mid } = await judgingMarkets(VENUE, SECOND, THIRD, FOURTH);
    const moved = { [VENUE]: 1_500, [SECOND]: 1_500, [THIRD]: 1_500, [FOURTH]: 1_500 };
    for (let minute = 1; minute <= 11; minute += 1) {
      await readAll(moved, minute);
      expect(await mid(VENUE)).toBe(minute < 11 ? 1_000 : 1_500);
    }
    for (const market of [SECOND, THIRD, FOURTH]) expect(await mid(market)).toBe(1_500);
  });
});

describe('a quote with an older time of the source (contract §8)', () => {
  const at = (ms: number) => ({ updated_at: iso(START + ms), captured_at: iso(START + ms) });
  const older = (mid: number, hours: number, minutes: number) =>
    quote('parallel', mid, {
      updated_at: iso(START - hours * HOUR),
      captured_at: iso(START + minutes * MINUTE_MS),
    });

  test.each([
    ['20 hours', 20],
    ['8 days', 192],
  ])(
    'a body of %s ago neither replaces the current quote nor removes its market',
    async (_, hours) => {
      const { ingestAll, service, mid, get, reasons } = await judgingMarket();
      service.clock.advance(5 * MINUTE_MS);
      expect(await ingestAll([older(700, hours, 5)])).toEqual(ACCEPTED);
      expect([await mid(), await reasons()]).toEqual([1_000, []]);
      const rates: { market: string }[] = (await get('rates')).rates;
      expect(rates.map(({ market }) => market)).toContain('parallel');
    },
  );

  test('is kept as a capture of its time', async () => {
    const { ingestAll, service, get } = await judgingMarket();
    service.clock.advance(5 * MINUTE_MS);
    await ingestAll([older(990, 20, 5)]);
    const { points } = await get('rates/parallel/history?granularity=raw');
    expect(
      points.map((point: { rate: number; captured_at: string }) => [point.rate, point.captured_at]),
    ).toEqual([
      [990, iso(START - 20 * HOUR)],
      [1_000, iso(START)],
    ]);
  });

  test('read every ten minutes, it is one capture', async () => {
    const { ingestAll, service, get } = await judgingMarket();
    for (let minutes = 10; minutes <= 40; minutes += 10) {
      service.clock.advance(10 * MINUTE_MS);
      await ingestAll([older(990, 20, minutes)]);
    }
    expect((await get('rates/parallel/history?granularity=raw')).count).toBe(2);
  });

  test.each([
    ['over the ratio to what was known at its time', 1_700],
    ['just within the band', 4_000],
  ])('a figure %s is kept as a capture, never held', async (_, mid) => {
    const { ingestAll, service, held, mid: current, pastRates } = await judgingMarket();
    await service.push(quote('parallel', 950, at(-24 * HOUR)));
    service.clock.advance(5 * MINUTE_MS);
    expect(await ingestAll([older(mid, 20, 5)])).toEqual(ACCEPTED);
    expect([await current(), await held()]).toEqual([1_000, []]);
    expect(await pastRates()).toEqual([950, mid, 1_000]);
  });

  test.each([
    ['just within the ratio to what was known at its time', 1_235, ACCEPTED, [950, 1_235, 1_000]],
    ['over it', 1_236, HELD, [950, 1_000]],
    ['over it, downwards', 600, HELD, [950, 1_000]],
  ])(
    'a figure that was read before the current one is judged by what was known then: %s',
    async (_, mid, outcome, expected) => {
      const { ingestAll, service, mid: current, pastRates } = await judgingMarket();
      await service.push(quote('parallel', 950, at(-24 * HOUR)));
      const past = { updated_at: iso(START - 20 * HOUR), captured_at: iso(START - 19 * HOUR) };
      expect(await ingestAll([quote('parallel', mid, past)])).toEqual(outcome);
      expect(await current()).toBe(1_000);
      expect(await pastRates()).toEqual(expected);
    },
  );

  test('a figure read after it was never the current one, so nothing returns to it', async () => {
    const { ingestAll, service, read, mid } = await judgingMarket();
    service.clock.advance(MINUTE_MS);
    const times = { updated_at: iso(START - 2 * MINUTE_MS), captured_at: iso(START + MINUTE_MS) };
    expect(await ingestAll([quote('parallel', 1_900, times)])).toEqual(ACCEPTED);
    expect(await read(1_900, 3)).toEqual(HELD);
    expect(await mid()).toBe(1_000);
  });

  test('a figure whose source has a fast clock counts as dated at its reading, and keeps none of the right time out', async () => {
    const { ingestAll, service, mid, get, pastRates } = await judgingMarket();
    const read = (value: number, minute: number, dated: number) => {
      service.clock.set(START + minute * MINUTE_MS);
      const times = {
        updated_at: iso(START + dated * MINUTE_MS),
        captured_at: iso(service.clock.now()),
      };
      return ingestAll([quote('parallel', value, times)]);
    };
    expect(await read(1_001, 1, 5)).toEqual(ACCEPTED);
    expect((await get('rates/parallel')).updated_at).toBe(iso(START + MINUTE_MS));
    expect(await read(1_900, 2, 2)).toEqual(HELD);
    expect(await read(1_002, 3, 3)).toEqual(ACCEPTED);
    expect(await mid()).toBe(1_002);
    expect(await pastRates()).toEqual([1_000, 1_001, 1_002]);
  });

  test('a figure outside the band is skipped with its reason, never held', async () => {
    const { ingestAll, service, held, mid: current, get } = await judgingMarket();
    service.clock.advance(5 * MINUTE_MS);
    const told: unknown[] = [];
    const tell = ({ passedOver }: { readonly passedOver?: unknown }) => told.push(passedOver);
    expect(await ingestAll([older(4_001, 20, 5)], { tell })).toEqual(DUPLICATE);
    expect([await current(), await held()]).toEqual([1_000, []]);
    const reason = 'older than the current quote, and mid 4001 is outside of';
    expect(told).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
    expect((await get('rates/parallel/history?granularity=raw')).count).toBe(1);
    // The operator has checked it.
    expect(await ingestAll([older(4_001, 20, 5)], { trust: true })).toEqual(ACCEPTED);
    expect([await current(), await held()]).toEqual([1_000, []]);
  });

  test('a push lists it in passed_over with the reason (contract §7)', async () => {
    const { service } = await judgingMarket();
    service.clock.advance(5 * MINUTE_MS);
    const push = (...records: object[]) =>
      service.call('/v1/admin/records', {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
        body: records.map((record) => JSON.stringify(record)).join('\n'),
      });
    const good = quote('parallel', 1_001, at(5 * MINUTE_MS));
    const { json } = await push(good, older(10_000, 20, 5), good);
    expect(json).toEqual({
      ...{ accepted: 1, held: 0, refused: 0, duplicate: 2 },
      passed_over: [{ line: 2, reason: expect.stringContaining('is outside of') }],
    });
    expect((await push(quote('parallel', 1_002, at(5 * MINUTE_MS)))).json).toEqual(ACCEPTED);
  });

  test('neither confirms nor ends held records', async () => {
    const { ingestAll, read, service, mid } = await judgingMarket();
    expect(await read(1_500, 1)).toEqual(HELD);
    expect(await read(1_500, 6)).toEqual(HELD);
    service.clock.set(START + 7 * MINUTE_MS);
    expect(await ingestAll([older(990, 20, 7)])).toEqual(ACCEPTED);
    expect(await read(1_500, 11)).toEqual(ACCEPTED);
    expect(await mid()).toBe(1_500);
  });
});

describe('a reading that agrees with the quote before the last one (contract §8)', () => {
  test.each([
    ['the one', [1]],
    ['the last', [1, 30, 90, 150]],
  ])(
    'restores that quote at once within an hour of %s reading that replaced it, and not later',
    async (_, minutes) => {
      const last = minutes.at(-1) ?? 0;
      const [soon, late] = [await judgingMarket(), await judgingMarket()];
      for (const { read } of [soon, late]) {
        for (const minute of minutes) expect(await read(775, minute)).toEqual(ACCEPTED);
      }
      expect(await soon.read(1_010, last + 60)).toEqual(ACCEPTED);
      expect(await soon.mid()).toBe(1_010);
      expect(await late.read(1_010, last + 60.01)).toEqual(HELD);
    },
  );

  test('restores that quote up to 26 hours after its own last reading, and not later', async () => {
    const [soon, late] = [await judgingMarket(), await judgingMarket()];
    for (const { read } of [soon, late]) {
      for (const minute of [1, 25.5 * 60]) expect(await read(775, minute)).toEqual(ACCEPTED);
    }
    expect(await soon.read(1_010, 26 * 60)).toEqual(ACCEPTED);
    expect(await late.read(1_010, 26 * 60 + 0.01)).toEqual(HELD);
  });

  test('restores that quote after a run in the same file', async () => {
    const { ingestAll, mid, service } = await judgingMarket();
    service.clock.set(START + 24 * HOUR);
    const file = Array.from({ length: 1_500 }, (_, minute) => {
      const at = iso(START + (minute + 1) * 30_000);
      return quote('parallel', minute < 1_499 ? 775 : 1_010, { updated_at: at, captured_at: at });
    });
    expect(await ingestAll(file)).toMatchObject({ accepted: 1_500, held: 0 });
    expect(await mid()).toBe(1_010);
  });

  test('restores none that was read between them and held', async () => {
    const { read, ingestAll, service } = await judgingMarket();
    expect(await read(1_290, 1)).toEqual(ACCEPTED);
    expect(await read(1_000, 2)).toEqual(ACCEPTED);
    service.clock.set(START + 3 * MINUTE_MS);
    const at = iso(START + 1.5 * MINUTE_MS);
    expect(await ingestAll([quote('parallel', 700, { updated_at: at, captured_at: at })])).toEqual(
      HELD,
    );
    expect(await read(700, 4)).toEqual(HELD);
    expect(await read(1_310, 5)).toEqual(ACCEPTED);
  });

  test('restores the replaced quote after several bad readings too, and no other', async () => {
    const { read, mid } = await judgingMarket();
    for (const minute of [1, 2, 3]) expect(await read(775, minute)).toEqual(ACCEPTED);
    expect(await read(1_101, 4)).toEqual(HELD);
    expect(await read(1_100, 5)).toEqual(ACCEPTED);
    expect(await mid()).toBe(1_100);
  });
});
