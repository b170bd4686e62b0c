import { MINUTE_MS } from '../../src/domain/time.ts';

/** A fault in the figures of a venue. */
export interface QuoteFault {
  readonly name: string;
  /**
   * `huge`: another unit or currency. `large`: over judgement's ratio. `share`: below it. `old`:
   * old figures with their old time. `walk`: small steps away from the truth.
   */
  readonly size: 'huge' | 'large' | 'share' | 'old' | 'walk';
  change(figures: Figures, moment: Moment): Figures;
}

export interface Figures {
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  /** Age of the source's time at the reading, in milliseconds. */
  readonly ageMs?: number;
}

/** A reading during a fault. */
export interface Moment {
  /** Number of earlier readings of the fault. */
  readonly reading: number;
  /** The right figures of the venue `ms` ago, or its first ones. */
  before(ms: number): Figures;
}

const HOUR_MS = 60 * MINUTE_MS;

/** Rounded to the digits that a rate may have. */
const figure = (value: number): number => Number(value.toPrecision(12));

const each =
  (change: (value: number, moment: Moment) => number): QuoteFault['change'] =>
  ({ mid, ask, bid }, moment) => ({
    mid: figure(change(mid, moment)),
    ...(ask !== undefined && { ask: figure(change(ask, moment)) }),
    ...(bid !== undefined && { bid: figure(change(bid, moment)) }),
  });

const times = (factor: number) => each((value) => value * factor);

const fault = (
  name: string,
  size: QuoteFault['size'],
  change: QuoteFault['change'],
): QuoteFault => ({ name, size, change });

/** 657.61 becomes 6657.61. */
const withFirstDigitTwice = (value: number): number => Number(`${String(value)[0]}${value}`);

/** 657.61 becomes 6577.61, and 657 becomes 6577: the digit before the point is repeated. */
function withLastDigitTwice(value: number): number {
  const [whole = '', decimals = '0'] = String(value).split('.');
  return Number(`${whole}${whole.at(-1)}.${decimals}`);
}

/** 657.61 becomes 567.61, and 1,234.5 becomes 2,134.5. */
function withDigitsSwapped(value: number): number {
  const text = String(value);
  return Number(`${text[1]}${text[0]}${text.slice(2)}`);
}

/** All quote faults. With one side, only that figure is wrong and `mid` is unchanged. */
export const QUOTE_FAULTS: readonly QuoteFault[] = [
  fault('times 10', 'huge', times(10)),
  fault('divided by 10', 'huge', times(0.1)),
  fault('times 1,000', 'huge', times(1_000)),
  fault('divided by 1,000', 'huge', times(0.001)),
  fault(
    'without its decimal point',
    'huge',
    each((value) => Math.round(value * 100)),
  ),
  fault('first digit twice', 'huge', each(withFirstDigitTwice)),
  fault('last whole digit twice', 'huge', each(withLastDigitTwice)),
  fault('inverse', 'huge', ({ mid }) => ({ mid: Number((1 / mid).toPrecision(12)) })),
  fault('reais for bolivars', 'huge', () => ({ mid: 5.42, ask: 5.43, bid: 5.41 })),
  fault('guaraníes for bolivars', 'huge', () => ({ mid: 7_312, ask: 7_320, bid: 7_304 })),
  fault('ask times 10', 'huge', ({ mid, bid = mid }) => ({ mid, bid, ask: figure(mid * 10) })),
  fault('bid divided by 10', 'huge', ({ mid, ask = mid }) => ({ mid, ask, bid: figure(mid / 10) })),
  fault('times 1.9', 'large', times(1.9)),
  fault('divided by 1.7', 'large', times(1 / 1.7)),
  fault('first two digits swapped', 'large', each(withDigitsSwapped)),
  fault('times 1.29', 'share', times(1.29)),
  fault('divided by 1.29', 'share', times(1 / 1.29)),
  fault('times 1.22', 'share', times(1.22)),
  fault('times 1.22 at every other reading', 'share', (figures, moment) =>
    moment.reading % 2 === 0 ? times(1.22)(figures, moment) : figures,
  ),
  fault('divided by 1.15', 'share', times(1 / 1.15)),
  fault('figures of a day ago, dated now', 'share', (_, { before }) => before(24 * HOUR_MS)),
  fault('figures of 20 hours ago with their time', 'old', (_, { before }) => ({
    ...before(20 * HOUR_MS),
    ageMs: 20 * HOUR_MS,
  })),
  fault('time of 20 hours ago', 'old', (figures, moment) => ({
    ...times(0.93)(figures, moment),
    ageMs: 20 * HOUR_MS,
  })),
  fault('time of 8 days ago', 'old', (figures, moment) => ({
    ...times(0.85)(figures, moment),
    ageMs: 192 * HOUR_MS,
  })),
  fault(
    'up by 1 % at each reading',
    'walk',
    each((value, { reading }) => value * 1.01 ** reading),
  ),
  fault(
    'down by 1 % at each reading',
    'walk',
    each((value, { reading }) => value * 0.99 ** reading),
  ),
  fault(
    'up by 0.1 % at each reading',
    'walk',
    each((value, { reading }) => value * 1.001 ** reading),
  ),
];

export const DURATIONS_MIN = [1, 5, 11, 60, 360, 1_440] as const;
