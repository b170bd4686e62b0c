import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { AlertDestination, AlertMessage, AlertNews, AlertStore } from '../ports/alerts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { repeat } from '../repeat.ts';
import {
  type Observed,
  type Problem,
  ProblemDurations,
  problemsOf,
  recoveryOf,
} from './problems.ts';

/** How often a process checks for problems. */
const ALERT_CHECK_MS = 15 * SECOND_MS;
/** All processes together send at most one message in this time. */
export const ALERT_PAUSE_MS = MINUTE_MS;
/** Most problems that one message lists. */
export const MAX_ALERT_LINES = 20;

interface AlerterParts {
  readonly store: AlertStore;
  readonly observe: (now: Instant) => Promise<Observed>;
  readonly destinations: readonly AlertDestination[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names the service in a message: its public address, or the name of the machine. */
  readonly service: string;
}

/**
 * Notifies the operator once when a problem begins and once when it ends. Several processes may
 * check; the store decides which one sends.
 */
export class Alerter {
  readonly #parts: AlerterParts;
  readonly #durations = new ProblemDurations();

  constructor(parts: AlerterParts) {
    this.#parts = parts;
  }

  /** Checks regularly. @returns a function that stops it. */
  start(): () => Promise<void> {
    return repeat(ALERT_CHECK_MS, () => this.check());
  }

  /** Checks once, and sends a message when a problem began or ended. Never throws. */
  async check(): Promise<void> {
    const { store, observe, clock, log } = this.#parts;
    const now = clock.now();
    try {
      const problems = problemsOf(await observe(now));
      const reported = new Set(await store.reportedAlerts());
      const raised = this.#durations.due(problems, now).filter(({ id }) => !reported.has(id));
      const present = new Set(problems.map(({ id }) => id));
      const news: AlertNews = {
        raised: raised.map(({ id }) => id),
        cleared: [...reported].filter((id) => !present.has(id)),
      };
      if (news.raised.length + news.cleared.length === 0) return;
      if (!(await store.recordReport(news, { now, pauseMs: ALERT_PAUSE_MS }))) return;
      if (!(await this.#send(this.#message(raised, news.cleared)))) await store.undoReport(news);
    } catch (error) {
      log.error({ err: error }, 'the alerts could not be checked');
    }
  }

  /**
   * Sends to every destination.
   * @returns whether at least one accepted it.
   */
  async #send(message: AlertMessage): Promise<boolean> {
    const { destinations, log } = this.#parts;
    const sent = await Promise.all(
      destinations.map(async (destination) => {
        try {
          await destination.send(message);
          return true;
        } catch (error) {
          log.error({ err: error, destination: destination.name }, 'an alert was not sent');
          return false;
        }
      }),
    );
    return sent.includes(true);
  }

  #message(raised: readonly Problem[], cleared: readonly string[]): AlertMessage {
    const lines = [
      ...raised.map(({ text }) => `PROBLEM: ${text}`),
      ...cleared.map((id) => `RECOVERED: ${recoveryOf(id)}`),
    ];
    const more = lines.length - MAX_ALERT_LINES;
    const listed = more > 0 ? [...lines.slice(0, MAX_ALERT_LINES), `… and ${more} more.`] : lines;
    const count = raised.length;
    const title = count === 0 ? 'recovered' : count === 1 ? 'one problem' : `${count} problems`;
    return { title: `vesfx ${this.#parts.service}: ${title}`, lines: listed };
  }
}
