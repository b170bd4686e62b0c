import { describe, expect, test } from 'vitest';
import { isoInstant } from '../../domain/time.ts';
import type { BoardFigures } from './board-figures.ts';
import { newerRateFrom } from './staleness.ts';

/** Figures of which a publication is missing since then. */
function overdue(
  since: string,
  official: BoardFigures['official'] = {},
): Pick<BoardFigures, 'state' | 'official'> {
  const reason = { name: 'publications_missed', message: '', since, count: 1 } as const;
  return { state: { status: 'degraded', reasons: [reason] }, official };
}

describe('when a missing publication may have replaced an official rate', () => {
  test.each([
    ['Tuesday evening', '2026-11-24T23:30:00Z', '2026-11-25T04:00:00.000Z'],
    ['an evening that is the next day in UTC', '2026-11-25T00:30:00Z', '2026-11-25T04:00:00.000Z'],
    ['Thursday', '2026-11-26T23:30:00Z', '2026-11-27T04:00:00.000Z'],
    ['Friday', '2026-11-27T23:30:00Z', '2026-11-30T04:00:00.000Z'],
    ['Saturday', '2026-11-28T23:30:00Z', '2026-11-30T04:00:00.000Z'],
  ])('%s: from the next weekday on, at midnight in Caracas', (_, since, from) => {
    for (const market of ['reference', 'eur_reference']) {
      expect(isoInstant(newerRateFrom(market, overdue(since)) ?? 0)).toBe(from);
    }
  });

  test('never of other markets, while none is missing, or while the next rate is known', () => {
    const since = '2026-11-24T23:30:00Z';
    expect(newerRateFrom('parallel', overdue(since))).toBeUndefined();
    const next = { rate: 1, value_date: '2026-11-25', effective_at: '2026-11-25T04:00:00.000Z' };
    expect(newerRateFrom('reference', overdue(since, { USD: { next } }))).toBeUndefined();
    const calm = { state: { status: 'ok', reasons: [] }, official: {} } as const;
    expect(newerRateFrom('reference', calm)).toBeUndefined();
  });
});
