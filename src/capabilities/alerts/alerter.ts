import type { Clock } from '../../core/app/ports/clock.ts';
import type { Log } from '../../core/app/ports/log.ts';
import { repeat } from '../../core/app/repeat.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../core/domain/time.ts';
import type { AlertDestination, AlertMessage, AlertNews, AlertStore } from './alert-types.ts';
import { type Problem, recoveryOf } from './problems.ts';

const ALERT_CHECK_MS = 15 * SECOND_MS;
/** All processes together send at most one message in this time. */
// limit: Messages, all processes | one a minute | the rest in the next
export const ALERT_PAUSE_MS = MINUTE_MS;
/** Most problems that one message lists. */
// limit: Problems listed | 20 | counted
export const MAX_ALERT_LINES = 20;

interface AlerterParts {
  readonly store: AlertStore;
  readonly problems: () => Promise<readonly Problem[]>;
  readonly destinations: readonly AlertDestination[];
  readonly clock: Clock;
  readonly log: Log;
  /** Names the service in a message: its public address, or the name of the machine. */
  readonly service: string;
  /** Tells the other workers of this machine, which must not tell of the same outage. */
  readonly tellPeers: (outage: string) => void;
}

interface ToldOutage {
  readonly id: string;
  /** Whether this process sent the alert. If so, it also sends the message of recovery. */
  readonly isOurs: boolean;
}

/**
 * Notifies the operator once when a problem begins and once when it ends. Several processes may
 * check; the store decides which one sends. While the store is away, every process with
 * destinations tells of that once; workers of one machine tell each other.
 */
export class Alerter {
  readonly #parts: AlerterParts;
  #outage: ToldOutage | undefined;

  constructor(parts: AlerterParts) {
    this.#parts = parts;
  }

  /** Checks regularly. @returns a function that stops it. */
  start(): () => Promise<void> {
    return repeat(ALERT_CHECK_MS, () => this.check());
  }

  /** Checks once, and sends a message when a problem began or ended. Never throws. */
  async check(): Promise<void> {
    const { problems, clock, log } = this.#parts;
    try {
      const now = clock.now();
      const current = await problems();
      const outage = current.find(({ kind }) => kind === 'database');
      await this.#tellOutage(outage, now);
      // The store keeps what was told, so nothing else can be told without it.
      if (outage === undefined) await this.#tell(current, now);
    } catch (error) {
      log.error({ err: error }, 'the alerts could not be checked');
    }
  }

  /** Another worker of this machine has told of the outage. */
  toldByPeer(id: string): void {
    this.#outage ??= { id, isOurs: false };
  }

  async #tellOutage(outage: Problem | undefined, now: Instant): Promise<void> {
    const told = this.#outage;
    const isOver = told !== undefined && told.id !== outage?.id;
    const isNew = outage !== undefined && outage.id !== told?.id && outage.dueAt <= now;
    const over = isOver && told.isOurs ? [told.id] : [];
    const begun = isNew ? [outage] : [];
    if (isOver) this.#outage = undefined;
    if (isNew) {
      this.#outage = { id: outage.id, isOurs: true };
      this.#parts.tellPeers(outage.id);
    }
    if (over.length + begun.length === 0) return;
    if (!(await this.#send(this.#message(begun, over)))) this.#outage = told;
  }

  async #tell(problems: readonly Problem[], now: Instant): Promise<void> {
    const { store } = this.#parts;
    const reported = new Set(await store.reportedAlerts());
    const raised = problems.filter(({ id, dueAt }) => dueAt <= now && !reported.has(id));
    const present = new Set(problems.map(({ id }) => id));
    const news: AlertNews = {
      raised: raised.map(({ id }) => id),
      cleared: [...reported].filter((id) => !present.has(id)),
    };
    if (news.raised.length + news.cleared.length === 0) return;
    if (!(await store.recordReport(news, { now, pauseMs: ALERT_PAUSE_MS }))) return;
    if (!(await this.#send(this.#message(raised, news.cleared)))) await store.undoReport(news);
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
