import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { LEASE_MS } from '../../src/core/app/collecting/collector-lease.ts';
import type { SourceState } from '../../src/core/app/ports/collecting.ts';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/domain/time.ts';
import { status as statusEndpoint } from '../../src/core/http/endpoints/status.ts';
import { fullMarket, iso, official, quote } from '../harness/make.ts';
import { ADMIN_TOKEN, START, startTestService, type TestService } from '../harness/service.ts';

/** `GET /v1/status` and the same in `/metrics`: how the sources are, told to anyone. */

const PATH = '/v1/status';

/** A state as a collector in any process leaves it. */
function stateOf(source: string, given: Partial<SourceState> = {}): SourceState {
  return {
    source,
    lastAttemptAt: START,
    lastSuccessAt: START,
    lastChangeAt: START - MINUTE_MS,
    consecutiveFailures: 0,
    nextRunAt: START + MINUTE_MS,
    ...given,
  };
}

async function save({ service }: TestService, ...states: readonly SourceState[]): Promise<void> {
  await service.store.takeLease('collector', START, START + LEASE_MS);
  for (const state of states) await service.store.saveSourceState(state);
}

async function statusOf(service: TestService) {
  const { json } = await service.call(PATH);
  const named = (name: string) => json.sources.find((one: { name: string }) => one.name === name);
  return { json, named };
}

describe('GET /v1/status', () => {
  test('needs no key, costs nothing and may be cached for some seconds', async () => {
    const service = await startTestService();
    const { status, headers, json } = await service.call(PATH);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=5');
    expect(headers.get('x-ratelimit-cost')).toBeNull();
    expect(statusEndpoint.answer.parse(json)).toEqual(json);
  });

  test('before the first reading every enabled source is waiting and collecting is false', async () => {
    const { json, named } = await statusOf(await startTestService());
    expect([json.status, json.collecting]).toEqual(['failing', false]);
    expect(json.reasons).toEqual([{ name: 'no_figures', message: 'There are no figures.' }]);
    expect(json).not.toHaveProperty('fetched_at');
    expect(named('bcv-official')).toEqual({
      name: 'bcv-official',
      kind: 'bcv-official',
      enabled: true,
      markets: [],
      state: 'waiting',
      why: 'It has not been read yet.',
      consecutive_failures: 0,
      held: 0,
      days: [],
    });
    expect(named('binance')).toMatchObject({ enabled: false, state: 'off' });
    expect(named('operator')).toMatchObject({ enabled: true, state: 'waiting' });
  });

  test('contract §8: says which source is a witness, and what each adds, also while it is off', async () => {
    const { json } = await statusOf(await startTestService());
    const shown = json.sources.flatMap(({ name, enabled, role, adds }: Record<string, unknown>) =>
      adds === undefined && role === undefined ? [] : [[name, enabled, role, adds]],
    );
    expect(shown).toEqual([
      ['binance', false, undefined, 'independent_origin'],
      ['bybit', false, undefined, 'independent_origin'],
      ['okx', false, undefined, 'independent_origin'],
      ['bcv-today', false, 'witness', 'second_voice'],
      ['dolarapi-official', false, 'witness', 'second_voice'],
    ]);
  });

  test('is not ok while figures are old, even if no source is read', async () => {
    const service = await startTestService();
    const captured_at = iso(START - 8 * DAY_MS);
    const old = { captured_at, updated_at: captured_at };
    await service.push(
      official('2026-11-13', { USD: 800, EUR: 900 }, { captured_at }),
      ...['parallel', 'cash'].map((market) => quote(market, 900, old)),
    );
    const { json } = await statusOf(service);
    expect(json).toMatchObject({ status: 'failing', collecting: false });
    expect(json.reasons).toEqual([
      expect.objectContaining({ name: 'official_stale', since: '2026-11-18T16:00:01.000Z' }),
      expect.objectContaining({ name: 'all_quotes_stale' }),
      expect.objectContaining({ name: 'publications_missed', count: 6 }),
      expect.objectContaining({ name: 'quotes_missing', markets: ['parallel', 'cash'] }),
    ]);
  });

  test('lists sources in the order of the catalogue, then pushed records', async () => {
    const { json } = await statusOf(await startTestService());
    const names = json.sources.map(({ name }: { name: string }) => name);
    expect(names[0]).toBe('bcv-official');
    expect(names.at(-1)).toBe('operator');
  });

  test('reports the results of the collecting process', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 889.5754 }));
    await save(service, stateOf('bcv-official'));
    const { json, named } = await statusOf(service);
    expect(json).toMatchObject({ status: 'degraded', collecting: true, fetched_at: iso(START) });
    expect(named('bcv-official')).toEqual({
      name: 'bcv-official',
      kind: 'bcv-official',
      enabled: true,
      markets: [],
      state: 'late',
      why: '1 publication is overdue: the newest value date is 2026-11-20.',
      last_success: iso(START),
      last_change: iso(START - MINUTE_MS),
      consecutive_failures: 0,
      publications_missed: 1,
      value_dates_missing: [],
      next_run: iso(START + MINUTE_MS),
      held: 0,
      days: [{ date: '2026-11-21', successes: 1, failures: 0, changes: 0 }],
    });
  });

  test('gives the reason of a failure without addresses', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const message = 'https://api.yadio.io/rate?key=1 answered <script>';
    await save(
      service,
      stateOf('yadio', { consecutiveFailures: 3, failure: { reason: 'status', message } }),
    );
    const { json, named } = await statusOf(service);
    expect(json.status).toBe('degraded');
    expect(named('yadio')).toMatchObject({
      state: 'failing',
      consecutive_failures: 3,
      why: 'Its last 3 readings failed: it answered with an error.',
    });
    expect(JSON.stringify(json)).not.toMatch(/script|https?:|key=/);
  });

  test('reports pushed records and held records', async () => {
    const service = await startTestService();
    const push = (mid: number, more: object = {}) =>
      service.call('/v1/admin/records', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${ADMIN_TOKEN}`,
          'Content-Type': 'application/x-ndjson',
        },
        body: `${JSON.stringify(quote('parallel', mid, more))}\n`,
      });
    await service.push(official('2026-11-20', { USD: 800 }));
    expect((await push(900)).status).toBe(200);
    expect((await push(1900, { captured_at: iso(START + SECOND_MS) })).status).toBe(200);
    expect((await statusOf(service)).named('operator')).toEqual({
      name: 'operator',
      kind: 'operator',
      enabled: true,
      markets: [],
      state: 'ok',
      why: `Records were last pushed at ${iso(START)}; 1 of its records is held.`,
      last_success: iso(START),
      consecutive_failures: 0,
      held: 1,
      days: [],
    });
  });

  test('is updated once a second', async () => {
    const service = await startTestService();
    expect((await statusOf(service)).json.collecting).toBe(false);
    await save(service, stateOf('criptoya'));
    service.clock.advance(SECOND_MS - 1);
    expect((await statusOf(service)).json.collecting).toBe(false);
    service.clock.advance(1);
    expect((await statusOf(service)).json.collecting).toBe(true);
  });

  test('counts readings by day in Caracas, for the last 90 days', async () => {
    const service = await startTestService();
    const failure = { reason: 'timeout', message: 'late' } as const;
    const at = (text: string, given: Partial<SourceState> = {}) => {
      const readAt = Date.parse(text);
      return stateOf('criptoya', { lastAttemptAt: readAt, lastChangeAt: readAt, ...given });
    };
    await save(
      service,
      at('2026-08-24T03:59:59.999Z'),
      at('2026-08-24T04:00:00Z'),
      at('2026-11-20T23:00:00Z', { failure }),
      at('2026-11-21T03:59:59.999Z', { lastChangeAt: 1 }),
      at('2026-11-21T04:00:00Z'),
    );
    expect((await statusOf(service)).named('criptoya')).toMatchObject({
      days: [
        { date: '2026-08-24', successes: 1, failures: 0, changes: 1 },
        { date: '2026-11-20', successes: 1, failures: 1, changes: 0 },
        { date: '2026-11-21', successes: 1, failures: 0, changes: 1 },
      ],
    });
  });

  test('lists the missing value dates of the last 30 days', async () => {
    const service = await startTestService();
    const dates = ['2026-11-09', '2026-11-10', '2026-11-12', '2026-11-13', '2026-11-17'];
    await service.push(...dates.map((date) => official(date, { USD: 880 })));
    // The 14th and 15th are a weekend; days before the first rate are unknown.
    expect((await statusOf(service)).named('bcv-official')).toMatchObject({
      publications_missed: 4,
      value_dates_missing: ['2026-11-11', '2026-11-16', '2026-11-18', '2026-11-19', '2026-11-20'],
    });
  });

  test('shows the last known state while the store does not answer, with database: unavailable', async () => {
    const service = await startTestService();
    await service.push(...fullMarket(), official('2026-11-24', { USD: 801, EUR: 901 }));
    await save(service, stateOf('criptoya'));
    const { json: before } = await statusOf(service);
    expect(before).toMatchObject({ status: 'ok', database: 'ok', checked_at: iso(START) });
    await service.service.store.close();
    service.clock.advance(5 * MINUTE_MS);
    const { json: after } = await statusOf(service);
    expect(after).toEqual({
      ...before,
      // Without the database nobody can hold the lease.
      collecting: false,
      status: 'degraded',
      reasons: [
        {
          name: 'database_unavailable',
          since: iso(START),
          message: 'The database is not responding.',
        },
      ],
      database: 'unavailable',
    });
  });

  test('is 503 in our shape if the store has never answered', async () => {
    const service = await startTestService();
    await service.service.store.close();
    const { status, json, headers } = await service.call(PATH);
    expect([status, json.code]).toEqual([503, 'service_unavailable']);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is in the reference without a key, and its example is an answer', async () => {
    const service = await startTestService();
    const { json, text: source } = await service.call('/openapi.json');
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const operation = json.paths[PATH].get;
    expect(operation.security).toEqual([]);
    expect(operation['x-cost']).toBe(0);
    for (const [status, codes] of Object.entries<string[]>(operation['x-error-codes'])) {
      for (const code of codes) {
        expect(Object.entries(ERRORS).find(([known]) => known === code)?.[1].status).toBe(
          Number(status),
        );
      }
    }
    const { value } = operation.responses['200'].content['application/json'].examples.answer;
    expect(statusEndpoint.answer.parse(value)).toEqual(value);
  });
});

describe('/metrics', () => {
  const metricsOf = async (service: TestService) => {
    const { status, text } = await service.call('/metrics', {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(status).toBe(200);
    return text.split('\n');
  };

  test('has the state of every enabled source', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-19', { USD: 880 }));
    await save(
      service,
      stateOf('bcv-official', {
        consecutiveFailures: 2,
        failure: { reason: 'timeout', message: 'late' },
      }),
    );
    const lines = await metricsOf(service);
    expect(lines).toEqual(
      expect.arrayContaining([
        `vesfx_source_last_success_timestamp_seconds{source="bcv-official"} ${START / 1000}`,
        `vesfx_source_last_change_timestamp_seconds{source="bcv-official"} ${START / 1000 - 60}`,
        'vesfx_source_consecutive_failures{source="bcv-official"} 2',
        'vesfx_source_consecutive_failures{source="criptoya"} 0',
        'vesfx_source_publications_missed{source="bcv-official"} 2',
        'vesfx_held_records{source="operator"} 0',
      ]),
    );
    expect(lines.join('\n')).not.toContain('source="binance"');
  });

  test('has its other figures while the store does not answer', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    await service.service.store.close();
    const lines = await metricsOf(service);
    expect(lines.some((line) => line.startsWith('vesfx_quote_age_seconds{'))).toBe(true);
    expect(lines.some((line) => line.startsWith('vesfx_held_records{'))).toBe(false);
  });
});
