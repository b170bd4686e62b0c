import { HOUR_MS, MINUTE_MS } from '../../src/core/domain/time.ts';

export interface Figures {
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  /** Age of the source's time at the reading, in milliseconds. */
  readonly ageMs?: number;
}

/** A reading of a try. */
export interface Moment {
  /** Number of earlier readings of this feed since the fault began. */
  readonly reading: number;
  readonly isParallel: boolean;
  /** Time since the fault began. */
  readonly sinceMs: number;
  /** The official rate in force. */
  readonly official: number;
  /** The true figures `ms` ago, or the first ones of the series. */
  before(ms: number): Figures;
}

/** One thing that a try changes: what its wrong feeds show, or what is true. */
export interface QuoteKind {
  readonly name: string;
  /**
   * `huge`: over the ratio of judgement or in another unit. `share`: a smaller factor. `old`: old
   * figures. `drift`: small steps away from the truth. `move`: the truth itself jumps.
   */
  readonly size: 'huge' | 'share' | 'old' | 'drift' | 'move';
  /** How long the fault lasts, in minutes, when it needs its own time. */
  readonly minutes?: number;
  /** It begins half an hour before midnight, at which the official rate rises by this factor. */
  readonly midnightBy?: number;
  /** What a wrong feed shows instead of the right figures. */
  readonly change?: (figures: Figures, moment: Moment) => Figures;
  /** The factor by which the truth of every feed jumps when the try begins. */
  readonly move?: number;
  /** How many minutes later the parallel market shows that. */
  readonly parallelAfterMin?: number;
}

/** How long before midnight a fault begins that waits for it. */
export const HALF_HOUR_MS = 30 * MINUTE_MS;

/** Rounded to the digits that a rate may have. */
export const figure = (value: number): number => Number(value.toPrecision(12));

/** The figures of a feed, each changed. */
const each =
  (change: (value: number) => number) =>
  ({ mid, ask, bid }: Figures): Figures => ({
    mid: figure(change(mid)),
    ...(ask !== undefined && { ask: figure(change(ask)) }),
    ...(bid !== undefined && { bid: figure(change(bid)) }),
  });

/** The figures of a feed, each times the factor. */
export const times = (figures: Figures, factor: number): Figures =>
  each((value) => value * factor)(figures);

const factor = (name: string, size: QuoteKind['size'], by: number): QuoteKind => ({
  name,
  size,
  change: (figures) => times(figures, by),
});

/** 657.61 becomes 6657.61. */
export const withFirstDigitTwice = (value: number): number => Number(`${String(value)[0]}${value}`);

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

/** The figure of a dollar in another currency, with the decimal point that is nearest to the band. */
const neighbour = (name: string, perDollar: number): readonly QuoteKind[] => [
  { name: `${name} for bolivars`, size: 'huge', change: () => ({ mid: perDollar }) },
  {
    name: `${name}, scaled into the band`,
    size: 'share',
    change: (_, { official }) => ({
      mid: figure(perDollar * 10 ** Math.round(Math.log10((official * 1.7) / perDollar))),
    }),
  },
];

const old = (name: string, ageMs: number, change: QuoteKind['change']): QuoteKind => ({
  name,
  size: 'old',
  change: (figures, moment) => ({ ...(change?.(figures, moment) ?? figures), ageMs }),
});

/** Ends below the highest figure that the band allows for most of the real series. */
const MAX_DRIFT = 2;

const drift = (name: string, step: number): QuoteKind => ({
  name,
  size: 'drift',
  change: (figures, { reading }) => times(figures, withinDrift(step ** (reading + 1))),
});

const withinDrift = (by: number): number => Math.min(MAX_DRIFT, Math.max(1 / MAX_DRIFT, by));

/** How far a slow drift goes: beyond the ratio of judgement. */
const DRIFT_END = 1.4;
const MAX_DRIFT_MIN = 7 * 24 * 60;

/** A steady drift of so many percent an hour, until it is far off or a week has passed. */
const hourly = (percent: number): QuoteKind => {
  const step = 1 + percent / 100;
  const hours = Math.log(DRIFT_END) / Math.abs(Math.log(step));
  return {
    name: `${percent > 0 ? 'up' : 'down'} by ${Math.abs(percent)} % an hour`,
    size: 'drift',
    minutes: Math.min(MAX_DRIFT_MIN, Math.ceil(hours * 60) + 60),
    change: (figures, { sinceMs }) => times(figures, step ** (sinceMs / HOUR_MS)),
  };
};

/** Of the official rate: outside the band for longer than repeated readings take, then inside it. */
const crossing = (name: string, outside: number, inside: number): QuoteKind => ({
  name,
  size: 'huge',
  minutes: 60,
  change: (_, { sinceMs, official }) => ({
    mid: figure(official * (sinceMs < HALF_HOUR_MS ? outside : inside)),
  }),
});

/** Wrong figures of a feed. With one side, only that figure is wrong and `mid` is unchanged. */
export const FAULTS: readonly QuoteKind[] = [
  factor('times 10', 'huge', 10),
  factor('divided by 10', 'huge', 0.1),
  {
    name: 'without its decimal point',
    size: 'huge',
    change: each((value) => Math.round(value * 100)),
  },
  { name: 'last whole digit twice', size: 'huge', change: each(withLastDigitTwice) },
  {
    name: 'inverse',
    size: 'huge',
    change: ({ mid }) => ({ mid: Number((1 / mid).toPrecision(12)) }),
  },
  {
    name: 'ask times 10',
    size: 'huge',
    change: ({ mid, bid = mid }) => ({ mid, bid, ask: figure(mid * 10) }),
  },
  {
    name: 'bid divided by 10',
    size: 'huge',
    change: ({ mid, ask = mid }) => ({ mid, ask, bid: figure(mid / 10) }),
  },
  ...neighbour('Colombian pesos', 3_987),
  ...neighbour('reais', 5.42),
  ...neighbour('guaraníes', 7_312),
  ...neighbour('Argentine pesos', 1_432),
  factor('times 2', 'huge', 2),
  factor('times 1.5', 'huge', 1.5),
  factor('half', 'huge', 0.5),
  factor('divided by 1.7', 'huge', 1 / 1.7),
  { name: 'first two digits swapped', size: 'share', change: each(withDigitsSwapped) },
  factor('times 1.29', 'share', 1.29),
  factor('divided by 1.29', 'share', 1 / 1.29),
  factor('times 1.22', 'share', 1.22),
  {
    name: 'times 1.22 at every other reading',
    size: 'share',
    change: (figures, { reading }) => (reading % 2 === 0 ? times(figures, 1.22) : figures),
  },
  factor('times 1.15', 'share', 1.15),
  factor('divided by 1.15', 'share', 1 / 1.15),
  {
    name: 'figures of a day ago, dated now',
    size: 'old',
    change: (_, { before }) => before(24 * HOUR_MS),
  },
  old('figures of 20 hours ago with their time', 20 * HOUR_MS, (_, { before }) =>
    before(20 * HOUR_MS),
  ),
  old('time of 20 hours ago', 20 * HOUR_MS, (figures) => times(figures, 0.93)),
  old('time of 8 days ago', 192 * HOUR_MS, (figures) => times(figures, 0.85)),
  drift('up by 1 % at each reading', 1.01),
  drift('down by 1 % at each reading', 0.99),
  drift('up by 0.1 % at each reading', 1.001),
  crossing('5.05 times the official rate, then 4.9 times', 5.05, 4.9),
  crossing('0.6 times the official rate, then 0.75 times', 0.6, 0.75),
  {
    name: 'frozen for two days',
    size: 'old',
    minutes: 2 * 24 * 60,
    change: (_, { sinceMs, before }) => before(sinceMs + MINUTE_MS),
  },
];

/** What it shows stays the same; the band moves. */
export const MIDNIGHT: QuoteKind = {
  name: '5.05 times the official rate, which rises by 6 % at midnight',
  size: 'huge',
  minutes: 75,
  midnightBy: 1.06,
  change: (_, { official, sinceMs }) => ({
    mid: figure(official * (sinceMs < HALF_HOUR_MS ? 5.05 : 5.05 / 1.06)),
  }),
};

/** Steady drifts. */
export const DRIFTS: readonly QuoteKind[] = [0.2, 0.5, 1, 2, 5, 10].flatMap((percent) => [
  hourly(percent),
  hourly(-percent),
]);

/** Wrong figures of some venues that are as many as the right ones and the parallel market. */
export const TIES: readonly QuoteKind[] = [
  factor('19 % lower', 'share', 0.81),
  factor('19 % higher', 'share', 1.19),
  factor('times 1.5', 'huge', 1.5),
  factor('half', 'huge', 0.5),
];

/** The parallel market goes away and comes back, and then all venues of the aggregator move. */
export const LEAD: QuoteKind = {
  name: 'times 1.23 after the parallel was away for ten minutes',
  size: 'share',
  minutes: 180,
  change: (figures, { isParallel, sinceMs }) => {
    const isLate = sinceMs >= 15 * MINUTE_MS;
    if (isParallel) return sinceMs < 10 * MINUTE_MS ? times(figures, 1.32) : figures;
    return isLate ? times(figures, 1.23) : figures;
  },
};

const percent = (move: number) =>
  `${move > 1 ? '+' : '−'}${Math.abs(Math.round(move * 100) - 100)} %`;

/** Venues that keep their figures, or are late with them, while the truth jumps. */
export const LATE_VENUES: readonly QuoteKind[] = [1.25, 0.75, 1.5, 0.5].flatMap((move) => [
  {
    name: `frozen while the market moves by ${percent(move)}`,
    size: 'move' as const,
    move,
    change: (_: Figures, { sinceMs, before }: Moment) => before(sinceMs + MINUTE_MS),
  },
  ...[5, 15, 60].map((late) => ({
    name: `${late} minutes behind a move of ${percent(move)}`,
    size: 'move' as const,
    move,
    change: (_: Figures, { before }: Moment) => before(late * MINUTE_MS),
  })),
]);

/** True jumps, with the parallel market at once, after five minutes and after an hour. */
export const JUMPS: readonly QuoteKind[] = [
  1.12, 1.2, 1.31, 1.4, 1.5, 2, 3, 0.88, 0.75, 0.6,
].flatMap((move) =>
  [0, 5, 60].map((parallelAfterMin) => ({
    name: `a true move of ${percent(move)}, the parallel after ${parallelAfterMin} minutes`,
    size: 'move' as const,
    move,
    parallelAfterMin,
  })),
);
