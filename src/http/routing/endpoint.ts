import { z } from 'zod';
import type { Access, Caller } from '../../app/access/access.ts';
import type { Accounts } from '../../app/access/accounts.ts';
import type { ChangePoller } from '../../app/change-poller.ts';
import type { SourceWatch } from '../../app/collecting/source-watch.ts';
import type { Ingest, Origins } from '../../app/ingest/ingest.ts';
import type { Store } from '../../app/ports/store.ts';
import type { QuotaLeases } from '../../app/quota/quota-leases.ts';
import type { UsageDays } from '../../app/quota/usage-days.ts';
import type { Snapshot, SnapshotHolder } from '../../app/snapshot.ts';
import type { BankCalendar } from '../../domain/calendar.ts';
import type { ApiError, ErrorCode } from '../../domain/errors.ts';
import type { JudgementRule } from '../../domain/judgement.ts';
import type { Scope } from '../../domain/keys.ts';
import type { Market, Markets } from '../../domain/markets.ts';
import type { Feature, Plans } from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { WrittenAnswer } from '../encoding/written-answer.ts';
import type { Operation } from '../openapi/operation.ts';
import type { AddressLimit } from '../server/address-limits.ts';

/** Services of the application that handlers and the server use. */
export interface Services {
  readonly store: Store;
  readonly markets: Markets;
  readonly plans: Plans;
  readonly calendar: BankCalendar;
  readonly accounts: Accounts;
  readonly ingest: Ingest;
  readonly originOf: Origins;
  readonly access: Access;
  readonly quotaLeases: QuotaLeases;
  readonly usageDays: UsageDays;
  readonly snapshots: SnapshotHolder;
  readonly changePoller: ChangePoller;
  readonly watch: SourceWatch;
  readonly judgementRules: readonly JudgementRule[];
  /** When the markets, plans and holidays last changed. */
  readonly catalogueChangedAt: Instant;
}

/** A request that has passed every check. */
export interface Call<Input = never, Body = never> {
  /** The parsed parameters, including those in the path. */
  readonly input: Input;
  readonly body: Body;
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly services: Services;
  /** `scheme://host` as the caller addressed the service, for links to itself. */
  readonly origin: string;
  /** Whether the client has left, so that a long answer can be abandoned. */
  readonly isGone: () => boolean;
  /** The market that the request chose, known and in the caller's plan. */
  readonly market: Market;
  /** The parameter that named the market, for errors. */
  readonly marketField: string | undefined;
}

/** A market named by a request, and the parameter that names it; no parameter for a default. */
export interface MarketChoice {
  readonly name: string;
  readonly field?: string;
}

/** How the answer is written in CSV and XML; without it the endpoint has only JSON. */
export interface Encoding {
  /** Root element in XML (decisions §5). */
  readonly root: string;
  /** Name of the list whose items are the CSV rows; without it the answer is one row. */
  readonly rows?: string;
  /** Fields of the envelope that would mislead when repeated on each row. */
  readonly unrepeated?: readonly string[];
  /** Root element of an answer without that list. */
  readonly single?: string;
  /** Makes the CSV rows where they are not a list of the answer. */
  readonly toRows?: (answer: never) => readonly object[];
  /** Schema of one row of `toRows`, for the columns. */
  readonly rowSchema?: z.ZodType;
}

/** An error as it is sent. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint: `open` anyone without a key, `key` the holder of a key, `optional`
 * both, `admin` the operator with the admin token.
 */
export type EndpointAccess = 'open' | 'key' | 'optional' | 'admin';

/** Only keys have scopes, and every call with a key is checked against one. */
type AccessSpec =
  | { readonly access: 'key' | 'optional'; readonly scope: Scope }
  | { readonly access: 'open' | 'admin'; readonly scope?: undefined };

/** One endpoint: its parameters, who may call it, and its answer. All else is shared. */
export type EndpointSpec<
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> = AccessSpec & Declared<Query, Body, Answer>;

interface Declared<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType> {
  readonly method: Method;
  /** Path with `:name` for one segment. */
  readonly path: string;
  /** Section of the interface, otherwise of the decisions, otherwise a noun. */
  readonly section: string;
  readonly summary: string;
  readonly description?: string;
  /** Place, names and examples in the reference. Endpoints without it are not in the reference. */
  readonly operation?: Operation;
  /** Limit on calls without a key from one address (decisions §11). */
  readonly addressLimit?: AddressLimit;
  /** Pages of any origin may read the answers to calls without a key. */
  readonly anyOrigin?: true;
  readonly feature?: Feature;
  /**
   * Units of the month per answered call. Calls that cost none have a limit per minute of their
   * own.
   */
  readonly cost: 0 | 1;
  /** Counts in the bulk hour. */
  readonly bulk?: true;
  readonly query: Query;
  /** Rejects parameters that are not in `query`, instead of ignoring them (decisions §4). */
  readonly rejectUnknown?: true;
  /** Schema of the JSON body. */
  readonly body?: Body;
  /** The body is text in lines, passed on unparsed. */
  readonly textBody?: true;
  /** The market that the request names, if any. */
  readonly market?: (input: z.output<Query>, body: z.output<Body>) => MarketChoice;
  /** More markets that the request names. All must exist and be in the caller's plan. */
  readonly markets?: (input: z.output<Query>) => readonly MarketChoice[];
  /**
   * Checks that involve several parameters or the market. They run with the checks of parameters:
   * before plan and limits.
   * @throws ApiError with a 400 code.
   */
  readonly check?: (
    call: {
      readonly input: z.output<Query>;
      readonly body: z.output<Body>;
      readonly caller: Caller;
      readonly now: Instant;
      readonly services: Services;
    },
    market: Market | undefined,
  ) => void;
  /** A feature that only some requests need, checked with the format. */
  readonly featureOf?: (input: z.output<Query>) => Feature | undefined;
  readonly answer: Answer;
  /** Status of a successful answer, 200 unless given; 204 has no body. */
  readonly status?: 201 | 204;
  readonly encoding?: Encoding;
  /** Error codes of its own rules. Those of the shared checks are documented for all. */
  readonly errors: readonly ErrorCode[];
  /** Seconds that a cache may keep the answer; without it, not at all. */
  readonly maxAgeSec?: number | ((input: z.output<Query>) => number);
  /**
   * `Last-Modified` of a cacheable answer; without it, the time of the snapshot. Computed from what
   * the answer shows, so that it changes only with the bytes (decisions §4).
   */
  readonly lastModified?: (
    answer: z.output<Answer>,
    call: Call<z.output<Query>, z.output<Body>>,
  ) => Instant;
  /**
   * A cache key for an answer that depends only on the snapshot, the plan, the format and this key.
   * Such an answer is encoded once per snapshot. Undefined where the answer depends on more.
   */
  readonly memo?: (
    input: z.output<Query>,
    market: Market | undefined,
    at: Pick<Call, 'snapshot' | 'now'>,
  ) => string | undefined;
  /** Its answers may be long, so only a few are made at once. */
  readonly long?: true;
  /** Writes errors in the format of another service (decisions §12); without it, that of §7. */
  readonly refusal?: (error: ApiError) => Refusal;
  /**
   * The handler returns a `WrittenAnswer`, and the endpoint declares no caching, encoding or
   * headers.
   */
  readonly written?: true;
  readonly headers?: (
    answer: z.output<Answer>,
    call: Call<z.output<Query>, z.output<Body>>,
  ) => readonly string[];
  handle(call: Call<z.output<Query>, z.output<Body>>): z.output<Answer> | Promise<z.output<Answer>>;
}

/** An endpoint without its type parameters, for the server and the reference. */
export interface Endpoint
  extends Omit<
    Declared<z.ZodObject, z.ZodType, z.ZodType>,
    | 'body'
    | 'market'
    | 'markets'
    | 'check'
    | 'featureOf'
    | 'maxAgeSec'
    | 'lastModified'
    | 'memo'
    | 'headers'
    | 'handle'
  > {
  readonly access: EndpointAccess;
  readonly scope?: Scope | undefined;
  /** A JSON body is always an object (decisions §4). */
  readonly body?: z.ZodObject;
  market?(input: unknown, body: unknown): MarketChoice;
  markets?(input: unknown): readonly MarketChoice[];
  check?(call: object, market: Market | undefined): void;
  featureOf?(input: unknown): Feature | undefined;
  memo?(
    input: unknown,
    market: Market | undefined,
    at: Pick<Call, 'snapshot' | 'now'>,
  ): string | undefined;
  readonly maxAgeSec?: number | ((input: unknown) => number);
  lastModified?(answer: unknown, call: Call<unknown, unknown>): Instant;
  headers?(answer: unknown, call: Call<unknown, unknown>): readonly string[];
  handle(call: Call<unknown, unknown>): unknown;
}

/**
 * Declares an endpoint. The cast is safe because the server passes a handler only what the
 * endpoint's own schemas produced.
 */
export function endpoint<
  Query extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodNever,
>(spec: EndpointSpec<Query, Body, Answer>): Endpoint {
  return Object.freeze(spec) as unknown as Endpoint;
}

/** An endpoint that writes its bytes itself, because it reuses them for many requests. */
export interface WrittenSpec<Query extends z.ZodObject>
  extends Pick<
    Declared<Query, z.ZodNever, z.ZodType>,
    | 'path'
    | 'section'
    | 'summary'
    | 'description'
    | 'operation'
    | 'anyOrigin'
    | 'addressLimit'
    | 'query'
    | 'rejectUnknown'
  > {
  readonly access: 'open' | 'admin';
  /** Schema for the reference, where the answer is JSON. */
  readonly answer?: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  handle(call: Call<z.output<Query>>): WrittenAnswer | Promise<WrittenAnswer>;
}

/** Declares an endpoint that writes its bytes itself. */
export function writtenEndpoint<Query extends z.ZodObject>(spec: WrittenSpec<Query>): Endpoint {
  const { answer = z.unknown(), errors = [] } = spec;
  return endpoint({ ...spec, method: 'GET', cost: 0, answer, errors, written: true });
}
