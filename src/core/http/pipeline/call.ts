import type { Caller } from '../../app/access/access.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import type { Market } from '../../domain/markets.ts';
import type { Feature } from '../../domain/plans.ts';
import type { Quote } from '../../domain/quotes.ts';
import type { Instant } from '../../domain/time.ts';
import type { InTurn } from './long-answers.ts';
import type { Services } from './services.ts';

/** A request that has passed every check, as a handler sees it. */
export interface Call<Input = unknown, Body = unknown> {
  /** The parsed parameters, including those in the path. */
  readonly input: Input;
  readonly body: Body;
  /** The body as text, of an endpoint that takes lines. */
  readonly text: string;
  /** Where no key is needed, a handler asks for `knownCaller`. */
  readonly caller: Caller;
  readonly knownCaller: Caller | undefined;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly services: Services;
  /** `scheme://host` as the caller addressed the service, for links to itself. */
  readonly origin: string;
  /**
   * Names current quotes that the answer shows or uses. A header of the answer lists those that are
   * stale (contract §1).
   */
  readonly restsOn: (quotes: readonly Quote[]) => void;
  /** Whether the client has left, so that a long answer can be abandoned. */
  readonly isGone: () => boolean;
  /** Does work of some length in the caller's turn: only a few of them are done at once. */
  readonly inTurn: InTurn;
  /** A header of the request, by its name in small letters. */
  readonly header: (name: string) => string | undefined;
  /**
   * Asks an address of the service by GET in the name of the same client: with the checks, units, limits
   * and usage of a request for it.
   */
  readonly ask: (address: string) => Promise<Told>;
  /** The market that the request chose, known and in the caller's plan. */
  readonly market: Market;
  /** The parameter that named the market, for errors. */
  readonly marketField: string | undefined;
}

/** What an address told a handler that asked it: its answer, or its refusal. */
export interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** A market named by a request, and the parameter that names it; no parameter for a default. */
export interface MarketChoice {
  readonly name: string;
  readonly field?: string;
}

/** The functions of an endpoint. */
export interface Handling<Input, Body, Answer> {
  /** The market that the request names, if any. */
  market?(input: Input, call: Pick<Call<Input, Body>, 'body'>): MarketChoice;
  /** More markets that the request names. All must exist and be in the caller's plan. */
  markets?(input: Input): readonly MarketChoice[];
  /**
   * Checks that involve several parameters or the market. They run with the checks of parameters:
   * before plan and limits.
   * @throws ApiError with a 400 code.
   */
  check?(
    call: Pick<Call<Input, Body>, 'input' | 'body' | 'caller' | 'now' | 'services'>,
    market: Market | undefined,
  ): void;
  /** A feature that only some requests need, checked with the format. */
  featureOf?(input: Input): Feature | undefined;
  /** Seconds that a cache may keep the answer; without it, not at all. */
  readonly maxAgeSec?: number | ((input: Input) => number);
  /**
   * `Last-Modified` of a cacheable answer; without it, the time of the snapshot. Computed from what
   * the answer shows, so that it changes only with the bytes (contract §4).
   */
  lastModified?(answer: Answer, call: Call<Input, Body>): Instant;
  /**
   * A cache key for an answer that depends only on the snapshot, the plan, the format and this key.
   * Such an answer is encoded once per snapshot. Undefined where the answer depends on more.
   */
  memo?(
    input: Input,
    market: Market | undefined,
    at: Pick<Call, 'snapshot' | 'now' | 'services'>,
  ): string | undefined;
  headers?(answer: Answer, call: Call<Input, Body>): readonly string[];
  handle(call: Call<Input, Body>): Answer | Promise<Answer>;
}
