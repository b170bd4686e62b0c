import { describe, expect, test } from 'vitest';
import type { SourceHealth } from '../../domain/source-health.ts';
import type { HeldRecord } from '../ports/held.ts';
import {
  COLLECTOR_LOST_MS,
  MIN_FREE_DISK_BYTES,
  type Observed,
  ProblemDurations,
  problemsOf,
  recoveryOf,
  SOURCE_FAILING_MS,
} from './problems.ts';

const GOOD: Observed = {
  health: { sources: [], collecting: true, heldRecords: [], heldCount: 0 },
  held: [],
  freeDiskBytes: MIN_FREE_DISK_BYTES,
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

function observed({ sources = [], ...given }: Partial<Observed> & { sources?: SourceHealth[] }) {
  return { ...GOOD, health: { ...GOOD.health, sources }, ...given };
}

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
      observed({ sources: [source({ condition: 'failing' })] }),
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
    [
      'no process that reads',
      { ...GOOD, health: { ...GOOD.health, collecting: false } },
      'collector',
    ],
  ])('%s is one problem, with a sentence for its end', (_name, given, id) => {
    expect(idsOf(given)).toEqual([id]);
    expect(recoveryOf(id)).toMatch(/^[A-Z].*\.$/);
  });

  test('no problem is reported with good figures, a free gigabyte, and a remote database', () => {
    expect(idsOf(observed({ sources: [source({}), source({ condition: 'standby' })] }))).toEqual(
      [],
    );
    expect(idsOf(observed({ freeDiskBytes: undefined }))).toEqual([]);
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

  test.each([
    [SOURCE_FAILING_MS, observed({ sources: [source({ condition: 'failing' })] })],
    [COLLECTOR_LOST_MS, { ...GOOD, health: { ...GOOD.health, collecting: false } }],
  ])('a problem is reported after %i ms, counted anew after its end', (wait, given) => {
    const durations = new ProblemDurations();
    const due = (at: number, problems = problemsOf(given)) => durations.due(problems, at).length;
    expect([due(0), due(wait - 1), due(wait)]).toEqual([0, 0, 1]);
    expect([due(wait + 1, []), due(wait + 2), due(2 * wait)]).toEqual([0, 0, 0]);
  });
});
