import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { catalogueWith } from '../../../../../test/harness/catalogue.ts';
import type { TestService } from '../../../../../test/harness/service.ts';
import type { Scope } from '../../../../core/domain/keys.ts';
import { MAX_BODY_BYTES } from '../../../../core/http/framework/routing/limits.ts';
import { assistant, ERAS, serving } from '../clients.ts';

const VERSION = '2026-07-28';
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** A message of the protocol, with the headers that go with it. */
function message(method: string, params: object = {}, more: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : {};
  return {
    method: 'POST',
    headers: { ...HEADERS, 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, ...name },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta }, ...more },
  };
}

const LIST = message('tools/list');
const CONVERT = message('tools/call', {
  name: 'convert',
  arguments: { from: 'USD', to: 'VES', amount: 100 },
});

type Sent = Omit<Partial<typeof LIST>, 'headers' | 'body'> & {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};
const send = (service: TestService, sent: Sent, key?: string) =>
  service.call('/mcp', { ...sent, key });

async function keyWith({ service }: TestService, plan: string, scopes: readonly Scope[]) {
  const { id } = await service.accounts.create('restricted', plan);
  return (await service.accounts.createKey(id, { grant: { kind: 'restricted', scopes } })).key;
}

const textOf = async (service: TestService, key: string, name: string, given: object = {}) => {
  const client = await assistant(service.url, { key });
  const { isError, content } = await client.callTool({ name, arguments: { ...given } });
  const [first] = content;
  return { isError: isError ?? false, text: first?.type === 'text' ? first.text : '' };
};

describe('contract §25 keys', () => {
  test('a tool without a key, and anything with a wrong one, is 401 that names the scheme', async () => {
    const service = await serving();
    const wrong = `vfx_live_${'x'.repeat(38)}`;
    for (const [sent, headers] of [
      [CONVERT, {}],
      [LIST, { Authorization: `Bearer ${wrong}` }],
      [LIST, { 'X-API-Key': wrong }],
    ] as const) {
      const reply = await send(service, { ...sent, headers: { ...sent.headers, ...headers } });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="vesfx"');
      expect(reply.json).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
    }
  });

  test('a key stands in Authorization or in X-API-Key, and in one of them only', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const bearer = { ...CONVERT, headers: { ...CONVERT.headers, Authorization: `bearer ${key}` } };
    expect((await send(service, bearer)).json.result.isError).toBeUndefined();
    expect((await send(service, CONVERT, key)).json.result.isError).toBeUndefined();
    expect((await send(service, bearer, key)).status).toBe(401);
    const elsewhere = { headers: { Authorization: `Bearer ${key}` } };
    expect((await service.call('/v1/fx/rates', elsewhere)).status).toBe(401);
  });

  test('the status needs no key', async () => {
    const { json } = await send(await serving(), message('tools/call', { name: 'get_status' }));
    expect(json.result.structuredContent).toMatchObject({ database: 'ok' });
  });

  test('a restricted key needs the scope mcp, and for each tool that of its endpoint', async () => {
    const service = await serving();
    const withoutMcp = await keyWith(service, 'Escala', ['rates']);
    const refused = await send(service, LIST, withoutMcp);
    expect([refused.status, refused.json.error.data]).toMatchObject([
      403,
      { code: 'scope_missing', details: { scope: 'mcp' } },
    ]);
    const key = await keyWith(service, 'Escala', ['mcp', 'official']);
    expect((await textOf(service, key, 'get_official')).isError).toBe(false);
    const { isError, text } = await textOf(service, key, 'get_rates');
    expect([isError, text]).toEqual([true, expect.stringContaining('scope_missing: ')]);
    expect(text).toContain('The user must check the key.');
  });
});

describe('contract §25 plans and units', () => {
  test('a call costs what its endpoint costs and is in the usage; an error and a list cost nothing', async () => {
    const service = await serving();
    const key = await service.keyFor('Escala');
    const client = await assistant(service.url, { key });
    await client.listTools();
    for (const [name, given] of [
      ['convert', { from: 'USD', to: 'VES', amount: 1 }],
      ['get_rates', {}],
      ['get_status', {}],
      ['convert', { from: 'USD', to: 'GBP', amount: 1 }],
    ] as const) {
      await client.callTool({ name, arguments: given });
    }
    expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(2);
    const { json } = await service.call('/v1/account/usage', { key });
    expect(JSON.stringify(json)).toContain('/v1/fx/convert');
  });

  test('beyond the plan or the month the assistant reads the code and what to do', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const beyond = await textOf(service, key, 'get_history', {
      market: 'parallel',
      from: '2026-01-01',
    });
    expect(beyond).toMatchObject({ isError: true });
    expect(beyond.text).toMatch(
      /^history_out_of_retention: .* do not guess the figure\. \{.*"required_plan"/,
    );
    const dear = await textOf(service, key, 'get_rates', { markup: 'tienda' });
    expect(dear.text).toMatch(/^feature_not_in_plan: /);
  });

  test('when the month is used up the assistant reads it as an error of the tool, and lists still answer', async () => {
    const catalogueDir = await catalogueWith({
      plans: (plans) => Object.assign(plans['Inicio'] ?? {}, { units_per_month: 1 }),
    });
    const service = await serving({ config: { catalogueDir } });
    const key = await service.keyFor('Inicio');
    const client = await assistant(service.url, { key });
    expect((await client.callTool({ name: 'get_rates' })).isError).toBeUndefined();
    const { isError, content } = await client.callTool({ name: 'get_rates' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/quota_exceeded: .* Try again in \d+ s\./);
    // The message itself costs nothing, so it is not refused.
    const { status } = await send(service, CONVERT, key);
    expect(status).toBe(200);
    expect((await client.listTools()).tools).toHaveLength(7);
  });

  test('over the minute the assistant reads how long to wait', async () => {
    const service = await serving();
    const key = await service.keyFor('Gratis');
    const client = await assistant(service.url, { key });
    const before = await service.call('/v1/account', { key });
    expect(before.status).toBe(200);
    // The minute of calls that cost is counted apart from that of messages.
    for (let n = 0; n < 120; n += 1) await service.call('/v1/fx/rates', { key });
    const { isError, content } = await client.callTool({ name: 'get_rates' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/rate_limit_exceeded: .* Try again in \d+ s\./);
  });

  test('an assistant that prefers Spanish reads errors in Spanish', async () => {
    const service = await serving();
    const call = message('tools/call', { name: 'get_history', arguments: {} });
    const sent = { ...call, headers: { ...call.headers, 'Accept-Language': 'es' } };
    const { json } = await send(service, sent, await service.keyFor('Gratis'));
    expect(json.result.content[0].text).toBe(
      'missing_field: Falta `market`, que es obligatorio. Corrija el argumento y consulte de nuevo. {"rule":"missing"}',
    );
  });

  test.each([
    [
      'an argument that there is not',
      { format: 'csv' },
      'unknown_parameter: There is no argument format.',
    ],
    ['a list as an argument', { date: ['2026-11-20'] }, 'invalid_format: date must be'],
    ['a day that there is not', { date: '2026-02-30' }, 'invalid_format: '],
  ])('%s is an error that tells how to correct it', async (_, given, text) => {
    const service = await serving();
    const told = await textOf(service, await service.keyFor('Escala'), 'get_rates', given);
    expect(told.isError).toBe(true);
    expect(told.text).toContain(text);
    expect(told.text).toContain('Correct the argument');
  });
});

describe('contract §25 the protocol', () => {
  test('an error has the id of its message, if that was read', async () => {
    const service = await serving();
    const page = { ...LIST.headers, Origin: 'https://page.example' };
    const sent = { ...LIST, headers: page, body: { ...LIST.body, id: 'page-1' } };
    const told = [
      await send(service, { ...CONVERT, body: { ...CONVERT.body, id: 'a-7' } }),
      await send(service, sent),
      // The key is looked at before the body, so that who may not ask has none read.
      await send(service, { ...LIST, body: { ...LIST.body, id: 8 } }, 'vfx_live_wrong'),
    ].map(({ status, json }) => [status, json.id]);
    expect(told).toEqual([
      [401, 'a-7'],
      [403, 'page-1'],
      [401, null],
    ]);
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is 405', async (method) => {
    const reply = await (await serving()).call('/mcp', { method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test.each([
    ['no JSON', 'x', [400, -32700]],
    ['nothing', '', [400, -32600]],
    ['a batch', [LIST.body, LIST.body], [400, -32600]],
    ['a long id', { ...LIST.body, id: 'x'.repeat(201) }, [400, -32600]],
    [
      'a number that comes back as another',
      `{"jsonrpc":"2.0","id":${2 ** 53}1,"method":"ping"}`,
      [400, -32600],
    ],
    ['an id of another kind', { ...LIST.body, id: [1] }, [400, -32600]],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', [400, -32600]],
    ['no message', { hello: 'world' }, [400, -32600]],
    ['a body over 64 KB', { ...LIST.body, pad: 'x'.repeat(MAX_BODY_BYTES) }, [413, -32000]],
    ['nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, [400, -32600]],
    [
      'nesting in arguments',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"convert","arguments":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}}`,
      [401, -32000],
    ],
    ['an unknown method', message('tools/destroy').body, [404, -32601], 'tools/destroy'],
    ['a subscription', message('subscriptions/listen').body, [404, -32601], 'subscriptions/listen'],
  ])('%s is an error of the protocol', async (_, body, [status, code], method = 'tools/list') => {
    const headers = { ...LIST.headers, 'Mcp-Method': method };
    const reply = await send(await serving(), { ...LIST, headers, body });
    expect([reply.status, reply.json.error.code]).toEqual([status, code]);
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  test('a body of 64 KB and an id of 200 characters are read', async () => {
    const body = { ...LIST.body, id: 'x'.repeat(200), params: { ...LIST.body.params, pad: '' } };
    body.params.pad = 'x'.repeat(MAX_BODY_BYTES - JSON.stringify(body).length);
    const reply = await send(await serving(), { ...LIST, body });
    expect([reply.status, reply.json.id]).toEqual([200, body.id]);
  });

  test('headers that contradict the message, and a version that nobody speaks, are refused', async () => {
    const service = await serving();
    const other = { ...LIST, headers: { ...LIST.headers, 'Mcp-Method': 'tools/call' } };
    expect(await send(service, other)).toMatchObject({
      status: 400,
      json: { error: { code: -32020 } },
    });
    const { params } = LIST.body;
    const _meta = { ...params._meta, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    const unknown = {
      ...LIST,
      headers: { ...LIST.headers, 'MCP-Protocol-Version': '2999-01-01' },
      body: { ...LIST.body, params: { ...params, _meta } },
    };
    expect((await send(service, unknown)).status).toBe(400);
    const form = { ...LIST, headers: { ...LIST.headers, 'Content-Type': 'text/plain' } };
    expect((await send(service, form)).status).toBe(415);
  });

  test.each(ERAS)('an unknown tool, prompt or resource is an error (%s)', async (era) => {
    const service = await serving();
    const client = await assistant(service.url, { era, key: await service.keyFor('Gratis') });
    await expect(client.callTool({ name: '__proto__' })).rejects.toThrow(
      'There is no tool __proto__.',
    );
    await expect(client.getPrompt({ name: 'x' })).rejects.toThrow('There is no prompt x.');
    await expect(client.readResource({ uri: 'vesfx://x' })).rejects.toThrow('There is no resource');
  });

  test('pages of other origins get 403; ours and those that the operator lists may ask', async () => {
    const page = 'https://console.example';
    const service = await serving({ config: { corsOrigins: [page] } });
    const from = (Origin: string) =>
      send(service, { ...LIST, headers: { ...LIST.headers, Origin } });
    expect(await from('https://evil.example')).toMatchObject({
      status: 403,
      json: { error: { data: { code: 'origin_not_allowed' } } },
    });
    expect((await from('null')).status).toBe(403);
    expect((await from(service.url)).status).toBe(200);
    expect((await from(page)).headers.get('access-control-allow-origin')).toBe(page);
    const asks = (Origin: string) =>
      service.call('/mcp', {
        method: 'OPTIONS',
        headers: { Origin, 'Access-Control-Request-Method': 'POST' },
      });
    expect((await asks(page)).headers.get('access-control-allow-headers')).toContain(
      'Authorization',
    );
    expect(
      (await asks('https://evil.example')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  test('without a key an address sends 60 messages a minute, also when 600 come at once', async () => {
    const service = await serving();
    const replies = await Promise.all(
      Array.from({ length: 600 }, async () => {
        const { body, ...sent } = LIST;
        const reply = await request(`${service.url}/mcp`, {
          ...sent,
          method: 'POST',
          body: JSON.stringify(body),
        });
        await reply.body.dump();
        return reply.statusCode;
      }),
    );
    expect(replies.filter((status) => status === 200)).toHaveLength(60);
    expect(replies.filter((status) => status === 429)).toHaveLength(540);
    const refused = await send(service, LIST);
    expect(refused.json.error.data.code).toBe('rate_limit_exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    service.clock.advance(60_000);
    expect((await send(service, LIST)).status).toBe(200);
  });
});
