import { describe, expect, test } from 'vitest';
import type { HeldRecord } from '../../core/app/ports/held.ts';
import type { DatabaseState } from '../../core/app/store-monitor.ts';
import { loadCatalogue } from '../../core/catalogue/catalogue.ts';
import type { Quote } from '../../core/domain/quotes.ts';
import type { SourceHealth } from '../../core/domain/source-health.ts';
import { DAY_MS, SECOND_MS } from '../../core/domain/time.ts';
import {
  COLLECTOR_LOST_MS,
  DATABASE_LOST_MS,
  type Observed,
  PROBLEM_KINDS,
  problemsOf,
  QUOTE_LOST_MS,
  recoveryOf,
  SOURCE_FAILING_MS,
} from './problems.ts';

const STARTED = 5_000;

const HEALTH = { sources: [], collecting: true, leaseEnd: 0, heldRecords: [], heldCount: 0 };
const { markets } = loadCatalogue('catalog');

function quote(id: string): Quote {
  const market = markets.find(id);
  if (market === undefined) throw new Error(`there is no market ${id}`);
  return { market, mid: 900, updatedAt: STARTED };
}

const SNAPSHOT = { quotes: [quote('reference')], dropped: [] };
const GOOD: Observed = {
  stored: { health: HEALTH, held: [], snapshot: SNAPSHOT },
  database: { state: 'ok', since: 0 },
  freeDiskBytes: 1_000_000_000,
  startedAt: STARTED,
  now: STARTED,
};

function source(given: Partial<SourceHealth>): SourceHealth {
  return {
    name: 'yadio',
    kind: 'json-feed',
    enabled: true,
    markets: [],
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
  const { sources = [], held = [], health = HEALTH, snapshot = SNAPSHOT, ...more } = given;
  return { ...GOOD, stored: { health: { ...health, sources }, held, snapshot }, ...more };
}

const lost = (stoppedSince: number) =>
  observed({ health: { ...HEALTH, collecting: false, stoppedSince } });
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
      observed({
        sources: [source({ name: 'bcv-official', publicationsMissed: 1 })],
        health: { ...HEALTH, publicationsMissed: { count: 1, since: 1 } },
      }),
      'publication:bcv-official',
    ],
    [
      'a stale quote',
      { ...GOOD, now: STARTED + (quote('reference').market.staleAfterSec + 1) * SECOND_MS },
      'quote:reference',
    ],
    [
      'a quote that grew too old to be shown',
      observed({ snapshot: { ...SNAPSHOT, dropped: [quote('okx')] } }),
      'quote:okx',
    ],
    ['no figure at all', observed({ snapshot: { quotes: [], dropped: [] } }), 'quote'],
    ['a held record', observed({ held: [held('binance', 'a')] }), 'held:binance'],
    ['a full disk', observed({ freeDiskBytes: 999_999_999 }), 'disk'],
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
    ['figures', STARTED, QUOTE_LOST_MS, observed({ snapshot: { quotes: [], dropped: [] } })],
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
