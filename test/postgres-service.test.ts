import { expect, test } from 'vitest';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { addressOf, createDatabase, postgresPort, postgresProxy } from './harness/postgres.ts';
import { startTestService } from './harness/service.ts';
import { stopwatch } from './harness/stopwatch.ts';

test('while the database hangs, known keys get rates and requests that need it are refused within a second', async () => {
  const database = addressOf(await postgresPort(), await createDatabase());
  const proxy = await postgresProxy();
  const postgres = readPostgresUrl(database.replace(/:\d+\//, `:${proxy.port}/`));
  const service = await startTestService({ config: { postgres } });
  const at = new Date(service.clock.now()).toISOString();
  await service.push({ kind: 'quote', market: 'parallel', mid: 900, updated_at: at });
  const [key, unseen] = [await service.keyFor('Escala'), await service.keyFor('Escala')];
  // A key that just changed is looked up again.
  await service.service.changePoller.poll();
  expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
  proxy.hang();

  const asked = async (path: string, by: string) => {
    const waited = stopwatch();
    const { status, headers } = await service.call(path, { key: by });
    return { status, retry: headers.has('Retry-After'), ms: waited() };
  };
  const [rates, history, unknown] = await Promise.all([
    asked('/v1/fx/rates', key),
    asked('/v1/fx/rates/parallel/history', key),
    asked('/v1/fx/rates', unseen),
  ]);
  expect(rates).toMatchObject({ status: 200 });
  expect(history).toMatchObject({ status: 503, retry: true });
  expect(unknown).toMatchObject({ status: 503, retry: true });
  for (const { ms } of [rates, history, unknown]) expect(ms).toBeLessThan(1_100);
  proxy.resume();
  const historyNow = async () => (await asked('/v1/fx/rates/parallel/history', key)).status;
  await expect.poll(historyNow).toBe(200);
});

test('the whole service answers from PostgreSQL', async () => {
  const postgres = readPostgresUrl(addressOf(await postgresPort(), await createDatabase()));
  const service = await startTestService({ config: { postgres } });
  const at = (hours: number) => new Date(service.clock.now() - hours * 3_600_000).toISOString();
  await service.push(
    { kind: 'quote', market: 'parallel', mid: 895, updated_at: at(26), captured_at: at(26) },
    { kind: 'quote', market: 'parallel', mid: 900, updated_at: at(1), captured_at: at(1) },
  );
  const key = await service.keyFor('Escala');
  const call = (path: string, options = {}) => service.call(path, { key, ...options });

  const rates = await call('/v1/fx/rates');
  expect(rates.status).toBe(200);
  expect(rates.text).toContain('900');
  const converted = await call('/v1/fx/convert?amount=2&from=USD&to=VES&market=parallel');
  expect(converted.status).toBe(200);
  const history = await call('/v1/fx/rates/parallel/history');
  expect(history.status).toBe(200);
  expect(history.text).toContain('895');
  const rule = { tag: 'shop', kind: 'percent', value: 0.02, markets: ['parallel'] };
  const created = await call('/v1/account/markups', { method: 'POST', body: rule });
  expect(created.status).toBe(201);
  expect((await call('/v1/account/markups')).text).toContain('shop');
  const accountAnswer = await call('/v1/account');
  expect(accountAnswer.status).toBe(200);
  expect((await service.call('/v1/fx/rates', { key: 'wrong' })).status).toBe(401);
  expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
