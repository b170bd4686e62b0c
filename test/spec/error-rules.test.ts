import { describe, expect, test } from 'vitest';
import { VALUE_RULES } from '../../src/core/domain/errors/value-rules.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { allEndpoints } from '../../src/core/http/endpoints/all.ts';
import { queryNames } from '../../src/core/http/framework/routing/parameters.ts';
import { pathParameters } from '../../src/core/http/framework/routing/router.ts';
import type { Endpoint } from '../../src/core/http/pipeline/endpoint.ts';
import { errorInBothLanguages, expectTranslated, ruleIn } from '../harness/error-answers.ts';
import { fullMarket } from '../harness/make.ts';
import { ADMIN_TOKEN, type CallOptions, startTestService } from '../harness/service.ts';

const ENDPOINTS = allEndpoints({ admin: true });
const ADMIN = { Authorization: `Bearer ${ADMIN_TOKEN}` };

/** Texts that some parameter refuses. */
const HOSTILE_TEXTS = [
  ...['x', '-1', '0', '1.5', '1e99', '1,5', '1e-400', '%00', '%zz', '%ff', 'á', 'a,', 'USD'],
  ...['2026-02-30', '2099-01-01', '1900-01-01', '2026-11-21', 'VES', 'nowhere', 'reference'],
  Array.from({ length: 60 }, () => 'a').join(','),
];

/** Values that some field of a body refuses. */
const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e13, 1.5, '', 'x', '2026-02-30', '2099-01-01', 'USD', 'nowhere'],
  ...[[], {}, [null], ['x'], [{}], [1e13], ['2026-02-30'], 'x'.repeat(300)],
  Array.from({ length: 120 }, (_, at) => `https://a${at}.example`),
];

function addressOf(
  { path, operation }: Endpoint,
  query: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> = {},
): string {
  const values = { ...operation?.parameters, ...query, ...change };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(values[name] ?? 'none'));
  const sent = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return sent.length === 0 ? filled : `${filled}?${sent.join('&')}`;
}

/** Requests with each parameter at each hostile text, the others as in the example. */
function hostileQueries(endpoint: Endpoint): readonly string[] {
  const inPath = pathParameters(endpoint.path);
  const names = queryNames(endpoint);
  const given = Object.entries(endpoint.operation?.parameters ?? {}).filter(([name]) =>
    names.includes(name),
  );
  const example = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  const ofQuery = names.flatMap((name) =>
    ['', ...HOSTILE_TEXTS].map((text) => addressOf(endpoint, { ...example, [name]: text })),
  );
  const ofPath = inPath.flatMap((name) =>
    HOSTILE_TEXTS.map((text) => addressOf(endpoint, example, { [name]: text })),
  );
  const without = names.map((name) => {
    const { [name]: _, ...others } = example;
    return addressOf(endpoint, others);
  });
  const [first] = names;
  const twice = first === undefined ? [] : [`${addressOf(endpoint, { [first]: 'a' })}&${first}=b`];
  return [...new Set([...ofQuery, ...ofPath, ...without, ...twice])];
}

function hostileBodies({ body, operation }: Endpoint): readonly unknown[] {
  if (body === undefined) return [];
  const example = Object(operation?.body ?? {});
  const names = Object.keys(body.shape);
  const changed = names.flatMap((name) =>
    HOSTILE_VALUES.map((value) => ({ ...example, [name]: value })),
  );
  const without = names.map((name) => ({ ...example, [name]: undefined }));
  const whole = ['', '{', '[]', '5', `{"${names[0]}":1,"${names[0]}":2}`];
  return [...changed, ...without, ...whole, { ...example, newer: 1 }];
}

/** Rules that need more than one odd value. */
const SPECIAL: readonly (readonly [rule: string, path: string, options?: CallOptions])[] = [
  ['wrong_pair', '/v1/fx/convert?from=USD&to=EUR&amount=1'],
  ['reversed_range', '/v1/fx/calendar?from=2026-11-21&to=2026-11-20'],
  ['too_many', '/v1/fx/official/history?from=2000-01-01'],
  ['not_applicable', '/v1/fx/rates/reference?rule=value_date'],
  ['not_applicable', '/v1/fx/rates/reference?details=true&date=2026-11-20'],
  ['not_applicable', '/v1/fx/rates/cash/history?granularity=raw&group=week'],
  ['wrong_market', '/v1/fx/spread?against=reference'],
  ['unknown_market', '/v1/fx/spread?against=nowhere'],
  ['unknown_value', '/v1/fx/spread?base=EUR'],
  ['wrong_market', '/v1/fx/convert?from=EUR&to=VES&amount=1&via=cash'],
];

describe('contract §4 the rule that a value broke', () => {
  test('contract §4 every 400 about a value names a listed rule, in any language, and every listed rule is named', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const { accounts, changePoller } = service.service;
    const named = new Set<string>();
    const check = async (path: string, options: CallOptions) => {
      const both = await errorInBothLanguages(service, path, options);
      if (both === undefined) return undefined;
      expectTranslated(both);
      const rule = ruleIn(both.spanish, both.what);
      if (rule === undefined) return undefined;
      named.add(rule);
      return rule;
    };

    for (const endpoint of ENDPOINTS) {
      const headers = endpoint.access === 'admin' ? ADMIN : undefined;
      const { method } = endpoint;
      const isLines = endpoint.textBody === true;
      // The limits of a minute are not what is asked for here.
      let key = await service.keyFor('Escala');
      let asked = 0;
      const send = async (path: string, body?: unknown) => {
        if (asked % 25 === 0) {
          key = await service.keyFor('Escala');
          service.clock.advance(MINUTE_MS);
        }
        asked += 1;
        await check(path, { key, method, body, ...(headers && { headers }) });
      };
      for (const path of hostileQueries(endpoint)) {
        await send(path, endpoint.body && Object(endpoint.operation?.body ?? {}));
      }
      for (const body of hostileBodies(endpoint)) await send(addressOf(endpoint, {}), body);
      if (isLines) {
        for (const body of ['', '[1]', 'x', 'a,b', '{\n']) await send(endpoint.path, body);
      }
    }

    const key = await service.keyFor('Escala');
    for (const [rule, path, options] of SPECIAL) {
      expect([path, await check(path, { key, ...options })]).toEqual([path, rule]);
    }

    // Keys that end, and a body that is not text.
    const account = await accounts.create('with keys that end', 'Escala');
    const soon = service.clock.now() + 3_600_000;
    const grant = { kind: 'full' } as const;
    const made = await accounts.createKey(account.id, { grant, lastsUntil: soon });
    const other = await accounts.createKey(account.id);
    await accounts.rotateKey(other.id, 60_000);
    await changePoller.poll();
    const late = { expires_at: '2027-06-30T04:00:00Z' };
    const own = { key: made.key, method: 'PATCH', body: late };
    expect(await check(`/v1/account/keys/${made.id}`, own)).toBe('after_own_key');
    const third = (await accounts.createKey(account.id)).key;
    await changePoller.poll();
    const rotated = { key: third, method: 'PATCH', body: late };
    expect(await check(`/v1/account/keys/${other.id}`, rotated)).toBe('after_grace');
    const changed = { key: third, method: 'PATCH', body: { kind: 'publishable' } };
    expect(await check(`/v1/account/keys/${made.id}`, changed)).toBe('not_changeable');
    const bulk = { key, method: 'POST', body: '{"from":"USD","to":"VES","amounts":[1e400]}' };
    await check('/v1/fx/bulk/convert', bulk);
    const tag = { tag: 'a', kind: 'percent' };
    const digits = {
      key,
      method: 'POST',
      body: `{"tag":"a","kind":"percent","value":1.${'1'.repeat(20)}}`,
    };
    expect(await check('/v1/account/markups', digits)).toBe('too_many_digits');
    const market = { key, method: 'POST', body: { ...tag, value: 1, markets: ['nowhere'] } };
    expect(await check('/v1/account/markups', market)).toBe('unknown_market');
    const notText = await fetch(`${service.url}/v1/fx/bulk/convert`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: new Uint8Array([0xff]),
    });
    expect(await notText.json()).toMatchObject({ details: { rule: 'not_utf8' } });
    named.add('not_utf8');

    expect([...named].toSorted()).toEqual(Object.keys(VALUE_RULES).toSorted());
  });
});
