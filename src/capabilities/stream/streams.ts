import { randomUUID } from 'node:crypto';
import { requireActive, requireFeature, requireScope } from '../../core/app/access/access.ts';
import { StoreUnavailable } from '../../core/app/failures.ts';
import type { Clock } from '../../core/app/ports/clock.ts';
import type { Log } from '../../core/app/ports/log.ts';
import type { Called } from '../../core/app/quota/usage-days.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { Plan } from '../../core/domain/plans.ts';
import { isoInstant } from '../../core/domain/time.ts';
import { openPlan } from '../../core/http/endpoints/open-plan.ts';
import { once } from '../../core/http/framework/encoding/made-once.ts';
import { maxConnections } from '../../core/http/framework/server/descriptors.ts';
import type { StreamingCall } from '../../core/http/pipeline/written-calls.ts';
import type { Engine } from '../../core/storage/engine.ts';
import { Channels, type StreamServing } from './channels.ts';
import {
  MAX_BOARD_STREAMS_PER_ADDRESS,
  MAX_STREAMS,
  PLACES_TOLD_MS,
  STREAM_LIFE_MS,
  STREAM_LIFE_SPREAD,
  STREAM_TICK_MS,
} from './limits.ts';
import { placeStore } from './place-store.ts';
import { Places } from './places.ts';
import { Reader, type StreamHolder } from './reader.ts';
import { noRoom, tooManyOfAddress, tooManyOfPlan } from './refusals.ts';

/** What a request for a stream says. */
export interface Opening {
  /** Ids of markets; all of the plan by default. */
  readonly named?: readonly string[] | undefined;
  readonly lastEventId: string | undefined;
  /** Where the units of later minutes are counted. */
  readonly called: Called;
}

export interface StreamsParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly max?: number;
}

/** All open streams of the process. */
export class Streams {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #places: Places;
  readonly #max: () => number;
  #serving: StreamServing | undefined;
  readonly #channels = new Channels();
  readonly #readers = new Set<Reader>();
  /** Streams that are open or being opened. */
  #count = 0;
  #boardCount = 0;
  readonly #byAddress = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #isReadmitting = false;

  constructor({ engine, clock, log, max = MAX_STREAMS }: StreamsParts) {
    this.#clock = clock;
    this.#log = log;
    this.#max = once(() => Math.min(max, Math.floor(maxConnections() / 2)));
    this.#places = new Places({
      store: placeStore(engine),
      holder: randomUUID(),
      clock,
      onExcess: (accountId, streams) => this.#endNewest(accountId, streams),
    });
  }

  get open(): number {
    return this.#readers.size;
  }

  /** Streams that are open go on with what is new. */
  use(serving: StreamServing): void {
    this.#serving = serving;
    if (this.#readers.size > 0) this.#listen();
    for (const reader of this.#readers) this.#enterAgain(reader);
  }

  /** A stream of an account. @throws ApiError or StoreUnavailable in place of it. */
  async ofAccount(call: StreamingCall, opening: Opening): Promise<Reader> {
    const { caller, presentedKey: presented = '' } = call;
    const leave = this.#enter();
    const { id } = caller.account;
    const max = caller.plan.streamsMax;
    try {
      if (!(await this.#places.take(id, max))) throw tooManyOfPlan(max);
    } catch (error) {
      leave();
      throw error;
    }
    const { address } = call;
    return this.#reader(call, opening, { presented, address, caller }, () => {
      leave();
      this.#places.release(id);
    });
  }

  /** A stream without a key. @throws ApiError */
  ofAddress(call: StreamingCall, opening: Opening): Reader {
    const { address } = call;
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= MAX_BOARD_STREAMS_PER_ADDRESS) throw tooManyOfAddress();
    // The others are for accounts.
    if (this.#boardCount >= this.#max() / 2) throw noRoom();
    const leave = this.#enter();
    this.#boardCount += 1;
    this.#byAddress.set(address, ofAddress + 1);
    return this.#reader(call, opening, undefined, () => {
      leave();
      this.#boardCount -= 1;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
  }

  /** When the server is closed, so that the places of this process are free for others. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#places.close();
  }

  #enter(): () => void {
    if (this.#count >= this.#max()) throw noRoom();
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }

  #reader(
    call: StreamingCall,
    { named, lastEventId, called }: Opening,
    holder: StreamHolder | undefined,
    leave: () => void,
  ): Reader {
    const spread = 1 + (2 * Math.random() - 1) * STREAM_LIFE_SPREAD;
    const chosen = { plan: this.#planOf(holder), named };
    const reader = new Reader({
      channel: this.#channels.enter(this.#required(), chosen, this.#clock.now()),
      ...{ named, holder, lastEventId },
      now: () => this.#now(),
      lifeMs: STREAM_LIFE_MS * spread,
      pay: ({ caller }) => this.#pay(caller, called),
      errorText: (error) => call.errorText(error),
      onClosed: (closed) => {
        this.#readers.delete(closed);
        this.#channels.leave(closed.channel);
        leave();
      },
    });
    this.#readers.add(reader);
    if (this.#readers.size === 1) {
      this.#listen();
      this.#tickLater();
    }
    return reader;
  }

  #listen(): void {
    this.#required().services.snapshots.onPublished = () => this.#tellAll();
  }

  /** The unit of a minute, without one of the requests of that minute. */
  #pay(caller: StreamHolder['caller'], called: Called): undefined | Promise<void> {
    const { quota, usageDays } = this.#required().services;
    const { account, plan } = caller;
    const month = plan.unitsPerMonth ?? Number.MAX_SAFE_INTEGER;
    const count = () =>
      usageDays.count(caller, called, { status: 200, units: 1, now: this.#clock.now() });
    const reserved = quota.reserve(account.id, { month });
    if (reserved instanceof Promise) return reserved.then(count);
    count();
    return undefined;
  }

  #now(): number {
    return this.#clock.monotonic?.() ?? this.#clock.now();
  }

  #required(): StreamServing {
    if (this.#serving === undefined) throw new Error('no stream is served yet');
    return this.#serving;
  }

  #planOf(holder: StreamHolder | undefined): Plan {
    const { services } = this.#required();
    if (holder === undefined) return openPlan(services);
    const { plan } = holder.caller;
    return services.plans.find(plan.name) ?? plan;
  }

  /** After its plan or the catalogue changed. */
  #enterAgain(reader: Reader): void {
    this.#channels.leave(reader.channel);
    const chosen = { plan: this.#planOf(reader.holder), named: reader.named };
    reader.channel = this.#channels.enter(this.#required(), chosen, this.#clock.now());
    reader.tell();
  }

  /** Tells every reader what changed. */
  #tellAll(): void {
    if (this.#readers.size === 0) return;
    this.#channels.renew(this.#required(), this.#clock.now());
    for (const reader of this.#readers) reader.tell();
  }

  /** Within a second, or when the snapshot ends: what a rate is may change with time. */
  #tickLater(): void {
    clearTimeout(this.#timer);
    const now = this.#clock.now();
    const leftMs = this.#required().services.snapshots.at(now).validUntil - now;
    this.#timer = setTimeout(() => this.#tick(), Math.min(STREAM_TICK_MS, leftMs)).unref();
  }

  #tick(): void {
    if (this.#readers.size === 0) return;
    try {
      this.#tellAll();
      const comment = Buffer.from(`: ${isoInstant(this.#clock.now())}\n\n`);
      for (const reader of this.#readers) reader.tick(comment);
      void this.#readmit();
      const now = this.#now();
      if (now - this.#renewedAt >= PLACES_TOLD_MS) {
        this.#renewedAt = now;
        void this.#places.renew();
      }
    } catch (error) {
      this.#log.error({ err: error }, 'streams could not be kept');
    }
    this.#tickLater();
  }

  /** Looks up again who was changed, and ends what is no longer allowed. */
  async #readmit(): Promise<void> {
    if (this.#isReadmitting) return;
    this.#isReadmitting = true;
    try {
      const byKey = Map.groupBy(this.#readers, ({ holder }) => holder?.presented);
      for (const readers of byKey.values()) await this.#readmitKey(readers);
    } catch (error) {
      // The database is away: what is known stays true until it answers.
      if (!(error instanceof StoreUnavailable)) {
        this.#log.error({ err: error }, 'keys of streams could not be looked up');
      }
    } finally {
      this.#isReadmitting = false;
    }
  }

  /** @param readers Those of one key, or those without one. */
  async #readmitKey(readers: readonly Reader[]): Promise<void> {
    const [holder] = readers.flatMap((reader) => reader.holder ?? []);
    if (holder === undefined) return;
    const { access, plans } = this.#required().services;
    try {
      const { presented, address } = holder;
      const asked = access.authenticate(presented, () => address, this.#clock.now());
      const caller = asked instanceof Promise ? await asked : asked;
      requireActive(caller);
      requireScope(caller, 'stream');
      requireFeature(plans, caller.plan, 'stream');
      for (const reader of readers) {
        if (reader.holder === undefined || reader.holder.caller === caller) continue;
        reader.holder.caller = caller;
        this.#enterAgain(reader);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Many look-ups of its address wait: it is looked up in the next second.
      if (error.code === 'service_unavailable') return;
      // The address has sent many wrong keys, of which this is one.
      const isWrong = error.code === 'rate_limit_exceeded';
      const refusal = isWrong ? new ApiError('invalid_api_key') : error;
      for (const reader of readers) reader.fail(refusal);
    }
  }

  #endNewest(accountId: string, streams: number): void {
    const own = [...this.#readers].filter(({ holder }) => holder?.caller.account.id === accountId);
    for (const reader of own.slice(-streams)) {
      reader.fail(tooManyOfPlan(reader.holder?.caller.plan.streamsMax ?? 0));
    }
  }
}
