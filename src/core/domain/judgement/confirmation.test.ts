import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { day } from '../../../../testkit/day.ts';
import { loadJudgement } from '../../catalogue/judgement.ts';
import type { Doubt, Observation, Reading } from '../judgement.ts';
import { MINUTE_MS } from '../time.ts';
import { confirmedBy, isReleasable } from './confirmation.ts';
import type { DoubtReason } from './rule-words.ts';
import { DOUBTS } from './rules.ts';

const { thresholds } = loadJudgement('catalog');

const NOW = Date.parse('2026-11-20T16:00:00Z');

const quote = (mid: number): Observation => ({ kind: 'quote', mid });
const read = (minutes: number, observation: Observation, origin = 'a'): Reading => ({
  origin,
  capturedAt: NOW + minutes * MINUTE_MS,
  observation,
});
const doubts = (...reasons: readonly DoubtReason[]): readonly Doubt[] =>
  reasons.map((reason) => ({ reason, message: reason }));
const confirmed = (
  reading: Reading,
  pending: readonly Reading[],
  reasons: readonly DoubtReason[] = ['moved'],
) => confirmedBy(reading, doubts(...reasons), pending, thresholds);

describe('repeated readings (contract §8)', () => {
  const first = read(0, quote(2_000));
  const second = read(5, quote(2_010));

  test('release after three readings over ten minutes, not fewer or sooner', () => {
    expect(confirmed(read(10, quote(2_020)), [first, second])).toEqual([first, second]);
    expect(confirmed(read(9.99, quote(2_020)), [first, second])).toBeUndefined();
    expect(confirmed(read(60, quote(2_020)), [first])).toBeUndefined();
    expect(confirmed(read(60, quote(2_020)), [first, read(60, quote(2_020))])).toBeUndefined();
  });

  test('must each lie within 20 percent of their median', () => {
    const around = (mid: number) => [read(0, quote(2_000)), read(5, quote(mid))];
    expect(confirmed(read(10, quote(2_000)), around(2_400))).toHaveLength(2);
    expect(confirmed(read(10, quote(2_000)), around(2_400.00000001))).toBeUndefined();
    expect(confirmed(read(10, quote(2_000)), around(1_600))).toHaveLength(2);
    expect(confirmed(read(10, quote(2_000)), around(1_599.99999999))).toBeUndefined();
  });

  test('with noise complete, although two in a row are further apart', () => {
    const noisy = [2_300, 2_320, 1_700, 2_000, 1_990, 2_010];
    const pending = noisy.map((mid, place) => read(place * 2, quote(mid)));
    expect(confirmed(read(12, quote(1_720)), pending)).toEqual(pending);
  });

  test('must have the same sides', () => {
    const sides = read(5, { kind: 'quote', mid: 2_010, ask: 2_020 });
    expect(confirmed(read(10, quote(2_020)), [first, sides])).toBeUndefined();
    const both = (minutes: number, ask: number) =>
      read(minutes, { kind: 'quote', mid: 2_000, ask });
    expect(confirmed(both(10, 2_400), [both(0, 2_000), both(5, 2_000)])).toHaveLength(2);
    expect(confirmed(both(10, 2_401), [both(0, 2_000), both(5, 2_000)])).toBeUndefined();
  });

  test('end with a disagreeing reading in between', () => {
    const other = read(6, quote(5_000));
    expect(confirmed(read(10, quote(2_000)), [first, second, other])).toBeUndefined();
  });

  test('count by origin, whichever source read them', () => {
    const others = [first, read(5, quote(2_010), 'b')];
    expect(
      confirmed(
        read(10, quote(2_020), 'c'),
        [first, second].map((one) => ({ ...one, origin: 'c' })),
      ),
    ).toHaveLength(2);
    expect(confirmed(read(70, quote(2_020)), others)).toBeUndefined();
  });

  test.each(DOUBTS.map((reason) => [reason] as const))('%s', (reason) => {
    const mayRepeat = [
      'moved',
      'cross_moved',
      'page_returned',
      'currency_lost',
      'figure_changed',
      'rows_lost',
    ].includes(reason);
    const found = confirmed(read(10, quote(2_020)), [first, second], [reason]);
    expect(found !== undefined).toBe(mayRepeat);
    // However long it goes on.
    const pending = Array.from({ length: 1_000 }, (_, minute) => read(minute, quote(2_000)));
    expect(confirmed(read(1_440, quote(2_000)), pending, ['moved', reason]) !== undefined).toBe(
      mayRepeat,
    );
  });
});

describe('repeated readings of a publication (contract §8)', () => {
  const publication = (valueDate: string, USD = 900): Observation => ({
    kind: 'publication',
    valueDate: day(valueDate),
    rates: { USD },
    isWhole: true,
  });
  const at = (time: string, observation: Observation): Reading => ({
    origin: 'bcv',
    capturedAt: Date.parse(time),
    observation,
  });
  const monday = publication('2026-11-23');
  const evening = ['2026-11-20T21:00:00Z', '2026-11-20T21:30:00Z'].map((time) => at(time, monday));

  test('must all have the same figures', () => {
    const late = (USD: number) => at('2026-11-23T03:00:00Z', publication('2026-11-23', USD));
    expect(confirmed(late(900), evening)).toEqual(evening);
    expect(confirmed(late(900.0001), evening)).toBeUndefined();
    expect(confirmed(late(900), [...evening, late(900.0001)])).toBeUndefined();
  });

  test('count for one value date', () => {
    const tuesday = at('2026-11-24T03:00:00Z', publication('2026-11-24'));
    expect(confirmed(tuesday, evening)).toBeUndefined();
  });

  test('count from one value date of an archive to the next, at any time', () => {
    const days = ['2026-01-06', '2026-01-07', '2026-01-08'].map((date, place) => ({
      ...at(`${date}T20:00:00Z`, publication(date, 900 + place)),
      isOfArchive: true,
    }));
    const [one, two, three] = days as [Reading, Reading, Reading];
    expect(confirmed(three, [one, two])).toEqual([one, two]);
    expect(confirmed(three, [two])).toBeUndefined();
    expect(confirmed(three, [{ ...one, isOfArchive: false }, two])).toBeUndefined();
    const far = { ...two, observation: publication('2026-01-07', 1_100) };
    expect(confirmed(three, [one, far])).toBeUndefined();
  });

  test('an independent source confirms only the figure', () => {
    const independent = (USD: number) => ({
      ...read(0, publication('2026-11-23', USD)),
      origin: 'b',
    });
    const now = read(1, monday);
    expect(confirmed(now, [independent(900.9)], ['date_ahead'])).toHaveLength(1);
    expect(confirmed(now, [independent(901)], ['date_ahead'])).toBeUndefined();
    expect(confirmed(now, [independent(900)], ['other_figure'])).toBeUndefined();
  });
});

describe('independent sources (contract §8)', () => {
  test.each([
    ['moved', true],
    ['first_quote', true],
    ['out_of_band', false],
    ['venues_differ', false],
    ['parallel_differs', false],
  ] as const)('%s: %s', (reason, expected) => {
    const found = confirmed(read(1, quote(2_000)), [read(0, quote(2_000), 'b')], [reason]);
    expect(found !== undefined).toBe(expected);
  });

  test('a side of only one reading is not confirmed', () => {
    const sides = read(0, { kind: 'quote', mid: 2_000, ask: 2_010 }, 'b');
    expect(confirmed(read(1, quote(2_000)), [sides])).toBeUndefined();
  });
});

test('an accepted reading never releases what only the operator may release', () => {
  const released = DOUBTS.filter((reason) => isReleasable(reason));
  for (const reason of ['out_of_band', 'other_figure', 'row_apart'] as const) {
    expect(released).not.toContain(reason);
  }
  expect(isReleasable('of a version to come')).toBe(false);
});

test('confirmed readings are always some of the pending ones, in their order', () => {
  const reading = fc.record({
    minutes: fc.integer({ min: 0, max: 60 }),
    mid: fc.integer({ min: 900, max: 1_300 }),
    origin: fc.constantFrom('a', 'b'),
  });
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 30 }), reading, (others, last) => {
      const pending = others
        .sort((a, b) => a.minutes - b.minutes)
        .map(({ minutes, mid, origin }) => read(minutes, quote(mid), origin));
      const found = confirmed(read(last.minutes + 60, quote(last.mid), last.origin), pending) ?? [];
      expect(pending.filter((one) => found.includes(one))).toEqual(found);
    }),
  );
});
