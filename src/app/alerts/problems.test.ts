import { describe, expect, test } from 'vitest';
import type { SourceHealth } from '../../domain/source-health.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { DatabaseState } from '../store-monitor.ts';
import {
  COLLECTOR_LOST_MS,
  DATABASE_LOST_MS,
  MIN_FREE_DISK_BYTES,
  type Observed,
  PROBLEM_KINDS,
  problemsOf,
  recoveryOf,
  SOURCE_FAILING_MS,
} from './problems.ts';

const STARTED = 5_000;

const HEALTH = { sources: [], collecting: true, leaseEnd: 0, heldRecords: [], heldCount: 0 };
const GOOD: Observed = {
  stored: { health: HEALTH, held: [] },
  database: { state: 'ok', since: 0 },
  freeDiskBytes: MIN_FREE_DISK_BYTES,
  startedAt: STARTED,
};

function source(given: Partial<SourceHealth>): SourceHealth {
  return {
    name: 'yadio',
    kind: 'json-feed',
    enabled: true,
    markets: ['parallel'],
    condition: 'ok',
    why: 'It was read.',
    consecutiveFailures: 0,
    held: 0,
    days: [],
    ...given,
  };
}

function observed(
  given: Partial<Observed['stored']> & { sources?: SourceHealth[]; freeDiskBytes?: number },
): Observed {
  const { sources = [], held = [], health = HEALTH, ...more } = given;
  return { ...GOOD, stored: { health: { ...health, sources }, held }, ...more };
}

const lost = (leaseEnd: number) => observed({ health: { ...HEALTH, collecting: false, leaseEnd } });
const away = (state: DatabaseState, since = 0): Observed => ({
  ...GOOD,
  database: { state, since },
  stored: undefined,
});

const held = (subject: string, id: string): HeldRecord => ({
  subject,
  id,
  source: 'criptoya',
  record: { kind: 'quote', market: subject, mid: 1 },
  capturedAt: 0,
  heldAt: 0,
  reason: 'moved',
  message: 'mid 9000 is over a ratio of 1.3 to the last accepted one, 900',
  status: 'held',
  counts: true,
});

const idsOf = (given: Observed) => problemsOf(given).map(({ id }) => id);

describe('the problems reported to the operator', () => {
  test.each([
    [
      'a source that fails',
      observed({ sources: [source({ condition: 'failing', failingSince: 1 })] }),
      'source:yadio',
    ],
    ['a frozen source', observed({ sources: [source({ condition: 'frozen' })] }), 'source:yadio'],
    [
      'a missed publication',
      observed({ sources: [source({ name: 'bcv-official', publicationsMissed: 1 })] }),
      'publication:bcv-official',
    ],
    ['a held record', observed({ held: [held('binance', 'a')] }), 'held:binance'],
    ['a full disk', observed({ freeDiskBytes: MIN_FREE_DISK_BYTES - 1 }), 'disk'],
    ['no process that reads', lost(1), 'collector'],
    ['a database that does not answer', away('unavailable'), 'database:unavailable'],
    ['a read-only database', away('read_only'), 'database:read_only'],
    ['a database on a full disk', away('disk_full'), 'database:disk_full'],
  ])('%s is one problem, with a sentence for its end', (_name, given, id) => {
    expect(idsOf(given)).toEqual([id]);
    expect(recoveryOf(id)).toMatch(/^[A-Z].*\.$/);
  });

  test('no problem is reported with good figures, a free gigabyte, and a remote database', () => {
    expect(idsOf(observed({ sources: [source({}), source({ condition: 'standby' })] }))).toEqual(
      [],
    );
    expect(idsOf({ ...GOOD, freeDiskBytes: undefined })).toEqual([]);
  });

  test('a held record is told in two sentences: why it is held, and what to do', () => {
    const [told] = problemsOf(observed({ held: [held('okx', 'a')] }));
    expect(told?.text).toBe(
      'A record is held for okx: mid 9000 is over a ratio of 1.3 to the last accepted one, 900. "vesfx held list" shows what to do.',
    );
  });

  test('many held records of one market are one problem', () => {
    const given = observed({ held: [held('okx', 'a'), held('okx', 'b'), held('bybit', 'c')] });
    expect(idsOf(given)).toEqual(['held:okx', 'held:bybit']);
  });

  test('a source that fails and waits has not recovered', () => {
    const waiting = source({ condition: 'waiting', failingSince: 1 });
    expect(idsOf(observed({ sources: [waiting] }))).toEqual(['source:yadio']);
  });

  test.each([
    ['a source', 7, SOURCE_FAILING_MS, observed({ sources: [source({ failingSince: 7 })] })],
    ['the collector', 7, COLLECTOR_LOST_MS, lost(7)],
    ['a collector that never was', STARTED, COLLECTOR_LOST_MS, lost(0)],
    [
      'a collector that an outage of the database ended',
      9,
      COLLECTOR_LOST_MS,
      { ...lost(7), database: { state: 'ok' as const, since: 9 } },
    ],
    ['the database', 7, DATABASE_LOST_MS, away('unavailable', 7)],
  ])('%s is told so long after its failure began, whenever this process started', (...given) => {
    const [, began, wait, problem] = given;
    expect(problemsOf(problem).map(({ dueAt }) => dueAt)).toEqual([began + wait]);
  });

  test('what was stored long ago is told at once', () => {
    const frozen = observed({
      sources: [source({ condition: 'frozen' })],
      held: [held('okx', 'a')],
    });
    for (const { dueAt } of problemsOf(frozen)) expect(dueAt).toBeLessThan(DAY_MS);
  });

  test('every kind has a sentence for its end', () => {
    for (const kind of PROBLEM_KINDS) expect(recoveryOf(`${kind}:x`)).not.toContain('solved');
  });
});
