import { z } from 'zod';
import type { Access, Caller } from '../../app/access/access.ts';
import type { Accounts } from '../../app/access/accounts.ts';
import type { Problem } from '../../app/alerts/problems.ts';
import type { ChangePoller } from '../../app/change-poller.ts';
import type { SourceWatch } from '../../app/collecting/source-watch.ts';
import type { Ingest, Origins } from '../../app/ingest/ingest.ts';
import type { Store } from '../../app/ports/store.ts';
import type { QuotaLeases } from '../../app/quota/quota-leases.ts';
import type { UsageDays } from '../../app/quota/usage-days.ts';
import type { Snapshot, SnapshotHolder } from '../../app/snapshot.ts';
import type { StoreMonitor } from '../../app/store-monitor.ts';
import type { BankCalendar } from '../../domain/calendar.ts';
import type { ApiError, ErrorCode } from '../../domain/errors.ts';
import type { JudgementRule } from '../../domain/judgement.ts';
import { PUBLISHABLE_SCOPES, type Scope } from '../../domain/keys.ts';
import type { Market, Markets } from '../../domain/markets.ts';
import type { Feature, Plans } from '../../domain/plans.ts';
import type { Quote } from '../../domain/quotes.ts';
import type { Instant } from '../../domain/time.ts';
import type { InTurn } from '../encoding/long-answers.ts';
import type { WrittenAnswer } from '../encoding/written-answer.ts';
import type { Operation } from '../openapi/operation.ts';
import type { AddressLimit } from './address-limits.ts';

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
  readonly monitor: StoreMonitor;
  /** What is wrong now, as alerts tell it. */
  readonly problems: () => Promise<readonly Problem[]>;
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
  /**
   * Names current quotes that the answer shows or uses. A header of the answer lists those that are
   * stale (decisions §1).
   */
  readonly restsOn: (quotes: readonly Quote[]) => void;
  /** Whether the client has left, so that a long answer can be abandoned. */
  readonly isGone: () => boolean;
  /** Does work of some length in the caller's turn: only a few of them are done at once. */
  readonly inTurn: InTurn;
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

export interface Refusal {
  readonly status: number;
  readonly body: object;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint: `open` anyone without a key, `key` the holder of a key, `optional`
 * both, `admin` the operator with the admin token, `metrics` the one with the token for metrics.
 */
export type EndpointAccess = 'open' | 'key' | 'optional' | 'admin' | 'metrics';

/** Only keys have scopes, and every call with a key is checked against one. */
type AccessSpec =
  | { readonly access?: 'key' | 'optional'; readonly scope: Scope }
  | { readonly access: 'open' | 'admin' | 'metrics'; readonly scope?: undefined };

/** How an endpoint appears in the reference. One without an operation does not. */
export interface Documentation {
  /** `4.5` is a section of the interface, `decisions 11` one of the decisions. */
  readonly section: string;
  readonly summary: string;
  readonly description?: string;
  /** Place, names and examples. */
  readonly operation: Operation;
}

type DocumentationSpec = Documentation | { readonly operation?: undefined };

/**
 * What an endpoint declares besides its schemas. Callbacks are methods, so that an endpoint of any
 * types fits into a list of endpoints.
 */
interface Declared<Input, Body, Answer> {
  /** GET unless given. */
  readonly method?: Method;
  /** Path with `:name` for one segment. */
  readonly path: string;
  /** The whole path, where `:name` takes too much. A path of another form is none of the endpoint's. */
  readonly pathForm?: RegExp;
  /** Limit on calls without a key from one address (decisions §11). */
  readonly addressLimit?: AddressLimit;
  /** Pages of any origin may read the answers to calls without a key. */
  readonly anyOrigin?: true;
  readonly feature?: Feature;
  /** The scope, where it depends on what is asked (decisions §11). Path and query are as sent. */
  readonly scopeOf?: (request: {
    readonly path: Readonly<Record<string, string>>;
    readonly query: string;
  }) => Scope;
  /** Units of the month per answered call, 1 unless given. Free calls have their own minute. */
  readonly cost?: 0 | 1;
  /**
   * Manages keys, which a key in its grace period may not, or only the key itself (decisions §11).
   */
  readonly inGrace?: 'never' | 'itself';
  /** Counts in the bulk hour. */
  readonly bulk?: true;
  /** Rejects parameters that are not in `query`, instead of ignoring them (decisions §4). */
  readonly rejectUnknown?: true;
  /** The body is text in lines, passed on unparsed. */
  readonly textBody?: true;
  /** The market that the request names, if any. */
  market?(input: Input, body: Body): MarketChoice;
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
  /** Status of a successful answer, 200 unless given; 204 has no body. */
  readonly status?: 201 | 204;
  readonly encoding?: Encoding;
  /** Error codes of its own rules. Those of the shared checks are documented for all. */
  readonly errors?: readonly ErrorCode[];
  /** Seconds that a cache may keep the answer; without it, not at all. */
  readonly maxAgeSec?: number | ((input: Input) => number);
  /**
   * `Last-Modified` of a cacheable answer; without it, the time of the snapshot. Computed from what
   * the answer shows, so that it changes only with the bytes (decisions §4).
   */
  lastModified?(answer: Answer, call: Call<Input, Body>): Instant;
  /**
   * A cache key for an answer that depends only on the snapshot, the plan, the format and this key.
   * Such an answer is encoded once per snapshot. Undefined where the answer depends on more.
   */
  memo?(
    input: Input,
    market: Market | undefined,
    at: Pick<Call, 'snapshot' | 'now'>,
  ): string | undefined;
  /** Its handler calls `restsOn`, so the reference lists the header of stale quotes. */
  readonly restsOnQuotes?: true;
  /** Its answers may be long, so only a few are made at once. */
  readonly long?: true;
  /** Writes errors in the format of another service (decisions §12); without it, that of §7. */
  readonly refusal?: (error: ApiError) => Refusal;
  /** The handler returns a `WrittenAnswer`; nothing about caching, encoding or headers is declared. */
  readonly written?: true;
  headers?(answer: Answer, call: Call<Input, Body>): readonly string[];
  handle(call: Call<Input, Body>): Answer | Promise<Answer>;
}

/** One endpoint: its parameters, who may call it, and its answer. All else is shared. */
export type EndpointSpec<
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType,
> = AccessSpec &
  DocumentationSpec &
  Declared<z.output<Query>, z.output<Body>, z.output<Answer>> & {
    /** Schema of the parameters; none unless given. */
    readonly query?: Query;
    /** Schema of the JSON body, which is always an object (decisions §4). */
    readonly body?: Body;
    readonly answer: Answer;
  };

/** An endpoint without its type parameters, for the server and the reference. */
export interface Endpoint extends Declared<unknown, unknown, unknown>, Partial<Documentation> {
  readonly method: Method;
  readonly access: EndpointAccess;
  readonly scope?: Scope | undefined;
  readonly cost: 0 | 1;
  readonly query: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** The caller is absent where no key is needed. */
  check?(call: object, market: Market | undefined): void;
}

export function takesPublishableKeys({ scope }: Pick<Endpoint, 'scope'>): boolean {
  return PUBLISHABLE_SCOPES.some((one) => one === scope);
}

const DEFAULTS = {
  method: 'GET',
  access: 'key',
  cost: 1,
  query: z.object({}),
  errors: [],
} as const;

/** Declares an endpoint. The cast is safe: a handler gets only what its own schemas produced. */
export function endpoint<
  Answer extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = never,
>(spec: EndpointSpec<Query, Body, Answer>): Endpoint {
  return Object.freeze({ ...DEFAULTS, ...spec }) as unknown as Endpoint;
}

/** An endpoint that writes its bytes itself, because it reuses them for many requests. */
type WrittenSpec<Query extends z.ZodObject> = Pick<
  Declared<z.output<Query>, never, WrittenAnswer>,
  'path' | 'anyOrigin' | 'addressLimit' | 'rejectUnknown' | 'errors' | 'handle'
> &
  DocumentationSpec & {
    readonly access: 'open' | 'admin' | 'metrics';
    readonly query?: Query;
    /** Schema for the reference, where the answer is JSON. */
    readonly answer?: z.ZodType;
  };

/** Declares an endpoint that writes its bytes itself. */
export function writtenEndpoint<Query extends z.ZodObject = z.ZodObject>(
  spec: WrittenSpec<Query>,
): Endpoint {
  return endpoint({ answer: z.unknown(), ...spec, cost: 0, written: true });
}
