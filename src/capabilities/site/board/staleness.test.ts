import { describe, expect, test } from 'vitest';
import { isoInstant, MINUTE_MS } from '../../../core/domain/time.ts';
import type { BoardFigures, ConvertibleRate } from './board-figures.ts';
import { doubtOf, withLateOfficial } from './staleness.ts';

/** Figures of which a publication is missing since then; the rest is of no account here. */
function overdue(since: string, official: BoardFigures['official'] = {}): BoardFigures {
  const reason = { name: 'publications_missed', message: '', since, count: 1 } as const;
  return figuresWith({ state: { status: 'degraded', reasons: [reason] }, official });
}

function figuresWith(given: Pick<BoardFigures, 'state' | 'official'>): BoardFigures {
  return {
    ...{ version: '1', as_of: '', fetched_at: '', trends: {}, rates: [], changes: {} },
    ...{ history_days: 0, ...given },
  };
}

const late = (figures: BoardFigures, closed: readonly string[] = []) =>
  withLateOfficial(figures, { closed }).late_from;

describe('when a missing publication would have replaced an official rate', () => {
  test.each([
    ['Tuesday evening', '2026-11-24T23:30:00Z', '2026-11-25T04:00:00.000Z'],
    ['an evening that is the next day in UTC', '2026-11-25T00:30:00Z', '2026-11-25T04:00:00.000Z'],
    ['Thursday', '2026-11-26T23:30:00Z', '2026-11-27T04:00:00.000Z'],
    ['Friday', '2026-11-27T23:30:00Z', '2026-11-30T04:00:00.000Z'],
    ['Saturday', '2026-11-28T23:30:00Z', '2026-11-30T04:00:00.000Z'],
  ])('%s: from the next banking day on, at midnight in Caracas', (_, since, from) => {
    expect(isoInstant(late(overdue(since)) ?? 0)).toBe(from);
  });

  test('not on a bank holiday: the rate of before still holds on it', () => {
    const friday = overdue('2026-11-27T23:30:00Z');
    expect(isoInstant(late(friday, ['2026-11-30']) ?? 0)).toBe('2026-12-01T04:00:00.000Z');
  });

  test('never while none is missing, or while the next rate is known', () => {
    const next = { rate: 1, value_date: '2026-11-25', effective_at: '2026-11-25T04:00:00.000Z' };
    expect(late(overdue('2026-11-24T23:30:00Z', { USD: { next } }))).toBeUndefined();
    expect(
      late(figuresWith({ state: { status: 'ok', reasons: [] }, official: {} })),
    ).toBeUndefined();
  });
});

describe('the doubt about a rate', () => {
  const AT = Date.parse('2026-11-25T04:00:00.000Z');
  const rate = { updated_at: '2026-11-20T04:00:00.000Z', stale_after_sec: 864_000 };
  const asOf = { date: '2026-11-25', captured_at: '' } as ConvertibleRate['as_of'];

  test('out of date from the instant on at which its successor should hold, and not before', () => {
    const dated = { ...rate, late_from: isoInstant(AT) };
    expect([doubtOf(dated, AT - 1), doubtOf(dated, AT)]).toEqual([false, 'stale']);
  });

  test('without a connection nobody knows, and what is known to be old is called old', () => {
    const unknown = { ...rate, newer_from: isoInstant(AT) };
    expect([doubtOf(unknown, AT - 1), doubtOf(unknown, AT)]).toEqual([false, 'maybeNewer']);
    const both = { ...unknown, late_from: isoInstant(AT + MINUTE_MS) };
    expect([doubtOf(both, AT), doubtOf(both, AT + MINUTE_MS)]).toEqual(['maybeNewer', 'stale']);
  });

  test('a rate of a past day has no age, and is in doubt only where its successor is missing', () => {
    const aged = { ...rate, stale_after_sec: 1, as_of: asOf };
    expect(doubtOf(aged, AT)).toBe(false);
    expect(doubtOf({ ...aged, late_from: isoInstant(AT) }, AT)).toBe('stale');
  });
});
