import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LEASE_MS } from '../../src/core/app/collecting/collector-lease.ts';
import type { FailureReason } from '../../src/core/domain/source-health.ts';
import {
  caracasDayOf,
  HOUR_MS,
  isoInstant,
  MINUTE_MS,
  SECOND_MS,
} from '../../src/core/domain/time.ts';
import { jsonFeed, parseJsonFeed } from '../../src/core/sources/feeds/json-feed.ts';
import { collecting, type TestSource, testSource } from '../harness/collecting.ts';
import type { Answer } from '../harness/upstream.ts';

/**
 * Sources that break, send wrong data or hang: the last accepted quote stays, and other sources
 * continue.
 */

/** Friday, 08:00 in Caracas. */
const START = Date.parse('2026-11-20T12:00:00Z');

const caracasDay = caracasDayOf(START);

const quoted = (market: string, mid: number): readonly object[] => [{ kind: 'quote', market, mid }];

/** A source as the catalogue would have it, for `{"rate": 900}`. */
async function feedSource(timeoutMs = 5_000): Promise<TestSource> {
  const source = await testSource('feed', { markets: ['parallel'], timeoutMs });
  const feed = jsonFeed.feed.parse({
    quotes: [{ market: 'parallel', mid: 'rate', between: [1, 1_000_000] }],
  });
  return {
    ...source,
    read: (ask) => jsonFeed.read(ask, source.url, feed),
    parse: async (bodies) => parseJsonFeed(bodies, feed),
  };
}

const plain =
  (status: number, headers: Record<string, string>, body: string | Buffer = ''): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (body: string): Answer => plain(200, JSON_TYPE, body);

/** Bytes without an end, as fast as they are taken or one at a time. */
const endless =
  (chunk: Buffer, waitMs: number): Answer =>
  async (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    while (!response.destroyed) {
      response.write(chunk);
      await pause(waitMs);
    }
  };

describe('a broken source keeps its last accepted quote and affects no other source', () => {
  const faults: readonly (readonly [string, Answer, FailureReason])[] = [
    ['drops the connection', (request) => void request.socket.destroy(), 'unreachable'],
    ['answers nothing', () => undefined, 'timeout'],
    ['sends a byte now and then', endless(Buffer.from(' '), 20), 'timeout'],
    ['answers 500', plain(500, {}), 'status'],
    ['answers 403', plain(403, {}), 'status'],
    ['answers 429 and asks for time', plain(429, { 'Retry-After': '120' }), 'status'],
    ['redirects', plain(302, { Location: 'https://example.org/' }), 'redirect'],
    ['answers with a page', plain(200, { 'Content-Type': 'text/html' }, '<p>'), 'content_type'],
    ['answers with a page that it calls JSON', json('<html></html>'), 'content'],
    ['answers with an error and status 200', json('{"error":"limit"}'), 'content'],
    ['answers with an empty list', json('[]'), 'content'],
    ['answers without the figure', json('{"rates":{}}'), 'content'],
    ['cuts its JSON short', json('{"rate":9'), 'content'],
    ['inverts its figure', json('{"rate":0.00111}'), 'content'],
    ['sends a body without an end', endless(Buffer.alloc(65_536, ' '), 0), 'too_large'],
    [
      'sends a bomb',
      plain(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(8e6, ' '))),
      'too_large',
    ],
  ];

  test.each(faults)('when it %s', async (_what, answer, reason) => {
    const feed = await feedSource(reason === 'timeout' ? 300 : undefined);
    const other = await testSource('other');
    feed.upstream.says({ rate: 900 });
    other.upstream.says(quoted('cash', 800));
    const site = await collecting([feed, other]);
    await site.at(START);
    await site.at(START + SECOND_MS);

    feed.upstream.answers(answer);
    other.upstream.says(quoted('cash', 801));
    await site.at(START + MINUTE_MS);
    expect([await site.served('parallel'), await site.served('cash')]).toEqual([900, 801]);
    expect(await site.state('feed')).toMatchObject({
      lastSuccessAt: START,
      consecutiveFailures: 1,
      failure: { reason },
      nextRunAt: START + 2 * MINUTE_MS,
    });

    feed.upstream.says({ rate: 901 });
    await site.at(START + 10 * MINUTE_MS);
    expect(await site.served('parallel')).toBe(901);
    expect((await site.state('feed')).consecutiveFailures).toBe(0);
  });

  test('when it is unreachable', async () => {
    const [source, other] = [await testSource('feed'), await testSource('other')];
    const url = 'http://127.0.0.1:1/';
    const gone = {
      ...source,
      read: async (ask) => [await ask({ url, accept: ['application/json'] })],
    } satisfies TestSource;
    other.upstream.says(quoted('cash', 800));
    const site = await collecting([gone, other]);
    await site.at(START);
    await site.at(START + SECOND_MS);
    expect((await site.state('feed')).failure?.reason).toBe('unreachable');
    expect(await site.served('cash')).toBe(800);
  });

  test("a host's Retry-After is respected", async () => {
    const feed = await feedSource();
    feed.upstream.answers(plain(429, { 'Retry-After': '120' }));
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.says({ rate: 900 });
    await site.at(START + MINUTE_MS);
    expect(feed.upstream.asked).toBe(1);
    expect(await site.state('feed')).toMatchObject({
      consecutiveFailures: 1,
      failure: { reason: 'status' },
      pausedUntil: START + 2 * MINUTE_MS,
    });
    await site.at(START + 2 * MINUTE_MS);
    expect(await site.served('parallel')).toBe(900);
  });

  test('a slow source does not delay the others', async () => {
    const [slow, other] = [await testSource('slow'), await testSource('other')];
    slow.upstream.says(quoted('parallel', 900));
    other.upstream.says(quoted('cash', 800));
    const site = await collecting([slow, other]);
    await site.at(START);
    await site.at(START + SECOND_MS);
    const answer = slow.upstream.hangs();
    other.upstream.says(quoted('cash', 801));
    const turn = site.at(START + MINUTE_MS);
    await expect.poll(() => site.served('cash')).toBe(801);
    answer(quoted('parallel', 901));
    await turn;
    expect(await site.served('parallel')).toBe(901);
  });
});

const published = (valueDate: string, usd: number): readonly object[] => [
  { kind: 'official', value_date: valueDate, rates: { USD: usd, EUR: usd * 1.25 } },
];

describe('the page of the central bank', () => {
  const bankSource = () =>
    testSource('bank', { schedule: [{ cron: '0 16,20 * * *', whileExpected: true }] });

  test('of yesterday, shown for three business days, counts as three missed publications', async () => {
    const bank = await bankSource();
    bank.upstream.says(published('2026-11-17', 880));
    const site = await collecting([bank], { start: '2026-11-16T20:00:00Z' });
    const missedAt = async (instant: string) => {
      await site.at(instant);
      const [health] = (await site.watch.health()).sources;
      return [health?.publicationsMissed, health?.condition];
    };
    expect(await missedAt('2026-11-16T20:00:00Z')).toEqual([0, 'ok']);
    // A day's publication may still come until its evening.
    expect(await missedAt('2026-11-17T20:00:00Z')).toEqual([0, 'ok']);
    expect(await missedAt('2026-11-18T00:00:00Z')).toEqual([1, 'late']);
    expect(await missedAt('2026-11-19T00:00:00Z')).toEqual([2, 'late']);
    expect(await missedAt('2026-11-20T00:00:00Z')).toEqual([3, 'late']);
    expect(await site.served('reference')).toBe(880);
  });

  test('contract §8: with a persistent wrong year is never published and hides no publication', async () => {
    const bank = await bankSource();
    bank.upstream.says(published('2026-11-17', 880));
    const site = await collecting([bank], { start: '2026-11-16T20:00:00Z', officialRate: 870 });
    await site.at('2026-11-16T20:00:00Z');
    bank.upstream.says(published('2027-11-18', 881));
    for (const minutes of [0, 5, 10]) await site.at(`2026-11-17T20:${10 + minutes}:00Z`);
    const [held] = await site.store.listHeld('held', 1);
    expect(held?.reason).toBe('date_ahead');
    await site.at('2026-11-18T00:00:00Z');
    const [health] = (await site.watch.health()).sources;
    expect([health?.publicationsMissed, health?.condition]).toEqual([1, 'late']);
    bank.upstream.says(published('2026-11-18', 881));
    await site.at('2026-11-18T20:00:00Z');
    expect(await site.served('reference')).toBe(881);
  });

  test('of Friday, shown over a weekend and a bank holiday, raises no alarm', async () => {
    const bank = await bankSource();
    bank.upstream.says(published('2026-11-24', 880));
    const site = await collecting([bank], { start: '2026-11-20T20:00:00Z' });
    for (const day of [20, 21, 22, 23]) {
      await site.at(`2026-11-${day}T23:59:00Z`);
      const { sources, publicationsMissed } = await site.watch.health();
      expect([sources[0]?.publicationsMissed, sources[0]?.condition]).toEqual([0, 'ok']);
      expect(publicationsMissed).toBeUndefined();
    }
  });

  test('contract §8: that goes back to the day before publishes nothing', async () => {
    const bank = await testSource('bank');
    bank.upstream.says(published('2026-11-19', 870));
    const site = await collecting([bank], { officialRate: 860 });
    await site.at(START);
    bank.upstream.says(published('2026-11-20', 880));
    await site.at(START + MINUTE_MS);
    bank.upstream.says(published('2026-11-19', 870));
    await site.at(START + 2 * MINUTE_MS);
    expect(await site.served('reference')).toBe(880);
    expect(await site.store.listHeld('held', 1)).toEqual([]);
  });
});

describe('a figure that is wrong by a factor', () => {
  const FACTORS = [0, -1, 0.001, 0.1, 0.84, 1.16, 2, 10, 1000];
  const EVERY_5_MINUTES = [{ cron: '*/5 * * * *', whileExpected: false }];

  const kinds = [
    // Other rates may move by a ratio of 1.3 at once, within the band of the official rate, 800.
    // A rate in force never changes.
    {
      name: 'parallel',
      passes: [0.84, 1.16],
      insists: [2],
      says: (mid: number) => quoted('parallel', mid),
    },
    {
      name: 'reference',
      passes: [],
      insists: [],
      says: (mid: number) => published('2026-11-20', mid),
    },
  ];
  const cases = kinds.flatMap(({ name, passes, insists, says }) =>
    FACTORS.map((factor) => ({
      name,
      factor,
      says,
      isRate: factor > 0,
      passes: passes.some((one) => one === factor),
      insists: [...passes, ...insists].some((one) => one === factor),
    })),
  );

  test.each(cases)('$factor once, $name: nothing wrong is published', async (one) => {
    const feed = await testSource('feed', { schedule: EVERY_5_MINUTES });
    feed.upstream.says(one.says(1000));
    const site = await collecting([feed], { officialRate: one.name === 'reference' ? 1000 : 800 });
    await site.at(START);
    feed.upstream.says(one.says(1000 * one.factor));
    await site.at(START + 5 * MINUTE_MS);
    expect(await site.served(one.name)).toBe(one.passes ? 1000 * one.factor : 1000);
    expect(site.watch.turns.at(-1)?.outcome).toBe(
      one.passes ? 'ok' : one.isRate ? 'held' : 'refused',
    );
    feed.upstream.says(one.says(1000));
    await site.at(START + 10 * MINUTE_MS);
    expect(await site.served(one.name)).toBe(1000);
  });

  test.each(cases)(
    '$factor permanently, $name: published within 15 minutes if it can be true',
    async (one) => {
      const feed = await testSource('feed', { schedule: EVERY_5_MINUTES });
      feed.upstream.says(one.says(1000));
      const officialRate = one.name === 'reference' ? 1000 : 800;
      const site = await collecting([feed], { officialRate });
      await site.at(START);
      feed.upstream.says(one.says(1000 * one.factor));
      // Read at 5, 10 and 15 minutes: ten from the first to the last.
      for (const minutes of [5, 10]) await site.at(START + minutes * MINUTE_MS);
      expect(await site.served(one.name)).toBe(one.passes ? 1000 * one.factor : 1000);
      await site.at(START + 15 * MINUTE_MS);
      expect(await site.served(one.name)).toBe(one.insists ? 1000 * one.factor : 1000);
    },
  );
});

describe('repeated or unordered figures', () => {
  test('repeated figures keep their first time', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted('parallel', 900));
    const site = await collecting([feed]);
    for (const minutes of [0, 1, 2]) await site.at(START + minutes * MINUTE_MS);
    const { quotes } = await site.store.currentRecords(caracasDay);
    expect(quotes.at(-1)).toMatchObject({ mid: 900, updatedAt: START });
  });

  test('contract §8: an older quote after a newer one does not replace it', async () => {
    const feed = await testSource('feed');
    const site = await collecting([feed]);
    const says = (mid: number, updatedAt: number) =>
      feed.upstream.says([
        { kind: 'quote', market: 'parallel', mid, updated_at: isoInstant(updatedAt) },
      ]);
    says(901, START);
    await site.at(START);
    says(900, START - HOUR_MS);
    await site.at(START + MINUTE_MS);
    const { quotes } = await site.store.currentRecords(caracasDay);
    expect(quotes.at(-1)).toMatchObject({ mid: 901, updatedAt: START });
  });
});

describe('two collectors on one database', () => {
  test('that start at once: only one reads', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted('parallel', 900));
    const site = await collecting([feed]);
    const second = await site.another();
    await Promise.all([site.collector.tick(), second.tick()]);
    expect(feed.upstream.asked).toBe(1);
  });

  describe('a collector that was paused between reading and writing', () => {
    /** The second has taken over meanwhile and read 905; `wake` lets the first go on, with 900. */
    async function paused() {
      const feed = await testSource('feed');
      const answerLate = feed.upstream.hangs();
      const site = await collecting([feed]);
      const second = await site.another();
      const turn = site.at(START);
      await expect.poll(() => feed.upstream.asked).toBe(1);
      feed.upstream.says(quoted('parallel', 905));
      site.clock.set(START + LEASE_MS);
      await second.tick();
      const wake = () => {
        answerLate(quoted('parallel', 900));
        return turn;
      };
      const told = () => site.log.lines.map(({ message }) => message);
      return { feed, site, told, wake };
    }

    test('writes nothing and gives up its lease', async () => {
      const { feed, site, told, wake } = await paused();
      expect(await site.served('parallel')).toBe(905);
      const state = await site.state('feed');
      await wake();
      expect(await site.served('parallel')).toBe(905);
      expect(await site.state('feed')).toEqual(state);
      expect(told()).toContain('the lease was lost during a turn');
      await site.at(START + LEASE_MS + SECOND_MS);
      expect(feed.upstream.asked).toBe(2);
    });

    test('logs it when it gets the lease again at once', async () => {
      const { site, told, wake } = await paused();
      await wake();
      const before = told().length;
      await site.at(START + 3 * LEASE_MS);
      expect(told().slice(before)).toContain('this process collects');
    });
  });
});
