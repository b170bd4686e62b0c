import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { brotliCompressSync, createBrotliCompress, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SourceFailure } from '../../src/core/app/failures.ts';
import type { UpstreamBody, UpstreamRequest } from '../../src/core/app/ports/sources.ts';
import { createFetcher, type FetchLimits } from '../../src/core/sources/client/fetch.ts';
import { FIRST_PAUSE_MS, MAX_RETRY_AFTER_MS } from '../../src/core/sources/client/host-throttle.ts';
import { MAX_ANSWER_BYTES } from '../../src/core/sources/client/http-client.ts';
import { makeCertificate, type TestCertificate } from '../harness/certificates.ts';
import { portOf } from '../harness/ports.ts';
import { manualClock, START } from '../harness/service.ts';
import { stopwatch } from '../harness/stopwatch.ts';

/** Upstream faults, caused by real servers on a loopback address. */

const MB = 2 ** 20;
/** Bytes that the sockets of both sides may buffer of an unread stream. */
const IN_FLIGHT_BYTES = 24 * MB;
const JSON_TYPE = { 'content-type': 'application/json' };
const ENOUGH_MS = 10_000;
/** How late a time-out may be on a busy machine. */
const LATE_MS = 2_000;

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
}

const httpServer = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createHttp(listener))}/`;

/** A server that speaks bytes, not HTTP. */
const tcpServer = async (onConnection: (socket: Socket) => void) =>
  `127.0.0.1:${await listen(createTcp(onConnection))}/`;

function fetcher(more: Partial<Parameters<typeof createFetcher>[0]> = {}) {
  const clock = manualClock();
  const client = createFetcher({
    userAgent: 'vesfx/test (+https://vesfx.example)',
    clock,
    random: () => 0,
    certificates: () => [],
    allowLoopback: true,
    ...more,
  });
  onTestFinished(() => client.close());
  return {
    clock,
    close: client.close,
    fetch: (
      url: string,
      limits: Partial<FetchLimits> = {},
      request: Partial<UpstreamRequest> = {},
    ): Promise<UpstreamBody> =>
      client.fetch(
        { url, accept: ['application/json'], ...request },
        { timeoutMs: ENOUGH_MS, ...limits },
      ),
  };
}

async function failureOf(answer: Promise<UpstreamBody>): Promise<SourceFailure> {
  const outcome = await answer.catch((error: unknown) => error);
  if (outcome instanceof SourceFailure) return outcome;
  throw new Error('expected a SourceFailure', { cause: outcome });
}

const text = ({ bytes }: UpstreamBody) => new TextDecoder().decode(bytes);

/** Writes the same chunk for ever, as fast as it is read. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', more);
  };
  more();
}

describe('a whole answer', () => {
  test('has its bytes and type as sent, and the requested address', async () => {
    const page = Buffer.from('<p>D\xf3lar\x00\xff', 'latin1');
    const type = 'Text/HTML; charset=klingon';
    const url = await httpServer((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(page),
    );
    const body = await fetcher().fetch(url, {}, { accept: ['text/plain', 'text/html'] });
    expect(body).toEqual({ url, bytes: new Uint8Array(page), contentType: type });
  });

  test("is requested with the service's own user agent", async () => {
    const url = await httpServer((request, response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(request.headers)),
    );
    const headers = { 'User-Agent': 'Mozilla/5.0', Accept: '*/*', clienttype: 'web' };
    const sent = JSON.parse(text(await fetcher().fetch(url, {}, { headers })));
    expect(sent).toMatchObject({
      'user-agent': 'vesfx/test (+https://vesfx.example)',
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      clienttype: 'web',
      connection: 'close',
    });
  });

  test('of a POST follows the sent JSON', async () => {
    const url = await httpServer(async (request, response) => {
      const sent = (await request.toArray()).join('');
      const { method, headers } = request;
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ method, type: headers['content-type'], sent }));
    });
    const json = { asset: 'USDT', page: 1 };
    expect(JSON.parse(text(await fetcher().fetch(`${url}?q=1`, {}, { json })))).toEqual({
      method: 'POST',
      type: 'application/json',
      sent: JSON.stringify(json),
    });
  });

  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('is decoded from %s', async (coding, encode) => {
    const rates = Buffer.from('{"rates":[1,2,3]}');
    const url = await httpServer((_, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding }).end(encode(rates)),
    );
    expect(text(await fetcher().fetch(url))).toBe(rates.toString());
  });

  test('may arrive byte by byte', async () => {
    const url = await httpServer((_, response) => {
      response.writeHead(200, JSON_TYPE);
      for (const byte of '{"rates":[1,2,3]}') response.write(byte);
      response.end();
    });
    expect(text(await fetcher().fetch(url))).toBe('{"rates":[1,2,3]}');
  });

  test('does not come through a proxy of the environment', async () => {
    const url = await httpServer((_, response) => response.writeHead(200, JSON_TYPE).end('{}'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY']) {
      vi.stubEnv(name, 'http://127.0.0.1:1');
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(text(await fetcher().fetch(url))).toBe('{}');
  });
});

describe('an upstream that does not answer', () => {
  test('refuses the connection: unreachable', async () => {
    const server = createTcp();
    const port = await listen(server);
    server.close();
    const failure = await failureOf(fetcher().fetch(`http://127.0.0.1:${port}/`));
    expect(failure.reason).toBe('unreachable');
    expect(failure.message).toContain('ECONNREFUSED');
  });

  test('has an invalid host name: unreachable', async () => {
    const failure = await failureOf(fetcher().fetch(`https://${'x'.repeat(64)}.invalid/`));
    expect(failure.reason).toBe('unreachable');
  });

  const silent: Record<string, (socket: Socket) => void> = {
    'accepts and says nothing': () => undefined,
    'sends one byte of its headers at a time': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: '),
    'sends one byte of its body at a time': (socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', ' '),
    'sends empty chunks of a gzip': (socket) => {
      const head = 'content-type: application/json\r\ncontent-encoding: gzip\r\n';
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`);
      socket.write(gzipSync('{}').subarray(0, 12));
    },
    'keeps saying that it begins': (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  };

  function drip(socket: Socket, head: string, drop = 'x'): void {
    socket.write(head);
    const timer = setInterval(() => socket.write(drop), 10);
    socket.on('close', () => clearInterval(timer));
  }

  test.each(Object.entries(silent))(
    '%s: times out on time, and its socket is closed',
    async (_, speak) => {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const at = await tcpServer((socket) => {
        socket.on('close', () => resolve());
        socket.resume();
        speak(socket);
      });
      const started = performance.now();
      const waited = stopwatch();
      const failure = await failureOf(fetcher().fetch(`http://${at}`, { timeoutMs: 200 }));
      expect(failure.reason).toBe('timeout');
      expect(failure.message).toContain('200 ms');
      expect(performance.now() - started).toBeGreaterThan(190);
      expect(waited()).toBeLessThan(200 + LATE_MS);
      await closed;
    },
  );

  test('does not answer the TLS handshake: times out on time, and its socket is closed', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const at = await tcpServer((socket) => {
      socket.on('close', () => resolve());
      socket.resume();
    });
    const failure = await failureOf(fetcher().fetch(`https://${at}`, { timeoutMs: 200 }));
    expect(failure.reason).toBe('timeout');
    await closed;
  });

  test('closing aborts running and waiting requests, and refuses new ones', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const url = await httpServer(() => resolve());
    const { fetch, close } = fetcher();
    const asked = [fetch(url), fetch(url)];
    await reached;
    close();
    const failures = await Promise.all([...asked, fetch('https://other.invalid/')].map(failureOf));
    expect(failures.map(({ reason }) => reason)).toEqual(['paused', 'paused', 'paused']);
  });
});

describe('an unexpected answer of an upstream', () => {
  test.each([201, 204, 304, 400, 401, 403, 404, 408, 429, 500, 502, 503, 522])(
    'status %i is a failure, whatever its body',
    async (status) => {
      const url = await httpServer((_, response) => response.writeHead(status, JSON_TYPE).end());
      const failure = await failureOf(fetcher().fetch(url));
      expect(failure.reason).toBe('status');
      expect(failure.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}$`));
      expect(failure.retryAfterMs).toBeUndefined();
    },
  );

  test.each([301, 302, 303, 307, 308])(
    'redirect %i is not followed, and the failure names only its host',
    async (status) => {
      const url = await httpServer((_, response) =>
        response.writeHead(status, { location: 'https://u:p@moved.example/x?key=secret' }).end(),
      );
      const failure = await failureOf(fetcher().fetch(url));
      expect(failure.reason).toBe('redirect');
      expect(failure.message).toContain('moved.example');
      expect(failure.message).not.toMatch(/secret|u:p/);
    },
  );

  test.each(['/there', '//', 'https://[', `https://${'x'.repeat(9000)}/`])(
    'a redirect to %.20s gives a short failure message',
    async (location) => {
      const url = await httpServer((_, response) => response.writeHead(302, { location }).end());
      const failure = await failureOf(fetcher().fetch(url));
      expect(failure.reason).toBe('redirect');
      expect(failure.message.length).toBeLessThan(200);
    },
  );

  test.each([
    ['120', 120_000],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['1.5', undefined],
    [new Date(START + 90_000).toUTCString(), 90_000],
    [new Date(START - 1_000).toUTCString(), undefined],
    ['2026-11-21T13:00:00Z', undefined],
    ['3600', MAX_RETRY_AFTER_MS],
    ['3601', MAX_RETRY_AFTER_MS],
    ['9'.repeat(400), MAX_RETRY_AFTER_MS],
  ])('Retry-After %.40s of a 429 is read as %s ms, an hour at most', async (header, expected) => {
    const url = await httpServer((_, response) =>
      response.writeHead(429, { 'retry-after': header }).end(),
    );
    expect((await failureOf(fetcher().fetch(url))).retryAfterMs).toBe(expected);
  });

  test.each([
    ['text/html; charset=utf-8', 'text/html'],
    ['application/json-seq', 'application/json-seq'],
    ['', 'without a type'],
    [`text/${'x'.repeat(5000)}`, 'text/xxx'],
  ])('status 200 with the type "%.30s" is a failure', async (type, said) => {
    const url = await httpServer((_, response) => {
      if (type !== '') response.setHeader('content-type', type);
      response.end('<html><title>Maintenance</title></html>');
    });
    const failure = await failureOf(fetcher().fetch(url));
    expect(failure.reason).toBe('content_type');
    expect(failure.message).toContain(said);
    expect(failure.message.length).toBeLessThan(250);
  });

  test.each(['zstd', 'compress', 'gzip, br', 'chunked'])(
    'the content coding %s is a failure, not an unreadable body',
    async (coding) => {
      const url = await httpServer((_, response) =>
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding }).end('{}'),
      );
      expect((await failureOf(fetcher().fetch(url))).reason).toBe('content_type');
    },
  );
});

test.each([
  ['an unwanted status', 500, JSON_TYPE],
  ['an unwanted type', 200, { 'content-type': 'text/html' }],
  ['an unwanted coding', 200, { ...JSON_TYPE, 'content-encoding': 'zstd' }],
])('%s closes the socket, however much remains to be read', async (_, status, headers) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await httpServer((request, response) => {
    request.socket.on('close', () => resolve());
    response.writeHead(status, headers).write('not the end');
  });
  await failureOf(fetcher().fetch(url));
  await closed;
});

describe('a body that is too large', () => {
  test('is whole at 2 MB and refused one byte above', async () => {
    const url = await httpServer((request, response) =>
      response.writeHead(200, JSON_TYPE).end(Buffer.alloc(Number(request.url?.slice(1)))),
    );
    const { fetch } = fetcher();
    expect((await fetch(`${url}${MAX_ANSWER_BYTES}`)).bytes).toHaveLength(MAX_ANSWER_BYTES);
    const failure = await failureOf(fetch(`${url}${MAX_ANSWER_BYTES + 1}`));
    expect(failure.reason).toBe('too_large');
  });

  test('is whole at 2 MB even if its coding makes it longer', async () => {
    const noise = randomBytes(MAX_ANSWER_BYTES);
    const coded = gzipSync(noise);
    expect(coded.length).toBeGreaterThan(MAX_ANSWER_BYTES);
    const url = await httpServer((_, response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(coded),
    );
    expect(noise.equals((await fetcher().fetch(url)).bytes)).toBe(true);
  });

  const zeros = Buffer.alloc(64 * 1024);
  const bomb = gzipSync(Buffer.alloc(8 * MB));
  const floods: Record<string, (response: ServerResponse) => void> = {
    'of 500 MB': (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 500 * MB });
      pour(response, zeros);
    },
    'without an end': (response) => {
      response.writeHead(200, JSON_TYPE);
      pour(response, zeros);
    },
    'in gzip, a thousand times as large as it looks': (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      pour(response, bomb);
    },
    'in Brotli, a million times as large as it looks': (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br' });
      const coder = createBrotliCompress();
      coder.pipe(response);
      const more = () => {
        while (!response.destroyed && coder.write(zeros));
        coder.once('drain', more);
      };
      more();
      response.on('close', () => coder.destroy());
    },
    'in gzip that decodes to nothing': (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      pour(response, Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync(''))));
    },
  };

  test.each(Object.entries(floods))(
    '%s is refused while it arrives, and its socket closed',
    async (_, flood) => {
      const { promise: sent, resolve } = Promise.withResolvers<number>();
      const url = await httpServer((request, response) => {
        const { socket } = request;
        socket.on('close', () => resolve(socket.bytesWritten));
        flood(response);
      });
      const failure = await failureOf(fetcher().fetch(url));
      expect(failure.reason).toBe('too_large');
      // The server's sent bytes are those that the client read and those in transit.
      expect(await sent).toBeLessThan(MAX_ANSWER_BYTES + IN_FLIGHT_BYTES);
    },
  );

  test('is refused in the headers too', async () => {
    const line = `x: ${'y'.repeat(1000)}\r\n`;
    const { promise: sent, resolve } = Promise.withResolvers<number>();
    const at = await tcpServer((socket) => {
      socket.on('close', () => resolve(socket.bytesWritten));
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(line));
        socket.once('drain', more);
      };
      more();
    });
    expect((await failureOf(fetcher().fetch(`http://${at}`))).reason).toBe('too_large');
    expect(await sent).toBeLessThan(IN_FLIGHT_BYTES);
  });
});

describe('an incomplete body', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const whole = '{"rates":[1,2,3]}';
  const coded = gzipSync(whole);
  const broken: Record<string, readonly (string | Buffer)[]> = {
    'before its headers are whole': ['HTTP/1.1 200 OK\r\ncontent-ty'],
    'before a single byte': [],
    'before its length is reached': [`${head}content-length: 100\r\n\r\n${whole}`],
    'before its last chunk': [`${head}transfer-encoding: chunked\r\n\r\n11\r\n${whole}\r\n`],
    'in the middle of a chunk': [`${head}transfer-encoding: chunked\r\n\r\n30\r\n${whole}`],
    'in a chunk whose size is no number': [
      `${head}transfer-encoding: chunked\r\n\r\n11\r\n${whole}\r\nzz\r\n`,
    ],
    'in the middle of its gzip': [
      `${head}content-encoding: gzip\r\ncontent-length: ${coded.length - 9}\r\n\r\n`,
      coded.subarray(0, -9),
    ],
    'into what is not gzip': [`${head}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`],
    'into what is not Brotli': [
      `${head}content-encoding: br\r\ncontent-length: 22\r\n\r\nnonsense and no Brotli`,
    ],
    'into what is not HTTP': ['220 mail.example ESMTP\r\n'],
    'with two lengths': [`${head}content-length: 17\r\ncontent-length: 5\r\n\r\n${whole}`],
  };

  test.each(Object.entries(broken))('%s is a failure, never a shorter body', async (how, parts) => {
    const at = await tcpServer((socket) => {
      socket.once('data', () => {
        for (const part of parts) socket.write(part);
        socket.end();
      });
    });
    const failure = await failureOf(fetcher().fetch(`http://${at}`));
    expect(failure.reason).toBe(/gzip|Brotli/.test(how) ? 'content' : 'unreachable');
    expect(failure.message.length).toBeLessThan(200);
  });

  test('a reset is a failure, even if the body ends with the connection', async () => {
    const at = await tcpServer((socket) => {
      socket.once('data', () =>
        socket.write(`${head}\r\n${whole}`, () => socket.resetAndDestroy()),
      );
    });
    expect((await failureOf(fetcher().fetch(`http://${at}`))).reason).toBe('unreachable');
  });
});

describe('TLS', () => {
  const root = makeCertificate({ name: 'Root of the test', isAuthority: true });
  const intermediate = makeCertificate({ name: 'Link', isAuthority: true, issuer: root });
  const hosts = ['127.0.0.1', 'localhost'];
  const leaf = makeCertificate({ name: 'server', hosts, issuer: intermediate });

  async function httpsServer(certificate: TestCertificate, more = ''): Promise<number> {
    const { key, cert } = certificate;
    const server = createHttps({ key, cert: cert + more }, ({ socket }, response) => {
      const name = socket instanceof TLSSocket && socket.servername;
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ name }));
    });
    return listen(server);
  }

  const read = async (client: ReturnType<typeof fetcher>, port: number, host = '127.0.0.1') =>
    JSON.parse(text(await client.fetch(`https://${host}:${port}/`)));

  const trusting = (...trusted: readonly TestCertificate[]) =>
    fetcher({ certificates: () => trusted.map(({ cert }) => cert) });

  const tlsFailure = async (
    client: ReturnType<typeof fetcher>,
    port: number,
    host = '127.0.0.1',
  ) => {
    const failure = await failureOf(client.fetch(`https://${host}:${port}/`));
    expect(failure.reason).toBe('tls');
    return failure.message;
  };

  test('a host that sends its whole chain is read', async () => {
    const port = await httpsServer(leaf, intermediate.cert);
    // A host gets the requested name, and never an address instead.
    expect(await read(trusting(root), port)).toEqual({ name: false });
    expect(await read(trusting(root), port, 'localhost')).toEqual({ name: 'localhost' });
  });

  test('a host without its intermediate fails, and is read with the shipped one', async () => {
    const port = await httpsServer(leaf);
    expect(await tlsFailure(trusting(root), port)).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(await read(trusting(root, intermediate), port)).toBeDefined();
  });

  test('a host with a wrong intermediate is read with the shipped one', async () => {
    const wrong = makeCertificate({ name: 'Other link', isAuthority: true, issuer: root });
    const port = await httpsServer(leaf, wrong.cert);
    await tlsFailure(trusting(root), port);
    expect(await read(trusting(root, intermediate), port)).toBeDefined();
  });

  test("a host with shipped certificates is also verified by Node's own", async () => {
    const usual = getCACertificates('default');
    setDefaultCACertificates([root.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    expect(await read(trusting(intermediate), await httpsServer(leaf))).toBeDefined();
  });

  test('a shipped intermediate without a trusted root proves nothing', async () => {
    const port = await httpsServer(leaf, intermediate.cert);
    await tlsFailure(trusting(intermediate), port);
  });

  test('a certificate shipped for one host is not used for another', async () => {
    const port = await httpsServer(leaf);
    const client = fetcher({
      certificates: (hostname) => (hostname === 'localhost' ? [root.cert, intermediate.cert] : []),
    });
    expect(await read(client, port, 'localhost')).toBeDefined();
    await tlsFailure(client, port);
  });

  test('a certificate without a trusted signer fails', async () => {
    const port = await httpsServer(makeCertificate({ name: 'self', hosts }));
    expect(await tlsFailure(trusting(root), port)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    await tlsFailure(fetcher(), port);
  });

  test('the environment cannot switch verification off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    // Node warns about it.
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      warning.mockRestore();
    });
    const port = await httpsServer(makeCertificate({ name: 'self', hosts }));
    await tlsFailure(fetcher(), port);
  });

  test.each([
    ['is over', { validTo: '2021-01-01' }, 'CERT_HAS_EXPIRED'],
    ['has not begun', { validFrom: '2049-01-01' }, 'CERT_NOT_YET_VALID'],
    ['is of another host', { hosts: ['other.example'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['names no host', { hosts: [] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('a certificate that %s fails', async (_, options, code) => {
    const port = await httpsServer(
      makeCertificate({ name: 'server', hosts, issuer: root, ...options }),
    );
    expect(await tlsFailure(trusting(root), port, 'localhost')).toContain(code);
  });

  test('a host without TLS fails', async () => {
    const url = await httpServer((_, response) => response.end('{}'));
    expect((await failureOf(fetcher().fetch(url.replace('http:', 'https:')))).reason).toBe('tls');
  });

  test('verification checks the requested name, not the address', async () => {
    const onlyName = makeCertificate({ name: 'x', hosts: ['localhost'], issuer: root });
    const port = await httpsServer(onlyName);
    expect(await read(trusting(root), port, 'localhost')).toBeDefined();
    await tlsFailure(trusting(root), port);
  });
});

describe('a forbidden address of a source', () => {
  test.each([
    'https://192.0.2.1/',
    'https://[::1]:1/',
    'https://[::ffff:127.0.0.1]:1/',
    'https://2130706433:1/',
    'https://0x7f.1:1/',
    'https://[2001:db8::1]/',
    'https://localhost:1/',
    'http://[3000::1]/',
    'http://rates.example/',
    'https://user:password@rates.example/',
    'ftp://rates.example/',
    'file:///etc/passwd',
    'not an address',
  ])('%s is refused without a request', async (url) => {
    const failure = await failureOf(fetcher({ allowLoopback: false }).fetch(url));
    expect(failure.reason).toBe('forbidden_address');
    expect(failure.message).not.toContain('password@');
  });

  test('loopback is refused unless tests allow it, also by name', async () => {
    let asked = 0;
    const url = await httpServer((_, response) => {
      asked += 1;
      response.writeHead(200, JSON_TYPE).end('{}');
    });
    const secure = url.replace('http:', 'https:');
    for (const address of [url, secure, secure.replace('127.0.0.1', 'localhost')]) {
      const failure = await failureOf(fetcher({ allowLoopback: false }).fetch(address));
      expect(failure.reason).toBe('forbidden_address');
    }
    expect(asked).toBe(0);
    expect(text(await fetcher().fetch(url.replace('127.0.0.1', 'localhost')))).toBe('{}');
  });

  test('even in tests only loopback may be contacted without TLS', async () => {
    // Not assigned yet, but public.
    expect((await failureOf(fetcher().fetch('http://[3000::1]/'))).reason).toBe(
      'forbidden_address',
    );
  });
});

describe('throttle of a host', () => {
  test('a host gets one request at a time, and hosts do not wait for each other', async () => {
    let together = 0;
    let most = 0;
    const listener: RequestListener = (_, response) => {
      together += 1;
      most = Math.max(most, together);
      setTimeout(() => {
        together -= 1;
        response.writeHead(200, JSON_TYPE).end('{}');
      }, 20);
    };
    const [one, other] = [await httpServer(listener), await httpServer(listener)];
    const { fetch } = fetcher();
    await Promise.all([fetch(one), fetch(one), fetch(one)]);
    expect(most).toBe(1);
    await Promise.all([fetch(one), fetch(other)]);
    expect(most).toBe(2);
  });

  test("the wait for a turn does not count in the request's time-out", async () => {
    const arrived = [1, 2].map(() => Promise.withResolvers<ServerResponse>());
    const left = [...arrived];
    const url = await httpServer((_, response) => left.shift()?.resolve(response));
    const answer = async (place: number) =>
      (await arrived[place]?.promise)?.writeHead(200, JSON_TYPE).end('{}');
    const { fetch } = fetcher();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const timeoutMs = 550;
    const answers = Promise.all([fetch(url), fetch(url, { timeoutMs })]);
    await arrived[0]?.promise;
    await vi.advanceTimersByTimeAsync(2 * timeoutMs);
    await answer(0);
    await arrived[1]?.promise;
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    await answer(1);
    expect((await answers).map(text)).toEqual(['{}', '{}']);
  });

  test('after a 429 no request is sent before its time, then one trial', async () => {
    let asked = 0;
    const url = await httpServer((_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(429, { 'retry-after': '90' }).end();
      else response.writeHead(200, JSON_TYPE).end('{}');
    });
    const { fetch, clock } = fetcher();
    await failureOf(fetch(url));
    clock.advance(89_999);
    const failure = await failureOf(fetch(url));
    expect(failure.reason).toBe('paused');
    expect(failure.message).toContain('until 2026-11-21T12:01:30.000Z');
    expect(asked).toBe(1);
    clock.advance(1);
    expect(text(await fetch(url))).toBe('{}');
  });

  test.each([403, 408, 425, 429, 500, 503])('status %i pauses the host', async (status) => {
    const url = await httpServer((_, response) => response.writeHead(status).end());
    const { fetch } = fetcher();
    await failureOf(fetch(url));
    expect((await failureOf(fetch(url))).reason).toBe('paused');
  });

  test('a page that is gone, moved, of another type or too large does not pause its host', async () => {
    const pages: Record<string, RequestListener> = {
      '/gone': (_, response) => response.writeHead(404).end(),
      '/moved': (_, response) => response.writeHead(302, { location: '/there' }).end(),
      '/other': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(),
      '/large': (_, response) => response.writeHead(200, JSON_TYPE).end(Buffer.alloc(3 * MB)),
      '/good': (_, response) => response.writeHead(200, JSON_TYPE).end('{}'),
    };
    const url = await httpServer((request, response) =>
      pages[request.url ?? '']?.(request, response),
    );
    const { fetch } = fetcher();
    for (const page of ['gone', 'moved', 'other', 'large']) {
      await failureOf(fetch(url + page));
      expect(text(await fetch(`${url}good`))).toBe('{}');
    }
  });

  test('a failure of one host does not affect another', async () => {
    const bad = await httpServer((_, response) => response.writeHead(500).end());
    const good = await httpServer((_, response) => response.writeHead(200, JSON_TYPE).end('{}'));
    const { fetch, clock } = fetcher();
    await failureOf(fetch(bad));
    expect(text(await fetch(good))).toBe('{}');
    expect((await failureOf(fetch(bad))).reason).toBe('paused');
    clock.advance(FIRST_PAUSE_MS);
    expect((await failureOf(fetch(bad))).reason).toBe('status');
  });
});
