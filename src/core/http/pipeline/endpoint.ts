import { z } from 'zod';
import type { Sentence } from '../../domain/errors/sentence.ts';
import type { ApiError, ErrorCode } from '../../domain/errors.ts';
import { PUBLISHABLE_SCOPES, type Scope } from '../../domain/keys.ts';
import type { PlanNeed } from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { Encoding } from '../framework/encoding/formats.ts';
import { once } from '../framework/encoding/made-once.ts';
import type { WrittenAnswer } from '../framework/encoding/written-answer.ts';
import type { Refusal } from '../framework/routing/answer.ts';
import { readJsonBody } from '../framework/routing/json-body.ts';
import { parameterReader } from '../framework/routing/parameters.ts';
import type { PathParameters } from '../framework/routing/request-context.ts';
import type { AddressLimit } from './address-limits.ts';
import type { Handling } from './call.ts';
import { type CallParts, type OpenCall, opens } from './endpoint-call.ts';
import { bodyRules, queryRules } from './field-rules.ts';
import type { Operation } from './operation.ts';
import type { ServiceRequest } from './service-request.ts';
import { StreamCall, type Streaming, WrittenCall } from './written-calls.ts';

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
  /** `4.5` is a section of the interface, `contract 11` one of docs/contract.md. */
  readonly section: string;
  readonly summary: Sentence;
  readonly description?: Sentence;
  /** Place, names and examples. */
  readonly operation: Operation;
}

type DocumentationSpec = Documentation | { readonly operation?: undefined };

/** What an endpoint declares besides its schemas and functions. */
interface Declared {
  /** GET unless given. */
  readonly method?: Method;
  /** Path with `:name` for one segment; `:key` is a key, where `pathKey` accepts one. */
  readonly path: string;
  /** The whole path, where `:name` takes too much. A path of another form is none of the endpoint's. */
  readonly pathForm?: RegExp;
  /** Limit on calls without a key from one address (contract §11). */
  readonly addressLimit?: AddressLimit;
  /** Pages of any origin may read the answers to calls without a key. */
  readonly anyOrigin?: true;
  readonly feature?: PlanNeed;
  /** The scope, where it depends on what is asked (contract §11). Path and query are as sent. */
  readonly scopeOf?: (request: { readonly path: PathParameters; readonly query: string }) => Scope;
  /** Units of the month per answered call, 1 unless given. Free calls have their own minute. */
  readonly cost?: 0 | 1;
  /**
   * Manages keys, which a key in its grace period may not, or only the key itself (contract §11).
   */
  readonly inGrace?: 'never' | 'itself';
  /** Counts in the bulk hour. */
  readonly bulk?: true;
  /** Rejects parameters that are not in `query`, instead of ignoring them (contract §4). */
  readonly rejectUnknown?: true;
  /** Ignores these all the same, and tells it: they change no figure, and programs send them. */
  readonly ignores?: readonly string[];
  /** Its figures are of a day, as under `/v1/fx/`: it refuses names of days that it does not take. */
  readonly hasFigures?: true;
  /** The body is text in lines, passed on unparsed. */
  readonly textBody?: true;
  /** Status of a successful answer, 200 unless given; 204 has no body. */
  readonly status?: 201 | 202 | 204;
  readonly encoding?: Encoding;
  /** Error codes of its own rules. Those of the shared checks are documented for all. */
  readonly errors?: readonly ErrorCode[];
  /** Its handler calls `restsOn`, so the reference lists the header of stale quotes. */
  readonly restsOnQuotes?: true;
  /** Its answers may be long, so only a few are made at once. */
  readonly long?: true;
  /** A key may stand in front of its path, for programs that can only set a base address (contract §12). */
  readonly pathKey?: true;
  /** What the host names end with whose first label may be a key, with its dot (contract §12). */
  readonly keyHost?: string | undefined;
  /** A header, in small letters, in which its clients send a key too (contract §12). */
  readonly keyHeader?: string;
  /** A key may stand in `Authorization: Bearer`, for programs that send it nowhere else (contract §25). */
  readonly bearerKey?: true;
  /** Writes errors in another format (contract §12); without it, that of §7. */
  readonly refusal?: (error: ApiError) => Refusal;
}

/** One endpoint: its parameters, who may call it, and its answer. All else is shared. */
export type EndpointSpec<
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType,
> = AccessSpec &
  DocumentationSpec &
  Declared &
  Handling<z.output<Query>, z.output<Body>, z.output<Answer>> & {
    /** Schema of the parameters; none unless given. */
    readonly query?: Query;
    /** Schema of the JSON body, which is always an object (contract §4). */
    readonly body?: Body;
    readonly answer: Answer;
  };

/** An endpoint without its type parameters, for the server and the reference. */
export interface Endpoint extends Declared, Partial<Documentation> {
  readonly method: Method;
  readonly access: EndpointAccess;
  readonly scope?: Scope;
  readonly cost: 0 | 1;
  /** Its answer goes on; the schema is that of the data of an event. */
  readonly streams?: true;
  readonly query: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  readonly errors: readonly ErrorCode[];
  /** Its functions, of which the reference asks only whether they are there. */
  readonly market?: object;
  readonly featureOf?: object;
  readonly maxAgeSec?: number | object;
  /**
   * Reads the parameters of a request.
   * @throws ApiError with a 400 code and the field.
   */
  readonly open: (endpoint: Endpoint, request: ServiceRequest, parts: CallParts) => OpenCall;
}

export function takesPublishableKeys({ scope }: Pick<Endpoint, 'scope'>): boolean {
  return PUBLISHABLE_SCOPES.some((publishable) => publishable === scope);
}

const NO_QUERY = z.object({});

const DEFAULTS = { method: 'GET', access: 'key', cost: 1, errors: [] } as const;

/** Declares an endpoint. */
export function endpoint<
  Answer extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = never,
>(spec: EndpointSpec<Query, Body, Answer>): Endpoint {
  const handling = { ...spec, readBody: bodyReader(spec.body) };
  const query = queryOf(spec);
  const read = readerOf({ ...spec, query });
  return Object.freeze({
    ...DEFAULTS,
    ...spec,
    query,
    open: opens(handling, read),
  } satisfies Endpoint);
}

/**
 * An endpoint that writes its bytes itself, because it reuses them for many requests or another protocol
 * makes them.
 */
type WrittenSpec<Query extends z.ZodObject, Body extends z.ZodObject> = Pick<
  Declared,
  | 'method'
  | 'path'
  | 'anyOrigin'
  | 'addressLimit'
  | 'bearerKey'
  | 'rejectUnknown'
  | 'hasFigures'
  | 'errors'
  | 'refusal'
> &
  AccessSpec &
  Pick<Handling<z.output<Query>, z.output<Body>, WrittenAnswer>, 'handle'> &
  DocumentationSpec & {
    readonly query?: Query;
    readonly body?: Body;
    /** Schema for the reference, where the answer is JSON. */
    readonly answer?: z.ZodType;
  };

/** Declares an endpoint that writes its bytes itself. */
export function writtenEndpoint<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = never,
>(spec: WrittenSpec<Query, Body>): Endpoint {
  const handling = { ...spec, readBody: bodyReader(spec.body) };
  const query = queryOf(spec);
  const read = readerOf({ ...spec, query });
  return Object.freeze({
    ...DEFAULTS,
    answer: z.unknown(),
    ...spec,
    query,
    cost: 0,
    open: (declared, request, parts) => new WrittenCall(declared, handling, read, request, parts),
  } satisfies Endpoint);
}

const readerOf = <Query extends z.ZodObject>(
  declaration: Parameters<typeof queryRules>[0] & { readonly query: Query },
) => parameterReader(declaration, () => queryRules(declaration));

function bodyReader<Body extends z.ZodObject>(body: Body | undefined) {
  const rulesOf = body && once(() => bodyRules(body));
  return rulesOf && ((text: string, now: Instant) => readJsonBody(body, rulesOf(), text, now));
}

/** Declares an endpoint that streams: what the pipeline checks comes before the first byte. */
export function streamEndpoint<Query extends z.ZodObject = z.ZodObject>(
  spec: AccessSpec &
    DocumentationSpec &
    Declared &
    Streaming<z.output<Query>> & { readonly query?: Query; readonly answer?: z.ZodType },
): Endpoint {
  const query = queryOf(spec);
  const read = readerOf({ ...spec, query });
  return Object.freeze({
    ...DEFAULTS,
    answer: z.unknown(),
    ...spec,
    query,
    streams: true,
    open: (declared, request, parts) => new StreamCall(declared, spec, read, request, parts),
  } satisfies Endpoint);
}

/** The cast is safe: without a schema the type of `Query` is its default. */
function queryOf<Query extends z.ZodObject>({ query }: { readonly query?: Query }): Query {
  return query ?? (NO_QUERY as z.ZodObject as Query);
}
