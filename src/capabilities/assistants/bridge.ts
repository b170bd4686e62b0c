import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { GrowingBytes } from '../../core/app/growing-bytes.ts';
import { remark } from '../../core/cli/output.ts';
import { isJsonObject, parseJson } from '../../core/domain/exact-json.ts';
import { MAX_BODY_BYTES } from '../../core/http/framework/routing/limits.ts';
import { MCP_PATH } from './mcp-endpoint.ts';

/** Longest wait for an answer of the service. */
// limit: `vesfx mcp`: wait for an answer, its size | 60 s, 4 MB | a protocol error | MAX_ANSWER_BYTES
const ANSWER_TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const INTERNAL_ERROR = -32_603;
const VERSION = 'io.modelcontextprotocol/protocolVersion';

type Json = Readonly<Record<string, unknown>>;

/** Passes the messages of an assistant to the service and the answers back, until its input ends. */
export async function bridge(service: {
  readonly url: string;
  readonly key: string | undefined;
}): Promise<void> {
  const transport = new StdioServerTransport(undefined, undefined, {
    maxBufferSize: MAX_BODY_BYTES,
  });
  const closed = Promise.withResolvers<void>();
  transport.onclose = closed.resolve;
  transport.onerror = ({ message }) => remark(`vesfx mcp: ${message}`);
  const address = new URL(MCP_PATH.slice(1), service.url.replace(/\/*$/, '/'));
  /** Chosen by the first message in the protocol of before, whose later ones do not name it. */
  let chosen: string | undefined;

  async function answerTo(message: Json): Promise<unknown> {
    const params = isJsonObject(message['params']) ? message['params'] : {};
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    const version = meta[VERSION] ?? chosen;
    const name = params['name'] ?? params['uri'];
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(service.key !== undefined && { Authorization: `Bearer ${service.key}` }),
        ...(typeof version === 'string' && { 'MCP-Protocol-Version': version }),
        ...(typeof message['method'] === 'string' && { 'Mcp-Method': message['method'] }),
        ...(typeof name === 'string' && { 'Mcp-Name': name }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const text = await textOf(response);
    if (response.status === 202) return undefined;
    const answer = messageIn(text);
    if (answer === undefined) throw new Error(`the service answered ${response.status}`);
    const { result } = answer;
    if (message['method'] === 'initialize' && isJsonObject(result)) {
      const { protocolVersion } = result;
      if (typeof protocolVersion === 'string') chosen = protocolVersion;
    }
    // A refusal is made before the message is read.
    return answer['id'] === null ? { ...answer, id: message['id'] } : answer;
  }

  transport.onmessage = async (message) => {
    try {
      const answer = await answerTo({ ...message });
      // The cast is safe: the service answers in the protocol, whose library wrote it.
      if (answer !== undefined && 'id' in message) await transport.send(answer as JSONRPCMessage);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      remark(`vesfx mcp: ${why}`);
      if (!('id' in message) || message.id === undefined) return;
      const told = { code: INTERNAL_ERROR, message: `${address.host}: ${why}` };
      await transport.send({ jsonrpc: '2.0', id: message.id, error: told });
    }
  };
  await transport.start();
  await closed.promise;
}

async function textOf({ body }: Response): Promise<string> {
  const bytes = new GrowingBytes(MAX_ANSWER_BYTES);
  for await (const piece of body ?? []) {
    if (!bytes.add(piece)) throw new Error('the answer of the service is too long');
  }
  return new TextDecoder().decode(bytes.toBytes());
}

/** The message of an answer, in the protocol of before that of its only event. */
function messageIn(text: string): Json | undefined {
  const event = /^data: (.*)$/m.exec(text);
  try {
    const message = parseJson(event?.[1] ?? text);
    return isJsonObject(message) && message['jsonrpc'] === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}
