import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { loadHolidays } from '../../catalogue/holidays.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import { bankCalendar } from '../../domain/calendar.ts';
import type { SourceHealth } from '../../domain/source-health.ts';
import { DAY_MS, type Instant, isoInstant, MINUTE_MS } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { StoredQuote } from '../ports/quotes.ts';
import type { Source } from '../ports/sources.ts';
import { LEASE_MS } from './collector-lease.ts';
import { type KnownOfSources, MISSING_AFTER_MS, OVERDUE_AFTER_MS } from './source-facts.ts';
import { sourcesHealth } from './source-health.ts';

const { markets } = loadCatalogue('catalog');
const calendar = bankCalendar(loadHolidays('catalog'));
const { thresholds } = loadJudgement('catalog');

/** Friday noon in Caracas. */
const NOW: Instant = Date.parse('2026-11-20T16:00:00Z');

function source(given: Partial<Source> = {}): Source {
  return {
    name: 'feed',
    kind: 'json-feed',
    enabled: true,
    url: 'https://feed.example/rates?key=secret',
    schedule: [{ cron: '* * * * *', whileExpected: false }],
    origin: () => 'feed',
    between: () => undefined,
    jitterMs: 0,
    timeoutMs: 1_000,
    markets: ['parallel'],
    parserVersion: 1,
    read: async () => [],
    parse: async () => [],
    ...given,
  };
}

/** A source that was read a moment ago. */
function good(given: Partial<SourceState> = {}): SourceState {
  return {
    source: 'feed',
    lastAttemptAt: NOW - 1_000,
    lastSuccessAt: NOW - 1_000,
    lastChangeAt: NOW - MINUTE_MS,
    consecutiveFailures: 0,
    nextRunAt: NOW + MINUTE_MS,
    ...given,
  };
}

const failing = (given: Partial<SourceState> = {}) =>
  good({
    consecutiveFailures: 1,
    failure: { reason: 'status', message: 'feed.example answered <b>500</b>' },
    ...given,
  });

function quote(given: Partial<StoredQuote> = {}): StoredQuote {
  return { market: 'parallel', mid: 900, updatedAt: NOW, capturedAt: NOW, ...given };
}

const official = (valueDate: string) =>
  quote({ market: 'reference', effectiveDate: day(valueDate) });

type Given = Partial<Omit<KnownOfSources, 'states' | 'records'>> & {
  readonly quotes?: readonly StoredQuote[];
};

function healthOf(
  sources: readonly Source[],
  { quotes = [], ...known }: Given & { readonly states: readonly SourceState[] },
  now = NOW,
) {
  const records = { quotes, fetchedAt: undefined };
  const nothing = {
    ...{ records, held: new Map(), heldRecords: [], pushedAt: undefined, pushed: [] },
    ...{ days: [], valueDates: [], stuck: [], leaseEnd: NOW + 1 },
  };
  return sourcesHealth(sources, { ...nothing, ...known }, { markets, calendar, thresholds }, now);
}

/** The health of the only source. */
function only(
  given: Source,
  states: readonly SourceState[],
  known: Given = {},
  now = NOW,
): SourceHealth {
  const found = healthOf([given], { ...known, states }, now).sources.at(0);
  if (found === undefined) throw new Error('there is no source');
  return found;
}

describe('the condition of a source', () => {
  test('is ok after a good reading', () => {
    expect(only(source(), [good()])).toEqual({
      name: 'feed',
      kind: 'json-feed',
      enabled: true,
      markets: ['parallel'],
      condition: 'ok',
      why: 'It was last read at 2026-11-20T15:59:59.000Z.',
      lastSuccessAt: NOW - 1_000,
      lastChangeAt: NOW - MINUTE_MS,
      consecutiveFailures: 0,
      nextRunAt: NOW + MINUTE_MS,
      held: 0,
      days: [],
    });
  });

  test('is incomplete after 30 minutes without a market, and names it (contract §8)', () => {
    const both = source({ markets: ['parallel', 'cash'] });
    const lacking = (ms: number, more: Partial<SourceState> = {}) =>
      only(both, [good({ missing: { cash: NOW - ms, former: 0 }, ...more })]);
    expect(lacking(MISSING_AFTER_MS - 1)).toMatchObject({ condition: 'ok' });
    expect(lacking(MISSING_AFTER_MS - 1).missingMarkets).toBeUndefined();
    expect(lacking(MISSING_AFTER_MS)).toMatchObject({
      condition: 'incomplete',
      why: 'It no longer provides cash.',
      missingMarkets: ['cash'],
    });
    // A failing source is reported as failing.
    const fails = lacking(MISSING_AFTER_MS, failing());
    expect(fails.condition).toBe('failing');
    expect(fails.missingMarkets).toBeUndefined();
  });

  test('reports a page that shows an older publication than a stored one (contract §8)', () => {
    const publications = [
      { valueDate: '2026-11-19', digest: 'a' },
      { valueDate: '2026-11-20', digest: 'b' },
    ];
    const shown = { publications, backSince: NOW - MINUTE_MS };
    const stored = { valueDates: [day('2026-11-19'), day('2026-11-20')] };
    expect(only(source(), [good({ shown })], stored)).toMatchObject({
      condition: 'ok',
      pageWentBack: true,
      why: 'It was last read at 2026-11-20T15:59:59.000Z; its page shows an older publication than that of 2026-11-20 again, since 2026-11-20T15:59:00.000Z.',
    });
    // What it showed meanwhile was held, or it is at the newest.
    const held = { valueDates: [day('2026-11-19')] };
    expect(only(source(), [good({ shown })], held).pageWentBack).toBeUndefined();
    const newest = good({ shown: { publications } });
    expect(only(source(), [newest], stored).pageWentBack).toBeUndefined();
  });

  test('is frozen when a venue only flickers while the others move', () => {
    const stuck = [{ source: 'feed', market: 'okx', since: NOW - 7 * 3_600_000 }];
    expect(only(source(), [good()], { stuck })).toMatchObject({
      condition: 'frozen',
      why: 'The figures of okx have only flickered since 2026-11-20T09:00:00.000Z, while other venues moved.',
    });
    expect(only(source({ name: 'other' }), [good({ source: 'other' })], { stuck }).condition).toBe(
      'ok',
    );
  });

  test('is waiting before the first reading', () => {
    const { condition, why } = only(source(), []);
    expect([condition, why]).toEqual(['waiting', 'It has not been read yet.']);
  });

  test('is off without a next turn when it is switched off', () => {
    const { condition, nextRunAt, why } = only(source({ enabled: false }), [failing()]);
    expect([condition, nextRunAt]).toEqual(['off', undefined]);
    expect(why).toBe('It is switched off in the catalogue.');
  });

  test('is standby without a schedule, and says that it is read only by command', () => {
    const { condition, why } = only(source({ schedule: [] }), []);
    expect(condition).toBe('standby');
    expect(why).toContain('only by command');
  });

  test('is failing, with the number of readings and without text from upstream', () => {
    expect(only(source(), [failing()]).why).toBe(
      'Its last reading failed: it answered with an error.',
    );
    const { condition, why, consecutiveFailures } = only(source(), [
      failing({ consecutiveFailures: 3 }),
    ]);
    expect([condition, consecutiveFailures]).toEqual(['failing', 3]);
    expect(why).toBe('Its last 3 readings failed: it answered with an error.');
  });

  test('is waiting when its turn is overdue, whatever its last reading was', () => {
    const late = (by: number) => [failing({ nextRunAt: NOW - OVERDUE_AFTER_MS - by })];
    expect(only(source(), late(0)).condition).toBe('failing');
    const { condition, why } = only(source(), late(1));
    expect(condition).toBe('waiting');
    expect(why).toContain('no process is reading it');
  });

  test('says how many of its records are held', () => {
    const held = (records: number) =>
      only(source(), [good()], { held: new Map([['feed', records]]) });
    expect(held(1).why).toMatch(/; 1 of its records is held\.$/);
    expect(held(2).why).toMatch(/; 2 of its records are held\.$/);
    expect(held(2).held).toBe(2);
  });

  test('a fallback is standby until its main source fails', () => {
    const sources = [source(), source({ name: 'other', fallbackFor: 'feed' })];
    // It was needed yesterday, and had another turn planned.
    const other = good({ source: 'other', nextRunAt: NOW - DAY_MS });
    const known = (main: SourceState) => healthOf(sources, { states: [main, other] });
    const calm = known(good());
    expect(calm.sources[1]).toMatchObject({
      condition: 'standby',
      why: 'It is read only while feed fails.',
    });
    expect(calm.sources[1]?.nextRunAt).toBeUndefined();
    expect(calm.collecting).toBe(true);
    expect(known(failing()).sources[1]?.condition).toBe('ok');
  });

  test('a fallback in use is waiting too when nobody reads its main source any more', () => {
    const third = source({ name: 'third', fallbackFor: 'other' });
    const sources = [source(), source({ name: 'other', fallbackFor: 'feed' }), third];
    // Both read well when they last were.
    const [other, last] = [good({ source: 'other' }), good({ source: 'third' })];
    const known = (late: number) => {
      const main = failing({ nextRunAt: NOW - OVERDUE_AFTER_MS - late });
      return healthOf(sources, { states: [main, other, last] }).sources;
    };
    expect(known(0)[1]).toMatchObject({ condition: 'ok' });
    expect(known(0)[1]?.overdueSince).toBeUndefined();
    expect(known(1)[1]).toMatchObject({
      condition: 'waiting',
      overdueSince: NOW - OVERDUE_AFTER_MS - 1,
      why: expect.stringContaining('no process is reading it'),
    });
    // The one behind it is not needed, overdue or not.
    expect(known(1)[2]).toMatchObject({ condition: 'standby' });
    expect(known(1)[2]?.overdueSince).toBeUndefined();
  });

  test('a second fallback is standby until both sources before it fail', () => {
    const sources = [
      source(),
      source({ name: 'second', fallbackFor: 'feed' }),
      source({ name: 'third', fallbackFor: 'second' }),
    ];
    const third = good({ source: 'third' });
    const conditionOf = (main: SourceState, second: SourceState) =>
      healthOf(sources, { states: [main, second, third] }).sources[2]?.condition;
    const second = failing({ source: 'second' });
    expect(conditionOf(good(), second)).toBe('standby');
    expect(conditionOf(failing(), good({ source: 'second' }))).toBe('standby');
    expect(conditionOf(failing(), second)).toBe('ok');
  });
});

describe('missed publications', () => {
  const bank = source({
    markets: [],
    schedule: [{ cron: '*/10 15 * * *', whileExpected: true }],
  });

  test.each([
    ['2026-11-23', 0, 'ok'],
    ['2026-11-20', 0, 'ok'],
    ['2026-11-19', 1, 'late'],
    ['2026-11-17', 3, 'late'],
  ])(
    'at noon on Friday the 20th, with value date %s stored, are %i',
    (newest, missed, condition) => {
      const health = only(bank, [good()], { quotes: [official(newest)] });
      expect([health.publicationsMissed, health.condition]).toEqual([missed, condition]);
    },
  );

  test('are reported with their number and the newest value date', () => {
    const { why } = only(bank, [good()], {
      quotes: [official('2026-11-17'), official('2026-11-16')],
    });
    expect(why).toBe('3 publications are overdue: the newest value date is 2026-11-17.');
  });

  test('are counted even while the source fails, but not before a first publication', () => {
    const failed = only(bank, [failing()], { quotes: [official('2026-11-19')] });
    expect([failed.condition, failed.publicationsMissed]).toEqual(['failing', 1]);
    expect(only(bank, [good()]).publicationsMissed).toBeUndefined();
  });

  test('are not counted for a source without publications', () => {
    const health = only(source(), [good()], { quotes: [official('2026-11-02')] });
    expect(health.publicationsMissed).toBeUndefined();
    expect(health.condition).toBe('ok');
  });
});

describe('a frozen source', () => {
  const WEEK_MS = thresholds.frozenAfterSec.parallel * 1_000;

  /** The last reading, and since when the figures of each market are the same. */
  const standing = (since: Readonly<Record<string, Instant>>, lastSuccessAt = NOW) =>
    good({
      lastSuccessAt,
      standing: Object.fromEntries(
        Object.entries(since).map(([market, at]) => [market, { since: at, digest: '' }]),
      ),
    });

  test('has given the same figures new dates for longer than `frozenAfterSec`', () => {
    const since = (ago: number) =>
      only(source(), [standing({ parallel: NOW - ago })], { quotes: [quote()] });
    expect(since(WEEK_MS).condition).toBe('ok');
    expect(since(WEEK_MS + 1_000).condition).toBe('frozen');
    expect(since(WEEK_MS + 1_000).why).toBe(
      `The figures of parallel have new times but no change since ${isoInstant(NOW - WEEK_MS - 1_000)}.`,
    );
  });

  test('is not a source whose update time is also unchanged: its figures are only old', () => {
    const old = NOW - 8 * WEEK_MS;
    const states = [standing({ parallel: old })];
    expect(only(source(), states, { quotes: [quote({ updatedAt: old })] }).condition).toBe('ok');
  });

  test('has some unchanged markets; the first is named', () => {
    const ids = ['binance', 'bingx', 'bitget'];
    const quotes = ids.map((market) => quote({ market, updatedAt: NOW }));
    const some = (first: Instant) => ({
      binance: first,
      bingx: NOW,
      bitget: first,
    });
    const why = (first: Instant) =>
      only(source({ markets: ids }), [standing(some(first))], { quotes }).why;
    expect(why(NOW)).toMatch(/^It was last read/);
    expect(why(NOW - WEEK_MS)).toMatch(/^The figures of binance .*, also those of 1 more\.$/);
    // Cash may stand for longer than the parallel rate.
    const both = source({ markets: ['parallel', 'cash'] });
    const dated = [quote(), quote({ market: 'cash', updatedAt: NOW })];
    const states = [standing({ parallel: NOW, cash: NOW - WEEK_MS - 1_000 })];
    expect(only(both, states, { quotes: dated }).condition).toBe('ok');
  });

  test('is not a source that is no longer read while another one updates its market', () => {
    const then = NOW - 2 * WEEK_MS;
    const states = [standing({ parallel: then - MINUTE_MS }, then)];
    expect(only(source(), states, { quotes: [quote()] }).condition).toBe('ok');
  });
});

describe('the list of sources', () => {
  test("ends with the operator's pushed records", () => {
    const pushed = (pushedAt: Instant | undefined) =>
      healthOf([], { states: [], pushedAt, held: new Map([['operator', 2]]) }).sources;
    expect(pushed(undefined)).toEqual([
      {
        name: 'operator',
        kind: 'operator',
        enabled: true,
        markets: [],
        condition: 'waiting',
        why: 'No pushed figure has been published yet; 2 of its records are held.',
        consecutiveFailures: 0,
        held: 2,
        days: [],
      },
    ]);
    expect(pushed(NOW)[0]).toMatchObject({ condition: 'ok', lastSuccessAt: NOW });
  });

  test('reports unchanged pushed figures with new dates as frozen after too long', () => {
    const limitMs = thresholds.frozenAfterSec.parallel * 1_000;
    const standing = (ms: number) => ({
      market: 'parallel',
      updatedAt: NOW,
      unchangedSince: NOW - ms,
    });
    const conditionOf = (ms: number) =>
      healthOf([], { states: [], pushedAt: NOW, pushed: [standing(ms)] }).sources[0]?.condition;
    expect([conditionOf(limitMs), conditionOf(limitMs + 1)]).toEqual(['ok', 'frozen']);
  });

  test('contract §4 says that no process reads them since the end of the lease', () => {
    const [turn, end] = [NOW + MINUTE_MS, NOW - 1];
    const stoppedOf = (leaseEnd: number, ...states: readonly SourceState[]) =>
      healthOf([source()], { states, leaseEnd }).stoppedSince;
    expect(stoppedOf(NOW + 1, good({ nextRunAt: turn }))).toBeUndefined();
    expect(stoppedOf(NOW, good({ nextRunAt: turn }))).toBe(NOW);
    expect(stoppedOf(end, good({ nextRunAt: turn }))).toBe(end);
    // Nobody ever collected with this version: the first turn that nobody takes.
    expect(stoppedOf(0, good({ nextRunAt: end - 5 }))).toBe(end - 5);
    // No source is to be read.
    expect(stoppedOf(end)).toBeUndefined();
  });

  test.each([
    ['2026-11-20', undefined],
    ['2026-11-19', { count: 1, since: Date.parse('2026-11-19T23:30:00Z') }],
    ['2026-11-18', { count: 2, since: Date.parse('2026-11-18T23:30:00Z') }],
  ])('reports missed publications without a source for them: %s', (newest, missed) => {
    expect(healthOf([], { states: [], quotes: [official(newest)] }).publicationsMissed).toEqual(
      missed,
    );
  });

  test('contract §4 says that they are collected while a process has the lease', () => {
    const collected = (leaseEnd: number) =>
      healthOf([source()], { states: [good({ nextRunAt: NOW - DAY_MS })], leaseEnd }).collecting;
    expect([collected(0), collected(NOW), collected(NOW + 1)]).toEqual([false, false, true]);
    expect([collected(NOW + 2 * LEASE_MS), collected(NOW + 2 * LEASE_MS + 1)]).toEqual([
      true,
      false,
    ]);
    // Even if no source is switched on.
    expect(healthOf([], { states: [], leaseEnd: NOW + 1 }).collecting).toBe(true);
  });
});
