import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/app/failures.ts';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import { messageLanguage } from '../../src/core/http/framework/encoding/accept.ts';
import { ENGLISH, errorInBothLanguages, expectTranslated } from '../harness/error-answers.ts';
import { fullMarket, official, quote } from '../harness/make.ts';
import { lines, sendBytes, sendBytesAndEnd } from '../harness/raw-http.ts';
import { ADMIN_TOKEN, type CallOptions, startTestService } from '../harness/service.ts';

const CONVERT = '/v1/fx/convert?from=USD&to=VES&amount=1';
const SPANISH = { 'Accept-Language': 'es-VE,es;q=0.9' };

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  return { service, key: await service.keyFor('Escala') };
}

describe('contract §4 the language of messages', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['fr', 'en'],
    ['en', 'en'],
    ['es', 'es'],
    ['ES-ve', 'es'],
    ['es-VE,es;q=0.9,en;q=0.8', 'es'],
    ['en-US,en;q=0.9,es;q=0.8', 'en'],
    ['en;q=0.5, es;q=0.6', 'es'],
    ['es;q=0.5, en;q=0.6', 'en'],
    ['es, en', 'es'],
    ['en, es', 'en'],
    ['fr, es;q=0.3', 'es'],
    ['es;q=0', 'en'],
    ['en;q=0, *', 'es'],
    ['*, es;q=0.5', 'en'],
    ['est', 'en'],
    [',;q=,es;q=x', 'en'],
  ])('of Accept-Language %j is %s (RFC 9110 §12.5.4)', (acceptLanguage, language) => {
    expect(messageLanguage(acceptLanguage)).toBe(language);
  });

  test('contract §4 each code is answered in both languages, and nothing else differs', async () => {
    const { service, key } = await serving();
    const { accounts, changePoller, store } = service.service;
    const gratis = await service.keyFor('Gratis');
    const restricted = await accounts.create('restricted', 'Escala');
    const scoped = await accounts.createKey(restricted.id, {
      grant: { kind: 'restricted', scopes: ['official'] },
    });
    const page = await accounts.createKey(restricted.id, {
      grant: {
        ...{ kind: 'publishable', scopes: ['rates'], origins: ['https://a.example'] },
        ...{ allowNoOrigin: false, requestsPerMinute: 60 },
      },
    });
    const rotated = await accounts.createKey(restricted.id);
    await accounts.rotateKey(rotated.id, 3_600_000);
    const suspended = await accounts.create('suspended', 'Escala');
    const { key: suspendedKey } = await accounts.createKey(suspended.id);
    await accounts.setStatus(suspended.id, 'suspended');
    const used = await accounts.create('used up', 'Gratis');
    const { key: usedKey } = await accounts.createKey(used.id);
    await changePoller.poll();
    const rule = { tag: 'kept', kind: 'percent', value: 1 };
    const made = await service.call('/v1/account/markups', { key, method: 'POST', body: rule });
    expect(made.status).toBe(201);

    const post = { key, method: 'POST' };
    const requests: readonly (readonly [code: string, path: string, options?: CallOptions])[] = [
      ['missing_field', '/v1/fx/convert', { key }],
      ['invalid_format', `${CONVERT}&format=x`, { key }],
      ['unknown_parameter', `${CONVERT}&x=1`, { key }],
      ['unknown_parameter', `/v1/fx/rates?fecha=1`, { key }],
      ['unknown_parameter', `/v1/fx/index?date=2026-11-20`, { key }],
      ['invalid_base', '/v1/fx/spread?base=EUR', { key }],
      ['invalid_against', '/v1/fx/spread?against=bcv', { key }],
      ['missing_api_key', '/v1/fx/rates'],
      ['missing_api_key', '/v1/admin/records', { method: 'POST', body: '{}' }],
      ['invalid_api_key', '/v1/fx/rates', { key: 'wrong' }],
      ['invalid_api_key', `/v1/fx/rates?key=${key}`],
      ['feature_not_in_plan', '/v1/fx/markets', { key: gratis }],
      ['feature_not_in_plan', '/v1/fx/rates/cash', { key: gratis }],
      ['account_suspended', '/v1/fx/rates', { key: suspendedKey }],
      ['key_in_grace', '/v1/account/keys', { ...post, key: rotated.key, body: { kind: 'full' } }],
      ['scope_missing', '/v1/fx/rates', { key: scoped.key }],
      ['origin_not_allowed', '/v1/fx/rates', { key: page.key }],
      ['history_out_of_retention', '/v1/fx/rates/reference?date=2020-01-01', { key: gratis }],
      ['resource_not_found', '/v1/fx/rates/nowhere', { key }],
      ['resource_not_found', '/v1/nothing', { key }],
      ['resource_not_found', '/v1/account/keys/none', { key, method: 'DELETE' }],
      ['markup_not_found', '/v1/fx/rates?markup=none', { key }],
      ['markup_not_found', '/v1/account/markups/none', { key, method: 'DELETE' }],
      ['bcv_snapshot_unavailable', '/v1/fx/bcv/banks', { key }],
      ['method_not_allowed', '/v1/fx/rates', { key, method: 'DELETE' }],
      ['already_exists', '/v1/account/markups', { ...post, body: rule }],
      ['payload_too_large', '/v1/fx/bulk/convert', { ...post, body: 'x'.repeat(70_000) }],
      ['uri_too_long', `/v1/fx/rates?${'x'.repeat(9_000)}`, { key }],
      [
        'unsupported_media_type',
        '/v1/fx/bulk/convert',
        { ...post, body: '{}', headers: { 'Content-Type': 'text/xml' } },
      ],
      [
        'unsupported_media_type',
        '/v1/admin/records',
        {
          ...{ method: 'POST', body: '{}' },
          headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'text/plain' },
        },
      ],
      ['headers_too_large', '/v1/fx/rates', { key, headers: { 'X-Large': 'x'.repeat(17_000) } }],
      ['rate_not_published', '/v1/fx/rates/reference?date=2026-11-16', { key }],
    ];
    const seen = new Set<string>();
    const check = async (code: string, path: string, options?: CallOptions, other = service) => {
      const both = await errorInBothLanguages(other, path, options);
      if (both === undefined) throw new Error(`${path} is no error`);
      expect([both.what, both.spanish.json.code]).toEqual([both.what, code]);
      expectTranslated(both);
      for (const { headers } of [both.spanish, both.english]) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('vary')).toContain('Accept-Language');
      }
      seen.add(code);
      return both;
    };
    await service.push(official('2026-11-13', { USD: 790 }));
    for (const [code, path, options] of requests) await check(code, path, options);
    const { spanish } = await check('method_not_allowed', '/v1/fx/rates', { key, method: 'PUT' });
    expect(spanish.json.message).toBe(
      'Esta dirección no admite ese método: use GET, HEAD, OPTIONS.',
    );
    expect(spanish.headers.get('allow')).toBe('GET, HEAD, OPTIONS');

    // Limits, and a service without figures.
    const { limits } = (await service.call('/v1/account', { key: usedKey })).json;
    for (let asked = 0; asked < limits.requests_per_minute; asked += 1) {
      await service.call(CONVERT, { key: usedKey });
    }
    await check('rate_limit_exceeded', CONVERT, { key: usedKey });
    const empty = await startTestService();
    const emptyKey = await empty.keyFor('Escala');
    const ofEmpty = { key: emptyKey };
    await check('service_unavailable', '/v1/fx/index', ofEmpty, empty);
    await check('service_unavailable', '/v1/fx/route?from=USD&to=VES&amount=1', ofEmpty, empty);
    await check('reference_unavailable', '/v1/fx/spread', ofEmpty, empty);
    await empty.push(official('2026-11-20', { USD: 800 }));
    await check('compared_unavailable', '/v1/fx/spread', ofEmpty, empty);
    await empty.push(quote('cash', 900));
    empty.clock.advance(120_000);
    const old = '/v1/fx/route?from=USD&to=VES&amount=1&max_staleness=60';
    await check('no_route', old, ofEmpty, empty);

    const markups = vi.spyOn(store, 'listMarkups');
    markups.mockRejectedValue(new Error('a secret of the inside'));
    await check('internal_error', '/v1/account/markups', { key });
    markups.mockRejectedValue(new StoreUnavailable('Away.'));
    await check('service_unavailable', '/v1/account/markups', { key });

    // Quotas, waits and requests that are no HTTP have tests of their own.
    const others = ['quota_exceeded', 'request_timeout', 'invalid_request', 'expectation_failed'];
    others.push('conflict'); // of webhooks
    expect([...seen, ...others].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  test('contract §4 below HTTP a message is Spanish where the headers were read, else English', async () => {
    const { service, key } = await serving();
    const messageOf = async (bytes: string, send = sendBytes) => {
      const [reply] = await send(service, bytes);
      return Buffer.from(JSON.parse(reply?.body ?? '{}').message, 'latin1').toString();
    };
    const inSpanish = 'Accept-Language: es';
    expect(await messageOf('not HTTP\r\n\r\n')).toBe(ERRORS.invalid_request.message.en);
    expect(
      await messageOf(`GET /healthz HTTP/1.1\r\nConnection: close\r\n${inSpanish}\r\n\r\n`),
    ).toBe('Envíe exactamente un encabezado Host.');
    expect(await messageOf(lines('CONNECT a:1 HTTP/1.1', inSpanish))).toContain(
      'Esta dirección no admite ese método',
    );
    expect(await messageOf(lines('CONNECT a:1 HTTP/1.1'))).toContain('does not accept that method');
    expect(await messageOf(lines('GET /healthz HTTP/1.1', 'Expect: more', inSpanish))).toBe(
      ERRORS.expectation_failed.message.es,
    );
    const body = lines(
      'POST /v1/fx/bulk/convert HTTP/1.1',
      ...[`X-API-Key: ${key}`, 'Transfer-Encoding: chunked', inSpanish],
    );
    expect(await messageOf(`${body}zz\r\n`)).toBe(ERRORS.invalid_request.message.es);
    expect(await messageOf(`${body}5\r\n{`, sendBytesAndEnd)).toMatch(/cuerpo|consulta HTTP/);
  });

  test('contract §4 what is no error is the same for both, also from a cache', async () => {
    const { service, key } = await serving();
    const english = await service.call('/v1/fx/rates', { key });
    const spanish = await service.call('/v1/fx/rates', { key, headers: SPANISH });
    expect(spanish.text).toBe(english.text);
    const etag = english.headers.get('etag') ?? '';
    expect([spanish.headers.get('etag'), spanish.headers.get('vary')]).toEqual([
      etag,
      english.headers.get('vary'),
    ]);
    expect(english.headers.get('vary')).not.toContain('Accept-Language');
    const current = await service.call('/v1/fx/rates', {
      key,
      headers: { ...SPANISH, 'If-None-Match': etag },
    });
    expect(current.status).toBe(304);
  });
});

/** The files whose errors callers read: commands speak English. */
function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}

describe('contract §4 sentences in both languages', () => {
  const TEXT = /(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/.source;
  const PAIR = new RegExp(
    `\\b(?:sentence|fault)\\(\\s*(?:'\\w+',\\s*)?(${TEXT}),\\s*(${TEXT}),?\\s*\\)`,
    'g',
  );
  const SPANISH_WORDS =
    /(?<!\p{L})(?:el|la|los|las|una|debe|es|está|del|para|sin|que|y)(?!\p{L})/iu;
  // What stands in `${}`, names of fields and targets of links are the same in both.
  const words = (text: string) => text.replace(/\]\([^)]*\)|\$\{[^}]*\}|`[\w-]+`|`|'\w+'/g, ' ');

  test('no sentence has words of the other language', () => {
    const pairs = ['src/core/domain', 'src/core/app', 'src/core/http', 'src/capabilities']
      .flatMap((folder) => sources(join(import.meta.dirname, '../..', folder)))
      .flatMap((source) => [...source.matchAll(PAIR)]);
    expect(pairs.length).toBeGreaterThan(100);
    for (const [, en = '', es = ''] of pairs) {
      expect(words(es)).not.toMatch(ENGLISH);
      expect(words(en)).not.toMatch(SPANISH_WORDS);
    }
  });
});
