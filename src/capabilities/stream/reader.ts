import type { Caller } from '../../core/app/access/access.ts';
import { ApiError } from '../../core/domain/errors.ts';
import { MINUTE_MS } from '../../core/domain/time.ts';
import type { AnswerStream, Sink } from '../../core/http/framework/encoding/answer-stream.ts';
import type { Channel } from './channels.ts';
import { STREAM_BEHIND_BYTES, STREAM_HEARTBEAT_MS } from './limits.ts';
import { eventOf, type State } from './state.ts';

/** Who holds the key of a stream. */
export interface StreamHolder {
  readonly presented: string;
  readonly address: string;
  caller: Caller;
}

export interface ReaderParts {
  readonly channel: Channel;
  /** The markets that were named; undefined for all of the plan. */
  readonly named: readonly string[] | undefined;
  /** Undefined without a key. */
  readonly holder: StreamHolder | undefined;
  /** What the client says that it knows. */
  readonly lastEventId: string | undefined;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  readonly lifeMs: number;
  /** Takes the unit of a minute, at once or when the store has answered. */
  readonly pay: (holder: StreamHolder) => undefined | Promise<void>;
  readonly errorText: (error: ApiError) => string;
  readonly onClosed: (reader: Reader) => void;
}

const RETRY = Buffer.from('retry: 3000\n\n');

/** One open stream: what its client knows, and what it may be told. */
export class Reader implements AnswerStream {
  readonly #parts: ReaderParts;
  channel: Channel;
  #sink: Sink | undefined;
  /** What the client was told last; undefined for one who knows nothing. */
  #told: State | undefined;
  readonly #openedAt: number;
  #spokeAt: number;
  /** The last minute since the opening that is paid. */
  #paidMinute = 0;
  #isPaying = false;
  #isEnding = false;
  #isClosed = false;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.channel = parts.channel;
    this.#openedAt = parts.now();
    this.#spokeAt = this.#openedAt;
  }

  get holder(): StreamHolder | undefined {
    return this.#parts.holder;
  }

  get named(): readonly string[] | undefined {
    return this.#parts.named;
  }

  begin(sink: Sink): void {
    this.#sink = sink;
    sink.write(RETRY);
    const { state } = this.channel;
    if (state.hasId(this.#parts.lastEventId ?? '')) this.#told = state;
    this.tell();
  }

  drained(): void {
    this.tell();
  }

  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isEnding = true;
    this.#parts.onClosed(this);
  }

  /** Sends what the client does not know yet, unless it is behind: then all of it later. */
  tell(): void {
    const { state } = this.channel;
    const sink = this.#sink;
    if (sink === undefined || this.#isEnding || this.#isPaying || this.#told === state) return;
    if (sink.unread >= STREAM_BEHIND_BYTES) return;
    const event = this.#told === undefined ? state.whole : this.#newsFor(this.#told);
    if (event !== undefined) {
      if (!this.#isPaid()) return;
      this.#write(event);
    }
    this.#told = state;
  }

  /** What happens without a change: the end of its life, or a comment after a silence. */
  tick(comment: Buffer): void {
    this.tell();
    if (this.#sink === undefined || this.#isEnding) return;
    const now = this.#parts.now();
    const isBehind = this.#sink.unread >= STREAM_BEHIND_BYTES;
    if (now - this.#openedAt >= this.#parts.lifeMs) this.#end();
    else if (now - this.#spokeAt >= STREAM_HEARTBEAT_MS && !isBehind) this.#write(comment);
  }

  /** Tells the client why, and ends. */
  fail(error: ApiError): void {
    if (!this.#isEnding) this.#end(eventOf('error', this.#parts.errorText(error)));
  }

  #write(events: Buffer): void {
    this.#sink?.write(events);
    this.#spokeAt = this.#parts.now();
  }

  #end(last?: Buffer): void {
    this.#isEnding = true;
    this.#sink?.end(last);
  }

  #newsFor(told: State): Buffer | undefined {
    const { state } = this.channel;
    return state.isLike(told) ? undefined : state.since(told);
  }

  /** A unit covers the first minute; each later one in which something is sent costs another. */
  #isPaid(): boolean {
    const { holder, now, pay } = this.#parts;
    const minute = Math.floor((now() - this.#openedAt) / MINUTE_MS);
    if (holder === undefined || minute <= this.#paidMinute) return true;
    const paying = pay(holder);
    if (paying === undefined) {
      this.#paidMinute = minute;
      return true;
    }
    this.#isPaying = true;
    void this.#whenPaid(paying, minute);
    return false;
  }

  async #whenPaid(paying: Promise<void>, minute: number): Promise<void> {
    try {
      await paying;
      this.#paidMinute = minute;
    } catch (error) {
      // Without the store there are no units: the next second asks again.
      if (error instanceof ApiError) this.fail(error);
      return;
    } finally {
      this.#isPaying = false;
    }
    this.tell();
  }
}
