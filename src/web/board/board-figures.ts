import type { DateRule } from '../../domain/history/past-dates.ts';
import type { StateView } from '../frame/state.ts';

/** The answer of `GET /board.json`. Server and browser write the page from it. */
export interface BoardFigures {
  /** Changes when anything except an age changes. */
  readonly version: string;
  /** When the ages were counted. */
  readonly as_of: string;
  /** When the service last stored figures. */
  readonly fetched_at: string;
  /** How far the figures can be relied on. */
  readonly state: StateView;
  /** The board's markets that the reasons are about and that have no rate; absent while there are none. */
  readonly missing?: readonly Pick<BoardRate, 'market' | 'name' | 'name_en' | 'type' | 'base'>[];
  /** By currency; only currencies with a known rate. */
  readonly official: Readonly<Record<string, BoardOfficial>>;
  readonly p2p?: BoardP2p;
  readonly index?: BoardIndex;
  /** The premium of the parallel rate over the official one. */
  readonly gap?: BoardPremium;
  /** How the figures of the cards moved; a card without a current figure is absent. */
  readonly trends: BoardTrends;
  /** In the order of the catalogue. */
  readonly rates: readonly BoardRate[];
  readonly banks?: BoardBanks;
  /** By market, compared with the last capture of a day ago or earlier; absent without one. */
  readonly changes: Readonly<Record<string, BoardChange>>;
  /** How many days back the board's history reaches; 0 for none. */
  readonly history_days: number;
}

export interface BoardOfficialRate {
  readonly rate: number;
  readonly value_date: string;
  readonly effective_at: string;
  readonly change?: { readonly amount: number; readonly percent: number };
}

interface BoardOfficial {
  readonly in_force?: BoardOfficialRate;
  readonly previous?: Omit<BoardOfficialRate, 'change'>;
  readonly next?: BoardOfficialRate;
}

interface BoardChange {
  readonly before: { readonly rate: number; readonly captured_at: string };
  readonly change: { readonly amount: number; readonly percent: number };
}

/** The fields of a current or past rate that a conversion needs. */
export interface ConvertibleRate
  extends Omit<BoardRate, 'ask' | 'bid' | 'staleness_sec' | 'stale' | 'gap_percent' | 'details'> {
  /** Instant from which a missing publication may have replaced the rate. Only the page has it. */
  readonly newer_from?: string;
  /** Present for a past day. */
  readonly as_of?: {
    readonly date: string;
    readonly rule?: DateRule;
    readonly business_day: boolean;
    readonly value_date?: string;
    readonly captured_at: string;
  };
}

/** The answer of `GET /board/rates.json`: the rates of a day in Caracas. */
export interface BoardPast {
  readonly date: string;
  readonly rates: readonly ConvertibleRate[];
}

export interface BoardRate {
  readonly market: string;
  /** In Spanish. */
  readonly name: string;
  readonly name_en: string;
  readonly type: string;
  readonly base: 'USD' | 'EUR';
  readonly mid: number;
  readonly ask?: number;
  readonly bid?: number;
  readonly updated_at: string;
  readonly effective_date?: string;
  readonly stale_after_sec: number;
  readonly staleness_sec: number;
  readonly stale: boolean;
  /** Premium over the official rate in force, of a USD market that is not official. */
  readonly gap_percent?: number;
  readonly source: { readonly name: string; readonly kind: string };
  /** The evidence for the rate, as with `details=true`; absent while the store does not answer. */
  readonly details?: BoardDetails;
}

interface BoardDetails {
  readonly source?: string;
  /** Number of independent sources that agree within 2 %, including its own. */
  readonly sources: number;
  readonly observed_at: string;
  /** The newest later reading that judgement holds. */
  readonly held: {
    readonly captured_at: string;
    readonly reason: string;
    readonly message: string;
  } | null;
  /** The id that `vesfx evidence` takes. */
  readonly evidence: string;
}

/** By the card; `gap` is the premium. */
export type BoardTrends = Readonly<
  Partial<Record<'parallel' | 'p2p' | 'index' | 'gap', BoardTrend>>
>;

export interface BoardTrend {
  /** Compared with 24 hours ago, in VES and percent; the premium has only percentage points. */
  readonly change?: { readonly amount: number; readonly percent?: number };
  /** The figure at the close of each UTC day that has one, then the current figure. */
  readonly closes: readonly number[];
}

export interface BoardP2p {
  readonly median: number;
  readonly count: number;
  /** Time of the oldest quote in the median. */
  readonly updated_at: string;
  readonly stale_count: number;
}

export interface BoardIndex {
  readonly value: number;
  readonly version: string;
  readonly as_of: string;
  readonly weights: Readonly<Record<string, number>>;
  readonly flags: {
    readonly bcv_stale?: true | undefined;
    readonly degraded?: true | undefined;
    readonly missing_sources?: readonly string[] | undefined;
    readonly stale_sources?: readonly string[] | undefined;
    readonly outliers_excluded?: readonly string[] | undefined;
  };
}

export interface BoardPremium {
  readonly reference: { readonly market: string; readonly value: number };
  readonly compared: {
    readonly market: string;
    readonly value: number;
    readonly updated_at: string;
  };
  readonly spread: {
    readonly absolute: number;
    readonly percentage: number;
    readonly direction: string;
  };
}

interface BoardBanks {
  readonly indicator_date: string;
  readonly bank_rates: readonly {
    readonly bank: string;
    readonly buy?: number;
    readonly sell?: number;
    readonly date: string;
    readonly stale: boolean;
    readonly days_behind: number;
  }[];
  readonly captured_at: string;
}

/** The answer of `GET /board/history.json`. */
export interface BoardHistory {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly series: readonly BoardSeries[];
}

export interface BoardSeries {
  readonly market: string;
  /** In Spanish. */
  readonly name: string;
  readonly name_en: string;
  readonly base: string;
  /** For an official market, the rate in force when the first day began. */
  readonly opening?: number;
  readonly points: readonly BoardPoint[];
}

export interface BoardPoint {
  /** A UTC day; the rate is the last one captured in it. */
  readonly date: string;
  readonly rate: number;
  /** First, highest and lowest rate of the day, with candles; `rate` is its close. */
  readonly open?: number;
  readonly high?: number;
  readonly low?: number;
  readonly updated_at: string;
  readonly captured_at: string;
  readonly gap_percent?: number;
}

/** Most markets of one chart, and so of one request for history. */
export const MAX_BOARD_SERIES = 6;
