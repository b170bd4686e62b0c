import type { DayCandle } from '../../domain/history/candles.ts';
import { isOfficial, type Market } from '../../domain/markets.ts';
import {
  captureUnit,
  FIRST_STORED_UNIT,
  type Redenominations,
  storedUnitAt,
  storedUnitOf,
  type UnitDay,
  unitAt,
  unitAtEndOf,
} from '../../domain/redenomination.ts';
import {
  endOfUtcDay,
  type Instant,
  startOfCaracasDay,
  startOfUtcDay,
  type UtcDay,
  utcDayOf,
} from '../../domain/time.ts';
import type { Store } from '../ports/store.ts';

/** Most captures, the newest, that are read to compute the candle of a day with two units. */
// limit: Captures of a day with two units | 20,000 | the newest count
const MAX_CAPTURES_OF_MIXED_DAY = 20_000;

interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

interface CandleParts {
  readonly store: Pick<Store, 'dayCandles' | 'latestCaptures'>;
  readonly redenominations: Redenominations;
  readonly now: Instant;
}

/**
 * The candle of each UTC day in `[start, end)`, oldest first, in the unit of `shownUnitOf`. A stored
 * candle with captures in several units is computed from them. Of a day that was thinned only the
 * first rate and the captures that are left count.
 */
export async function dayCandlesIn(
  market: Market,
  { start, end }: Span,
  shownUnitOf: (day: DayCandle) => UnitDay,
  { store, redenominations, now }: CandleParts,
): Promise<readonly DayCandle[]> {
  const days = [...(await store.dayCandles(market.id, start, end))];
  for (const mixed of await mixedDays(market, { start, end }, { store, redenominations, now })) {
    const place = days.findIndex(({ day }) => day === mixed);
    const stored = days[place];
    if (stored === undefined) continue;
    const span = {
      start: startOfUtcDay(stored.day),
      end: Math.min(endOfUtcDay(stored.day), end),
    };
    const captures = await store.latestCaptures(market.id, span, MAX_CAPTURES_OF_MIXED_DAY);
    const to = storedUnitOf(unitAtEndOf(stored.day, now));
    const rates = captures.map((capture) =>
      redenominations.rebased(capture.mid, { from: captureUnit(capture, market), to }),
    );
    const first = captures.find(({ capturedAt }) => capturedAt === stored.openedAt);
    const opened = first ? captureUnit(first, market) : storedUnitAt(stored.openedAt);
    const open = redenominations.rebased(stored.open, { from: opened, to });
    const close = rates.at(-1) ?? stored.close;
    const extremes = [open, ...rates];
    days[place] = {
      ...{ ...stored, open, close },
      ...{ high: Math.max(...extremes), low: Math.min(...extremes) },
    };
  }
  return days.map((day) => {
    const units = { from: storedUnitOf(unitAtEndOf(day.day, now)), to: shownUnitOf(day) };
    if (redenominations.rebased(1, units) === 1) return day;
    const inUnit = (rate: number) => redenominations.rebased(rate, units);
    const { open, high, low, close } = day;
    return {
      ...day,
      ...{ open: inUnit(open), high: inUnit(high), low: inUnit(low), close: inUnit(close) },
    };
  });
}

/**
 * The UTC days in which not all captures are stored in the unit of the end: those of a reform, and
 * those on which an official rate of before it was first read.
 */
async function mixedDays(
  market: Market,
  { start, end }: Span,
  { store, redenominations, now }: CandleParts,
): Promise<readonly UtcDay[]> {
  const storedAtEndOf = (at: Instant) => storedUnitOf(unitAtEndOf(utcDayOf(at), now));
  const reforms = redenominations.after({ from: storedAtEndOf(start - 1), to: storedAtEndOf(end) });
  const days = reforms.map(({ on }) => utcDayOf(startOfCaracasDay(on)));
  const sinceStored = redenominations.after({ from: FIRST_STORED_UNIT, to: unitAt(now) });
  if (!isOfficial(market) || sinceStored.length === 0) return days;
  const captures = await store.latestCaptures(market.id, { start, end }, MAX_CAPTURES_OF_MIXED_DAY);
  const late = captures.filter((capture) => {
    const units = { from: captureUnit(capture, market), to: storedUnitAt(capture.capturedAt) };
    return redenominations.after(units).length > 0;
  });
  return [...new Set([...days, ...late.map(({ capturedAt }) => utcDayOf(capturedAt))])];
}
