import { LeaseLost } from '../../../core/app/failures.ts';
import type { Clock } from '../../../core/app/ports/clock.ts';
import type { Lease } from '../../../core/app/ports/lease.ts';
import type { Log } from '../../../core/app/ports/log.ts';
import { within } from '../../../core/app/within.ts';
import { SECOND_MS } from '../../../core/domain/time.ts';
import { isLoopback, isPublicAddress } from '../../../core/outbound/address.ts';
import { post } from '../../../core/outbound/post.ts';
import { waitOf } from '../../../core/outbound/retry-after.ts';
import type { Engine } from '../../../core/storage/engine.ts';
import { requireLease } from '../../../core/storage/queries/collecting.ts';
import type { WebhookRules } from '../occasion.ts';
import { type Sealer, signedHeaders } from '../secrets.ts';
import { type AttemptOutcome, failBeyondPlan, recordAttempt } from './attempts.ts';
import { type DueMessage, dueEndpoints, dueMessage, isBeyondPlan } from './due.ts';

/** From the name look-up to the end of the answer. */
// limit: Answer of a receiver | 15 s in all | a failed attempt
export const RECEIVER_TIMEOUT_MS = 15 * SECOND_MS;
// limit: Sent at once: in all, of an account, to a host | 16 (one to each endpoint), 4, 4 | the others wait | MAX_SENT_TO_ACCOUNT, MAX_SENT_TO_HOST
export const MAX_SENT_AT_ONCE = 16;
export const MAX_SENT_TO_HOST = 4;
export const MAX_SENT_TO_ACCOUNT = 4;
// limit: Wait for receivers at a stop | 3 s | sent again, same id
const STOP_WAIT_MS = 3 * SECOND_MS;

export const ATTEMPT_RESULTS = ['delivered', 'refused', 'no_answer'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

export interface SenderParts {
  readonly engine: Engine;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  readonly lease: () => Lease | undefined;
  readonly rules: () => Pick<WebhookRules, 'markets' | 'plans'>;
  readonly random: () => number;
  readonly userAgent: string;
  /** Allows receivers on this machine, also without TLS. For tests. */
  readonly allowLoopback: boolean;
  readonly onAttempt: (result: AttemptResult) => void;
}

/** What of an endpoint bounds how much is sent at once. */
interface Turn {
  readonly host: string;
  readonly accountId: string;
}

/**
 * Sends messages that are due, each endpoint in its turn. An attempt is recorded after the answer, so
 * what dies in between sends the message again, with its id: at least once. Only the holder of the
 * lease sends, and only its attempts are recorded.
 */
export class Sender {
  readonly #parts: SenderParts;
  /** The endpoints that have something to send, by id, in the order of their turns. */
  readonly #queue = new Map<string, Turn>();
  /** Those that something is sent to. */
  readonly #sending = new Map<string, Turn>();
  readonly #work = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Looks for what is due, and begins to send it. */
  async wake(): Promise<void> {
    const { engine, clock } = this.#parts;
    const due = await engine.read((db) => dueEndpoints(db, clock.now()));
    for (const { id, url, account_id: accountId } of due) {
      const waits = this.#queue.has(id) || this.#sending.has(id) || this.#isStopped;
      if (!waits) this.#queue.set(id, { host: new URL(url).host, accountId });
    }
    this.#begin();
  }

  /** Resolves when nothing is being sent and nobody waits for a turn. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  /** What is being sent may end, for a while. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue.clear();
    const ended = this.settled();
    await within(ended, STOP_WAIT_MS);
    this.#stop.abort();
    await ended;
  }

  #begin(): void {
    for (const [id, turn] of this.#queue) {
      if (this.#sending.size >= MAX_SENT_AT_ONCE) return;
      if (!this.#mayBegin(turn)) continue;
      this.#queue.delete(id);
      this.#sending.set(id, turn);
      const work = this.#sendNext(id).then((hasSent) => {
        this.#work.delete(work);
        this.#sending.delete(id);
        // It may have more, after the turns of the others.
        if (hasSent && !this.#isStopped) this.#queue.set(id, turn);
        this.#begin();
      });
      this.#work.add(work);
    }
  }

  /** Neither a host nor an account whose receivers hang takes the places of the others. */
  #mayBegin({ host, accountId }: Turn): boolean {
    const sending = [...this.#sending.values()];
    const toHost = sending.filter((other) => other.host === host).length;
    const ofAccount = sending.filter((other) => other.accountId === accountId).length;
    return toHost < MAX_SENT_TO_HOST && ofAccount < MAX_SENT_TO_ACCOUNT;
  }

  /** Sends the next message of an endpoint. Never rejects. @returns whether there was one. */
  async #sendNext(endpointId: string): Promise<boolean> {
    const { engine, clock, log, lease: current, rules, random, onAttempt } = this.#parts;
    const lease = current();
    if (lease === undefined) return false;
    try {
      const due = await engine.read((db) => dueMessage(db, endpointId, clock.now()));
      if (due === undefined) return false;
      if (await engine.read((db) => isBeyondPlan(db, rules(), endpointId))) {
        await engine.write({ collecting: true }, async (db) => {
          await requireLease(db, lease);
          await failBeyondPlan(db, rules(), endpointId);
        });
        return false;
      }
      const { message, endpoint } = due;
      const outcome = await this.#attempt(due);
      // What the stop has cut short says nothing about the receiver.
      if (outcome.error !== undefined && this.#stop.signal.aborted) return false;
      const chance = random();
      const disabled = await engine.write({ collecting: true }, async (db) => {
        await requireLease(db, lease);
        return recordAttempt(db, message, endpoint, outcome, chance);
      });
      const isRefused = outcome.status !== undefined && outcome.error !== undefined;
      onAttempt(isRefused ? 'refused' : outcome.error === undefined ? 'delivered' : 'no_answer');
      if (disabled !== undefined)
        log.warn({ webhook: endpointId, reason: disabled }, 'a webhook was disabled');
      return true;
    } catch (error) {
      // The message is still due: whoever holds the lease sends it again.
      if (!(error instanceof LeaseLost))
        log.error({ err: error, webhook: endpointId }, 'a message of a webhook was not recorded');
      return false;
    }
  }

  async #attempt({ message: { id, body }, endpoint }: DueMessage): Promise<AttemptOutcome> {
    const { clock, userAgent, allowLoopback } = this.#parts;
    const at = clock.now();
    const started = performance.now();
    const ended = () => ({ at, ms: Math.floor(performance.now() - started) });
    const secrets = this.#secretsOf(endpoint, at);
    if (secrets === undefined) {
      const error = 'its secret was sealed with another VESFX_SECRET: rotate it';
      return { ...ended(), error, excerpt: '' };
    }
    const url = new URL(endpoint.url);
    try {
      const { status, retryAfter, excerpt } = await post(url, {
        body,
        headers: { ...signedHeaders({ id, at, body }, secrets), 'user-agent': userAgent },
        timeoutMs: RECEIVER_TIMEOUT_MS,
        isAllowed: (address) =>
          (allowLoopback && isLoopback(address)) ||
          (url.protocol === 'https:' && isPublicAddress(address)),
        signal: this.#stop.signal,
      });
      const isSuccess = status >= 200 && status <= 299;
      const error = isSuccess ? undefined : `it answered with status ${status}`;
      return { ...ended(), status, error, excerpt, retryAfterMs: waitOf(retryAfter, clock.now()) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ...ended(), error: why, excerpt: '' };
    }
  }

  /** The secret, and the one before it for a while; undefined when it cannot be read. */
  #secretsOf(endpoint: DueMessage['endpoint'], now: number): readonly string[] | undefined {
    const { sealer } = this.#parts;
    const { id, secret: sealed, former_secret: former, former_until: until } = endpoint;
    const secret = sealer.open(sealed, id);
    if (secret === undefined) return undefined;
    const isKept = former !== null && until !== null && now < until;
    const other = isKept ? sealer.open(former, id) : undefined;
    return other === undefined ? [secret] : [secret, other];
  }
}
