/** What a fault does to the figures of a venue. */
export interface QuoteFault {
  readonly name: string;
  /** `huge`: of another unit or currency. `share`: by less than judgement's ratio. */
  readonly size: 'huge' | 'large' | 'share' | 'old';
  change(figures: Figures): Figures;
}

export interface Figures {
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  /** How much older than its reading the source's time is, in milliseconds. */
  readonly ageMs?: number;
}

const HOUR_MS = 3_600_000;

/** With no more digits than a rate may have. */
const figure = (value: number): number => Number(value.toPrecision(12));

function times(factor: number): (figures: Figures) => Figures {
  const scaled = (value: number) => figure(value * factor);
  return ({ mid, ask, bid }) => ({
    mid: scaled(mid),
    ...(ask !== undefined && { ask: scaled(ask) }),
    ...(bid !== undefined && { bid: scaled(bid) }),
  });
}

const fault = (
  name: string,
  size: QuoteFault['size'],
  change: QuoteFault['change'],
): QuoteFault => ({ name, size, change });

/** The catalogue. One side: only that figure is wrong, and the middle stays as given. */
export const QUOTE_FAULTS: readonly QuoteFault[] = [
  fault('times 10', 'huge', times(10)),
  fault('divided by 10', 'huge', times(0.1)),
  fault('times 1,000', 'huge', times(1_000)),
  fault('divided by 1,000', 'huge', times(0.001)),
  fault('inverse', 'huge', ({ mid }) => ({ mid: Number((1 / mid).toPrecision(12)) })),
  fault('reais for bolivars', 'huge', () => ({ mid: 5.42, ask: 5.43, bid: 5.41 })),
  fault('guaraníes for bolivars', 'huge', () => ({ mid: 7_312, ask: 7_320, bid: 7_304 })),
  fault('ask times 10', 'huge', ({ mid, bid = mid }) => ({ mid, bid, ask: figure(mid * 10) })),
  fault('bid divided by 10', 'huge', ({ mid, ask = mid }) => ({ mid, ask, bid: figure(mid / 10) })),
  fault('times 1.9', 'large', times(1.9)),
  fault('divided by 1.7', 'large', times(1 / 1.7)),
  fault('times 1.29', 'share', times(1.29)),
  fault('divided by 1.29', 'share', times(1 / 1.29)),
  fault('times 1.22', 'share', times(1.22)),
  fault('divided by 1.15', 'share', times(1 / 1.15)),
  fault('time of 20 hours ago', 'old', (figures) => ({
    ...times(0.93)(figures),
    ageMs: 20 * HOUR_MS,
  })),
  fault('time of 8 days ago', 'old', (figures) => ({
    ...times(0.85)(figures),
    ageMs: 192 * HOUR_MS,
  })),
];

export const DURATIONS_MIN = [1, 5, 11, 60, 360, 1_440] as const;
