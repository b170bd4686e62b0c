import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { READING_TIMEOUT_MS, TICK_MS } from '../src/core/app/collecting/collect.ts';
import { LEASE_MS } from '../src/core/app/collecting/collector-lease.ts';
import { BODIES_AND_HELD_KEPT_MS } from '../src/core/app/collecting/housekeeping.ts';
import { StoreUnavailable } from '../src/core/app/failures.ts';
import type { Fetch } from '../src/core/app/ports/sources.ts';
import type { Store } from '../src/core/app/ports/store.ts';
import {
  caracasDayOf,
  HOUR_MS,
  isoInstant,
  MINUTE_MS,
  SECOND_MS,
} from '../src/core/domain/time.ts';
import { collecting, type Site, testSource } from './harness/collecting.ts';

/** When sources are read, by which process, and what is recorded. */

const HOURLY = [{ cron: '0 * * * *', whileExpected: false }];

/** Friday, 08:00 in Caracas: nothing is published before 14:30. */
const START = Date.parse('2026-11-20T12:00:00Z');

const quoted = (mid: number, more: object = {}): readonly object[] => [
  { kind: 'quote', market: 'parallel', mid, ...more },
];

const published = (valueDate: string, usd: number): readonly object[] => [
  { kind: 'official', value_date: valueDate, rates: { USD: usd, EUR: usd * 1.2 } },
];

/** When the source is read next, as the time of the day in UTC. */
async function nextRun(site: Site, source: string): Promise<string | undefined> {
  const { nextRunAt } = await site.state(source);
  return nextRunAt === undefined ? undefined : isoInstant(nextRunAt).slice(11, 19);
}

describe('the turns of the sources', () => {
  test('unread sources are read at the start, one a second', async () => {
    const sources = [await testSource('one'), await testSource('two', { markets: ['cash'] })];
    for (const { upstream } of sources) upstream.says(quoted(900));
    const site = await collecting(sources);
    const asked = () => sources.map(({ upstream }) => upstream.asked);
    await site.at(START);
    expect(asked()).toEqual([1, 0]);
    await site.at(START + SECOND_MS);
    expect(asked()).toEqual([1, 1]);
  });

  test('a successful reading is served, and recorded with its provenance', async () => {
    const feed = await testSource('feed', { parserVersion: 7 });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    expect(await site.served('parallel')).toBe(900);
    const digest = createHash('sha256')
      .update(JSON.stringify(quoted(900)))
      .digest('hex');
    expect(await site.state('feed')).toEqual({
      source: 'feed',
      lastAttemptAt: START,
      lastSuccessAt: START,
      lastChangeAt: START,
      standing: {
        parallel: {
          since: START,
          digest: expect.any(String),
          steady: { since: START, mid: 900 },
        },
      },
      contentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      consecutiveFailures: 0,
      nextRunAt: START + MINUTE_MS,
      provenance: { parserVersion: 7, bodies: [{ url: feed.url, digest }] },
    });
  });

  test('come by the schedule, never early, and late by at most the jitter', async () => {
    const feed = await testSource('feed', { jitterMs: 20 * SECOND_MS });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed], { random: () => 0.75 });
    await site.at(START);
    expect(await nextRun(site, 'feed')).toBe('12:01:15');
    await site.at(START + MINUTE_MS + 15 * SECOND_MS - 1);
    expect(feed.upstream.asked).toBe(1);
    await site.at(START + MINUTE_MS + 15 * SECOND_MS);
    expect(feed.upstream.asked).toBe(2);
  });

  test('the central bank is read every 10 minutes until the value date is stored, then hourly', async () => {
    const bank = await testSource('bank', {
      schedule: [
        { cron: '30-59/10 14 * * *', whileExpected: true },
        { cron: '*/10 15-18 * * *', whileExpected: true },
        { cron: '0 * * * *', whileExpected: false },
      ],
    });
    bank.upstream.says(published('2026-11-20', 880));
    const site = await collecting([bank], { start: '2026-11-20T18:30:00Z' });
    await site.at('2026-11-20T18:30:00Z');
    expect(await nextRun(site, 'bank')).toBe('18:40:00');
    await site.at('2026-11-20T18:40:00Z');
    expect(await nextRun(site, 'bank')).toBe('18:50:00');
    // Monday is a bank holiday.
    bank.upstream.says(published('2026-11-24', 881));
    await site.at('2026-11-20T18:50:00Z');
    expect(await nextRun(site, 'bank')).toBe('19:00:00');
    await site.at('2026-11-20T19:00:00Z');
    expect(await nextRun(site, 'bank')).toBe('20:00:00');
  });

  test('a reading longer than its period runs once at a time and misses no later turn', async () => {
    const slow = await testSource('slow');
    const answer = slow.upstream.hangs();
    const site = await collecting([slow]);
    const first = site.at(START);
    await expect.poll(() => slow.upstream.asked).toBe(1);
    await site.at(START + MINUTE_MS);
    await site.at(START + 2 * MINUTE_MS);
    expect(slow.upstream.asked).toBe(1);
    answer(quoted(900));
    await first;
    slow.upstream.says(quoted(901));
    await site.at(START + 3 * MINUTE_MS);
    expect(await site.served('parallel')).toBe(901);
  });

  test('a turn missed without a collector is run at once, and a future one waits', async () => {
    const [often, seldom] = [
      await testSource('often'),
      await testSource('seldom', { schedule: HOURLY }),
    ];
    for (const { upstream } of [often, seldom]) upstream.says(quoted(900));
    const site = await collecting([often, seldom]);
    await site.at(START + MINUTE_MS);
    await site.at(START + MINUTE_MS + SECOND_MS);
    await site.collector.stop();
    const later = await site.another();
    site.clock.set(START + 10 * MINUTE_MS);
    await later.tick();
    expect([often.upstream.asked, seldom.upstream.asked]).toEqual([2, 1]);
  });

  test('a source that is off or has no schedule has no turns', async () => {
    const sources = [
      await testSource('off', { enabled: false }),
      await testSource('by-hand', { schedule: [] }),
    ];
    const site = await collecting(sources);
    await site.at(START);
    await site.at(START + HOUR_MS);
    expect(sources.map(({ upstream }) => upstream.asked)).toEqual([0, 0]);
    expect(await site.store.sourceStates()).toEqual([]);
  });

  test('a fallback has its turn directly after its main source failed, and only then', async () => {
    const main = await testSource('main');
    const other = await testSource('other', { fallbackFor: 'main' });
    main.upstream.says(quoted(900));
    other.upstream.says(quoted(905));
    const site = await collecting([main, other]);
    await site.at(START);
    expect([other.upstream.asked, await site.served('parallel')]).toEqual([0, 900]);
    main.upstream.answers((_request, response) => response.writeHead(500).end());
    await site.at(START + MINUTE_MS);
    expect([other.upstream.asked, await site.served('parallel')]).toEqual([1, 905]);
    expect((await site.state('other')).provenance?.bodies[0]?.url).toBe(other.url);
    main.upstream.says(quoted(901));
    await site.at(START + 2 * MINUTE_MS);
    expect([other.upstream.asked, await site.served('parallel')]).toEqual([1, 901]);
  });

  test('a second fallback has its turn when both sources before it failed', async () => {
    const sources = [
      await testSource('main'),
      await testSource('second', { fallbackFor: 'main' }),
      await testSource('third', { fallbackFor: 'second' }),
    ];
    sources[2]?.upstream.says(quoted(900));
    const site = await collecting(sources);
    await site.at(START);
    expect(sources.map(({ upstream }) => upstream.asked)).toEqual([1, 1, 1]);
    expect(await site.served('parallel')).toBe(900);
  });

  test('turns follow the new time after the clock is set back', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    const back = START - 5 * HOUR_MS;
    await site.at(back);
    await site.at(back + MINUTE_MS);
    expect(feed.upstream.asked).toBe(2);
  });

  test('a real timer runs the turns', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.collector.start();
    await expect.poll(() => feed.upstream.asked).toBe(1);
  });
});

describe('the next try', () => {
  const away: RequestListener = (_request, response) => response.writeHead(500).end();

  test('comes after growing pauses whatever the schedule, also with an empty store', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.answers(away);
    const site = await collecting([feed]);
    const tries: (string | undefined)[] = [];
    let now = START;
    for (let turn = 0; turn < 7; turn += 1) {
      await site.at(now);
      tries.push(await nextRun(site, 'feed'));
      now = (await site.state('feed')).nextRunAt ?? now;
    }
    expect(tries).toEqual([
      ...['12:01:00', '12:03:00', '12:07:00', '12:15:00', '12:30:00', '12:45:00'],
      // The hourly turn comes on time, even if a pause ends after it.
      '13:00:00',
    ]);
    expect(feed.upstream.asked).toBe(7);
    feed.upstream.says(quoted(900));
    await site.at('2026-11-20T13:00:00Z');
    expect(await nextRun(site, 'feed')).toBe('14:00:00');
  });

  test('is shown in the health of the source', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.answers(away);
    const site = await collecting([feed]);
    await site.at(START);
    expect((await site.watch.health()).sources[0]).toMatchObject({
      condition: 'failing',
      nextRunAt: START + MINUTE_MS,
    });
  });

  test('is kept by the process that takes over', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.answers(away);
    const site = await collecting([feed]);
    await site.at(START);
    await site.collector.stop();
    const later = await site.another();
    site.clock.set(START + MINUTE_MS - 1);
    await later.tick();
    expect(feed.upstream.asked).toBe(1);
    site.clock.set(START + MINUTE_MS);
    await later.tick();
    expect(feed.upstream.asked).toBe(2);
  });

  test('a source whose host is paused after another failed has not failed, and is tried soon', async () => {
    const [first, seldom] = [
      await testSource('first', { schedule: HOURLY }),
      await testSource('seldom', { schedule: HOURLY, markets: ['cash'] }),
    ];
    const { url, asked } = first.upstream;
    const same = { ...seldom, url, read: first.read };
    first.upstream.answers(away);
    const site = await collecting([first, same], { start: START });
    await site.at(START);
    await site.at(START + SECOND_MS);
    expect([asked, first.upstream.asked]).toEqual([0, 1]);
    expect(await site.state('seldom')).toEqual({
      source: 'seldom',
      consecutiveFailures: 0,
      pausedUntil: expect.any(Number),
      nextRunAt: START + MINUTE_MS + SECOND_MS,
    });
    expect((await site.watch.health()).sources[1]).toMatchObject({
      condition: 'waiting',
      why: 'It has not been read yet: requests to its host are paused until 2026-11-20T12:00:05.000Z, because others failed.',
      consecutiveFailures: 0,
      nextRunAt: START + MINUTE_MS + SECOND_MS,
    });
    expect(await site.store.sourceDays(caracasDayOf(START))).toMatchObject([
      { source: 'first', failures: 1 },
    ]);
    first.upstream.says(quoted(900));
    await site.at(START + MINUTE_MS + SECOND_MS);
    expect(await site.state('seldom')).toMatchObject({
      lastSuccessAt: START + MINUTE_MS + SECOND_MS,
    });
    expect(await site.state('seldom')).not.toHaveProperty('pausedUntil');
  });

  test('comes a minute after a turn that a store failure ended', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    let broken = true;
    const site = await collecting([feed]);
    const { keepReading } = site.store;
    site.store.keepReading = async (...given) => {
      if (broken) throw new StoreUnavailable('The store does not answer.');
      return keepReading(...given);
    };
    await site.at(START);
    broken = false;
    await site.at(START + MINUTE_MS);
    expect(await site.served('parallel')).toBe(900);
  });
});

describe('a held record', () => {
  test('is read again often enough to confirm a real jump within 15 minutes', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.says(quoted(1800));
    await site.at(START + HOUR_MS);
    expect(await nextRun(site, 'feed')).toBe('13:05:00');
    await site.at(START + HOUR_MS + 5 * MINUTE_MS);
    expect(await site.served('parallel')).toBe(900);
    await site.at(START + HOUR_MS + 10 * MINUTE_MS);
    expect(await site.served('parallel')).toBe(1800);
    expect(await nextRun(site, 'feed')).toBe('14:00:00');
  });

  test('is read again soon even after a failed reading', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.says(quoted(1800));
    await site.at(START + HOUR_MS);
    feed.upstream.says({});
    await site.at(START + HOUR_MS + 5 * MINUTE_MS);
    expect(await nextRun(site, 'feed')).toBe('13:06:00');
    feed.upstream.says(quoted(900));
    await site.at(START + HOUR_MS + 6 * MINUTE_MS);
    expect(await nextRun(site, 'feed')).toBe('14:00:00');
  });

  test('of a fallback is not read again once the main source works', async () => {
    const main = await testSource('main', { schedule: HOURLY });
    const other = await testSource('other', { fallbackFor: 'main' });
    main.upstream.says(quoted(900));
    other.upstream.says(quoted(1800));
    const site = await collecting([main, other]);
    await site.at(START);
    main.upstream.answers((_request, response) => response.writeHead(500).end());
    await site.at(START + HOUR_MS);
    await site.at(START + HOUR_MS + MINUTE_MS);
    expect(other.upstream.asked).toBe(2);
    main.upstream.says(quoted(901));
    await site.at(START + HOUR_MS + 3 * MINUTE_MS);
    expect(other.upstream.asked).toBe(2);
    await site.at(START + HOUR_MS + 10 * MINUTE_MS);
    expect(other.upstream.asked).toBe(2);
  });
});

describe('the record of readings', () => {
  test('bodies are kept unchanged, even when they cannot be parsed', async () => {
    const feed = await testSource('feed');
    feed.upstream.answers((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"moved": "elsewhere"}');
    });
    const site = await collecting([feed]);
    await site.at(START);
    expect(await site.state('feed')).toMatchObject({
      consecutiveFailures: 1,
      failure: { reason: 'content', message: 'expected a list of records' },
    });
    const kept = await site.store.keptReading('feed', START);
    expect(new TextDecoder().decode(kept?.bodies[0]?.bytes)).toBe('{"moved": "elsewhere"}');
    expect(kept?.bodies[0]).toMatchObject({ url: feed.url, contentType: 'application/json' });
  });

  test('bodies are deleted after 30 days', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    const last = START + BODIES_AND_HELD_KEPT_MS;
    await site.at(last);
    expect(await site.store.keptReadingTimes('feed')).toEqual([START, last]);
    await site.at(last + HOUR_MS);
    expect(await site.store.keptReadingTimes('feed')).toEqual([last, last + HOUR_MS]);
  });

  test('the last change is when the figures changed, not when their time did', async () => {
    const feed = await testSource('feed');
    const site = await collecting([feed]);
    const changeAfter = async (minutes: number, mid: number) => {
      const now = START + minutes * MINUTE_MS;
      feed.upstream.says(quoted(mid, { updated_at: isoInstant(now) }));
      await site.at(now);
      return (await site.state('feed')).lastChangeAt;
    };
    expect(await changeAfter(0, 900)).toBe(START);
    expect(await changeAfter(1, 900)).toBe(START);
    expect(await changeAfter(2, 901)).toBe(START + 2 * MINUTE_MS);
  });

  test('one unchanged market of a source whose other markets move is reported as frozen', async () => {
    const [frozen, moving] = ['binance', 'bingx'];
    const feed = await testSource('feed', { markets: [frozen, moving] });
    const site = await collecting([feed]);
    const dated = (market: string, mid: number, now: number) => ({
      kind: 'quote',
      market,
      mid,
      updated_at: isoInstant(now),
    });
    for (const hours of [0, 24, 48, 49]) {
      const now = START + hours * HOUR_MS;
      // A missing reading does not make its figures newer.
      const both = [dated(moving, 900 + hours, now), dated(frozen, 900, now)];
      feed.upstream.says(hours === 24 ? both.slice(0, 1) : both);
      await site.at(now);
    }
    expect((await site.watch.health()).sources[0]).toMatchObject({
      condition: 'frozen',
      why: `The figures of ${frozen} have new times but no change since ${isoInstant(START)}.`,
      lastChangeAt: START + 49 * HOUR_MS,
    });
  });

  test('failures are counted until a good reading, and the last success stays', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.answers((_request, response) => response.writeHead(500).end());
    await site.at(START + HOUR_MS);
    await site.at(START + HOUR_MS + MINUTE_MS);
    expect(await site.state('feed')).toMatchObject({
      lastAttemptAt: START + HOUR_MS + MINUTE_MS,
      lastSuccessAt: START,
      consecutiveFailures: 2,
      failure: { reason: 'status' },
      nextRunAt: START + HOUR_MS + 3 * MINUTE_MS,
    });
    feed.upstream.says(quoted(901));
    await site.at(START + HOUR_MS + 3 * MINUTE_MS);
    const state = await site.state('feed');
    expect([state.consecutiveFailures, state.failure]).toEqual([0, undefined]);
  });

  test('the log has one line when a source fails and one when it works again', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.answers((_request, response) => response.writeHead(500).end());
    const site = await collecting([feed]);
    for (const hour of [0, 1, 2]) await site.at(START + hour * HOUR_MS);
    feed.upstream.says(quoted(900));
    await site.at(START + 3 * HOUR_MS);
    const told = site.log.lines.filter(({ fields }) => 'source' in fields);
    expect(told.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'a source fails'],
      ['info', 'a source works again'],
    ]);
  });

  test('a bad record of one market does not block the others of its source', async () => {
    const feed = await testSource('feed');
    feed.upstream.says([...quoted(900), { kind: 'quote', market: 'cash', mid: -1 }]);
    const site = await collecting([feed]);
    await site.at(START);
    expect([await site.served('parallel'), await site.served('cash')]).toEqual([900, undefined]);
    const { lastSuccessAt, consecutiveFailures, failure } = await site.state('feed');
    expect([lastSuccessAt, consecutiveFailures, failure?.reason]).toEqual([START, 1, 'refused']);
    expect(failure?.message).toContain('1 of 2 records were refused: mid');
    await site.at(START + MINUTE_MS);
    expect((await site.state('feed')).consecutiveFailures).toBe(2);
  });

  test('an older quote that is wrong for its time is reported, and the others are accepted', async () => {
    const feed = await testSource('feed');
    const says = (parallel: number, time: number, cash: number) => {
      const updatedAt = new Date(time).toISOString();
      feed.upstream.says([
        { kind: 'quote', market: 'parallel', mid: parallel, updated_at: updatedAt },
        { kind: 'quote', market: 'cash', mid: cash },
      ]);
    };
    const site = await collecting([feed]);
    says(900, START, 900);
    await site.at(START);
    says(90_000, START - 20 * HOUR_MS, 901);
    await site.at(START + MINUTE_MS);
    expect([await site.served('parallel'), await site.served('cash')]).toEqual([900, 901]);
    const { failure } = await site.state('feed');
    expect(failure?.message).toContain(
      '1 of 2 records were refused: older than the current quote, and mid 90000 is outside of',
    );
  });

  test('records with their own time never replace records read live', async () => {
    const [live, archive] = [await testSource('live'), await testSource('archive')];
    live.upstream.says(published('2026-11-20', 880));
    const [old] = published('2026-11-20', 870);
    archive.upstream.says([{ ...old, captured_at: isoInstant(START) }]);
    const site = await collecting([live, archive]);
    await site.at(START);
    await site.at(START + SECOND_MS);
    expect(await site.served('reference')).toBe(880);
    expect((await site.state('archive')).consecutiveFailures).toBe(0);
  });

  test('new records are published at once, and known ones are not published again', async () => {
    let published = 0;
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900, { captured_at: isoInstant(START) }));
    const site = await collecting([feed], {
      onIngested: async () => {
        published += 1;
      },
    });
    await site.at(START);
    await site.at(START + MINUTE_MS);
    expect([feed.upstream.asked, published]).toEqual([2, 1]);
  });

  test('turns are counted by their result', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.at(START);
    feed.upstream.says(quoted(1800));
    await site.at(START + MINUTE_MS);
    feed.upstream.says({});
    await site.at(START + 2 * MINUTE_MS);
    await site.at(START + 3 * MINUTE_MS);
    expect(site.watch.turns).toEqual([
      { source: 'feed', outcome: 'ok', turns: 1 },
      { source: 'feed', outcome: 'held', turns: 1 },
      { source: 'feed', outcome: 'content', turns: 2 },
    ]);
  });
});

/** Said at the end, so that the next time finds the first one done. */
const THINNED = 'old captures were thinned';

describe('old captures', () => {
  const old = (second: number, mid: number) => ({
    captures: [{ market: 'parallel', mid, updatedAt: second, capturedAt: second * SECOND_MS }],
  });
  const left = async (store: Store) => {
    const range = { start: 0, end: HOUR_MS };
    return (await store.latestCaptures('parallel', range, 10)).map(({ mid }) => mid);
  };

  test('are thinned by the collecting process, once an hour', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed], { rawKeptFrom: () => HOUR_MS });
    const fill = () =>
      site.store.appendBatch(
        { source: 'test', receivedAt: 1 },
        [old(1, 5), old(2, 6), old(3, 7)],
        () => ({}),
      );
    await fill();
    await site.at(START);
    const done = () => site.log.lines.filter(({ message }) => message === THINNED).length;
    await expect.poll(done).toBe(1);
    expect(await left(site.store)).toEqual([7]);
    await fill();
    await site.at(START + HOUR_MS);
    await expect.poll(() => left(site.store)).toEqual([7]);
  });

  test('are all kept if the operator chooses that', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    await site.store.appendBatch(
      { source: 'test', receivedAt: 1 },
      [old(1, 5), old(2, 6)],
      () => ({}),
    );
    await site.at(START);
    await site.collector.stop();
    expect(await left(site.store)).toEqual([5, 6]);
  });
});

describe('the collecting process', () => {
  test('is the first one; another takes over when its lease has expired', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    const second = await site.another();
    await site.at(START);
    await second.tick();
    expect(feed.upstream.asked).toBe(1);
    site.clock.set(START + LEASE_MS - 1);
    await second.tick();
    site.clock.set(START + MINUTE_MS);
    await second.tick();
    expect(feed.upstream.asked).toBe(2);
    // The first one notices, and reads nothing.
    await site.at(START + MINUTE_MS + SECOND_MS);
    expect(feed.upstream.asked).toBe(2);
  });

  test('hands over when it stops, because another asks at every tick', async () => {
    const feed = await testSource('feed');
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    const second = await site.another();
    await site.at(START);
    await second.tick();
    await site.collector.stop();
    site.clock.set(START + TICK_MS);
    await second.tick();
    expect(second.collects).toBe(true);
  });

  test('keeps its lease as long as it renews it', async () => {
    const feed = await testSource('feed', { schedule: HOURLY });
    feed.upstream.says(quoted(900));
    const site = await collecting([feed]);
    const second = await site.another();
    for (let now = START; now < START + 3 * LEASE_MS; now += 5 * SECOND_MS) {
      await site.at(now);
      await second.tick();
    }
    const told = site.log.lines.map(({ message }) => message);
    expect(told).toEqual(['this process collects', 'another process collects']);
  });

  test('releases the lease when it stops, without waiting for a hanging source', async () => {
    const feed = await testSource('feed');
    feed.upstream.hangs();
    const site = await collecting([feed]);
    const turn = site.at(START);
    await expect.poll(() => feed.upstream.asked).toBe(1);
    await site.collector.stop();
    await turn;
    expect(await site.store.sourceStates()).toEqual([]);
    feed.upstream.says(quoted(900));
    await (await site.another()).tick();
    expect(await site.served('parallel')).toBe(900);
  });

  test('requests no further page of a reading once it is stopped', async () => {
    const feed = await testSource('feed');
    const answer = feed.upstream.hangs();
    const page = { url: feed.url, accept: ['application/json'] };
    const paged = {
      ...feed,
      read: async (fetch: Fetch) => [await fetch(page), await fetch(page)],
    };
    const site = await collecting([paged]);
    const turn = site.at(START);
    await expect.poll(() => feed.upstream.asked).toBe(1);
    const stopped = site.collector.stop();
    answer(quoted(900));
    await Promise.all([turn, stopped]);
    await site.at(START + MINUTE_MS);
    expect(feed.upstream.asked).toBe(1);
  });

  test('does nothing more once it is stopped', async () => {
    const feed = await testSource('feed');
    const site = await collecting([feed]);
    await site.collector.stop();
    await site.at(START);
    expect(feed.upstream.asked).toBe(0);
  });

  test('logs once that the store does not answer, and keeps trying', async () => {
    const site = await collecting([await testSource('feed')]);
    await site.store.close();
    for (const minute of [0, 1, 2]) await site.at(START + minute * MINUTE_MS);
    expect(site.log.lines.map(({ message }) => message)).toEqual([
      'the lease to collect could not be requested',
    ]);
  });

  test('ends a reading that takes longer than 5 minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const never = Promise.withResolvers<never>();
      const feed = await testSource('feed', { read: () => never.promise });
      const site = await collecting([feed]);
      const turn = site.at(START);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(READING_TIMEOUT_MS);
      await turn;
      expect((await site.state('feed')).failure).toEqual({
        reason: 'timeout',
        message: 'the reading was not done within 5 minutes',
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a source that crashes', () => {
  const crash = () => {
    throw new TypeError('rows is undefined');
  };

  test.each([
    ['in its parser', { parse: crash }],
    ['while it is asked', { read: async () => crash() }],
  ])('%s is recorded and logged completely, and the others continue', async (_where, part) => {
    const [bad, feed] = [await testSource('bad', part), await testSource('feed')];
    for (const { upstream } of [bad, feed]) upstream.says(quoted(900));
    const site = await collecting([bad, feed]);
    await site.at(START);
    await site.at(START + SECOND_MS);
    expect(await site.served('parallel')).toBe(900);
    expect(await site.state('bad')).toMatchObject({
      consecutiveFailures: 1,
      failure: { reason: 'content', message: expect.stringContaining('TypeError') },
      nextRunAt: START + MINUTE_MS,
    });
    const [logged] = site.log.lines.filter(({ level }) => level === 'error');
    expect(logged?.fields).toMatchObject({ source: 'bad', err: expect.any(TypeError) });
  });
});
