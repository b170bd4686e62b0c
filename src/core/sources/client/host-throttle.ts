import { SourceFailure } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { isoInstant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';

/** Longest pause after the first failure of a host. Each further failure in a row doubles it. */
export const FIRST_PAUSE_MS = 10 * SECOND_MS;
/** Longest pause without a `Retry-After`. */
// limit: Pause of a host: after a failure, as it asks | 5 minutes, 1 h | cut | MAX_RETRY_AFTER_MS
export const MAX_PAUSE_MS = 5 * MINUTE_MS;
/** Longest pause for a `Retry-After`, so that a wrong one does not stop readings for days. */
export const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;
/** Most requests that wait for another request to the same host. */
export const MAX_WAITING_PER_HOST = 20;
/** Longest wait of such a request. It does not count towards the request's timeout. */
// limit: Host: wait, requests waiting | 2 minutes, 20 | `paused` | MAX_WAITING_PER_HOST
export const MAX_TURN_WAIT_MS = 2 * MINUTE_MS;

/** The state of a host, kept only while it is busy or its last request failed. */
type Host = ReturnType<typeof idleHost>;

function idleHost(name: string) {
  return {
    name,
    busy: false,
    /** Resumes each waiting request, in order of arrival. */
    waiting: new Set<() => void>(),
    /** Failures in a row. */
    failures: 0,
    pausedUntil: 0,
    lastFailure: '',
  };
}

/**
 * Limits the requests to each host: one at a time, and none during a pause after a failure. Each
 * further failure in a row doubles the pause, up to 5 minutes or the host's `Retry-After`. After
 * the pause one trial request runs while the others wait; a new pause follows if it fails. Hosts do
 * not affect each other.
 */
export class HostThrottle {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #hosts = new Map<string, Host>();

  /** @param options `random` returns a number from 0 (inclusive) to 1 (exclusive). */
  constructor({ clock, random }: { readonly clock: Clock; readonly random: () => number }) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Runs a request when the host is free. Any error that it throws counts as a failure of the host.
   * @throws SourceFailure `paused`, without a request, while the host is paused, has too many
   *   waiting or is busy for too long.
   */
  async inTurn<T>(name: string, request: () => Promise<T>): Promise<T> {
    const host = this.#hosts.get(name) ?? idleHost(name);
    this.#hosts.set(name, host);
    this.#respectPause(host);
    await turn(host);
    try {
      // The previous request may have failed while this one waited.
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

  #respectPause({ name, failures, pausedUntil, lastFailure }: Host): void {
    const left = pausedUntil - this.#clock.now();
    // A pause longer than the maximum means that the clock was set back.
    if (failures === 0 || left <= 0 || left > MAX_RETRY_AFTER_MS) return;
    const times = failures === 1 ? 'once' : `${failures} times in a row`;
    throw new SourceFailure(
      'paused',
      `${name} is paused until ${isoInstant(pausedUntil)}: it failed ${times}, last ${lastFailure}`,
      { retryAfterMs: left },
    );
  }

  #pause(host: Host, error: unknown): void {
    const failure = error instanceof SourceFailure ? error : undefined;
    const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** host.failures);
    // Half of the pause is random, so that many services do not retry at the same moment.
    const pause = (longest * (1 + this.#random())) / 2;
    const asked = Math.min(failure?.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    host.failures += 1;
    host.lastFailure = failure?.reason ?? 'unexpected';
    host.pausedUntil = this.#clock.now() + Math.ceil(Math.max(pause, asked));
  }
}

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
