import { SourceFailure } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { type Instant, isoInstant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** Longest pause after the first trouble with a host; each further one in a row doubles it. */
export const FIRST_PAUSE_MS = 10 * SECOND_MS;
/** Longest pause that we take of our own accord. */
export const MAX_PAUSE_MS = 5 * MINUTE_MS;
/** Longest pause that a host can ask for: a mistaken `Retry-After` must not silence it for days. */
export const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;
/** Most requests that wait while another to the same host is under way. */
export const MAX_WAITING_PER_HOST = 20;
/** Longest that one of them waits. It does not count in the request's own time. */
export const MAX_TURN_WAIT_MS = 2 * MINUTE_MS;

/** Kept only while the host is busy or its last request failed. */
interface Host {
  readonly name: string;
  busy: boolean;
  /** What lets each waiting request go on, first come first. */
  readonly waiting: Set<() => void>;
  /** In a row. */
  failures: number;
  pausedUntil: Instant;
  lastFailure: string;
}

/**
 * Limits the requests to each host: one at a time, and none during a pause after a failure. Each
 * further failure in a row doubles the pause, to at most 5 minutes, or to what the host asks for.
 * After the pause one request is the trial: the others wait for it, and a new pause follows if it
 * fails. Hosts do not affect each other.
 */
export class HostThrottle {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #hosts = new Map<string, Host>();

  /** `random` gives numbers from 0 up to 1. */
  constructor({ clock, random }: { readonly clock: Clock; readonly random: () => number }) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Makes a request when it is its turn. What the request throws is trouble with the host.
   * @throws SourceFailure `paused`, and the request is not made, while the host has its pause, has
   * too many requests waiting or is busy for too long.
   */
  async inTurn<T>(name: string, request: () => Promise<T>): Promise<T> {
    const host = this.#host(name);
    this.#respectPause(host);
    await turn(host);
    try {
      // The request before may have failed while this one waited.
      this.#respectPause(host);
      try {
        const answer = await request();
        host.failures = 0;
        return answer;
      } catch (error) {
        this.#pause(host, error);
        throw error;
      }
    } finally {
      const [next] = host.waiting;
      if (next === undefined) {
        host.busy = false;
        if (host.failures === 0) this.#hosts.delete(name);
      } else {
        next();
      }
    }
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host: Host = {
      name,
      busy: false,
      waiting: new Set(),
      failures: 0,
      pausedUntil: 0,
      lastFailure: '',
    };
    this.#hosts.set(name, host);
    return host;
  }

  #respectPause({ name, failures, pausedUntil, lastFailure }: Host): void {
    const left = pausedUntil - this.#clock.now();
    // A longer one is not ours: the clock was set back meanwhile.
    if (failures === 0 || left <= 0 || left > MAX_RETRY_AFTER_MS) return;
    const times = failures === 1 ? 'once' : `${failures} times in a row`;
    throw new SourceFailure(
      'paused',
      `${name} is left alone until ${isoInstant(pausedUntil)}: it failed ${times}, last ${lastFailure}`,
      { retryAfterMs: left },
    );
  }

  #pause(host: Host, error: unknown): void {
    const failure = error instanceof SourceFailure ? error : undefined;
    const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** host.failures);
    // Half of it is chance, so that many services do not come back at one moment.
    const pause = (longest * (1 + this.#random())) / 2;
    const asked = Math.min(failure?.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    host.failures += 1;
    host.lastFailure = failure?.reason ?? 'unexpected';
    host.pausedUntil = this.#clock.now() + Math.ceil(Math.max(pause, asked));
  }
}

/** Resolves when no other request to the host is under way, and makes it busy. */
async function turn(host: Host): Promise<void> {
  const { name, waiting } = host;
  if (!host.busy) {
    host.busy = true;
    return;
  }
  if (waiting.size >= MAX_WAITING_PER_HOST) {
    throw new SourceFailure('paused', `${waiting.size} requests wait for ${name} already`);
  }
  await new Promise<void>((resolve, reject) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(go);
      const waited = MAX_TURN_WAIT_MS / SECOND_MS;
      reject(new SourceFailure('paused', `${name} was busy with other requests for ${waited} s`));
    }, MAX_TURN_WAIT_MS);
    waiting.add(go);
  });
}
