import { describe, expect, test } from 'vitest';
import { startUpstream } from '../../../test/harness/upstream.ts';
import { isPublicAddress } from './address.ts';
import { MAX_EXCERPT_BYTES, post } from './post.ts';

const TIMEOUT_MS = 10_000;
const SHORT_MS = 1_000;

const send = (url: string, options: Partial<Parameters<typeof post>[1]> = {}) =>
  post(new URL(url), { body: '{"a":"é"}', timeoutMs: TIMEOUT_MS, ...options });

describe('what the service sends to others (contract §24)', () => {
  test('is JSON with its length and headers, over a connection of its own', async () => {
    const upstream = await startUpstream();
    const received: string[] = [];
    upstream.answers((request, response) => {
      const {
        'content-type': type,
        'content-length': length,
        connection,
        'x-own': own,
      } = request.headers;
      request.on('data', (chunk) => received.push(String(chunk)));
      request.on('end', () => {
        received.push(`${request.method} ${request.httpVersion}`);
        received.push([type, length, connection, own].join(' '));
        response.writeHead(202, { 'Retry-After': '7' }).end('taken');
      });
    });
    const answer = await send(upstream.url, { headers: { 'x-own': 'yes' } });
    expect(answer).toEqual({ status: 202, retryAfter: '7', excerpt: 'taken' });
    expect(received).toEqual(['{"a":"é"}', 'POST 1.1', 'application/json 10 close yes']);
  });

  test('goes to no address that is not allowed, however the name is written', async () => {
    const upstream = await startUpstream();
    const { port } = new URL(upstream.url);
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'];
    for (const host of hosts) {
      const sent = send(`http://${host}:${port}/`, { isAllowed: isPublicAddress });
      await expect(sent, host).rejects.toThrow('not on the public internet');
    }
    expect(upstream.asked).toBe(0);
  });

  test('follows no redirect, such as one to the metadata of a cloud', async () => {
    const upstream = await startUpstream();
    upstream.answers((_request, response) =>
      response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end(),
    );
    expect(await send(upstream.url)).toMatchObject({ status: 302 });
    expect(upstream.asked).toBe(1);
  });

  test('waits for an answer as long as it may, and then says so', async () => {
    const upstream = await startUpstream();
    upstream.hangs();
    const sent = send(upstream.url, { timeoutMs: SHORT_MS });
    await expect(sent).rejects.toThrow('no answer within 1 s');
  });

  test('takes the status of an answer whose body never ends', async () => {
    const upstream = await startUpstream();
    upstream.answers((_request, response) => {
      response.writeHead(200).write('a beginning');
    });
    const answer = await send(upstream.url, { timeoutMs: SHORT_MS });
    expect(answer).toMatchObject({ status: 200, excerpt: 'a beginning' });
  });

  test.each([MAX_EXCERPT_BYTES, MAX_EXCERPT_BYTES + 1, 5_000_000])(
    'keeps at most 1 KB of an answer of %i bytes, without zero bytes',
    async (bytes) => {
      const upstream = await startUpstream();
      upstream.answers((_request, response) =>
        response.writeHead(200).end(`\0${'x'.repeat(bytes - 1)}`),
      );
      const { excerpt } = await send(upstream.url);
      expect(excerpt).toBe('x'.repeat(MAX_EXCERPT_BYTES - 1));
    },
  );

  test('ends when the service stops', async () => {
    const upstream = await startUpstream();
    upstream.hangs();
    const stop = new AbortController();
    const sent = send(upstream.url, { signal: stop.signal });
    await expect.poll(() => upstream.asked).toBe(1);
    stop.abort();
    await expect(sent).rejects.toThrow('the service is stopping');
  });

  test('names a failed connection by its code, and nothing of the other side', async () => {
    const upstream = await startUpstream();
    upstream.answers((request) => request.socket.destroy());
    await expect(send(upstream.url)).rejects.toThrow('the connection was cut (ECONNRESET)');
  });
});
