import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { LEASE_MS } from '../../src/core/app/collecting/collector-lease.ts';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/domain/time.ts';
import {
  ADMIN_TOKEN,
  ON_POSTGRES,
  START,
  startTestService,
  type TestService,
} from '../harness/service.ts';

/** `/metrics` and the token that opens it (contract §4). */

const METRICS_TOKEN = 'metrics-token-of-the-tests';

async function metricsOf(service: TestService, token = ADMIN_TOKEN): Promise<readonly string[]> {
  const { status, text } = await service.call('/metrics', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  return text.split('\n');
}

/** The value of a metric with these labels; undefined without such a line. */
function metricOf(lines: readonly string[], name: string): number | undefined {
  const line = lines.find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

describe('contract §4 VESFX_METRICS_TOKEN', () => {
  const statusOf = async (service: TestService, path: string, token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const method = path === '/metrics' ? 'GET' : 'POST';
    return (await service.call(path, { method, headers })).status;
  };

  test('opens /metrics and nothing else; the admin token opens the rest, and not /metrics', async () => {
    const service = await startTestService({ config: { metricsToken: METRICS_TOKEN } });
    expect(await statusOf(service, '/metrics', METRICS_TOKEN)).toBe(200);
    expect(await statusOf(service, '/v1/admin/records', METRICS_TOKEN)).toBe(401);
    expect(await statusOf(service, '/metrics', ADMIN_TOKEN)).toBe(401);
    expect(await statusOf(service, '/v1/admin/records', ADMIN_TOKEN)).not.toBe(401);
    const { json } = await service.call('/metrics');
    expect(json).toMatchObject({
      code: 'missing_api_key',
      message: 'Send the metrics token as Authorization: Bearer.',
    });
  });

  test('without an admin token there is /metrics and no other address of the operator', async () => {
    const config = { metricsToken: METRICS_TOKEN, adminToken: undefined };
    const service = await startTestService({ config });
    expect(await statusOf(service, '/metrics', METRICS_TOKEN)).toBe(200);
    expect(await statusOf(service, '/v1/admin/records', METRICS_TOKEN)).toBe(404);
  });
});

describe('/metrics', () => {
  test('counters end in _total, and nothing else does', async () => {
    const lines = await metricsOf(await startTestService());
    const types = lines.flatMap((line) => {
      const [, name = '', type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name === '' ? [] : [{ name, type }];
    });
    expect(types.length).toBeGreaterThan(30);
    const wrong = types.filter(
      ({ name, type }) => name.endsWith('_total') !== (type === 'counter'),
    );
    expect(wrong).toEqual([]);
  });

  test('names the version', async () => {
    const lines = await metricsOf(await startTestService());
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const name = `vesfx_build_info{version="${version}",node="${process.versions.node}"}`;
    expect(metricOf(lines, name)).toBe(1);
  });

  test('says whether the database answers, and how busy it is', async () => {
    const service = await startTestService();
    const before = await metricsOf(service);
    expect(metricOf(before, 'vesfx_database_up')).toBe(1);
    expect(metricOf(before, 'vesfx_database_writable')).toBe(1);
    expect(metricOf(before, 'vesfx_database_pool_size')).toBe(ON_POSTGRES ? 10 : 2);
    expect(metricOf(before, 'vesfx_database_pool_waiting')).toBe(0);
    expect(metricOf(before, 'vesfx_database_pool_in_use')).toBeLessThanOrEqual(2);
    const { store } = service.service;
    vi.spyOn(store, 'versions').mockRejectedValue(new StoreUnavailable('Away.'));
    const up = async () => metricOf(await metricsOf(service), 'vesfx_database_up');
    await expect.poll(up).toBe(0);
    const lines = await metricsOf(service);
    expect(metricOf(lines, 'vesfx_database_writable')).toBe(0);
  });

  test('has the lease to collect, and its age', async () => {
    const service = await startTestService();
    const none = await metricsOf(service);
    expect(metricOf(none, 'vesfx_collector_lease_held')).toBe(0);
    expect(metricOf(none, 'vesfx_collector_lease_age_seconds')).toBeUndefined();
    await service.service.store.takeLease('collector', START, START + LEASE_MS);
    const read = { source: 'yadio', lastAttemptAt: START, consecutiveFailures: 0 };
    await service.service.store.saveSourceState({ ...read, nextRunAt: START + HOUR_MS });
    const at = async (milliseconds: number) => {
      service.clock.set(START + milliseconds);
      const lines = await metricsOf(service);
      return ['lease_held', 'lease_age_seconds'].map((name) =>
        metricOf(lines, `vesfx_collector_${name}`),
      );
    };
    expect(await at(LEASE_MS - 1)).toEqual([1, (LEASE_MS - 1) / SECOND_MS]);
    expect(await at(LEASE_MS)).toEqual([0, LEASE_MS / SECOND_MS]);
    expect(await at(LEASE_MS + MINUTE_MS)).toEqual([0, 85]);
  });

  test('has how long a source has failed, whichever process began to count', async () => {
    const service = await startTestService();
    await service.service.store.saveSourceState({
      source: 'criptoya',
      lastAttemptAt: START,
      consecutiveFailures: 2,
      failingSince: START - 5 * MINUTE_MS,
      failure: { reason: 'timeout', message: 'late' },
    });
    const lines = await metricsOf(service);
    expect(metricOf(lines, 'vesfx_source_failing_seconds{source="criptoya"}')).toBe(300);
    expect(metricOf(lines, 'vesfx_source_failing_seconds{source="bcv-official"}')).toBe(0);
  });
});

describe('vesfx_account_units_used (contract §28)', () => {
  const used = (lines: readonly string[], id: string) =>
    metricOf(lines, `vesfx_account_units_used{account="${id}"}`);

  test('is there with VESFX_METRICS_ACCOUNTS, by account, and as /v1/account has it', async () => {
    const service = await startTestService({ config: { metricsAccounts: true } });
    const keys = [await service.keyFor('Escala'), await service.keyFor('Gratis')];
    const calls = [3, 0];
    for (const [place, key] of keys.entries()) {
      for (let call = 0; call < (calls[place] ?? 0); call += 1) {
        await service.call('/v1/fx/markets', { key });
      }
    }
    const lines = await metricsOf(service);
    for (const [place, key] of keys.entries()) {
      const { json } = await service.call('/v1/account', { key });
      expect(json.usage.units_used).toBe(calls[place]);
      expect(used(lines, json.id)).toBe(calls[place]);
    }
  });

  test('is absent without it', async () => {
    const service = await startTestService();
    await service.keyFor('Gratis');
    expect((await metricsOf(service)).join('\n')).not.toContain('vesfx_account_units_used');
  });

  test('has no row while the database does not answer, and the others stay', async () => {
    const service = await startTestService({ config: { metricsAccounts: true } });
    await service.keyFor('Gratis');
    const away = () => Promise.reject(new StoreUnavailable('The database is away.'));
    vi.spyOn(service.service.store, 'accountUses').mockImplementation(away);
    const lines = await metricsOf(service);
    expect(lines.join('\n')).not.toContain('vesfx_account_units_used{');
    expect(metricOf(lines, 'vesfx_workers')).toBe(1);
  });
});
