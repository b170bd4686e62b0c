import { describe, expect, test } from 'vitest';
import { capture } from '../../../../../test/harness/make.ts';
import { START, startTestService } from '../../../../../test/harness/service.ts';
import { MINUTE_MS } from '../../../../core/domain/time.ts';
import { MAX_TOOL_ROWS } from '../../tools.ts';
import { assistant, ERAS, serving } from '../clients.ts';

/** Calls of every tool whose answers differ in form. */
const CALLS: readonly (readonly [name: string, given: Readonly<Record<string, unknown>>])[] = [
  ['convert', { from: 'USD', to: 'VES', amount: 100 }],
  ['convert', { from: 'VES', to: 'USD', amount: '1234.56', via: 'parallel' }],
  ['convert', { from: 'USD', to: 'VES', amount: 100, date: '2026-11-20' }],
  ['convert', { from: 'EUR', to: 'VES', amount: 1, date: '2026-11-21', rule: 'next_banking_day' }],
  ['get_calendar', {}],
  ['get_calendar', { from: '2026-01-01', to: '2026-12-31' }],
  ['get_history', { market: 'parallel' }],
  ['get_history', { market: 'parallel', granularity: 'raw' }],
  ['get_history', { market: 'reference', group: 'week' }],
  ['get_history', { market: 'parallel', date: '2026-11-19' }],
  ['get_official', {}],
  ['get_official_history', { from: '2026-11-19', days: 'all' }],
  ['get_official_history', { currency: 'EUR' }],
  ['get_rates', {}],
  ['get_rates', { date: '2026-11-20' }],
  ['get_status', {}],
];

describe.each(ERAS)('contract §25 an assistant in the protocol %s', (era) => {
  test('it lists the tools without a key', async () => {
    const { url } = await serving();
    const client = await assistant(url, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['convert', 'get_calendar', 'get_history', 'get_official', 'get_official_history'],
      ...['get_rates', 'get_status'],
    ]);
    expect(client.getInstructions()).toContain('Never guess');
  });

  test.each(CALLS)('%s %j satisfies the output schema of the tool', async (name, given) => {
    const service = await serving();
    const client = await assistant(service.url, { era, key: await service.keyFor('Escala') });
    // The client checks the answer against the schema when it knows the tools.
    await client.listTools();
    const { isError, content, structuredContent } = await client.callTool({
      name,
      arguments: given,
    });
    expect([isError ?? false, content]).toMatchObject([false, [{ type: 'text' }]]);
    const [text] = content;
    expect(text?.type === 'text' && JSON.parse(text.text)).toEqual(structuredContent);
  });

  test('the notice of a demonstration stands beside each answer and in the instructions', async () => {
    const notice = { en: 'Not of today.', es: 'No son de hoy.' };
    const { url, keyFor } = await serving({ config: { notice } });
    const client = await assistant(url, { era, key: await keyFor('Gratis') });
    expect(client.getInstructions()).toMatch(/\nNot of today\.$/);
    for (const name of ['get_rates', 'get_official', 'get_status']) {
      const { content } = await client.callTool({ name });
      expect(content).toEqual([expect.anything(), { type: 'text', text: notice.en }]);
    }
    const plain = await assistant((await serving()).url, { era });
    expect((await plain.callTool({ name: 'get_status' })).content).toHaveLength(1);
  });

  test('it converts an amount of a past day and names its value date', async () => {
    const service = await serving();
    const client = await assistant(service.url, { era, key: await service.keyFor('Inicio') });
    const call = { from: 'USD', to: 'VES', amount: 100, date: '2026-11-21' };
    const { structuredContent } = await client.callTool({ name: 'convert', arguments: call });
    expect(structuredContent).toMatchObject({
      to: { currency: 'VES', amount: 88957.54 },
      effective_date: '2026-11-20',
      as_of: { date: '2026-11-21', value_date: '2026-11-20', carried_days: 1 },
    });
  });
});

describe('contract §25 an argument that says nothing', () => {
  test.each([
    ['date', null, '"rule":"empty"'],
    ['date', '', '"rule":"empty"'],
    ['date', ['2026-11-20'], '"rule":"wrong_type"'],
    ['foo', null, '"parameters":['],
  ])('%s as %j is refused, never the rate of today', async (argument, value, rule) => {
    const service = await serving();
    const client = await assistant(service.url, { key: await service.keyFor('Inicio') });
    const call = { from: 'USD', to: 'VES', amount: 100, [argument]: value };
    const { isError, content } = await client.callTool({ name: 'convert', arguments: call });
    expect([isError, JSON.stringify(content).replaceAll('\\"', '"')]).toEqual([
      true,
      expect.stringContaining(rule),
    ]);
  });
});

describe('contract §25 long answers', () => {
  test.each([
    [MAX_TOOL_ROWS, undefined],
    [MAX_TOOL_ROWS + 1, true],
  ])('of %i rows the newest 366 are told', async (rows, truncated) => {
    const service = await startTestService();
    const key = await service.keyFor('Escala');
    const at = (n: number) => new Date(START - n * MINUTE_MS).toISOString();
    const captures = Array.from({ length: rows }, (_, n) => capture(900 + n / 100, at(n)));
    await service.push(...captures.toReversed());
    const client = await assistant(service.url, { key });
    const call = { market: 'parallel', granularity: 'raw' };
    const { structuredContent } = await client.callTool({ name: 'get_history', arguments: call });
    const answer = structuredContent as { points: readonly { rate: number }[] };
    expect(answer).toMatchObject({ count: MAX_TOOL_ROWS });
    expect('truncated' in answer).toBe(truncated === true);
    expect(answer.points).toHaveLength(MAX_TOOL_ROWS);
    expect(answer.points.at(-1)?.rate).toBe(900);
  });

  test('the status leaves out the days of each source', async () => {
    const client = await assistant((await serving()).url);
    const { structuredContent } = await client.callTool({ name: 'get_status' });
    expect(JSON.stringify(structuredContent)).not.toContain('"days"');
  });
});
