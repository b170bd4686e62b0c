import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { MAX_ECHO_LENGTH } from '../../core/http/framework/routing/limits.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { RESOURCES, readResource } from './resources.ts';
import { type Asking, callTool, listTools } from './tools.ts';

const INSTRUCTIONS = `Exchange rates of the Venezuelan bolívar (VES): official (BCV), parallel, P2P and others.
The figures are information, not advice, and no offer to trade. Never guess, remember or calculate a rate: call a tool.
With every figure name its market and its value date or time, and say how old it is. If stale is true, or a rate is not confirmed, say so first.
Days are days in Caracas. For an invoice or an accounting entry of a past day, give date; the answer has the value date of the rate that was in force.
Convert with the tool, not in your head: amounts are rounded as the service rounds them.`;

/** Lists change only with the version of the service. */
// limit: Lists kept by an assistant | 5 min
const LIST_TTL_MS = 300_000;
const OF_ALL = { ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const;

/** What an assistant is told of the service. */
export interface ServerFacts {
  readonly version: string;
  /** That of a demonstration: assistants do not see the header with it. */
  readonly notice: string | undefined;
}

/**
 * The protocol's side of one message. The low-level class of the library: tools are made of the
 * endpoints' declarations, and the endpoints check what they are asked.
 */
export function mcpServer(asking: Asking, { version, notice }: ServerFacts): Server {
  const said = notice === undefined ? [] : [notice];
  const server = new Server(
    { name: 'vesfx', title: 'vesfx', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: [INSTRUCTIONS, ...said].join('\n'),
      cacheHints: {
        'server/discover': OF_ALL,
        'tools/list': OF_ALL,
        'prompts/list': OF_ALL,
        'resources/list': OF_ALL,
        'resources/read': { ...OF_ALL, cacheScope: 'private' },
      },
    },
  );
  const found = <Result>(result: Result | undefined, what: string, name: string): Result => {
    if (result !== undefined) return result;
    const message = `There is no ${what} ${name.slice(0, MAX_ECHO_LENGTH)}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  };
  server.setRequestHandler('tools/list', () => ({ tools: [...listTools()] }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    const result = found(await callTool(name, given, asking), 'tool', name);
    const more = said.map((text) => ({ type: 'text' as const, text }));
    return { ...result, content: [...result.content, ...more] };
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    found(readResource(uri, asking.services.markets), 'resource', uri),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) =>
    found(getPrompt(name, given), 'prompt', name),
  );
  return server;
}
