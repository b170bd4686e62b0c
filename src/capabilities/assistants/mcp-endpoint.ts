import { z } from 'zod';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { ApiError } from '../../core/domain/errors.ts';
import type { WrittenAnswer } from '../../core/http/framework/encoding/written-answer.ts';
import type { Refusal } from '../../core/http/framework/routing/answer.ts';
import type { Call } from '../../core/http/pipeline/call.ts';
import { TOO_MANY_WITHOUT_KEY } from '../../core/http/pipeline/callers.ts';
import { type Endpoint, writtenEndpoint } from '../../core/http/pipeline/endpoint.ts';
import type { ServerFacts } from './mcp-server.ts';
import { needsKey } from './tools.ts';

export const MCP_PATH = '/mcp';

// limit: Messages without a key from one address | 60 a minute, all workers | 429
const MESSAGES_PER_MINUTE = 60;

/** Longest id of a message, which the answer repeats. */
// limit: Id of a message | 200 characters, or a whole number to 2^53 | 400
const MAX_ID_LENGTH = 200;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
/** Of those that the protocol leaves to servers. */
const REFUSED = -32_000;

/** Those that the protocol's library compares with the message, or needs to answer. */
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const some = z.unknown().optional();
const message = z.looseObject({ id: some, method: some, params: some });

type Id = string | number;

/**
 * Ids of the messages that were refused after they were read. A wrong key is refused before: who may
 * not ask has no body read. JSON-RPC has `null` for an id that was not found, and the protocol lets the
 * body of an HTTP error have none, since a client knows by the connection which message was refused.
 */
const refusedIds = new WeakMap<ApiError, Id>();

/** Our errors as those of the protocol, which have a number. */
function refusal(refused: ApiError): Refusal {
  const { code, status, options } = refused;
  const { field, details } = options;
  const isJson = details?.['rule'] !== 'not_json';
  const number = status === 400 ? (isJson ? INVALID_REQUEST : PARSE_ERROR) : REFUSED;
  const error = {
    code: number,
    message: `${code}: ${refused.sentence.en}`,
    data: { code, field, details },
  };
  return {
    status,
    body: { jsonrpc: '2.0', id: refusedIds.get(refused) ?? null, error },
    scheme: 'Bearer',
  };
}

/** The address of assistants: one message and its answer (contract §25). */
export function mcpEndpoint(
  settings: ServerFacts & { readonly corsOrigins: readonly string[] },
): Endpoint {
  return writtenEndpoint({
    method: 'POST',
    path: MCP_PATH,
    access: 'optional',
    scope: 'mcp',
    bearerKey: true,
    addressLimit: {
      name: 'mcp',
      perMinute: MESSAGES_PER_MINUTE,
      message: TOO_MANY_WITHOUT_KEY,
    },
    body: message,
    refusal,
    async handle(call) {
      const { id, method, params } = call.body;
      const refuse = (error: ApiError) => {
        if (id !== undefined && isId(id)) refusedIds.set(error, id);
        return error;
      };
      if (!isOwnOrigin(call, settings.corsOrigins)) throw refuse(wrongOrigin());
      if (!isId(id)) {
        throw new ApiError('invalid_request', {
          message: sentence(
            `An id is a text of at most ${MAX_ID_LENGTH} characters or a whole number.`,
            `Un id es un texto de ${MAX_ID_LENGTH} caracteres como máximo o un número entero.`,
          ),
        });
      }
      // The library would keep the answer open for as long as the client stays.
      if (method === 'subscriptions/listen') return unknownMethod(id ?? null);
      if (call.knownCaller === undefined && needsKey(method, params)) {
        throw refuse(new ApiError('missing_api_key', { message: SEND_BEARER }));
      }
      return answered(call, settings);
    },
  });
}

const SEND_BEARER = sentence(
  'Send your key as Authorization: Bearer.',
  'Envíe su clave como Authorization: Bearer.',
);

/** A page of anyone could otherwise ask a service in the network of its visitor. */
function isOwnOrigin(call: Pick<Call, 'header' | 'origin'>, allowed: readonly string[]): boolean {
  const origin = call.header('origin');
  return origin === undefined || origin === call.origin || allowed.includes(origin);
}

function wrongOrigin(): ApiError {
  return new ApiError('origin_not_allowed', {
    message: sentence(
      'Pages of that origin may not ask this service.',
      'Las páginas de ese origen no pueden consultar este servicio.',
    ),
  });
}

/** A number that a double does not hold would come back as another one. */
function isId(id: unknown): id is Id | undefined {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH;
  return id === undefined || Number.isSafeInteger(id);
}

function unknownMethod(id: Id | null): WrittenAnswer {
  const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
  const body = JSON.stringify({ jsonrpc: '2.0', id, error });
  return { status: 404, contentType: 'application/json', body, headers: UNSTORED };
}

const UNSTORED = ['Cache-Control', 'no-store'];

async function answered(
  call: Call<unknown, z.output<typeof message>>,
  facts: ServerFacts,
): Promise<WrittenAnswer> {
  // They take 200 ms to load, and a service that no assistant asks needs none of it.
  const [{ createMcpHandler }, { mcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./mcp-server.ts'),
  ]);
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = call.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const request = new Request(`${call.origin}${MCP_PATH}`, { method: 'POST', headers });
  const { fetch } = createMcpHandler(() => mcpServer(call, facts));
  const response = await fetch(request, { parsedBody: call.body });
  const text = await response.text();
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? 'application/json',
    // Without a key it is a list of some length.
    body: call.knownCaller === undefined ? () => text : text,
    headers: UNSTORED,
  };
}
