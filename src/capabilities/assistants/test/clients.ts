import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { official, quote } from '../../../../test/harness/make.ts';
import {
  START,
  startTestService,
  type TestServiceOptions,
} from '../../../../test/harness/service.ts';

/** The two versions of the protocol that are spoken, as the official client chooses them. */
export const ERAS = ['2026-07-28', 'of before'] as const;
export type Era = (typeof ERAS)[number];

const at = (text: string) => ({ captured_at: text });

/** Friday, the Saturday on which the clock stands, and the rate of Tuesday, already published. */
export const RECORDS = [
  official('2026-11-19', { USD: 886.4754, EUR: 1020.1 }, at('2026-11-18T20:10:00.000Z')),
  official('2026-11-20', { USD: 889.5754, EUR: 1024.5 }, at('2026-11-19T20:10:00.000Z')),
  official('2026-11-24', { USD: 888.0754, EUR: 1022.9 }, at('2026-11-20T20:10:00.000Z')),
  ...['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'].flatMap((day, n) => {
    const when = { updated_at: `${day}T11:55:00.000Z`, captured_at: `${day}T11:55:00.000Z` };
    return [
      quote('parallel', 937.25 + n, when),
      quote('binance', 935.1 + n, { ask: 940, bid: 934, ...when }),
    ];
  }),
];

export async function serving(options: TestServiceOptions = {}) {
  const service = await startTestService({ start: START, ...options });
  await service.push(...RECORDS);
  return service;
}

/** The official client, connected as an assistant would connect it. */
export async function assistant(
  url: string,
  { key, era = '2026-07-28', headers = {} }: AssistantOptions = {},
): Promise<Client> {
  const mode = era === 'of before' ? 'legacy' : { pin: era };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = {
    headers: { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...headers },
  };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

interface AssistantOptions {
  readonly key?: string | undefined;
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
}
