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

/** What the handlers and the server work with. */
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

/** A request whose every check is done. */
export interface Call<Input = never, Body = never> {
  /** The parameters, parsed; those in the path too. */
  readonly input: Input;
  readonly body: Body;
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly services: Services;
  /** `scheme://host` as the caller addressed the service, for links to itself. */
  readonly origin: string;
  /** Whether the client has left: a long answer is then given up. */
  readonly isGone: () => boolean;
  /** The market that the request chose, known and in the caller's plan. */
  readonly market: Market;
  /** The parameter that named it, for errors. */
  readonly marketField: string | undefined;
}

/** A market chosen by a request, and the parameter that named it; none for a default. */
export interface MarketChoice {
  readonly name: string;
  readonly field?: string;
}

/** How an answer looks in the formats other than JSON; without it there is only JSON. */
export interface Encoding {
  /** Root element in XML (decisions §5). */
  readonly root: string;
  /** Name of the list whose items are the CSV rows; without it the answer is one row. */
  readonly rows?: string;
  /** Fields of the envelope that would mislead when repeated on each row. */
  readonly unrepeated?: readonly string[];
  /** Root element of an answer that does not have that list. */
  readonly single?: string;
  /** Makes the CSV rows where they are not simply a list of the answer. */
  readonly toRows?: (answer: never) => readonly object[];
  /** Schema of one such row, for the columns. */
  readonly rowSchema?: z.ZodType;
}

/** An error as it is sent. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint: `open` anyone, without a key; `key` a key of an account; `optional` a key
 * or nobody known; `admin` the operator's token.
 */
export type EndpointAccess = 'open' | 'key' | 'optional' | 'admin';

/** Only a key has scopes, and a call of one is always checked against one. */
type AccessSpec =
  | { readonly access: 'key' | 'optional'; readonly scope: Scope }
  | { readonly access: 'open' | 'admin'; readonly scope?: undefined };

/** One endpoint: what it takes, who may call it, what it answers. Everything else is shared. */
export type EndpointSpec<
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> = AccessSpec & Declared<Query, Body, Answer>;

interface Declared<Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType> {
  readonly method: Method;
  /** Path with `:name` for one segment. */
  readonly path: string;
  /** Section of the interface, or of the decisions where it has none; its noun where both have none. */
  readonly section: string;
  readonly summary: string;
  readonly description?: string;
  /** Its place, names and examples in the reference; without it the reference leaves it out. */
  readonly operation?: Operation;
  /** Calls without a key from one address (decisions §11). */
  readonly addressLimit?: AddressLimit;
  /** Pages of any origin may read the answers to calls without a key. */
  readonly anyOrigin?: true;
  readonly feature?: Feature;
  /** Units of the month for an answered call. Calls that cost nothing have a minute of their own. */
  readonly cost: 0 | 1;
  /** Counts in the bulk hour. */
  readonly bulk?: true;
  readonly query: Query;
  /** Whether a parameter that is not in `query` is rejected or passed over (decisions §4). */
  readonly unknownParameters: 'reject' | 'ignore';
  /** Schema of the JSON body. */
  readonly body?: Body;
  /** The body is lines of text, given as they came. */
  readonly textBody?: true;
  /** The market that the request is about, if it is about one. */
  readonly market?: (input: z.output<Query>, body: z.output<Body>) => MarketChoice;
  /** Markets that the request names, all of which must exist and be in the caller's plan. */
  readonly markets?: (input: z.output<Query>) => readonly MarketChoice[];
  /**
   * Checks between parameters, with the market when it is known. Part of the check of parameters:
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
  /** Features that only some requests need, checked with the format. */
  readonly featureOf?: (input: z.output<Query>) => Feature | undefined;
  readonly answer: Answer;
  /** Status of a successful answer, 200 unless given; 204 has no body. */
  readonly status?: 201 | 204;
  readonly encoding?: Encoding;
  /** Error codes that its own rules may raise; the shared ones are known. */
  readonly errors: readonly ErrorCode[];
  /** For how long a cache may keep the answer; absent: not at all. */
  readonly maxAgeSec?: number | ((input: z.output<Query>) => number);
  /**
   * When an answer that caches may keep last changed; without it the snapshot's own time. A function
   * of what the answer shows, so that it does not move while the bytes stay (decisions §4).
   */
  readonly lastModified?: (
    answer: z.output<Answer>,
    call: Call<z.output<Query>, z.output<Body>>,
  ) => Instant;
  /**
   * Names an answer that depends on the snapshot alone, apart from plan and format, and on what the
   * name says; it is then encoded once for each snapshot. Undefined when this request's answer depends on
   * more.
   */
  readonly memo?: (
    input: z.output<Query>,
    market: Market | undefined,
    at: Pick<Call, 'snapshot' | 'now'>,
  ) => string | undefined;
  /** Its answers may be long: only so many are made at once. */
  readonly long?: true;
  /** Words errors as the service whose address this is (decisions §12); without it, as §7 does. */
  readonly refusal?: (error: ApiError) => Refusal;
  /** The handler gives a `WrittenAnswer`; it declares no caching, encoding or headers besides. */
  readonly written?: true;
  readonly headers?: (
    answer: z.output<Answer>,
    call: Call<z.output<Query>, z.output<Body>>,
  ) => readonly string[];
  handle(call: Call<z.output<Query>, z.output<Body>>): z.output<Answer> | Promise<z.output<Answer>>;
}

/** An endpoint whose own types are forgotten, as the server and the reference handle it. */
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
 * Declares an endpoint. The cast is safe because the server only ever gives a handler what the
 * endpoint's own schemas produced.
 */
export function endpoint<
  Query extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodNever,
>(spec: EndpointSpec<Query, Body, Answer>): Endpoint {
  return Object.freeze(spec) as unknown as Endpoint;
}

/** An endpoint that writes its bytes itself, because it keeps them for many requests. */
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
    | 'unknownParameters'
  > {
  readonly access: 'open' | 'admin';
  /** For the reference, where the answer is JSON. */
  readonly answer?: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  handle(call: Call<z.output<Query>>): WrittenAnswer | Promise<WrittenAnswer>;
}

/** Declares an endpoint that writes its bytes itself. */
export function writtenEndpoint<Query extends z.ZodObject>(spec: WrittenSpec<Query>): Endpoint {
  const { answer = z.unknown(), errors = [] } = spec;
  return endpoint({ ...spec, method: 'GET', cost: 0, answer, errors, written: true });
}
