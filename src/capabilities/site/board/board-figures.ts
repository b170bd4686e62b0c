import type { AsOf, Board, BoardRate, UnitChange } from '../../../client/types.ts';
import type { Instant } from '../../../core/domain/time.ts';

/** A value that nobody changes, at any depth. */
type Unchanging<Value> = { readonly [Name in keyof Value]: Unchanging<Value[Name]> };

/** The answer of `GET /board.json`. Server and browser write the page from it. */
export interface BoardFigures extends Unchanging<Board> {
  /** From when a page without a connection does not know the official rates. */
  readonly unknown_from?: Instant;
  /** From when a publication that is missing would have replaced the official rates. */
  readonly late_from?: Instant;
}

/** The fields of a current or past rate that a conversion needs. */
export interface ConvertibleRate
  extends Omit<BoardRate, 'ask' | 'bid' | 'staleness_sec' | 'stale' | 'gap_percent' | 'details'> {
  /** Instant from which a publication that nobody could read may have replaced the rate. */
  readonly newer_from?: string;
  /** Instant from which a missing publication would have replaced it. Only the page has both. */
  readonly late_from?: string;
  /** Present for a past day. */
  readonly as_of?: AsOf;
  /** The days between that one and today on which the unit changes: the rate is in another one. */
  readonly unit_changes?: readonly UnitChange[];
}

/** The answer of `GET /board/rates.json`: the rates of a day in Caracas. */
export interface BoardPast {
  readonly date: string;
  readonly rates: readonly ConvertibleRate[];
}

/** The days around today, which only the page has. */
export interface BoardDays {
  /** The official dollar of the last month, by value date, oldest first; the first one may be older. */
  readonly steps: readonly OfficialStep[];
  /** The weekdays on which banks are closed. */
  readonly closed: readonly string[];
  /** When the official rates of the next banking day are due. */
  readonly next_by?: Instant;
}

export interface OfficialStep {
  readonly from: string;
  readonly rate: number;
}

export const NO_DAYS: BoardDays = { steps: [], closed: [] };

/** The answer of `GET /board/history.json`. */
export interface BoardHistory {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  /** The days within the range on which the unit changed. All rates are in the newest one. */
  readonly unit_changes?: readonly UnitChange[];
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
  /** A UTC day; the rate is the last one captured in it, or the official rate in force on it. */
  readonly date: string;
  /** Only of an official rate. */
  readonly value_date?: string;
  /** By the rule `next_banking_day`; null while it is not published. */
  readonly next_banking_day?: string | null;
  readonly next_banking_day_rate?: number | null;
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
// limit: Markets of a chart | 6 | 400
export const MAX_BOARD_SERIES = 6;
