import type { Instant } from '../../domain/time.ts';

/** What one message tells: ids of problems that began, and of those that ended. */
export interface AlertNews {
  readonly raised: readonly string[];
  readonly cleared: readonly string[];
}

/** Which problems the operator was told of, whichever process told it. */
export interface AlertStore {
  /** The ids of the problems that were told and have not ended. */
  toldAlerts(): Promise<readonly string[]>;
  /**
   * Notes the news as told, so that one process sends it, once.
   * @returns false, with nothing noted, when another process told part of it meanwhile or sent a
   *   message less than `pauseMs` ago.
   */
  takeAlertTurn(news: AlertNews, turn: { now: Instant; pauseMs: number }): Promise<boolean>;
  /** Forgets that the news was told: it could not be sent. */
  returnAlertTurn(news: AlertNews): Promise<void>;
}

/** A place that messages go to. */
export interface AlertDestination {
  /** For logs and commands: without tokens and passwords. */
  readonly name: string;
  /** @throws Error when the message was not accepted. */
  send(message: AlertMessage): Promise<void>;
}

/** One message in plain text. */
export interface AlertMessage {
  readonly title: string;
  /** A line for each problem, in the order in which they matter. */
  readonly lines: readonly string[];
}
