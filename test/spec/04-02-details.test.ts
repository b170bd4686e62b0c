import { describe, expect, test } from 'vitest';
import { START, startTestService } from '../harness/service.ts';

/** `details=true` of one rate: the evidence for it (§4.2). */

const PATH = '/v1/fx/rates/binance';

async function serving() {
  const service = await startTestService();
  const key = await service.keyFor('Gratis');
  const official = { kind: 'quote', market: 'reference', mid: 800, effective_date: '2026-11-20' };
  await service.push(official);
  const push = async (mid: number, source: string) => {
    await service.service.ingest.ingest([{ kind: 'quote', market: 'binance', mid }], {
      source,
      tell: ({ bad }) => void (bad && expect.fail(bad.reason)),
    });
    await service.service.changePoller.poll();
  };
  return { service, push, ask: (query: string) => service.call(PATH + query, { key }) };
}

describe('§4.2 details of a rate', () => {
  test('details=true gives the source, the time of the reading, held as null and the id for evidence (§4.2)', async () => {
    const { push, ask } = await serving();
    await push(900, 'criptoya');
    const plain = (await ask('')).json;
    const { status, json, headers } = await ask('?details=true');
    expect(status).toBe(200);
    expect(json).toEqual({
      ...plain,
      stale_at: new Date(START + 900_000).toISOString(),
      stale: false,
      unchanged_since: new Date(START).toISOString(),
      frozen: false,
      source: 'criptoya',
      sources: 1,
      observed_at: new Date(START).toISOString(),
      held: null,
      evidence: expect.stringMatching(/^binance\.[0-9a-z]+\.[0-9a-f]{8}$/),
    });
    expect(headers.get('x-ratelimit-cost')).toBe('1');
    expect((await ask('?details=false')).json).toEqual(plain);
  });

  test('details=true counts independent sources within 2 %, and two readers of one venue once (§4.2)', async () => {
    const { service, push, ask } = await serving();
    await push(900, 'criptoya');
    service.clock.advance(1_000);
    // The venue itself. The aggregator relays it, so both have one origin.
    await push(905, 'binance');
    expect((await ask('?details=true')).json.sources).toBe(1);
    service.clock.advance(1_000);
    await push(918, 'elsewhere');
    expect((await ask('?details=true')).json).toMatchObject({ source: 'elsewhere', sources: 2 });
    service.clock.advance(1_000);
    await push(924, 'farther');
    // 924 is within 2 % of 918 and of 924, not of 905 and 900.
    expect((await ask('?details=true')).json).toMatchObject({ source: 'farther', sources: 2 });
  });

  test('details=true says that a newer reading is held, and why (§4.2)', async () => {
    const { service, push, ask } = await serving();
    await push(900, 'criptoya');
    service.clock.advance(60_000);
    await push(9_000, 'criptoya');
    expect((await ask('?details=true')).json).toMatchObject({
      mid: 900,
      held: {
        captured_at: new Date(START + 60_000).toISOString(),
        reason: expect.any(String),
        message: expect.stringContaining('9000'),
      },
    });
  });

  test.each([
    ['?details=yes', 'details'],
    ['?details=true&date=2026-11-20', 'details'],
  ])('%s is refused, and the error names its field (§4.2)', async (query, field) => {
    const { push, ask } = await serving();
    await push(900, 'criptoya');
    const { status, json } = await ask(query);
    expect({ status, code: json.code, field: json.field }).toEqual({
      status: 400,
      code: 'invalid_format',
      field,
    });
  });
});
