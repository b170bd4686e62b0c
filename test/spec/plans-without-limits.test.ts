import { expect, test } from 'vitest';
import { PLAN_LIMITS } from '../../src/core/domain/plans.ts';
import { catalogueWith } from '../harness/catalogue.ts';
import { official, quote } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';

const LIMITS: readonly string[] = PLAN_LIMITS.map(({ name }) => name);

test('contract §3 every limit of a plan may be null for no limit', async () => {
  const none = Object.fromEntries(LIMITS.map((limit) => [limit, null]));
  const catalogueDir = await catalogueWith({
    plans: ({ Gratis }) => Object.assign(Gratis ?? {}, none, { features: ['markup'] }),
  });
  const { service, ...served } = await startTestService({ config: { catalogueDir } });
  const at = { updated_at: '2016-01-05T12:00:00Z', captured_at: '2016-01-05T12:00:00Z' };
  await served.push(official('2026-11-20', { USD: 800 }), quote('binance', 9, at));

  const { id } = await service.accounts.create('without limits', 'Gratis');
  let key = '';
  for (let keys = 0; keys < 60; keys += 1) ({ key } = await service.accounts.createKey(id));
  const send = (path: string, body?: object) =>
    served.call(path, {
      key,
      ...(body !== undefined && {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'Content-Type': 'application/json' },
      }),
    });
  for (let tag = 0; tag < 110; tag += 1) {
    const rule = { tag: `rule-${tag}`, kind: 'percent', value: 1 };
    expect((await send('/v1/account/markups', rule)).status).toBe(201);
  }
  const history = await send('/v1/fx/rates/binance/history?from=2016-01-01');
  // In the bolívar of that day.
  expect(history.json.points).toMatchObject([{ rate: 900_000_000_000 }]);
  const past = await send('/v1/fx/rates/binance?date=2016-01-06');
  expect(past.json).toMatchObject({ market: 'binance', mid: 900_000_000_000 });
  const { limits } = (await send('/v1/account')).json;
  const shown = Object.entries(limits).filter(([name]) => LIMITS.includes(name));
  expect(shown.filter(([, limit]) => limit !== null)).toEqual([]);
});
