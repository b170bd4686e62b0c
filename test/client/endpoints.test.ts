import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { asDocument, clientTypes, TYPES_FILE } from '../../scripts/client-types.ts';
import { referenceDocument } from '../../scripts/reference.ts';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { READS, Vesfx, VesfxError, type VesfxErrorCode } from '../../src/client/vesfx.ts';
import { demonstrationTexts } from '../../src/core/cli/added.ts';
import type { ApiDocument } from '../../src/core/http/openapi/api-document.ts';
import { withoutUnions } from '../../src/core/http/openapi/without-unions.ts';
import { bankTable, fullMarket, official } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';
import { watchedClient } from './watched.ts';

async function serving(plan = 'Escala') {
  // The operator's own endpoints are no part of the client.
  const service = await startTestService({
    config: { adminToken: undefined, added: demonstrationTexts(CAPABILITIES) },
  });
  await service.push(
    ...fullMarket(),
    official('2026-11-23', { USD: 805.1, EUR: 925.4 }),
    bankTable('2026-11-20', [{ bank: 'Banesco', buy: 800, sell: 802, date: '2026-11-20' }]),
  );
  const key = await service.keyFor(plan);
  return { service, key, ...watchedClient({ baseUrl: service.url, key }) };
}

/** The error with which a call fails. */
async function errorOf(call: Promise<unknown>): Promise<VesfxError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof VesfxError) return outcome;
  throw new Error(`expected a VesfxError, got ${String(outcome)}`);
}

/** Paths and components: the examples are those of the service. */
function withoutExamples({ paths, components }: Pick<ApiDocument, 'paths' | 'components'>) {
  const isExample = (name: string) => ['example', 'examples', 'x-other-formats'].includes(name);
  const text = JSON.stringify({ paths, components }, (name, one) =>
    isExample(name) ? undefined : one,
  );
  return JSON.parse(text);
}

describe('the client', () => {
  test('has the types of the document that the service has, where an answer keeps its forms', async () => {
    const { service } = await serving();
    const served = asDocument((await service.call('/openapi.json')).json);
    const document = referenceDocument(service.url);
    expect(withoutExamples(served)).toEqual(withoutExamples(withoutUnions(document)));
    expect(readFileSync(TYPES_FILE, 'utf8'), 'run: npm run client-types').toBe(
      clientTypes(document),
    );
  });

  test('has a method for every endpoint that writes, and each method answers', async () => {
    const { service, vesfx, seen } = await serving();
    const rule = { tag: 'shop', kind: 'percent', value: 10 } as const;
    expect(await vesfx.markups.create(rule)).toEqual({ ...rule, markets: [], active: true });
    expect((await vesfx.markups.list()).markups).toHaveLength(1);
    expect(await vesfx.markups.replace('shop', { kind: 'fixed', value: 1 })).toMatchObject({
      value: 1,
    });

    const rates = await vesfx.rates();
    expect(rates.rates.find(({ market }) => market === 'parallel')?.mid).toBe(850);
    const marked = await vesfx.rates({ markup: 'shop' });
    expect(marked.rates[0]?.mid_with_markup).toBe(801.5);
    expect(await vesfx.markups.delete('shop')).toBeUndefined();
    expect(await vesfx.rate('bcv')).toMatchObject({ market: 'reference', mid: 800.5 });
    expect(await vesfx.historyCollection('parallel')).toMatchObject({ count: 1 });
    expect(await vesfx.historyPoint('parallel', '2026-11-21')).toMatchObject({ rate: 850 });
    expect(await vesfx.candles('parallel', { interval: 'week' })).toMatchObject({ count: 1 });
    const changes = await vesfx.changes({ period: '7d', markets: ['bcv', 'parallel'] });
    expect(changes.changes.map(({ market }) => market)).toEqual(['reference', 'parallel']);
    expect((await vesfx.markets()).markets[0]?.id).toBe('reference');
    const pair = { from: 'USD', to: 'VES' } as const;
    expect((await vesfx.convert({ ...pair, amount: 100, via: 'parallel' })).to.amount).toBe(85_000);
    const onDate = { date: '2026-11-20' };
    expect((await vesfx.rates(onDate)).as_of.business_day).toBe(true);
    expect((await vesfx.rate('bcv', onDate)).as_of.value_date).toBe('2026-11-20');
    expect((await vesfx.convert({ ...pair, ...onDate, amount: 2 })).as_of.carried_days).toBe(0);
    expect((await vesfx.bulkConvert({ ...pair, ...onDate, amounts: [1] })).as_of).toBeDefined();
    expect(await vesfx.bulkConvert({ ...pair, amounts: [1, 2] })).toMatchObject({ total_in: 3 });
    expect((await vesfx.route({ ...pair, amount: 1, max_staleness: 60 })).best.market).toBe(
      'cucuta',
    );
    expect((await vesfx.index()).version).toBe('v1');
    expect((await vesfx.spread({ against: 'cash' })).compared.market).toBe('cash');
    expect((await vesfx.bcvBanks()).bank_rates[0]?.bank).toBe('Banesco');
    expect((await vesfx.bcvCurrencies()).rates.EUR).toBe(925.4);
    expect((await vesfx.official()).rates.USD?.next?.value_date).toBe('2026-11-23');
    expect((await vesfx.officialHistory({ days: 'all', from: '2026-11-20' })).currency).toBe('USD');
    expect((await vesfx.calendar({ from: '2026-11-22', to: '2026-11-24' })).count).toBe(3);
    const account = await vesfx.account();
    expect(account.plan).toBe('Escala');
    expect((await vesfx.usage({ to: '2026-11-21' })).to).toBe('2026-11-21');
    expect((await vesfx.status()).sources.length).toBeGreaterThan(0);
    const calculation = await vesfx.calculate({ amount: 2, from: 'USD', to: 'VES' });
    expect(calculation.results[0]?.market).toBe('reference');
    const made = await vesfx.keys.create({ kind: 'restricted', scopes: ['rates'], label: 'a' });
    expect(made.key).toMatch(/^vfx_rk_live_/);
    expect((await vesfx.keys.change(made.id, { label: null })).label).toBeNull();
    await vesfx.keys.revoke(made.id);
    expect((await vesfx.keys.list()).keys).toHaveLength(2);
    const id = account.keys[0]?.id ?? '';
    expect(await vesfx.rotateKey(id, { grace_sec: 60 })).toMatchObject({ replaces: id });

    const { paths } = asDocument((await service.call('/openapi.json')).json);
    // The operator's addresses take a token, and the client a key.
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(
          ([, { tags, operationId }]) => !tags.includes('Operator') && operationId !== 'openStream',
        )
        .map(([method]) => ({ method: method.toUpperCase(), path })),
    );
    const asked = (method: string, path: string) =>
      seen.some((one) => {
        const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?.*)?$`);
        return one.method === method && pattern.test(one.path);
      });
    // Operations that only read are available by their operation id too.
    // Webhooks have a test of their own.
    const isOther = (path: string) => !path.startsWith('/v1/account/webhooks');
    const writing = told.filter(({ method, path }) => method !== 'GET' && isOther(path));
    expect(writing.filter(({ method, path }) => !asked(method, path))).toEqual([]);
    const reads = told.filter(({ method }) => method === 'GET').map(({ path }) => path);
    expect(Object.values(READS).map(({ path }) => path)).toEqual(reads);
  });

  test('reads any GET by its operation id, with parameters in path and query', async () => {
    const { vesfx, seen } = await serving();
    expect((await vesfx.read('getIndex')).version).toBe('v1');
    const options = { market: 'a/b c', details: 'true' } as const;
    expect(await errorOf(vesfx.read('getRate', options))).toMatchObject({ field: 'market' });
    expect(seen.at(-1)?.path).toBe('/v1/fx/rates/a%2Fb%20c?details=true');
    expect((await vesfx.read('getStatus')).status).toBe('degraded');
    expect(await vesfx.read('convert', { from: 'USD', to: 'VES', amount: 2 })).toEqual(
      await vesfx.convert({ from: 'USD', to: 'VES', amount: 2 }),
    );
    for (const unknown of ['getIndexx', 'constructor']) {
      const error = await vesfx.read(unknown as 'getIndex').catch((thrown: unknown) => thrown);
      expect(error).toEqual(new TypeError(`${unknown} is not the id of a GET operation.`));
    }
  });

  test('sends an amount given as text unchanged', async () => {
    const { vesfx, seen } = await serving();
    await vesfx.convert({ from: 'USD', to: 'VES', amount: '0.10000000000000000001' });
    expect(seen.at(-1)?.path).toContain('amount=0.10000000000000000001');
  });

  test('encodes any market name as one segment of the path', async () => {
    const { vesfx } = await serving();
    for (const name of ['../markets', 'a/b', 'a?b=c', '<script>', 'é #']) {
      expect(await errorOf(vesfx.rate(name))).toMatchObject({ code: 'resource_not_found' });
    }
  });

  test('§4.1 returns the text of the service with format, also by type', async () => {
    const { vesfx } = await serving();
    const csv = await vesfx.rates({ format: 'csv' });
    expectTypeOf(csv).toEqualTypeOf<string>();
    expect(csv.split('\r\n')[0]).toContain('market,type,base,mid');
    expect(await vesfx.historyCollection('parallel', { format: 'xml' })).toContain('<history>');
    const conversion = { from: 'USD', to: 'VES', amount: 1 } as const;
    expect(await vesfx.convert({ ...conversion, format: 'csv' })).toContain('800.5');
  });

  test('has the remaining quota after an answer', async () => {
    const { vesfx } = await serving();
    expect(vesfx.limits).toEqual({});
    await vesfx.bulkConvert({ from: 'USD', to: 'VES', amounts: [1] });
    expect(vesfx.limits).toEqual({
      month: { limit: 1_500_000, remaining: 1_499_999, resetSec: 820_800 },
      bulk: { limit: 300, remaining: 299 },
    });
    await vesfx.index();
    expect(vesfx.limits.month?.remaining).toBe(1_499_998);
    expect(vesfx.limits.bulk?.remaining).toBe(299);
  });

  test('keeps the path of its base address, with or without a trailing slash', async () => {
    const paths: string[] = [];
    const answering: typeof fetch = async (input) => {
      paths.push(String(input));
      return Response.json({ plan: 'Gratis' });
    };
    for (const baseUrl of ['https://example.net/ves', new URL('https://example.net/ves/')]) {
      await new Vesfx({ baseUrl, key: 'k', fetch: answering }).account();
    }
    expect(new Set(paths)).toEqual(new Set(['https://example.net/ves/v1/account']));
  });
});

describe('the errors of the client', () => {
  test('carry the fields of the service, typed by code', async () => {
    const { vesfx } = await serving('Gratis');
    const missing = await errorOf(vesfx.rate('nonsense'));
    expect(missing).toMatchObject({
      name: 'VesfxError',
      code: 'resource_not_found',
      status: 404,
      field: 'market',
    });
    expect(missing.requestId).toMatch(/./);
    expect(await errorOf(vesfx.spread())).toMatchObject({
      code: 'feature_not_in_plan',
      status: 402,
      details: { feature: 'spread', current_plan: 'Gratis', required_plan: 'Esencial' },
    });
    expect(await errorOf(vesfx.historyPoint('parallel', '2026-01-01'))).toMatchObject({
      code: 'history_out_of_retention',
      details: { max_days: 7 },
    });
    expectTypeOf(missing.code).toEqualTypeOf<VesfxErrorCode>();
    // @ts-expect-error A code that does not exist is seen by the compiler.
    expect(missing.code === 'no_such_code').toBe(false);
  });

  test('an unreachable service is network_error, with the reason', async () => {
    const { service, vesfx } = await serving();
    await service.service.close();
    const error = await errorOf(vesfx.rates());
    expect(error).toMatchObject({ code: 'network_error', status: undefined });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).toContain(service.url);
  });

  test('never contain the key, and neither do the address and the printed client', async () => {
    const { inspect } = await import('node:util');
    const { service, key, vesfx, seen } = await serving('Gratis');
    const errors = [await errorOf(vesfx.spread()), await errorOf(vesfx.rate(' '))];
    await service.service.close();
    errors.push(await errorOf(vesfx.rates()));
    const shown = [
      ...errors.map((error) => inspect(error, { depth: null }) + JSON.stringify(error)),
      ...seen.map(({ path }) => path),
      inspect(vesfx, { depth: null, showHidden: true }),
    ].join();
    expect(shown).not.toContain(key);
    const cut = `${key}\nX-Other: 1`;
    expect(() => new Vesfx({ baseUrl: service.url, key: cut })).toThrow(/^key must be/);
  });

  test('requests the status without the key', async () => {
    const { vesfx, seen } = await serving();
    await vesfx.status();
    await vesfx.account();
    expect(seen.map(({ headers }) => headers.has('X-API-Key'))).toEqual([false, true]);
  });
});

describe('an answer that is still current', () => {
  test('is requested with its ETag, and a 304 gives the cached body', async () => {
    const { vesfx, seen } = await serving();
    const first = await vesfx.rates();
    const again = await vesfx.rates();
    expect(seen.map(({ status }) => status)).toEqual([200, 304]);
    expect(again).toEqual(first);
    // A separate body: changes by one caller do not reach the next.
    again.rates.length = 0;
    expect(await vesfx.rates()).toEqual(first);
  });

  test('is cached separately for each combination of parameters and formats', async () => {
    const { vesfx, seen } = await serving();
    const json = await vesfx.rates();
    const csv = await vesfx.rates({ format: 'csv' });
    expect(await vesfx.rates({ format: 'csv' })).toBe(csv);
    expect(await vesfx.rates()).toEqual(json);
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 304, 304]);
  });

  test('is replaced by a newer one', async () => {
    const { service, vesfx, seen } = await serving();
    await vesfx.rate('reference');
    service.clock.advance(3 * 86_400_000);
    expect(await vesfx.rate('reference')).toMatchObject({ mid: 805.1 });
    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('is cached for the allowed number of addresses, and the least recently used is removed first', async () => {
    const { service, key } = await serving();
    const { vesfx, seen } = watchedClient({ baseUrl: service.url, key, keptAnswers: 2 });
    const statuses = async (...markets: string[]) => {
      const before = seen.length;
      for (const market of markets) await vesfx.rate(market);
      return seen.slice(before).map(({ status }) => status);
    };
    expect(await statuses('reference', 'parallel', 'reference')).toEqual([200, 200, 304]);
    expect(await statuses('cash')).toEqual([200]);
    expect(await statuses('reference', 'parallel')).toEqual([304, 200]);
  });
});
