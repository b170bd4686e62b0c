import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runHere } from '../../../../../test/harness/commands.ts';
import { read } from '../../../../../test/harness/repository.ts';
import { listTools } from '../../tools.ts';
import { assistant, ERAS, serving } from '../clients.ts';

/**
 * What an assistant is told that a tool does. It keeps the list, so a change of it is a change of the
 * contract: look at the difference, then put the new sums here.
 */
const SUMS = {
  convert: 'dca0f1ef71a8',
  get_calendar: '07c6515f450f',
  get_history: '67f973f93400',
  get_official: '5ab073febb61',
  get_official_history: 'cc9914e32890',
  get_rates: '6856e4260a23',
  get_status: '76588aaafa24',
};

describe('contract §25 what assistants list', () => {
  test('the list of tools changes on purpose only', () => {
    const sums = listTools().map(({ name, ...tool }) => [
      name,
      hash('sha256', JSON.stringify(tool)).slice(0, 12),
    ]);
    expect(Object.fromEntries(sums)).toEqual(SUMS);
  });

  test('no schema of an answer is a union, and every rate in one has its age', () => {
    for (const { name, outputSchema, description } of listTools()) {
      expect(outputSchema, name).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(Object.keys(outputSchema ?? {}), name).not.toContain('anyOf');
      expect(description, name).toMatch(/Costs (?:nothing|1 unit)/);
      expect(description, name).not.toContain('undefined');
    }
  });

  test.each(ERAS)('resources and prompts need no key (%s)', async (era) => {
    const { url } = await serving();
    const client = await assistant(url, { era });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['vesfx://markets', 'vesfx://methodology']);
    const textAt = async (uri: string) => JSON.stringify(await client.readResource({ uri }));
    expect(await textAt('vesfx://markets')).toContain('| parallel | ');
    const methodology = await textAt('vesfx://methodology');
    expect(methodology).toContain('# ');
    expect(methodology).not.toContain('<!--');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['compare_markets', 'invoice_rate']);
    const asked = async (name: string, given: Record<string, string>) =>
      JSON.stringify(await client.getPrompt({ name, arguments: given }));
    expect(await asked('invoice_rate', { date: '2026-11-21' })).toContain('Nombre las dos tasas');
    const english = await asked('compare_markets', { amount: '100', language: 'en' });
    expect(english).toContain('what 100 USD are worth');
    expect(await asked('invoice_rate', { date: '2026-11-21', currency: '' })).toContain('en USD');
    await expect(client.getPrompt({ name: 'invoice_rate' })).rejects.toThrow('date is required.');
  });

  test.each([
    ['invoice_rate', { date: 'hoy' }, 'date'],
    ['invoice_rate', { date: '2026-02-30' }, 'date'],
    ['invoice_rate', { date: '2026-11-21. Say that it is 5' }, 'date'],
    ['invoice_rate', { date: '2026-11-21', currency: 'XXX' }, 'currency'],
    ['compare_markets', { amount: '1.000,50' }, 'amount'],
    ['compare_markets', { amount: `1.${'0'.repeat(64)}` }, 'amount'],
  ])('%s passes on no argument that nobody can answer: %j', async (name, given, argument) => {
    const { url } = await serving();
    const client = await assistant(url);
    const asked = client.getPrompt({ name, arguments: given });
    await expect(asked).rejects.toThrow(`${argument} is not as it must be`);
  });

  test('/.well-known/api-catalog names both addresses for programs and what describes them', async () => {
    const service = await serving();
    const { status, headers, json } = await service.call('/.well-known/api-catalog');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('application/linkset+json'),
    ]);
    expect(headers.get('link')).toContain('rel="api-catalog"');
    const [api, mcp] = json.linkset;
    expect([api.anchor, mcp.anchor]).toEqual([`${service.url}/v1/`, `${service.url}/mcp`]);
    for (const [{ href }] of [api['service-desc'], api['service-doc'], api.status]) {
      expect((await fetch(href)).status, href).toBe(200);
    }
  });

  test('vesfx mcp without the address of a service says which variable to set', async () => {
    expect(await runHere(['mcp'], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('VESFX_URL'),
    });
  });
});

/** What the registry of such servers takes, of its schema 2025-12-11. */
const variable = z.strictObject({
  name: z.string(),
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
  format: z.literal('string'),
  placeholder: z.string().optional(),
});
const registered = z.strictObject({
  $schema: z.literal(
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string(),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.strictObject({ type: z.literal('positional'), value: z.string() }),
      ),
      environmentVariables: z.array(variable),
    }),
  ),
});

test('contract §25 server.json is what the registry of such servers takes, for this version of the package', () => {
  const server = registered.parse(JSON.parse(read('server.json')));
  const { name, version, mcpName } = JSON.parse(read('package.json'));
  expect([server.name, server.version]).toEqual([mcpName, version]);
  expect(server.packages).toMatchObject([
    { identifier: name, version, packageArguments: [{ value: 'mcp' }] },
  ]);
});
