import type { Instant } from '../../core/domain/time.ts';

/** The contents of a message: ids of problems that began and of problems that ended. */
export interface AlertNews {
  readonly raised: readonly string[];
  readonly cleared: readonly string[];
}

/** The problems that were reported to the operator, by any process. */
export interface AlertStore {
  /** The ids of reported problems that have not ended. */
  reportedAlerts(): Promise<readonly string[]>;
  /**
   * Records the news as reported, so that only one process sends it.
   * @returns false, with nothing recorded, when another process has reported part of it or sent a
   *   message less than `pauseMs` ago.
   */
  recordReport(news: AlertNews, at: { now: Instant; pauseMs: number }): Promise<boolean>;
  /** Removes the record, because the message could not be sent. */
  undoReport(news: AlertNews): Promise<void>;
}

export interface AlertDestination {
  /** For logs and commands: without tokens and passwords. */
  readonly name: string;
  /** @throws Error when the message was not accepted. */
  send(message: AlertMessage): Promise<void>;
}

export interface AlertMessage {
  readonly title: string;
  /** A line for each problem, in the order in which they matter. */
  readonly lines: readonly string[];
}
