import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LAUNCHER, ownVariables } from '../../../../../testkit/vesfx-process.ts';
import { ERAS, type Era, serving } from '../clients.ts';

/** The official client with the process that an assistant starts. */
async function started(era: Era, env: Readonly<Record<string, string>>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp'],
    env: { ...(ownVariables() as Record<string, string>), ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const mode = era === 'of before' ? 'legacy' : { pin: era };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, said: () => said };
}

describe('contract §25 vesfx mcp', () => {
  test.each(ERAS)(
    'an assistant that starts it has tools, prompts and resources (%s)',
    async (era) => {
      const service = await serving();
      const key = await service.keyFor('Inicio');
      const { client, said } = await started(era, { VESFX_URL: service.url, VESFX_KEY: key });
      expect((await client.listTools()).tools).toHaveLength(7);
      expect((await client.listPrompts()).prompts).toHaveLength(2);
      expect((await client.listResources()).resources).toHaveLength(2);
      const given = { from: 'USD', to: 'VES', amount: 100, date: '2026-11-21' };
      const { structuredContent } = await client.callTool({ name: 'convert', arguments: given });
      expect(structuredContent).toMatchObject({
        to: { amount: 88957.54 },
        as_of: { value_date: '2026-11-20' },
      });
      const { isError } = await client.callTool({ name: 'get_rates', arguments: { date: 'ayer' } });
      expect(isError).toBe(true);
      await expect(client.callTool({ name: 'nothing' })).rejects.toThrow(
        'There is no tool nothing.',
      );
      expect((await service.call('/v1/account', { key })).json.usage.units_used).toBe(1);
      expect(said()).toBe('');
    },
  );

  test('a wrong key and a service that does not answer are errors of the protocol', async () => {
    const service = await serving();
    const wrong = { VESFX_URL: service.url, VESFX_KEY: `vfx_live_${'x'.repeat(38)}` };
    await expect(started('of before', wrong)).rejects.toThrow('invalid_api_key');
    const nobody = { VESFX_URL: 'http://127.0.0.1:9' };
    await expect(started('of before', nobody)).rejects.toThrow('127.0.0.1:9');
  });

  test.each([
    [4 * 1024 * 1024 - 100, 'from the other side'],
    [4 * 1024 * 1024, 'is too long'],
  ])(
    'an answer of 4 MB is read, and a longer one is an error (%i bytes of text)',
    async (length, told) => {
      const error = { code: -1, message: `from the other side ${'x'.repeat(length - 100)}` };
      const server = createServer((_, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }).padEnd(length + 50));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const url = { VESFX_URL: `http://127.0.0.1:${port}` };
      await expect(started('of before', url)).rejects.toThrow(told);
    },
  );
});
