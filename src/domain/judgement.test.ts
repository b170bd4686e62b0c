import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { middle } from './decimal.ts';
import {
  type BankTableObservation,
  confirmedBy,
  type Doubt,
  doubtAbout,
  isFrozen,
  type Observation,
  type PublicationObservation,
  type QuoteObservation,
  type Reading,
  type Thresholds,
} from './judgement.ts';
import { MARKET_TYPES } from './markets.ts';
import { type CaracasDay, DAY_MS, MINUTE_MS, parseCaracasDay, SECOND_MS } from './time.ts';

const thresholds: Thresholds = {
  officialMovePercent: 10,
  otherMovePercent: 30,
  agreementPercent: 10,
  confirmingReads: 3,
  confirmingSpanSec: 600,
  agreementWithinSec: 3600,
  valueDateDaysAhead: 10,
  bankRowsPercent: 50,
  frozenAfterSec: {
    reference: 600,
    parallel: 500,
    p2p: 100,
    remittance: 300,
    exchange_house: 400,
    cash: 200,
  },
};

/** 21:00 in Caracas: the UTC day is the next one already. */
const NOW = Date.parse('2026-11-20T01:00:00Z');

function day(text: string): CaracasDay {
  const found = parseCaracasDay(text);
  if (found === undefined) throw new Error(`no day: ${text}`);
  return found;
}

const reading = (observation: Observation, capturedAt = NOW, source = 'a'): Reading => ({
  source,
  capturedAt,
  observation,
});

type Sides = Pick<QuoteObservation, 'ask' | 'bid'>;
const p2p = (mid: number, sides: Sides = {}): QuoteObservation => ({
  kind: 'quote',
  official: false,
  mid,
  ...sides,
});
const officialQuote = (mid: number, effectiveDate = '2026-11-20'): QuoteObservation => ({
  kind: 'quote',
  official: true,
  mid,
  effectiveDate: day(effectiveDate),
});
const publication = (
  rates: PublicationObservation['rates'],
  valueDate = '2026-11-20',
): PublicationObservation => ({ kind: 'publication', valueDate: day(valueDate), rates });
const bankTable = (rows: number, indicatorDate = '2026-11-19'): BankTableObservation => ({
  kind: 'bank_table',
  indicatorDate: day(indicatorDate),
  rows,
});

function doubt(now: Observation, before?: Observation): Doubt | undefined {
  const accepted = before && reading(before, NOW - MINUTE_MS);
  return doubtAbout(reading(now), accepted, thresholds);
}
const reason = (now: Observation, before?: Observation) => doubt(now, before)?.reason;

describe('a value that moved', () => {
  test.each([
    ['an official rate', officialQuote, 100, 110, 110.00000001],
    ['an official rate', officialQuote, 100, 90, 89.99999999],
    // In doubles 0.7 × 1.1 is 0.7700000000000001 and 70.07 × 0.9 is 63.062999999999995.
    ['an official rate', officialQuote, 0.7, 0.77, 0.7700000000001],
    ['an official rate', officialQuote, 70.07, 63.063, 63.0629999999],
    ['another', p2p, 100, 130, 130.00000001],
    ['another', p2p, 100, 70, 69.99999999],
    ['another', p2p, 1e-15, 1.3e-15, 1.30000001e-15],
    ['another', p2p, 1e15, 7e14, 699999999999999],
  ])('%s passes at its share and is held past it: from %d', (_, make, before, at, past) => {
    expect(doubt(make(at), make(before))).toBeUndefined();
    expect(reason(make(past), make(before))).toBe('moved');
  });

  test('the share is exact wherever the decimal point stands', () => {
    const rates = fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: -14, max: 4 }));
    const text = (units: number, exponent: number) => Number(`${units}e${exponent}`);
    fc.assert(
      fc.property(rates, ([units, exponent]) => {
        const before = officialQuote(text(10 * units, exponent));
        for (const [edge, past] of [
          [11 * units, 1],
          [9 * units, -1],
        ] as const) {
          expect(doubt(officialQuote(text(edge, exponent)), before)).toBeUndefined();
          const beyond = text(edge * 1000 + past, exponent - 3);
          expect(reason(officialQuote(beyond), before)).toBe('moved');
        }
      }),
    );
  });

  test('every currency of a publication is judged as official, whichever moved', () => {
    const before = publication({ USD: 800, EUR: 900, CNY: 110, TRY: 19, RUB: 10 });
    for (const currency of ['USD', 'EUR', 'CNY', 'TRY', 'RUB'] as const) {
      const rate = before.rates[currency] ?? 0;
      const changed = (to: number) => publication({ ...before.rates, [currency]: to });
      expect(doubt(changed(rate * 1.05), before)).toBeUndefined();
      expect(doubt(changed(rate * 1.2), before)).toEqual({
        reason: 'moved',
        message: `${currency} ${rate * 1.2} is not within 10% of the last accepted one, ${rate}`,
      });
    }
  });

  test('how long ago the last one was accepted changes nothing', () => {
    const old = reading(p2p(100), NOW - 400 * DAY_MS);
    expect(doubtAbout(reading(p2p(130)), old, thresholds)).toBeUndefined();
    expect(doubtAbout(reading(p2p(131)), old, thresholds)?.reason).toBe('moved');
  });

  test('the first of a subject has nothing to be compared with', () => {
    expect(doubt(p2p(1e15))).toBeUndefined();
    expect(doubt(publication({ USD: 1e-15 }))).toBeUndefined();
    expect(doubt(bankTable(1))).toBeUndefined();
  });
});

describe('a side', () => {
  const before = p2p(100, { ask: 101, bid: 99 });

  test.each([0.001, 0.1, 2, 10, 1000])(
    'is held beside a sane mid, and as a half of its mid: factor %d',
    (factor) => {
      for (const name of ['ask', 'bid'] as const) {
        const broken = (before[name] ?? 0) * factor;
        const sides = { ask: 101, bid: 99, [name]: broken };
        expect(reason(p2p(100, sides), before)).toBe('moved');
        expect(reason(p2p(middle(sides.ask, sides.bid), sides), before)).toBe('moved');
      }
    },
  );

  test('of a shock may leave its own value as far as it stays near its mid', () => {
    // As seen on 3 January 2026 within half an hour, and on 12 April 2026 for one reading.
    const january = p2p(618.2385, { bid: 604.797, ask: 631.68 });
    expect(doubt(p2p(726.078, { bid: 604.832, ask: 847.324 }), january)).toBeUndefined();
    const april = p2p(629.6, { bid: 630.5, ask: 628.7 });
    expect(doubt(p2p(786.25, { bid: 940, ask: 632.5 }), april)).toBeUndefined();
  });

  test('that is far from its mid passes where it was accepted so before, at exactly the share', () => {
    const wide = p2p(100, { ask: 101, bid: 50 });
    expect(doubt(p2p(100, { ask: 101, bid: 65 }), wide)).toBeUndefined();
    expect(doubt(p2p(100, { ask: 101, bid: 35 }), wide)).toBeUndefined();
    expect(doubt(p2p(100, { ask: 101, bid: 34.99 }), wide)).toEqual({
      reason: 'moved',
      message: 'bid 34.99 is not within 30% of mid, 100, and of the last accepted one, 50',
    });
  });

  test('that was not there before must be near its mid; one that is gone is no doubt', () => {
    expect(doubt(p2p(100, { ask: 130 }), p2p(100))).toBeUndefined();
    expect(reason(p2p(100, { ask: 130.01 }), p2p(100))).toBe('moved');
    expect(doubt(p2p(100), before)).toBeUndefined();
  });
});

describe('a date', () => {
  test('that goes back is held, the same again is not', () => {
    const kinds = [
      (date: string) => publication({ USD: 800 }, date),
      (date: string) => officialQuote(800, date),
      (date: string) => bankTable(20, date),
    ];
    for (const make of kinds) {
      expect(doubt(make('2026-11-20'), make('2026-11-20'))).toBeUndefined();
      expect(doubt(make('2026-11-19'), make('2026-11-20'))).toEqual({
        reason: 'date_back',
        message: 'the date 2026-11-19 is before 2026-11-20, that of the last accepted one',
      });
    }
  });

  test('may be ten days after the Caracas day of its reading, and no more', () => {
    for (const before of [undefined, publication({ USD: 800 })]) {
      expect(doubt(publication({ USD: 800 }, '2026-11-29'), before)).toBeUndefined();
      expect(doubt(publication({ USD: 800 }, '2026-11-30'), before)).toEqual({
        reason: 'date_ahead',
        message:
          'the date 2026-11-30 is more than 10 days after 2026-11-19, the day of the reading',
      });
    }
  });
});

describe('a part that is missing', () => {
  test('a currency of the last publication is held for, one that is new is not', () => {
    const some = publication({ USD: 800, EUR: 900 });
    const all = publication({ USD: 800, EUR: 900, TRY: 19, RUB: 10 });
    expect(doubt(all, some)).toBeUndefined();
    expect(doubt(some, all)).toEqual({
      reason: 'currency_lost',
      message: 'TRY, RUB of the last accepted publication is not there',
    });
  });

  test('a bank table may have half the rows of the last one, and no fewer', () => {
    expect(doubt(bankTable(12), bankTable(24))).toBeUndefined();
    expect(doubt(bankTable(12), bankTable(25))).toEqual({
      reason: 'rows_lost',
      message: '12 rows are less than 50% of 25, those of the last accepted table',
    });
    expect(doubt(bankTable(500), bankTable(1))).toBeUndefined();
  });
});

describe('a doubtful reading', () => {
  /** Readings of one source, minutes after NOW. */
  const at = (minutes: number, observation: Observation, source = 'a') =>
    reading(observation, NOW + minutes * MINUTE_MS, source);
  const confirmed = (pending: readonly Reading[], last: Reading) =>
    confirmedBy(last, pending, thresholds);

  test('is confirmed by the third read in agreement, ten minutes after the first', () => {
    const two = [at(0, p2p(200)), at(5, p2p(201))];
    expect(confirmed(two, at(10, p2p(202)))).toEqual(two);
    const early = reading(p2p(202), NOW + 10 * MINUTE_MS - 1);
    expect(confirmed(two, early)).toBeUndefined();
    expect(confirmed(two.slice(0, 1), at(10, p2p(202)))).toBeUndefined();
    expect(confirmed([], at(0, p2p(200)))).toBeUndefined();
  });

  test('is not confirmed by one reading that came twice', () => {
    expect(confirmed([at(0, p2p(200)), at(0, p2p(200))], at(10, p2p(200)))).toBeUndefined();
    expect(confirmed([at(0, p2p(200)), at(10, p2p(200))], at(10, p2p(200)))).toBeUndefined();
  });

  test('needs all readings of those ten minutes to agree', () => {
    const minutes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const steady = minutes.map((minute) => at(minute, p2p(200)));
    expect(confirmed(steady, at(10, p2p(200)))).toEqual(steady);
    const broken = steady.with(4, at(4, p2p(300)));
    expect(confirmed(broken, at(10, p2p(200)))).toBeUndefined();
    expect(confirmed(broken, at(14, p2p(200)))).toBeUndefined();
    // Ten minutes after the one that said otherwise, and only those since are confirmed.
    expect(confirmed(broken, at(15, p2p(200)))).toEqual(steady.slice(5));
  });

  test('needs them to agree with each other, not only each with the next', () => {
    const creeping = [at(0, p2p(200)), at(5, p2p(215))];
    expect(confirmed(creeping, at(10, p2p(220)))).toEqual(creeping);
    expect(confirmed(creeping, at(10, p2p(220.01)))).toBeUndefined();
    // Each is near the last one, but the first two are further apart than that.
    const scattered = [at(0, p2p(192)), at(5, p2p(213))];
    expect(confirmed(scattered, at(10, p2p(202)))).toBeUndefined();
  });

  test('is confirmed by another source at once, up to an hour apart', () => {
    const held = [at(0, p2p(200)), at(30, p2p(300), 'c'), at(50, p2p(205))];
    expect(confirmed(held, at(60, p2p(202), 'b'))).toEqual([held[0], held[2]]);
    expect(confirmed(held.slice(0, 2), reading(p2p(202), NOW + 60 * MINUTE_MS + 1, 'b'))).toBe(
      undefined,
    );
    // A record that comes late may have been read before the others.
    expect(confirmed([at(60, p2p(200))], at(0, p2p(202), 'b'))).toHaveLength(1);
    expect(confirmed([at(61, p2p(200))], at(0, p2p(202), 'b'))).toBeUndefined();
  });

  test('takes its own readings just before along when another source agrees', () => {
    const held = [at(0, p2p(300)), at(1, p2p(200)), at(2, p2p(200), 'b')];
    expect(confirmed(held, at(3, p2p(200)))).toEqual(held.slice(1));
  });

  test.each<[string, Observation, Observation, Observation]>([
    ['mid at 10%', p2p(200), p2p(220), p2p(220.01)],
    ['ask at 10%', p2p(200, { ask: 70 }), p2p(200, { ask: 77 }), p2p(200, { ask: 77.01 })],
    ['a side that only one has', p2p(200), p2p(200), p2p(200, { bid: 200 })],
    [
      'a currency at 10%',
      publication({ USD: 8, TRY: 0.7 }),
      publication({ USD: 8, TRY: 0.77 }),
      publication({ USD: 8, TRY: 0.7701 }),
    ],
    [
      'a currency that only one has',
      publication({ USD: 8 }),
      publication({ USD: 8 }),
      publication({ USD: 8, EUR: 9 }),
    ],
    [
      'dates ten days apart',
      publication({ USD: 8 }, '2026-11-10'),
      publication({ USD: 8 }, '2026-11-20'),
      publication({ USD: 8 }, '2026-11-21'),
    ],
    ['rows at 10%', bankTable(20), bankTable(22), bankTable(23)],
  ])('agreement has an edge, the same from both sides: %s', (_, one, within, past) => {
    const agree = (a: Observation, b: Observation) =>
      confirmed([at(0, a)], at(1, b, 'b')) !== undefined;
    expect([agree(one, within), agree(within, one)]).toEqual([true, true]);
    expect([agree(one, past), agree(past, one)]).toEqual([false, false]);
  });

  test('what is confirmed is part of what was pending, in its order, and agrees with it', () => {
    const minutes = fc.integer({ min: 0, max: 40 });
    const values = fc.integer({ min: 100, max: 125 });
    const given = fc.array(fc.tuple(minutes, values, fc.constantFrom('a', 'b')), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(given, (rows) => {
        const readings = rows
          .toSorted(([a], [b]) => a - b)
          .map(([minute, value, source]) => at(minute, p2p(value), source));
        const last = readings.at(-1);
        if (last === undefined) return;
        const pending = readings.slice(0, -1);
        const found = confirmed(pending, last);
        if (found === undefined) return;
        expect(pending.filter((one) => found.includes(one))).toEqual(found);
        const span = last.capturedAt - (found[0]?.capturedAt ?? last.capturedAt);
        const other = found.some(({ source }) => source !== last.source);
        expect(other || (found.length >= 2 && span >= 10 * MINUTE_MS)).toBe(true);
        for (const one of found) {
          expect(confirmed([{ ...one, source: 'c' }], last)).toBeDefined();
        }
      }),
    );
  });
});

describe('a frozen value', () => {
  test.each(MARKET_TYPES)('is dated on for longer than its type allows: %s', (type) => {
    const limit = thresholds.frozenAfterSec[type] * SECOND_MS;
    const frozen = (later: number) =>
      isFrozen(type, { unchangedSince: NOW, updatedAt: NOW + later }, thresholds);
    expect(frozen(limit)).toBe(false);
    expect(frozen(limit + 1)).toBe(true);
  });

  test('is not one whose update time stands too: that is old, and its age shows it', () => {
    const times = { unchangedSince: NOW, updatedAt: NOW };
    expect(isFrozen('parallel', times, thresholds)).toBe(false);
    expect(isFrozen('parallel', { ...times, updatedAt: NOW - DAY_MS }, thresholds)).toBe(false);
  });
});
