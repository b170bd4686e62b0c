import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/core/domain/errors/error-codes.ts';
import {
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_URL_BYTES,
} from '../../src/core/http/framework/routing/limits.ts';
import {
  HEADERS_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
} from '../../src/core/http/framework/server/limits.ts';
import { anyCharacter } from '../harness/any-text.ts';
import { fullMarket } from '../harness/make.ts';
import {
  codeOf,
  head,
  lines,
  open,
  type RawReply,
  sendBytes,
  sendBytesAndEnd,
} from '../harness/raw-http.ts';
import { ADMIN_TOKEN, fault, startTestService, type TestService } from '../harness/service.ts';
import { stopwatch } from '../harness/stopwatch.ts';

const BULK = '/v1/fx/bulk/convert';
/** Put into every input, looked for in every answer's headers. */
const MARK = 'zqxj7';

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  return { service, key: await service.keyFor('Escala') };
}

/** A 4xx in our own shape that repeats nothing of the input in its headers. */
function expectOurs(reply: RawReply | undefined, input: string): void {
  if (reply === undefined) throw new Error(`no answer to ${input.slice(0, 200)}`);
  const { status, head, body } = reply;
  expect([input, status >= 400 && status < 500 ? '4xx' : status]).toEqual([input, '4xx']);
  const json = JSON.parse(body);
  expect([input, ERRORS[json.code as keyof typeof ERRORS]?.status]).toEqual([input, status]);
  expect(json.message).toMatch(/\S/);
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im);
  expect(head).toMatch(/^cache-control: no-store$/im);
  expect(head).toMatch(/^x-request-id: \S+$/im);
  expect(head.toLowerCase()).not.toContain(MARK);
}

/** The service answers as if nothing had happened, and has nothing to complain of. */
async function expectUnharmed(service: TestService, key: string): Promise<void> {
  expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
  expect(service.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

describe('§2.1 hostile names of markets', () => {
  const MALFORMED = ['%', '%z', '%2', 'a%', '%zz', '%e0%a4', '%c0%af', '%ff', '%ed%a0%80', '%f5'];
  const STRANGE = [
    '%00',
    'reference%00',
    'reference%20',
    '%20reference',
    'reference%09',
    '%2f',
    'reference%2fhistory',
    '..%2f..%2fetc%2fpasswd',
    '..',
    '%2e%2e',
    '%252e%252e',
    '%EF%BD%92%EF%BD%85%EF%BD%86%EF%BD%85%EF%BD%92%EF%BD%85%EF%BD%8E%EF%BD%83%EF%BD%85',
    'r%D0%B5ference',
    '%ef%bb%bfreference',
    'reference%CC%81',
    'REFERENCE',
    'Reference',
    '%0d%0aX-Mark:%20zqxj7',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'reference,parallel',
    '*',
    "'%20or%201=1--",
    '%3Cscript%3E',
    'x'.repeat(4_000),
    '%F0%9F%92%B5',
  ];

  test('§2.1 a name with malformed percent-encoding is invalid_format with field market, and any other name 404', async () => {
    const { service, key } = await serving();
    for (const tail of ['', '/history']) {
      for (const [names, expected] of [
        [MALFORMED, [400, 'invalid_format', 'market']],
        [STRANGE, [404, 'resource_not_found', 'market']],
      ] as const) {
        for (const name of names) {
          const line = `GET /v1/fx/rates/${name}${tail} HTTP/1.1`;
          const [reply] = await sendBytes(service, lines(line, `X-API-Key: ${key}`));
          expectOurs(reply, line);
          const { code, field } = JSON.parse(reply?.body ?? '{}');
          expect([line, reply?.status, code, field]).toEqual([line, ...expected]);
        }
      }
    }
    await expectUnharmed(service, key);
  });

  test('§2.1 no sequence of bytes in a parameter selects a market that it does not spell', async () => {
    const { service, key } = await serving();
    for (const name of [...MALFORMED, ...STRANGE]) {
      for (const query of [
        `/v1/fx/convert?from=USD&to=VES&amount=1&via=${name}`,
        `/v1/fx/convert?from=USD&to=VES&amount=1&market=${name}`,
        `/v1/fx/spread?against=${name}`,
      ]) {
        const [reply] = await sendBytes(
          service,
          lines(`GET ${query} HTTP/1.1`, `X-API-Key: ${key}`),
        );
        expectOurs(reply, query);
        expect(codeOf(reply)).toMatch(/^(resource_not_found|invalid_against)$/);
      }
    }
    await expectUnharmed(service, key);
  });

  test('§2.1 any bytes in :market are answered 200, 404 or 400, and nothing else', async () => {
    const { service, key } = await serving();
    const known = new Set(
      service.service.markets.list.flatMap(({ id, aliases }) => [id, ...aliases]),
    );
    const expected = (bytes: Uint8Array): number => {
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        return known.has(text) ? 200 : 404;
      } catch {
        return 400;
      }
    };
    const encoded = (bytes: Uint8Array) =>
      [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    const anyName = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 24 }),
      fc
        .string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
        .map((text) => Buffer.from(text)),
      fc.constantFrom(...known).map((name) => Buffer.from(name)),
    );
    await fc.assert(
      fc.asyncProperty(anyName, async (bytes) => {
        const line = `GET /v1/fx/rates/${encoded(bytes)} HTTP/1.1`;
        const [reply] = await sendBytes(service, lines(line, `X-API-Key: ${key}`));
        expect(reply?.status).toBe(expected(bytes));
        if (reply?.status !== 200) expectOurs(reply, line);
      }),
      { numRuns: 300 },
    );
    await expectUnharmed(service, key);
  });

  test('§2.1 raw unencoded bytes get a 4xx in our shape', async () => {
    const { service, key } = await serving();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 16 }), async (bytes) => {
        const raw = Buffer.from(bytes).toString('latin1');
        fc.pre(!/[?# ]/.test(raw));
        const line = `GET /v1/fx/rates/${MARK}${raw} HTTP/1.1`;
        const [reply] = await sendBytes(service, lines(line, `X-API-Key: ${key}`));
        expectOurs(reply, line);
      }),
      { numRuns: 150 },
    );
    await expectUnharmed(service, key);
  });
});

describe('§7 hostile parameters', () => {
  test('§7 the names of object internals are parameters like any other', async () => {
    const { service, key } = await serving();
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', '__proto__[from]']) {
      const query = `/v1/fx/convert?to=VES&amount=1&${encodeURIComponent(name)}=USD`;
      expect(fault(await service.call(query, { key }))).toEqual([400, 'unknown_parameter', name]);
      expect((await service.call(`/v1/fx/rates?${name}=1`, { key })).status).toBe(200);
      const currency = await service.call(`/v1/fx/convert?from=${name}&to=VES&amount=1`, { key });
      expect(fault(currency)).toEqual([400, 'invalid_format', 'from']);
      const markup = await service.call(`/v1/fx/rates?markup=${name}`, { key });
      expect(fault(markup)).toEqual([404, 'markup_not_found', 'markup']);
    }
    await expectUnharmed(service, key);
  });

  test('§7 a query of any bytes gets a 4xx in our shape', async () => {
    const { service, key } = await serving();
    const query = fc.stringMatching(/^[!"$-~]{0,60}$/);
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const line = `GET /v1/fx/convert?${MARK}${text} HTTP/1.1`;
        const [reply] = await sendBytes(service, lines(line, `X-API-Key: ${key}`));
        expectOurs(reply, line);
      }),
      { numRuns: 150 },
    );
    await expectUnharmed(service, key);
  });

  test('§8 an amount of thousands of digits is checked like any other', async () => {
    const { service, key } = await serving();
    const amounts: Record<string, number> = {
      [`1.${'0'.repeat(6_000)}1`]: 200,
      [`0.${'0'.repeat(6_000)}1`]: 400,
      ['9'.repeat(7_000)]: 400,
      '1e-400': 400,
      '1e99999999999999999999': 400,
      [`1000000000000.${'0'.repeat(5_000)}1`]: 400,
    };
    for (const [amount, status] of Object.entries(amounts)) {
      const path = `/v1/fx/convert?from=USD&to=VES&amount=${amount}`;
      expect([amount.length, (await service.call(path, { key })).status]).toEqual([
        amount.length,
        status,
      ]);
    }
    await expectUnharmed(service, key);
  });
});

describe('§7 hostile bodies', () => {
  const post = (service: TestService, key: string, body: string, path = BULK) =>
    service.call(path, { method: 'POST', key, body });

  test('§7 a body that is not JSON, or not an object, is invalid_format without a field', async () => {
    const { service, key } = await serving();
    const bodies = [
      ...['', ' ', '{', '}', 'nul', "{'from':'USD'}", '{"from":"USD",}', '{from:1}', '\u0000'],
      ...['{"from":"USD"} {}', '// {}', '{"a":NaN}', '{"a":"\n"}', '{"a":\\u0031}', 'undefined'],
      ...['[]', '[{}]', '"text"', '1', 'null', 'true', '[[[[[[]]]]]]', '-0', '1e400'],
      ...['['.repeat(60_000), '[', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
      '{"a":'.repeat(13_000),
    ];
    for (const path of [BULK, '/v1/account/markups']) {
      for (const body of bodies) {
        const found = fault(await post(service, key, body, path));
        expect([path, body.slice(0, 40), found]).toEqual([
          path,
          body.slice(0, 40),
          [400, 'invalid_format'],
        ]);
      }
    }
    await expectUnharmed(service, key);
  });

  test('§7 a body nested 100,000 deep gets a 4xx in our shape, well-formed or not', async () => {
    const { service, key } = await serving();
    const deep = '['.repeat(100_000);
    for (const body of [
      deep,
      `${deep}${']'.repeat(100_000)}`,
      `{"from":"USD","to":"VES","amounts":${deep}${']'.repeat(100_000)}}`,
    ]) {
      const top = lines(
        `POST ${BULK} HTTP/1.1`,
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      );
      const [reply] = await sendBytes(service, top + body);
      expectOurs(reply, body.slice(0, 50));
      expect(codeOf(reply)).toBe('payload_too_large');
    }
    const nested = '{"a":'.repeat(10_000);
    for (const body of [
      `${nested}1${'}'.repeat(10_000)}`,
      `{"from":"USD","to":"VES","amounts":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"tag":"x","kind":"percent","value":1,"markets":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    ]) {
      for (const path of [BULK, '/v1/account/markups']) {
        expect((await post(service, key, body, path)).status).toBe(400);
      }
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 a body has at most 64 KB, with Content-Length or in chunks', async () => {
    const { service, key } = await serving();
    const small = '{"from":"USD","to":"VES","amounts":[1]}';
    const sized = (bytes: number) => small + ' '.repeat(bytes - small.length);
    const common = [`X-API-Key: ${key}`, 'Content-Type: application/json'];
    const found: Record<string, unknown> = {};
    for (const bytes of [MAX_BODY_BYTES, MAX_BODY_BYTES + 1, 100 * 1024, 1024 * 1024]) {
      const body = sized(bytes);
      const [whole] = await sendBytes(
        service,
        lines(`POST ${BULK} HTTP/1.1`, ...common, `Content-Length: ${bytes}`) + body,
      );
      const chunks = `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const [chunked] = await sendBytes(
        service,
        lines(`POST ${BULK} HTTP/1.1`, ...common, 'Transfer-Encoding: chunked') + chunks,
      );
      found[bytes] = [whole?.status, codeOf(whole), chunked?.status, codeOf(chunked)];
    }
    const refused = [413, 'payload_too_large', 413, 'payload_too_large'];
    expect(found).toEqual({
      [MAX_BODY_BYTES]: [200, undefined, 200, undefined],
      [MAX_BODY_BYTES + 1]: refused,
      [100 * 1024]: refused,
      [1024 * 1024]: refused,
    });
    await expectUnharmed(service, key);
  });

  test('§7 the names of object internals in a body are fields like any other', async () => {
    const { service, key } = await serving();
    const inherited = '{"__proto__":{"from":"USD"},"to":"VES","amounts":[1]}';
    expect(fault(await post(service, key, inherited))).toEqual([400, 'missing_field', 'from']);
    const ignored =
      '{"from":"USD","to":"VES","amounts":[1],"__proto__":{"market":"x"},"constructor":{"prototype":{"a":1}},"toString":1,"hasOwnProperty":1}';
    expect((await post(service, key, ignored)).status).toBe(200);
    for (const name of ['__proto__', 'constructor']) {
      const market = `{"from":"USD","to":"VES","amounts":[1],"market":"${name}"}`;
      expect(fault(await post(service, key, market))).toEqual([
        404,
        'resource_not_found',
        'market',
      ]);
    }
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    await expectUnharmed(service, key);
  });

  test('contract §4 a field given twice is invalid_format, in a body and in a record', async () => {
    const { service, key } = await serving();
    const bulk = (body: string) => service.call(BULK, { key, method: 'POST', body });
    for (const [body, field] of [
      ['{"from":"USD","to":"VES","amounts":[1],"amounts":[2]}', 'amounts'],
      ['{"from":"USD","fr\\u006fm":"EUR","to":"VES","amounts":[1]}', 'from'],
      ['{"from":"USD","to":"VES","amounts":[1],"note":{"a":1,"a":1}}', 'a'],
    ] as const) {
      const { status, json } = await bulk(body);
      expect([body, status, json]).toEqual([
        body,
        400,
        {
          ...{ code: 'invalid_format', field, message: `${field}: is given twice.` },
          details: { rule: 'repeated' },
        },
      ]);
    }
    const { status, json } = await service.call('/v1/admin/records', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/x-ndjson' },
      body: '{"kind":"quote","market":"parallel","mid":900,"mid":90}',
    });
    expect(status).toBe(400);
    expect(json.details.errors).toEqual([{ line: 1, reason: 'mid: is given twice' }]);
    await expectUnharmed(service, key);
  });

  test('contract §6 a markup rule may have the name of an object internal as its tag', async () => {
    const { service, key } = await serving();
    for (const tag of ['__proto__', 'constructor']) {
      const body = `{"tag":"${tag}","kind":"percent","value":10}`;
      expect((await post(service, key, body, '/v1/account/markups')).status).toBe(201);
      const { json } = await service.call(`/v1/fx/rates?markup=${tag}`, { key });
      expect(json.markup_applied).toEqual({ tag, kind: 'percent', value: 10 });
    }
    await expectUnharmed(service, key);
  });

  test('§7 values of every wrong type are invalid_format or missing_field, never 500', async () => {
    const { service, key } = await serving();
    const anything = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ from: anything, to: anything, amounts: anything, market: anything }),
        async (body) => {
          const reply = await post(service, key, JSON.stringify(body));
          expect([400, 404]).toContain(reply.status);
        },
      ),
      { numRuns: 100 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ tag: anything, kind: anything, value: anything, markets: anything }),
        async (body) => {
          const reply = await post(service, key, JSON.stringify(body), '/v1/account/markups');
          expect(reply.status).toBe(400);
        },
      ),
      { numRuns: 50 },
    );
    await expectUnharmed(service, key);
  });

  test('§7 text that is not UTF-8 and half a surrogate pair get a 4xx in our shape', async () => {
    const { service, key } = await serving();
    const bodies = [
      Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
      Buffer.from('{"from":"USD","to":"VES","amounts":[1],"market":"\xe9"}', 'latin1'),
      Buffer.from('{"from":"USD","to":"VES","amounts":[1],"market":"\xed\xa0\x80"}', 'latin1'),
      Buffer.from('{"from":"USD","to":"VES","amounts":[1]}', 'utf16le'),
    ];
    for (const body of bodies) {
      const top = lines(
        `POST ${BULK} HTTP/1.1`,
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      );
      const [reply] = await sendBytes(service, Buffer.concat([Buffer.from(top), body]));
      expectOurs(reply, body.toString('latin1'));
      expect(codeOf(reply)).toBe('invalid_format');
    }
    const half = '{"from":"USD","to":"VES","amounts":[1],"market":"\\ud800"}';
    expect(fault(await post(service, key, half))).toEqual([404, 'resource_not_found', 'market']);
    await expectUnharmed(service, key);
  });

  test('a byte order mark before a body is passed over (contract §14)', async () => {
    const { service, key } = await serving();
    const body = '{"from":"USD","to":"VES","amounts":[1]}';
    expect((await post(service, key, `\uFEFF${body}`)).status).toBe(200);
    expect(fault(await post(service, key, `\uFEFF\uFEFF${body}`))[1]).toBe('invalid_format');
  });

  test('contract §4 a body of JSON, of text, of a form of curl or of no type is read, in UTF-8 without a content coding', async () => {
    const { service, key } = await serving();
    const body = '{"from":"USD","to":"VES","amounts":[1]}';
    const send = (...headers: string[]) =>
      sendBytes(
        service,
        lines(
          `POST ${BULK} HTTP/1.1`,
          `X-API-Key: ${key}`,
          `Content-Length: ${body.length}`,
          ...headers,
        ) + body,
      );
    const [twice] = await send('Content-Type: text/plain', 'Content-Type: application/json');
    expect(codeOf(twice)).toBe('unsupported_media_type');
    for (const accepted of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/json; charset=utf8',
      // An unknown parameter does not affect the charset (RFC 9110 §8.3.1).
      'application/json; foo=bar',
      'application/json; profile="a;b"; charset=utf-8',
      'application/json;',
      // What fetch and curl -d send for a text.
      ...['text/plain', 'text/plain;charset=UTF-8', 'TEXT/PLAIN; charset=utf8'],
      ...['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded;charset=UTF-8'],
      `application/json; foo=${'x'.repeat(200 - 'application/json; foo='.length)}`,
    ]) {
      const [reply] = await send(`Content-Type: ${accepted}`);
      expect([accepted, reply?.status]).toEqual([accepted, 200]);
    }
    const refused = [
      ...['text/html', 'text/json', 'application/jsonp', 'application/xml', MARK, '', '*/*'],
      ...['application/json; charset=iso-8859-1', 'application/json; charset=utf-16'],
      ...['text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded; charset=latin1'],
      `multipart/form-data; boundary=${MARK}`,
      ...['application/json, text/plain', 'application/jsonx', 'application/json;charset=utf-8x'],
      ...['application/json; foo=bar; charset=latin1', 'application/json; foo=bar, text/plain'],
      ...['application/json foo', 'json', 'application/'],
      `application/json; foo=${'x'.repeat(201 - 'application/json; foo='.length)}`,
    ];
    for (const type of refused) {
      const [reply] = await send(`Content-Type: ${type}`);
      expectOurs(reply, type);
      expect([type, reply?.status]).toEqual([type, 415]);
    }
    const [untyped] = await send();
    expect(untyped?.status).toBe(200);
    for (const coding of ['gzip', 'deflate', 'br', 'zstd', MARK]) {
      const [reply] = await send('Content-Type: application/json', `Content-Encoding: ${coding}`);
      expectOurs(reply, coding);
      expect([coding, reply?.status]).toEqual([coding, 415]);
    }
    await expectUnharmed(service, key);
  });
});

describe('§7 hostile heads', () => {
  test('contract §4 headers have at most 16 KB', async () => {
    const { service, key } = await serving();
    const fixed = `X-API-Key: ${key}\r\nConnection: close\r\nHost: localhost\r\nX-Large: \r\n`;
    const sized = (bytes: number) =>
      lines(
        'GET /v1/fx/rates HTTP/1.1',
        `X-API-Key: ${key}`,
        `X-Large: ${'x'.repeat(bytes - fixed.length)}`,
      );
    const found: Record<number, unknown> = {};
    for (const bytes of [
      MAX_HEADER_BYTES,
      MAX_HEADER_BYTES + 1,
      20 * 1024,
      50 * 1024,
      200 * 1024,
    ]) {
      const [reply] = await sendBytes(service, sized(bytes));
      found[bytes] = [reply?.status, codeOf(reply)];
      if (bytes > MAX_HEADER_BYTES) expectOurs(reply, `${bytes} bytes of headers`);
    }
    const refused = [431, 'headers_too_large'];
    expect(found).toEqual({
      [MAX_HEADER_BYTES]: [200, undefined],
      [MAX_HEADER_BYTES + 1]: refused,
      [20 * 1024]: refused,
      [50 * 1024]: refused,
      [200 * 1024]: refused,
    });
    const many = Array.from({ length: 2_500 }, (_, position) => `X-${position}: ${MARK}`);
    const [reply] = await sendBytes(service, lines('GET /v1/fx/rates HTTP/1.1', ...many));
    expectOurs(reply, 'many headers');
    expect(reply?.status).toBe(431);
    await expectUnharmed(service, key);
  });

  test('contract §4 an address has at most 8 KB', async () => {
    const { service, key } = await serving();
    const sized = (bytes: number) => {
      const path = '/v1/fx/rates?x=';
      return lines(`GET ${path}${'x'.repeat(bytes - path.length)} HTTP/1.1`, `X-API-Key: ${key}`);
    };
    const found: Record<number, unknown> = {};
    for (const bytes of [MAX_URL_BYTES, MAX_URL_BYTES + 1, 9 * 1024, 50 * 1024, 200 * 1024]) {
      const [reply] = await sendBytes(service, sized(bytes));
      found[bytes] = [reply?.status, codeOf(reply)];
      if (bytes > MAX_URL_BYTES) expectOurs(reply, `an address of ${bytes} bytes`);
    }
    const refused = [414, 'uri_too_long'];
    expect(found).toEqual({
      [MAX_URL_BYTES]: [200, undefined],
      [MAX_URL_BYTES + 1]: refused,
      [9 * 1024]: refused,
      [50 * 1024]: refused,
      [200 * 1024]: refused,
    });
    await expectUnharmed(service, key);
  });

  /** Sends each piece only when the server has had the time to read the one before. */
  const inPieces = async (service: TestService, pieces: string[]) => {
    const { socket, closed } = open(service);
    for (const piece of pieces) {
      await new Promise<void>((resolve) => {
        socket.write(piece, () => resolve());
      });
      await service.call('/healthz');
      await service.call('/healthz');
    }
    socket.end();
    const [reply] = await closed;
    return [reply?.status, codeOf(reply)];
  };

  test('contract §4 headers of 50 KB are 431 even in pieces', async () => {
    const { service, key } = await serving();
    const start = 'GET /v1/fx/rates HTTP/1.1\r\nHost: localhost\r\nX-Large: ';
    const pieces = [start, ...Array.from({ length: 5 }, () => 'x'.repeat(10_000))];
    expect(await inPieces(service, pieces)).toEqual([431, 'headers_too_large']);
    await expectUnharmed(service, key);
  });

  test('contract §4 an address of 43 KB is 414 even in pieces', async () => {
    const { service, key } = await serving();
    const end = ' HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const pieces = [`GET /${'x'.repeat(20_000)}`, 'x'.repeat(18_000), `${'x'.repeat(5_000)}${end}`];
    expect(await inPieces(service, pieces)).toEqual([414, 'uri_too_long']);
    await expectUnharmed(service, key);
  });

  test('contract §4 HTTP/1.1 requires exactly one Host, and HTTP/1.0 at most one', async () => {
    const { service, key } = await serving();
    const ask = (version: string, ...hosts: string[]) =>
      sendBytes(
        service,
        [
          `GET /v1/fx/rates HTTP/${version}`,
          'Connection: close',
          ...hosts,
          `X-API-Key: ${key}`,
          '',
          '',
        ].join('\r\n'),
      );
    for (const hosts of [
      [],
      ['Host: a', 'Host: b'],
      ['Host: a', 'Host: a'],
      [`Host: ${MARK}`, 'HOST: a'],
    ]) {
      const [reply] = await ask('1.1', ...hosts);
      expectOurs(reply, hosts.join());
      expect([hosts, codeOf(reply)]).toEqual([hosts, 'invalid_request']);
    }
    const [two] = await ask('1.0', 'Host: a', 'Host: b');
    expect(codeOf(two)).toBe('invalid_request');
    expect((await ask('1.0'))[0]?.status).toBe(200);
    await expectUnharmed(service, key);
  });

  test('RFC 9112 §3.2 an invalid Host is 400, and every valid form is accepted', async () => {
    const { service, key } = await serving();
    const ask = (host: string) =>
      sendBytes(
        service,
        `GET /v1/fx/rates HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
      );
    for (const host of [
      `${MARK}"><script>`,
      'a b',
      'a,b:80:90',
      'user@a',
      'a/b',
      'http://a',
      'a:x',
      '[::1',
      '::1',
      '[a]b',
      'a?b',
      'a#b',
      'a\\b',
      // The parser removes only blanks and tabs.
      '\u00a0a',
      'a\u00a0',
    ]) {
      const [reply] = await ask(host);
      expectOurs(reply, host);
      expect([host, codeOf(reply)]).toEqual([host, 'invalid_request']);
      expect(reply?.body).not.toContain(MARK);
    }
    for (const host of ['', 'a', 'A_b.example:8080', 'a:', '127.0.0.1:80', '[::1]:8080', '[::1]']) {
      expect([host, (await ask(host))[0]?.status]).toEqual([host, 200]);
    }
    await expectUnharmed(service, key);
  });

  test.each(['2.0', '1.2', '0.9', '3.0'])(
    'HTTP/%s is an unsupported version: 400',
    async (version) => {
      const { service, key } = await serving();
      const [reply] = await sendBytes(
        service,
        `GET /v1/fx/rates HTTP/${version}\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
      );
      expect([reply?.status, codeOf(reply)]).toEqual([400, 'invalid_request']);
    },
  );

  test('contract §4 a target that is not a path gets a 4xx in our shape', async () => {
    const { service, key } = await serving();
    for (const target of [
      'http:///v1/fx/rates',
      'http://?v1/fx/rates',
      'ftp://localhost/v1/fx/rates',
      `http://${MARK}.example/nowhere`,
      `http://${MARK}.example`.concat('//v1/fx/rates'),
      'localhost:80',
      '*',
      'v1/fx/rates',
      '?format=csv',
      `/v1/fx/rates#${MARK}`,
      '\\v1\\fx\\rates',
    ]) {
      const [reply] = await sendBytes(
        service,
        lines(`GET ${target} HTTP/1.1`, `X-API-Key: ${key}`),
      );
      expectOurs(reply, target);
    }
    const [asterisk] = await sendBytes(service, lines('OPTIONS * HTTP/1.1'));
    expect(asterisk?.status).toBeLessThan(500);
    await expectUnharmed(service, key);
  });

  test('contract §4 bytes that are not HTTP are 400 invalid_request', async () => {
    const { service, key } = await serving();
    const withKey = `X-API-Key: ${key}`;
    const garbage = [
      `${MARK}\r\n\r\n`,
      '\u0000\u0000\u0000\u0000',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'SSH-2.0-OpenSSH_9.9\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '{"from":"USD"}',
      'GET\r\n\r\n',
      'GET /v1/fx/rates\r\n\r\n',
      'GET /v1/fx/rates HTTP/9.9\r\nHost: a\r\n\r\n',
      'GET /v1/fx/rates HTTP/1.1 extra\r\nHost: a\r\n\r\n',
      'get /v1/fx/rates HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /v1/fx/ra tes HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /v1/fx/ra\u0000tes HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /v1/fx/ra\rtes HTTP/1.1\r\nHost: a\r\n\r\n',
      lines('GET /v1/fx/rates HTTP/1.1', withKey, `no colon ${MARK}`),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, `X-A : ${MARK}`),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, `X-A: ${MARK}\u0000`),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, `X-A: ${MARK}\rX-B: 1`),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, ': nameless'),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, 'Content-Length: -1'),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, 'Content-Length: +1'),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, 'Content-Length: 1x'),
      lines('GET /v1/fx/rates HTTP/1.1', withKey, 'Content-Length: 99999999999999999999999'),
      `${lines(`POST ${BULK} HTTP/1.1`, withKey, 'Content-Length: 2', 'Content-Length: 3')}{}x`,
      `${lines(`POST ${BULK} HTTP/1.1`, withKey, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`,
      `${lines(`POST ${BULK} HTTP/1.1`, withKey, `Transfer-Encoding: ${MARK}`)}{}`,
      `${lines(
        `POST ${BULK} HTTP/1.1`,
        withKey,
        'Content-Type: application/json',
        'Content-Length: 6',
        'Transfer-Encoding: chunked',
      )}0\r\n\r\nX`,
    ];
    for (const bytes of garbage) {
      const [reply] = await sendBytesAndEnd(service, bytes);
      expectOurs(reply, bytes);
      expect([bytes, reply?.status, codeOf(reply)]).toEqual([bytes, 400, 'invalid_request']);
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 random bytes get a 4xx in our shape or no answer', async () => {
    const { service, key } = await serving();
    const beginning = fc.constantFrom(
      '',
      'GET ',
      'GET / HTTP/1.1\r\n',
      `POST ${BULK} HTTP/1.1\r\n`,
    );
    const bytes = fc.uint8Array({ maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(beginning, bytes, async (start, rest) => {
        const sent = Buffer.concat([Buffer.from(start), rest]);
        for (const reply of await sendBytesAndEnd(service, sent)) {
          expectOurs(reply, sent.toString('latin1'));
        }
      }),
      { numRuns: 200 },
    );
    await expectUnharmed(service, key);
  });

  test('contract §4 broken chunks of a body get a 4xx in our shape', async () => {
    const { service, key } = await serving();
    const top = lines(
      `POST ${BULK} HTTP/1.1`,
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    for (const body of [
      'zz\r\n{}\r\n0\r\n\r\n',
      '-1\r\n{}\r\n0\r\n\r\n',
      '2\r\n{}X\r\n0\r\n\r\n',
      'fffffffffffffffff\r\n{}',
      `2;${MARK}=${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
    ]) {
      const replies = await sendBytes(service, top + body);
      expect([body.slice(0, 40), replies.length]).toEqual([body.slice(0, 40), 1]);
      expectOurs(replies[0], body.slice(0, 40));
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 Expect: 100-continue is met, and any other Expect is 417', async () => {
    const { service, key } = await serving();
    const body = '{"from":"USD","to":"VES","amounts":[1]}';
    const common = [
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const [refused] = await sendBytes(
      service,
      lines(`POST ${BULK} HTTP/1.1`, ...common, `Expect: ${MARK}`) + body,
    );
    expectOurs(refused, 'Expect');
    expect([refused?.status, codeOf(refused)]).toEqual([417, 'expectation_failed']);
    expect(refused?.head).toMatch(/^x-ratelimit-limit: 1500000$/im);
    const line = 'GET /v1/fx/rates HTTP/1.1';
    const [unknown] = await sendBytes(service, lines(line, 'X-API-Key: wrong', `Expect: ${MARK}`));
    expect(codeOf(unknown)).toBe('expectation_failed');
    expect(unknown?.head).not.toMatch(/^x-ratelimit-/im);
    const [met] = await sendBytes(
      service,
      lines(`POST ${BULK} HTTP/1.1`, ...common, 'Expect: 100-continue') + body,
    );
    expect(met?.status).toBe(200);
    await expectUnharmed(service, key);
  });

  test('contract §4 CONNECT is 405 with Allow, and the connection ends', async () => {
    const { service, key } = await serving();
    for (const target of ['example.com:443', `${MARK}:443`]) {
      const [reply] = await sendBytes(service, lines(`CONNECT ${target} HTTP/1.1`));
      expectOurs(reply, target);
      expect([reply?.status, codeOf(reply)]).toEqual([405, 'method_not_allowed']);
      expect(reply?.head).toMatch(/^allow: /im);
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 an Upgrade header is ignored', async () => {
    const { service, key } = await serving();
    for (const protocol of ['websocket', 'h2c', MARK]) {
      const [reply] = await sendBytes(
        service,
        lines(
          'GET /v1/fx/rates HTTP/1.1',
          `X-API-Key: ${key}`,
          'Connection: Upgrade',
          `Upgrade: ${protocol}`,
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ),
      );
      expect([protocol, reply?.status]).toEqual([protocol, 200]);
      expect(reply?.head.toLowerCase()).not.toContain(MARK);
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 no request is lost silently behind one with Upgrade: the connection ends', async () => {
    const { service, key } = await serving();
    const withKey = `X-API-Key: ${key}`;
    const used = async () => (await service.call('/v1/account', { key })).json.usage.units_used;
    const before = await used();
    const asked = [withKey, 'Connection: Upgrade', 'Upgrade: websocket'];
    const body = '{"from":"USD","to":"VES","amounts":[1]}';
    const json = [...asked, 'Content-Type: application/json'];
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const behind = head('GET /v1/fx/rates HTTP/1.1', [withKey]);
    const bulk = `POST ${BULK} HTTP/1.1`;
    const first = head('GET /v1/fx/rates HTTP/1.1', [withKey]);
    for (const [bytes, count] of [
      [head('GET /v1/fx/rates HTTP/1.1', asked), 1],
      [head('GET /healthz HTTP/1.1', [...asked, 'Connection: keep-alive']), 1],
      [first + head('GET /v1/fx/rates HTTP/1.1', asked), 2],
      [head(bulk, [...json, `Content-Length: ${body.length}`]) + body, 1],
      [head(bulk, [...json, 'Transfer-Encoding: chunked']) + chunked, 1],
    ] as const) {
      const replies = await sendBytes(service, bytes + behind);
      expect([bytes, replies.map(({ status }) => status)]).toEqual([bytes, Array(count).fill(200)]);
      expect(replies.at(-1)?.head).toMatch(/^connection: close$/im);
    }
    // Five of the answers cost a unit, and those that were not given nothing.
    expect(await used()).toBe(before + 5);
    await expectUnharmed(service, key);
  });

  test('contract §4 a connection whose requests have Upgrade goes on when nothing came behind', async () => {
    const { service, key } = await serving();
    const asked = [`X-API-Key: ${key}`, 'Connection: Upgrade', 'Upgrade: h2c'];
    const body = '{"from":"USD","to":"VES","amounts":[1]}';
    const json = [...asked, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const { socket, closed } = open(service);
    for (const bytes of [
      head('GET /v1/fx/rates HTTP/1.1', asked),
      head(`POST ${BULK} HTTP/1.1`, json) + body,
      head('GET /v1/fx/index HTTP/1.1', asked),
      lines('GET /healthz HTTP/1.1'),
    ]) {
      socket.write(bytes);
      await once(socket, 'data');
    }
    expect((await closed).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('contract §4 CONNECT does not displace the answers to the requests before it', async () => {
    const { service, key } = await serving();
    const connect = head('CONNECT example.com:443 HTTP/1.1', []);
    for (const [start, statuses] of [
      // Its answer waits for nothing, so it is complete before CONNECT is read.
      ['OPTIONS *', [204, 405]],
      // Its answer is still being made, and ends the connection.
      ['GET /v1/fx/rates/parallel/history?granularity=raw', [200]],
    ] as const) {
      const asked = head(`${start} HTTP/1.1`, [`X-API-Key: ${key}`]);
      const replies = await sendBytes(service, asked + connect + asked);
      expect(replies.map(({ status }) => status)).toEqual(statuses);
      expect(replies.at(-1)?.head).toMatch(/^connection: close$/im);
    }
    await expectUnharmed(service, key);
  });

  test('contract §4 no text of a caller appears in a response header', async () => {
    const { service, key } = await serving();
    for (const [path, status] of [
      ['/v1/fx/rates', 200],
      [`/v1/fx/rates?x=${MARK}`, 200],
      [`/v1/fx/rates/${MARK}`, 404],
      [`/v1/fx/markets?${MARK}=1`, 400],
      [`/${MARK}`, 404],
      ['/healthz', 200],
    ] as const) {
      const [reply] = await sendBytes(
        service,
        lines(
          `GET ${path} HTTP/1.1`,
          `X-API-Key: ${key}`,
          `Origin: https://${MARK}.example`,
          `Referer: https://${MARK}.example`,
          `If-None-Match: "${MARK}"`,
          `X-Request-Id: ${MARK}`,
          `X-Forwarded-Host: ${MARK}`,
          `X-Forwarded-For: ${MARK}`,
          `Accept: ${MARK}/*`,
          `Access-Control-Request-Method: ${MARK}`,
          `Access-Control-Request-Headers: ${MARK}`,
        ),
      );
      expect([path, reply?.status]).toEqual([path, status]);
      expect(reply?.head.toLowerCase()).not.toContain(MARK);
    }
    await expectUnharmed(service, key);
  });
});

describe('§7 hostile connections', () => {
  test('§7 pipelined requests are answered in order, including errors', async () => {
    const { service, key } = await serving();
    const asks = [
      ['/v1/fx/rates/reference', 200],
      ['/v1/fx/rates/nowhere', 404],
      ['/v1/fx/convert', 400],
      ['/v1/fx/rates/parallel/history', 200],
      ['/nowhere', 404],
      ['/v1/fx/rates/eur_reference', 200],
    ] as const;
    const text = asks
      .map(([path]) => head(`GET ${path} HTTP/1.1`, [`X-API-Key: ${key}`]))
      .join('')
      .concat(lines('GET /healthz HTTP/1.1'));
    const replies = await sendBytes(service, text);
    expect(replies.map(({ status }) => status)).toEqual([...asks.map(([, status]) => status), 200]);
    expect(JSON.parse(replies[0]?.body ?? '').market).toBe('reference');
    expect(JSON.parse(replies[5]?.body ?? '').market).toBe('eur_reference');
    await expectUnharmed(service, key);
  });

  test('§7 bytes that are not HTTP do not displace the answer before them', async () => {
    const { service, key } = await serving();
    await service.call('/v1/fx/rates', { key });
    const asked = head('GET /v1/fx/rates/parallel/history HTTP/1.1', [`X-API-Key: ${key}`]);
    const replies = await sendBytes(service, `${asked}${MARK}\r\n\r\n`);
    // The first answer on a connection belongs to its first request; an error may follow.
    expect(replies.map(({ status }) => status).slice(0, 1)).toEqual([200]);
    await expectUnharmed(service, key);
  });

  test('§7 the body of a refused request is never read as a request', async () => {
    const { service, key } = await serving();
    const inner = lines('GET /v1/fx/rates HTTP/1.1', `X-API-Key: ${key}`);
    for (const headers of [
      ['X-API-Key: wrong'],
      [`X-API-Key: ${key}`, 'Content-Type: text/plain'],
      [`X-API-Key: ${key}`, 'Content-Type: application/json'],
    ]) {
      const replies = await sendBytes(
        service,
        lines(`POST ${BULK} HTTP/1.1`, ...headers, `Content-Length: ${inner.length}`) + inner,
      );
      expect([headers, replies.length]).toEqual([headers, 1]);
      expectOurs(replies[0], headers.join());
    }
    const used = (await service.call('/v1/account', { key })).json.usage.units_used;
    expect(used).toBe(0);
    await expectUnharmed(service, key);
  });

  test('§7 clients that disconnect within a head, a body or an answer do no harm', async () => {
    const { service, key } = await serving();
    const top = lines(
      `POST ${BULK} HTTP/1.1`,
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    );
    const whole = head('GET /v1/fx/rates HTTP/1.1', [`X-API-Key: ${key}`]);
    for (const bytes of ['GET /v1/fx', top, `${top}{"from":`, whole.repeat(20)]) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const { socket, closed } = open(service);
          await new Promise<void>((resolve) => {
            socket.write(bytes, () => resolve());
          });
          socket.resetAndDestroy();
          await closed;
        }),
      );
      // After a body that ends early the service answers or closes, but does not wait.
      for (const reply of await sendBytesAndEnd(service, bytes)) {
        if (reply.status !== 200) expectOurs(reply, bytes);
      }
      await expectUnharmed(service, key);
    }
    const { usage } = (await service.call('/v1/account', { key })).json;
    expect(usage.units_used).toBeLessThanOrEqual(20 * 11 + 4);
  });

  test('§7 a stalled head is 408 within 6 s and a stalled body after 15 s, while others are served', async () => {
    const { service, key } = await serving();
    const started = performance.now();
    const waited = stopwatch();
    const stalled = (bytes: string) => {
      const { socket, closed } = open(service);
      socket.write(bytes);
      const took = closed.then((replies) => ({
        replies,
        ms: performance.now() - started,
        waited: waited(),
      }));
      return { socket, took };
    };
    const heads = ['', 'GET', 'GET /v1/fx/rates HTTP/1.1\r\nHost: a\r\nX-', '\r\n'].map(stalled);
    const drip = stalled('GET /v1/fx/rates HTTP/1.1\r\nHost: a\r\nX-Drip: ');
    const dripping = setInterval(() => drip.socket.write('x'), 250);
    const body = stalled(
      `${lines(
        `POST ${BULK} HTTP/1.1`,
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
      )}{"from":`,
    );
    for (const { took } of [...heads, drip]) {
      const { replies, ms, waited: waitedMs } = await took;
      expect(ms).toBeGreaterThan(HEADERS_TIMEOUT_MS - 500);
      expect(waitedMs).toBeLessThan(6_000);
      for (const reply of replies) {
        expectOurs(reply, 'a stalled head');
        expect(codeOf(reply)).toBe('request_timeout');
      }
    }
    clearInterval(dripping);
    expect((await drip.took).replies).toHaveLength(1);
    await expectUnharmed(service, key);
    const { replies, ms, waited: waitedMs } = await body.took;
    expect(ms).toBeGreaterThan(REQUEST_TIMEOUT_MS - 500);
    expect(waitedMs).toBeLessThan(REQUEST_TIMEOUT_MS + 1_500);
    expect(replies).toHaveLength(1);
    expectOurs(replies[0], 'a stalled body');
    expect(codeOf(replies[0])).toBe('request_timeout');
    await expectUnharmed(service, key);
  });
});
