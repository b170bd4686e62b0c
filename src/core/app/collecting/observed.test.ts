import { describe, expect, test } from 'vitest';
import type { SourceState } from '../ports/collecting.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { MAX_SHOWN_PUBLICATIONS, stateAfter } from './observed.ts';

const quote = (market: string, mid: number, more: object = {}): SourceRecord => ({
  kind: 'quote',
  market,
  mid,
  ...more,
});
const publication = (date: string, USD: number): SourceRecord => ({
  kind: 'official',
  value_date: date,
  rates: { USD },
});

/** The state after readings one second apart, the first at 1,000. */
function afterReadings(
  markets: readonly string[],
  ...readings: readonly (readonly SourceRecord[])[]
) {
  let state: SourceState = { source: 'feed', consecutiveFailures: 0 };
  readings.forEach((records, index) => {
    const told = stateAfter({ source: { markets }, records, readAt: 1_000 * (index + 1) }, state);
    state = { source: 'feed', consecutiveFailures: 0, ...told };
  });
  return state;
}

describe('the state after a successful reading', () => {
  test('a market is missing since the first reading without it (contract §8)', () => {
    const both = [quote('okx', 1), quote('saldo', 1)];
    const one = [quote('okx', 1)];
    const markets = ['okx', 'saldo'];
    expect(afterReadings(markets, both).missing).toBeUndefined();
    expect(afterReadings(markets, both, one, one).missing).toEqual({ saldo: 2_000 });
    expect(afterReadings(markets, both, one, both).missing).toBeUndefined();
    expect(afterReadings(markets, both, one, both, one).missing).toEqual({ saldo: 4_000 });
    // A market that never appeared counts too, because the catalogue may have a wrong name.
    expect(afterReadings(markets, one, one).missing).toEqual({ saldo: 1_000 });
  });

  test('equal figures are unchanged since their first reading, and flickering ones steady', () => {
    const standing = (...mids: number[]) =>
      afterReadings(['okx'], ...mids.map((mid) => [quote('okx', mid)])).standing?.['okx'];
    expect(standing(900, 900)).toMatchObject({ since: 1_000, steady: { since: 1_000, mid: 900 } });
    expect(standing(900, 900.4, 899.6)).toMatchObject({
      since: 3_000,
      steady: { since: 1_000, mid: 900 },
    });
    // Small steps in one direction are not flicker.
    expect(standing(900, 900.4, 900.8)).toMatchObject({ steady: { since: 3_000, mid: 900.8 } });
    const sides = [{ kind: 'quote', market: 'okx', ask: 902, bid: 898 } as const];
    expect(afterReadings(['okx'], sides).standing?.['okx']?.steady).toEqual({
      since: 1_000,
      mid: 900,
    });
  });

  test('a page that shows an older publication again went back, until it shows the newest (contract §8)', () => {
    const [old, young, next] = [
      [publication('2026-11-20', 880)],
      [publication('2026-11-23', 889)],
      [publication('2026-11-24', 890)],
    ];
    const backSince = (...readings: (readonly SourceRecord[])[]) =>
      afterReadings([], ...readings).shown?.backSince;
    expect(backSince(old, young)).toBeUndefined();
    expect(backSince(old, young, old)).toBe(3_000);
    expect(backSince(old, young, old, old)).toBe(3_000);
    expect(backSince(old, young, old, young)).toBeUndefined();
    expect(backSince(old, young, old, next)).toBeUndefined();
    expect(backSince(old, young, old, next, young)).toBe(5_000);
  });

  test('archives and quotes do not count as pages', () => {
    const archived = { ...publication('2026-11-20', 880), captured_at: '2026-11-20T04:00:00.000Z' };
    expect(afterReadings([], [archived]).shown).toBeUndefined();
    expect(afterReadings(['okx'], [quote('okx', 1)]).shown).toBeUndefined();
  });

  test('at most MAX_SHOWN_PUBLICATIONS are remembered', () => {
    const readings = Array.from({ length: MAX_SHOWN_PUBLICATIONS + 1 }, (_, index) => [
      publication(`2026-11-${index + 10}`, 800 + index),
    ]);
    const { publications = [] } = afterReadings([], ...readings).shown ?? {};
    expect(publications).toHaveLength(MAX_SHOWN_PUBLICATIONS);
    expect(publications.at(-1)).toMatchObject({ valueDate: '2026-11-20' });
  });
});
