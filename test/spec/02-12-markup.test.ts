import { describe, expect, test } from 'vitest';
import { fullMarket, official, quote } from '../harness/make.ts';
import {
  fault,
  type Reply,
  startTestService,
  type TestService,
  temporaryDir,
} from '../harness/service.ts';

const MARKUPS = '/v1/account/markups';

/** Rules that each paid plan may have (contract §3). */
const RULES_MAX: readonly (readonly [plan: string, most: number, next: string | null])[] = [
  ['Inicio', 1, 'Esencial'],
  ['Esencial', 5, 'Profesional'],
  ['Profesional', 20, 'Escala'],
  ['Escala', 100, null],
];

/** The four calls of an account on its own rules, and the view of `/rates`. */
function markupsOf(service: TestService, key: string) {
  return {
    list: (): Promise<Reply> => service.call(MARKUPS, { key }),
    create: (body: unknown): Promise<Reply> => service.call(MARKUPS, { key, method: 'POST', body }),
    replace: (tag: string, body: unknown): Promise<Reply> =>
      service.call(`${MARKUPS}/${tag}`, { key, method: 'PUT', body }),
    remove: (tag: string): Promise<Reply> =>
      service.call(`${MARKUPS}/${tag}`, { key, method: 'DELETE' }),
    rates: (tag: string): Promise<Reply> => service.call(`/v1/fx/rates?markup=${tag}`, { key }),
  };
}

async function serving(records: object[], plan = 'Escala') {
  const service = await startTestService();
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  return { service, key, ...markupsOf(service, key) };
}

const tagsOf = ({ json }: Reply): string[] =>
  json.markups.map(({ tag }: { tag: string }) => tag).sort();

const SHOP = { tag: 'shop', kind: 'percent', value: 3.5 };
const SHOP_RULE = { ...SHOP, markets: [], active: true };

const QUOTES = [
  official('2026-11-20', { USD: 800, EUR: 920 }),
  quote('parallel', 900, { ask: 910, bid: 890 }),
  quote('binance', 850.123, { ask: 851 }),
];

describe('§2.12 the markup view', () => {
  test('§2.12 affected rows add the marked-up rate and the rule, and rows omit base, value date and threshold', async () => {
    const { service, key, create, rates } = await serving(QUOTES);
    await create(SHOP);
    const plain = await service.call('/v1/fx/rates', { key });
    const reply = await rates('shop');
    expect(reply.status).toBe(200);
    const markup_applied = { kind: 'percent', value: 3.5 };
    const official_at = '2026-11-20T04:00:00.000Z';
    const updated_at = '2026-11-21T12:00:00.000Z';
    expect(reply.json).toEqual({
      country: 'VE',
      currency: 'VES',
      base: 'USD',
      rates: [
        {
          market: 'reference',
          type: 'reference',
          mid: 800,
          updated_at: official_at,
          mid_with_markup: 828,
          markup_applied,
        },
        {
          market: 'eur_reference',
          type: 'reference',
          mid: 920,
          updated_at: official_at,
          mid_with_markup: 952.2,
          markup_applied,
        },
        {
          market: 'parallel',
          type: 'parallel',
          mid: 900,
          ask: 910,
          bid: 890,
          updated_at,
          mid_with_markup: 931.5,
          markup_applied,
        },
        {
          market: 'binance',
          type: 'p2p',
          mid: 850.123,
          ask: 851,
          updated_at,
          mid_with_markup: 879.8773,
          markup_applied,
        },
      ],
      index: plain.json.index,
      markup_applied: { tag: 'shop', kind: 'percent', value: 3.5 },
      fetched_at: plain.json.fetched_at,
    });
    expect(reply.headers.get('x-ratelimit-cost')).toBe('1');
  });

  test('§2.12 without markup, or with an empty one, the answer is the plain snapshot', async () => {
    const { service, key, create } = await serving(QUOTES);
    const before = await service.call('/v1/fx/rates', { key });
    await create(SHOP);
    for (const path of ['/v1/fx/rates', '/v1/fx/rates?markup=']) {
      expect((await service.call(path, { key })).text).toBe(before.text);
    }
  });

  test('§2.12 a request with markup changes neither the plain snapshot, the index nor conversions', async () => {
    const { service, key, create, rates } = await serving(QUOTES);
    const paths = ['/v1/fx/rates', '/v1/fx/index', '/v1/fx/convert?from=USD&to=VES&amount=1'];
    const all = async () =>
      Promise.all(paths.map(async (path) => (await service.call(path, { key })).json));
    const before = await all();
    await create(SHOP);
    await rates('shop');
    expect(await all()).toEqual(before);
  });

  test('contract §6 a rule marks up only its markets, and an empty list means all', async () => {
    const { create, rates } = await serving(fullMarket());
    await create({ ...SHOP, markets: ['cash', 'reference'] });
    await create({ ...SHOP, tag: 'all', markets: [] });
    await create({ ...SHOP, tag: 'absent' });
    const marked = async (tag: string): Promise<string[]> =>
      (await rates(tag)).json.rates
        .filter((row: object) => 'mid_with_markup' in row)
        .map(({ market }: { market: string }) => market);
    expect(await marked('shop')).toEqual(['reference', 'cash']);
    const { json } = await rates('shop');
    expect(json.rates).toHaveLength(18);
    for (const row of json.rates) {
      expect('markup_applied' in row).toBe('mid_with_markup' in row);
      for (const name of ['base', 'effective_date', 'stale_after_sec']) {
        expect(row).not.toHaveProperty(name);
      }
    }
    expect(await marked('all')).toHaveLength(18);
    expect(await marked('absent')).toHaveLength(18);
  });

  test('§4.1 rates with markup are filtered by the plan too', async () => {
    const { service, create, rates } = await serving(fullMarket(), 'Inicio');
    await create({ ...SHOP, markets: ['parallel', 'binance'] });
    const key = await service.keyFor('Inicio');
    const plain = (await service.call('/v1/fx/rates', { key })).json.rates;
    const names = (rows: { market: string }[]) => rows.map(({ market }) => market);
    expect(names((await rates('shop')).json.rates)).toEqual(names(plain));
  });

  test('contract §5 mid_with_markup is rounded once to 4 decimals, half away from zero', async () => {
    const cases: [mid: number, kind: string, value: number, marked: number][] = [
      [889.5754, 'percent', 3.5, 920.7105], // 920.710539
      [1000, 'percent', 0.00001, 1000.0001],
      [1000, 'percent', 0.000005, 1000.0001], // 1000.00005
      [1000, 'percent', 0.000004, 1000],
      [1000, 'percent', -0.000005, 1000], // 999.99995
      [1000, 'percent', -0.000015, 999.9999], // 999.99985
      [0.1, 'percent', 200, 0.3],
      [1.1, 'percent', 10, 1.21],
      [900, 'percent', 0, 900],
      [900, 'percent', -99, 9],
      [900, 'percent', 1000, 9900],
      [889.57541234, 'percent', 0, 889.5754],
      [889.57545, 'fixed', 0, 889.5755],
      [900, 'fixed', 10, 910],
      [900.1, 'fixed', 0.2, 900.3],
      [900, 'fixed', -10.00005, 890], // 889.99995
      [900, 'fixed', 1e12, 1_000_000_000_900],
    ];
    const { service, create, replace, rates } = await serving([quote('parallel', 1)]);
    await create(SHOP);
    const found: unknown[] = [];
    for (const [mid, kind, value] of cases) {
      service.clock.advance(1_000);
      await service.push({ kind: 'quote', market: 'parallel', mid });
      await replace('shop', { kind, value });
      const [row] = (await rates('shop')).json.rates;
      expect(row.mid).toBe(mid);
      expect(row.markup_applied).toEqual({ kind, value });
      found.push([mid, kind, value, row.mid_with_markup]);
    }
    expect(found).toEqual(cases);
  });

  test('contract §6 a row whose result would not be positive is left unmarked, and only that row', async () => {
    const { create, replace, rates } = await serving([
      quote('parallel', 900),
      quote('binance', 900.0001),
      quote('bingx', 899.9999),
    ]);
    await create({ ...SHOP, kind: 'fixed', value: -900 });
    const { status, json } = await rates('shop');
    expect(status).toBe(200);
    const updated_at = '2026-11-21T12:00:00.000Z';
    expect(json.rates).toEqual([
      { market: 'parallel', type: 'parallel', mid: 900, updated_at },
      {
        market: 'binance',
        type: 'p2p',
        mid: 900.0001,
        updated_at,
        mid_with_markup: 0.0001,
        markup_applied: { kind: 'fixed', value: -900 },
      },
      { market: 'bingx', type: 'p2p', mid: 899.9999, updated_at },
    ]);
    expect(json.markup_applied).toEqual({ tag: 'shop', kind: 'fixed', value: -900 });

    // Never a rate of zero, not even by rounding.
    await replace('shop', { kind: 'fixed', value: -900.00006, markets: ['binance'] });
    for (const row of (await rates('shop')).json.rates) {
      expect(row).not.toHaveProperty('mid_with_markup');
      expect(row).not.toHaveProperty('markup_applied');
    }
  });

  test('§4.1 in an empty store the rates with markup are empty too', async () => {
    const { create, rates } = await serving([]);
    await create(SHOP);
    const { status, json } = await rates('shop');
    expect([status, json.rates, json.markup_applied.tag]).toEqual([200, [], 'shop']);
    expect(json).not.toHaveProperty('index');
  });

  test('§4.1 a tag without an active rule is 404 markup_not_found and costs nothing', async () => {
    const { create, replace, remove, rates } = await serving(QUOTES);
    const missing = await rates('shop');
    expect([missing.status, missing.json.code]).toEqual([404, 'markup_not_found']);
    expect(missing.headers.get('x-ratelimit-cost')).toBeNull();

    await create({ ...SHOP, active: false });
    expect((await rates('shop')).json.code).toBe('markup_not_found');
    await replace('shop', { kind: 'percent', value: 1, active: true });
    expect((await rates('shop')).status).toBe(200);
    await replace('shop', { kind: 'percent', value: 1, active: false });
    expect((await rates('shop')).json.code).toBe('markup_not_found');
    await replace('shop', { kind: 'percent', value: 1 });
    expect((await rates('shop')).status).toBe(200);
    await remove('shop');
    expect((await rates('shop')).json.code).toBe('markup_not_found');
  });

  test('contract §6 a tag is matched exactly', async () => {
    const { create, rates } = await serving(QUOTES);
    await create(SHOP);
    for (const tag of ['SHOP', 'Shop', 'shop%20', '%2573hop', 'sho', 'shops', '*', '__proto__']) {
      expect([tag, (await rates(tag)).json.code]).toEqual([tag, 'markup_not_found']);
    }
    expect((await rates('%73hop')).status).toBe(200);
  });

  test('§4.1 markup needs a paid plan: Gratis is 402, Inicio has it', async () => {
    const gratis = await serving(QUOTES, 'Gratis');
    const { status, json } = await gratis.rates('shop');
    expect([status, json.code, json.details]).toEqual([
      402,
      'feature_not_in_plan',
      { feature: 'markup', current_plan: 'Gratis', required_plan: 'Inicio' },
    ]);
    const inicio = await serving(QUOTES, 'Inicio');
    await inicio.create(SHOP);
    expect((await inicio.rates('shop')).status).toBe(200);
  });

  test('§4.1 an account that moves to Gratis loses markup, and has its rules again after it moves back', async () => {
    const { service, create, rates } = await serving(QUOTES, 'Esencial');
    await create(SHOP);
    const [account] = await service.service.accounts.list();
    const onPlan = async (plan: string) => {
      await service.service.accounts.setPlan(account?.id ?? '', plan);
      await service.service.changePoller.poll();
      return (await rates('shop')).status;
    };
    expect(await onPlan('Gratis')).toBe(402);
    expect(await onPlan('Inicio')).toBe(200);
  });
});

describe('contract §6 the rules of an account', () => {
  test('contract §6 a rule is created with 201 and shown with its five fields', async () => {
    const { list, create, rates } = await serving(QUOTES);
    expect((await list()).json).toEqual({ markups: [] });
    const created = await create(SHOP);
    expect([created.status, created.json]).toEqual([201, SHOP_RULE]);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const full = {
      tag: 'vip_2-b',
      kind: 'fixed',
      value: -12.5,
      markets: ['parallel', 'cash'],
      active: false,
    };
    expect((await create(full)).json).toEqual(full);
    const { json } = await list();
    expect(json.markups).toHaveLength(2);
    expect(json.markups).toEqual(expect.arrayContaining([SHOP_RULE, full]));
    // The rule applies as soon as the answer arrives.
    expect((await rates('shop')).status).toBe(200);
  });

  test('contract §6 PUT replaces a rule whole: absent fields get the defaults of a new rule', async () => {
    const { list, create, replace, rates } = await serving(QUOTES);
    await create({ ...SHOP, markets: ['parallel'], active: false });
    const replaced = await replace('shop', { kind: 'fixed', value: 10 });
    const rule = { tag: 'shop', kind: 'fixed', value: 10, markets: [], active: true };
    expect([replaced.status, replaced.json]).toEqual([200, rule]);
    expect((await list()).json.markups).toEqual([rule]);
    expect((await rates('shop')).json.rates[0].mid_with_markup).toBe(810);
  });

  test('contract §6 a rule that does not exist cannot be replaced or deleted', async () => {
    const { list, create, replace, remove } = await serving([]);
    await create(SHOP);
    expect((await replace('other', { kind: 'fixed', value: 1 })).status).toBe(404);
    expect((await replace('other', { kind: 'fixed', value: 1 })).json.code).toBe(
      'markup_not_found',
    );
    expect((await remove('other')).json.code).toBe('markup_not_found');
    expect((await list()).json.markups).toEqual([SHOP_RULE]);
  });

  test('contract §6 replacing or deleting a missing rule is 404', async () => {
    const { replace, remove } = await serving([]);
    for (const reply of [await replace('shop', SHOP_RULE), await remove('shop')]) {
      expect(reply.json).toEqual({
        code: 'markup_not_found',
        message: 'There is no markup rule with that tag.',
        field: 'tag',
        details: { reason: 'unknown_id' },
      });
    }
  });

  test('contract §6 a deleted rule is gone, with 204 and no body, and its tag is free again', async () => {
    const { list, create, remove } = await serving([]);
    await create(SHOP);
    const removed = await remove('shop');
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await list()).json.markups).toEqual([]);
    expect((await remove('shop')).status).toBe(404);
    expect((await create(SHOP)).status).toBe(201);
  });

  test('contract §6 creating a tag that exists is refused and leaves its rule unchanged', async () => {
    const { list, create } = await serving([]);
    await create(SHOP);
    const again = await create({ ...SHOP, value: 99 });
    expect([again.status, again.json.code, again.json.field]).toEqual([
      409,
      'already_exists',
      'tag',
    ]);
    expect((await list()).json.markups).toEqual([SHOP_RULE]);

    const together = await Promise.all(
      Array.from({ length: 5 }, (_, value) => create({ ...SHOP, tag: 'race', value })),
    );
    expect(together.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test('contract §6 another account cannot see, use, replace or delete the rules', async () => {
    const { service, list, create, rates } = await serving(QUOTES);
    const other = markupsOf(service, await service.keyFor('Escala'));
    await create(SHOP);
    expect((await other.list()).json.markups).toEqual([]);
    expect((await other.rates('shop')).json.code).toBe('markup_not_found');
    expect((await other.replace('shop', { kind: 'fixed', value: 1 })).status).toBe(404);
    expect((await other.remove('shop')).status).toBe(404);
    expect((await list()).json.markups).toEqual([SHOP_RULE]);

    // The same tag is a separate rule.
    expect((await other.create({ ...SHOP, kind: 'fixed', value: 1 })).status).toBe(201);
    expect((await rates('shop')).json.rates[0].mid_with_markup).toBe(828);
    expect((await other.rates('shop')).json.rates[0].mid_with_markup).toBe(801);
    await other.remove('shop');
    expect((await rates('shop')).status).toBe(200);
  });

  test('contract §6 every key of the account manages the same rules', async () => {
    const { service, create } = await serving(QUOTES);
    const [account] = await service.service.accounts.list();
    const { key } = await service.service.accounts.createKey(account?.id ?? '');
    const second = markupsOf(service, key);
    expect((await second.rates('shop')).status).toBe(404);
    await create(SHOP);
    expect((await second.rates('shop')).status).toBe(200);
    expect((await second.remove('shop')).status).toBe(204);
  });

  test('contract §6 rules survive a restart', async () => {
    const dataDir = await temporaryDir();
    const first = await startTestService({ dataDir });
    await first.push(...QUOTES);
    const key = await first.keyFor('Inicio');
    await markupsOf(first, key).create(SHOP);
    await first.service.close();
    const second = markupsOf(await startTestService({ dataDir }), key);
    expect((await second.list()).json.markups).toEqual([SHOP_RULE]);
    expect((await second.rates('shop')).status).toBe(200);
  });

  test('contract §6 managing rules costs nothing', async () => {
    const { service, key, list, create, replace, remove } = await serving([], 'Inicio');
    const replies = [
      await list(),
      await create(SHOP),
      await replace('shop', { kind: 'fixed', value: 1 }),
      await remove('shop'),
      await create({}),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 200, 204, 400]);
    for (const { headers } of replies) {
      expect(headers.get('x-ratelimit-cost')).toBeNull();
      expect(headers.get('x-ratelimit-remaining')).toBe('15000');
    }
    const { json } = await service.call('/v1/account', { key });
    expect(json.usage.units_used).toBe(0);
  });

  test('contract §3 Gratis has no rules: each of the four calls is 402', async () => {
    const { list, create, replace, remove } = await serving([], 'Gratis');
    for (const reply of [
      await list(),
      await create(SHOP),
      await create({}),
      await replace('shop', { kind: 'fixed', value: 1 }),
      await remove('shop'),
    ]) {
      expect([reply.status, reply.json.code, reply.json.details]).toEqual([
        402,
        'feature_not_in_plan',
        { feature: 'markup', current_plan: 'Gratis', required_plan: 'Inicio' },
      ]);
    }
  });

  test.each(RULES_MAX)(
    'contract §3 %s has at most %i rules, active or not, and one past it is 402',
    async (plan, most, next) => {
      const { list, create, replace, remove } = await serving([], plan);
      const tags = Array.from({ length: most }, (_, position) => `t${position}`);
      const created = await Promise.all(
        tags.map((tag, position) => create({ ...SHOP, tag, active: position % 2 === 0 })),
      );
      expect(created.map(({ status }) => status)).toEqual(tags.map(() => 201));

      const over = await create({ ...SHOP, tag: 'over' });
      expect([over.status, over.json.code, over.json.details]).toEqual([
        402,
        'feature_not_in_plan',
        { feature: 'markup', current_plan: plan, required_plan: next, max: most },
      ]);
      expect(tagsOf(await list())).toEqual([...tags].sort());

      // Only the number is limited: a rule may still be replaced or deleted.
      expect((await replace('t0', { kind: 'fixed', value: 1 })).status).toBe(200);
      expect((await remove('t0')).status).toBe(204);
      const race = await Promise.all(['a', 'b', 'c', 'd'].map((tag) => create({ ...SHOP, tag })));
      expect(race.map(({ status }) => status).sort()).toEqual([201, 402, 402, 402]);
      expect((await list()).json.markups).toHaveLength(most);
    },
  );
});

describe('contract §6 an account with more rules than its plan allows', () => {
  async function downgraded(plan: string) {
    const service = await startTestService();
    await service.push(...fullMarket());
    const { accounts, changePoller } = service.service;
    const account = await accounts.create('Downgraded', 'Profesional');
    const { key } = await accounts.createKey(account.id);
    const call = (path: string, method = 'GET', body?: object) =>
      service.call(`/v1${path}`, { key, method, ...(body && { body }) });
    // The oldest has the last tag.
    for (const tag of ['z', 'a', 'm']) await call('/account/markups', 'POST', { ...SHOP, tag });
    await accounts.setPlan(account.id, plan);
    await changePoller.poll();
    return { call };
  }

  test('contract §6 the oldest rules count first; the others do not apply but can be listed and deleted', async () => {
    const { call } = await downgraded('Inicio');
    expect((await call('/fx/rates?markup=z')).status).toBe(200);
    for (const tag of ['a', 'm']) {
      const { status, json } = await call(`/fx/rates?markup=${tag}`);
      expect([status, json.code, json.field]).toEqual([404, 'markup_not_found', 'markup']);
    }
    expect(tagsOf(await call('/account/markups'))).toEqual(['a', 'm', 'z']);
    expect((await call('/account/markups/z', 'DELETE')).status).toBe(204);
    // A freed place goes to the next rule.
    expect((await call('/fx/rates?markup=a')).status).toBe(200);
    expect((await call('/fx/rates?markup=m')).status).toBe(404);
  });

  test('contract §6 on Gratis no rule applies, and remaining rules can be listed and deleted', async () => {
    const { call } = await downgraded('Gratis');
    expect((await call('/fx/rates?markup=z')).status).toBe(402);
    expect(tagsOf(await call('/account/markups'))).toEqual(['a', 'm', 'z']);
    expect((await call('/account/markups', 'POST', { ...SHOP, tag: 'n' })).status).toBe(402);
    expect((await call('/account/markups/z', 'PUT', { kind: 'fixed', value: 1 })).status).toBe(402);
    for (const tag of ['z', 'a', 'm']) {
      expect((await call(`/account/markups/${tag}`, 'DELETE')).status).toBe(204);
    }
    expect((await call('/account/markups')).status).toBe(402);
  });
});

describe('contract §6 the fields of a rule', () => {
  test('contract §6 a tag is 1 to 32 of a-z, 0-9, _ and -', async () => {
    const { create, list } = await serving([]);
    const accepted = ['a', '0', '_', '-', 'a-b_c-0', 'a'.repeat(32), 'constructor', '__proto__'];
    const refused = ['', 'a'.repeat(33), 'A', 'a b', 'á', 'a.b', 'a/b', 'a\n', ' a', 'ａ', 'a\0'];
    for (const tag of accepted) {
      expect([tag, (await create({ ...SHOP, tag })).status]).toEqual([tag, 201]);
    }
    for (const tag of [...refused, 5, null, true, ['a'], {}]) {
      expect([tag, ...fault(await create({ ...SHOP, tag }))]).toEqual([
        tag,
        400,
        'invalid_format',
        'tag',
      ]);
    }
    expect(tagsOf(await list())).toEqual([...accepted].sort());
  });

  test('contract §6 a percent is -99 to 1000, and a fixed value may have either sign', async () => {
    const { create } = await serving([]);
    const cases: [kind: string, value: unknown, status: number][] = [
      ['percent', -99, 201],
      ['percent', -99.0001, 400],
      ['percent', -100, 400],
      ['percent', 1000, 201],
      ['percent', 1000.0001, 400],
      ['percent', 0, 201],
      ['percent', -0.5, 201],
      ['percent', 3.12345, 201],
      ['fixed', -99.0001, 201],
      ['fixed', 1000.0001, 201],
      ['fixed', -5000, 201],
      ['fixed', 0, 201],
    ];
    for (const [position, [kind, value, status]] of cases.entries()) {
      const reply = await create({ tag: `t${position}`, kind, value });
      expect([kind, value, reply.status]).toEqual([kind, value, status]);
      if (status === 400) expect(fault(reply)).toEqual([400, 'invalid_format', 'value']);
      else expect(reply.json.value).toBe(value);
    }
  });

  test('contract §6 kind, value, markets and active accept one type each', async () => {
    const { create, list } = await serving([]);
    const cases: [body: object, field: string][] = [
      [{ kind: 'Percent' }, 'kind'],
      [{ kind: 'ratio' }, 'kind'],
      [{ kind: '' }, 'kind'],
      [{ kind: null }, 'kind'],
      [{ kind: 1 }, 'kind'],
      [{ value: '3.5' }, 'value'],
      [{ value: null }, 'value'],
      [{ value: true }, 'value'],
      [{ value: [3.5] }, 'value'],
      [{ value: {} }, 'value'],
      [{ markets: 'parallel' }, 'markets'],
      [{ markets: null }, 'markets'],
      [{ markets: {} }, 'markets'],
      [{ markets: ['nowhere'] }, 'markets'],
      [{ markets: ['parallel', 'PARALLEL'] }, 'markets'],
      [{ markets: [1] }, 'markets'],
      [{ markets: [null] }, 'markets'],
      [{ markets: [['parallel']] }, 'markets'],
      [{ markets: ['__proto__'] }, 'markets'],
      [{ active: 'true' }, 'active'],
      [{ active: 1 }, 'active'],
      [{ active: null }, 'active'],
    ];
    for (const [change, field] of cases) {
      expect([change, ...fault(await create({ ...SHOP, ...change }))]).toEqual([
        change,
        400,
        'invalid_format',
        field,
      ]);
    }
    // Beyond the range of a double.
    const huge = '{"tag":"shop","kind":"fixed","value":1e400}';
    expect(fault(await create(huge))).toEqual([400, 'invalid_format', 'value']);
    expect((await list()).json.markups).toEqual([]);
  });

  test('contract §6 a replacement passes the same checks as a new rule, and a refused one changes nothing', async () => {
    const { create, replace, list } = await serving([]);
    await create(SHOP);
    const cases: [body: object, code: string, field: string][] = [
      [{ kind: 'percent', value: -99.5 }, 'invalid_format', 'value'],
      [{ kind: 'ratio', value: 1 }, 'invalid_format', 'kind'],
      [{ kind: 'percent', value: 1, markets: ['nowhere'] }, 'invalid_format', 'markets'],
      [{ kind: 'percent', value: 1, active: 'no' }, 'invalid_format', 'active'],
      [{ value: 1 }, 'missing_field', 'kind'],
      [{ kind: 'percent' }, 'missing_field', 'value'],
    ];
    for (const [body, code, field] of cases) {
      expect([body, ...fault(await replace('shop', body))]).toEqual([body, 400, code, field]);
    }
    expect((await list()).json.markups).toEqual([SHOP_RULE]);
  });

  test('§7 an absent field is missing_field, and is reported before an invalid one', async () => {
    const { create } = await serving([]);
    for (const field of ['tag', 'kind', 'value'] as const) {
      const { [field]: _, ...rest } = SHOP;
      expect(fault(await create(rest))).toEqual([400, 'missing_field', field]);
    }
    expect(fault(await create({ tag: 'A', kind: 'x' }))).toEqual([400, 'missing_field', 'value']);
  });

  test('contract §4 a body that is not a JSON object is 400 without a field', async () => {
    const { create, replace } = await serving([]);
    for (const body of ['', '{', 'null', '[]', '"shop"', '1', '{"tag":"shop",}', "{'tag':1}"]) {
      expect([body, ...fault(await create(body))]).toEqual([body, 400, 'invalid_format']);
      expect([body, ...fault(await replace('shop', body))]).toEqual([body, 400, 'invalid_format']);
    }
  });

  test('contract §1 a rule may name markets by alias, and the answer has each id once', async () => {
    const { create, rates } = await serving(QUOTES);
    const { json } = await create({
      ...SHOP,
      markets: ['paralelo', 'bcv', 'parallel', 'p2p_market_1'],
    });
    expect([...json.markets].sort()).toEqual(['binance', 'parallel', 'reference']);
    const rows: { market: string; mid_with_markup?: number }[] = (await rates('shop')).json.rates;
    expect(rows.filter((row) => row.mid_with_markup).map(({ market }) => market)).toEqual([
      'reference',
      'parallel',
      'binance',
    ]);
  });

  test('contract §4 the tag in the address is decoded once', async () => {
    const { create, replace, remove } = await serving([]);
    await create(SHOP);
    expect((await replace('%73hop', { kind: 'fixed', value: 1 })).status).toBe(200);
    expect((await remove('%2573hop')).status).toBe(404);
    const malformed = await remove('%zz');
    expect([malformed.status, malformed.json.code]).toEqual([400, 'invalid_format']);
    expect((await remove('%73hop')).status).toBe(204);
  });
});
