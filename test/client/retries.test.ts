import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Vesfx, VesfxError, type VesfxOptions } from '../../src/client/vesfx.ts';
import { startUpstream } from '../harness/upstream.ts';

type Script = (response: ServerResponse) => void;

const INDEX = { value: 900 };

const ok: Script = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(INDEX));
};

function refusal(status: number, headers: Record<string, string> = {}, body?: object): Script {
  return (response) => {
    response.writeHead(status, headers).end(body === undefined ? 'busy' : JSON.stringify(body));
  };
}

/** A server that gives the listed answers in order, and then repeats the last one. */
async function scripted(scripts: readonly Script[], options: Partial<VesfxOptions> = {}) {
  const upstream = await startUpstream();
  const left = [...scripts];
  upstream.answers((request, response) => {
    // The request is read completely, so that the connection can be reused.
    request.resume();
    const next = left.length > 1 ? left.shift() : left[0];
    next?.(response);
  });
  const vesfx = new Vesfx({ baseUrl: upstream.url, key: 'a-key', ...options });
  return { upstream, vesfx };
}

async function errorOf(call: Promise<unknown>): Promise<VesfxError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof VesfxError) return outcome;
  throw new Error(`expected a VesfxError, got ${String(outcome)}`);
}

describe('a retry', () => {
  test('follows 429 and 503, no earlier than Retry-After asks', async () => {
    const limited = { code: 'rate_limit_exceeded', message: 'Too many requests.' };
    const { upstream, vesfx } = await scripted([
      refusal(503, { 'Retry-After': '0' }),
      refusal(429, { 'Retry-After': '1', 'X-RateLimit-Scope': 'minute' }, limited),
      ok,
    ]);
    const before = performance.now();
    expect(await vesfx.index()).toEqual(INDEX);
    expect(upstream.asked).toBe(3);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_000);
  });

  test('is not made when Retry-After exceeds the bound: the error comes at once', async () => {
    const { upstream, vesfx } = await scripted([
      refusal(
        429,
        { 'Retry-After': '864000', 'X-RateLimit-Scope': 'month', 'X-Request-Id': 'r-1' },
        { code: 'quota_exceeded', message: 'The units of this month are used up.' },
      ),
    ]);
    expect(await errorOf(vesfx.index())).toMatchObject({
      code: 'quota_exceeded',
      status: 429,
      retryAfterSec: 864_000,
      scope: 'month',
      requestId: 'r-1',
      message: 'The units of this month are used up.',
    });
    expect(upstream.asked).toBe(1);
  });

  test('happens at most `retries` times', async () => {
    const always = [refusal(503, { 'Retry-After': '0' })];
    for (const retries of [0, 2]) {
      const { upstream, vesfx } = await scripted(always, { retries });
      expect(await errorOf(vesfx.index())).toMatchObject({
        code: 'service_unavailable',
        status: 503,
      });
      expect(upstream.asked).toBe(1 + retries);
    }
  });

  test('stays within the total of all pauses', async () => {
    const { upstream, vesfx } = await scripted([refusal(503, { 'Retry-After': '1' })], {
      maxRetryWaitMs: 1_500,
      retries: 10,
    });
    expect(await errorOf(vesfx.index())).toMatchObject({ retryAfterSec: 1 });
    expect(upstream.asked).toBe(2);
  });

  test('does not follow other statuses', async () => {
    for (const status of [400, 401, 404, 500, 502, 504]) {
      const { upstream, vesfx } = await scripted([refusal(status, { 'Retry-After': '0' })]);
      expect(await errorOf(vesfx.index())).toMatchObject({ code: 'unexpected_answer', status });
      expect(upstream.asked).toBe(1);
    }
  });

  test('follows a 429, but not a 503, to a call that must not run twice', async () => {
    const rule = { tag: 'shop', kind: 'percent', value: 1 } as const;
    const failing = await scripted([refusal(503, { 'Retry-After': '0' }), ok]);
    expect(await errorOf(failing.vesfx.markups.create(rule))).toMatchObject({ status: 503 });
    expect(failing.upstream.asked).toBe(1);
    const limited = await scripted([refusal(429, { 'Retry-After': '0' }), ok]);
    expect(await limited.vesfx.markups.create(rule)).toEqual(INDEX);
    const amounts = { from: 'USD', to: 'VES', amounts: [1] } as const;
    const again = await scripted([refusal(503, { 'Retry-After': '0' }), ok]);
    expect(await again.vesfx.bulkConvert(amounts)).toEqual(INDEX);
  });

  test('stops when the signal aborts the call, also during the pause', async () => {
    const { upstream, vesfx } = await scripted([refusal(429, { 'Retry-After': '30' })]);
    const controller = new AbortController();
    const reason = new Error('the page was closed');
    const outcome = errorOf(vesfx.index({ signal: controller.signal }));
    await expect.poll(() => upstream.asked).toBe(1);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ code: 'aborted', cause: reason });
    expect(await errorOf(vesfx.index({ signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    });
    expect(upstream.asked).toBe(1);
  });
});

describe('a missing or invalid answer', () => {
  test.each(['sends nothing', 'stops within the body'])(
    'a server that %s is a timeout',
    async (what) => {
      const arrived = Promise.withResolvers<ServerResponse>();
      const begun = Promise.withResolvers<void>();
      const { upstream, vesfx } = await scripted([arrived.resolve], {
        timeoutMs: 100,
        fetch: (...asked) => fetch(...asked).finally(begun.resolve),
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const told = vi.fn();
      const outcome = errorOf(vesfx.index()).finally(told);
      const response = await arrived.promise;
      if (what === 'stops within the body') {
        response.writeHead(200).write('{"value":');
        await begun.promise;
      }
      await vi.advanceTimersByTimeAsync(99);
      expect(told).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      const error = await outcome;
      expect(error).toMatchObject({ code: 'timeout', status: undefined });
      expect(error.message).toContain('100 ms');
      // The caller decides whether to retry.
      expect(upstream.asked).toBe(1);
    },
  );

  test('an incomplete answer is a network_error', async () => {
    const { vesfx } = await scripted([
      (response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('{"value":');
        setImmediate(() => response.destroy());
      },
    ]);
    expect(await errorOf(vesfx.index())).toMatchObject({ code: 'network_error' });
  });

  test('a signal ends a call that waits for its answer', async () => {
    const { upstream, vesfx } = await scripted([() => undefined]);
    const controller = new AbortController();
    const outcome = errorOf(vesfx.index({ signal: controller.signal }));
    await expect.poll(() => upstream.asked).toBe(1);
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'aborted' });
  });

  test('an answer that is not JSON, not an object, or too large is unexpected_answer', async () => {
    const bodies = ['<html>sign in</html>', '[]', 'null', '', `"${'x'.repeat(33 * 1024 * 1024)}"`];
    for (const body of bodies) {
      const { vesfx } = await scripted([(response) => response.writeHead(200).end(body)]);
      expect(await errorOf(vesfx.index())).toMatchObject({ code: 'unexpected_answer' });
    }
  });

  test('a redirect is not followed, so the key goes nowhere else', async () => {
    const elsewhere = await startUpstream();
    const { vesfx } = await scripted([refusal(307, { Location: elsewhere.url })]);
    expect(await errorOf(vesfx.index())).toMatchObject({
      code: 'unexpected_answer',
      status: 307,
    });
    expect(elsewhere.asked).toBe(0);
  });

  test('a code of a newer service is kept in the details', async () => {
    const { vesfx } = await scripted([
      refusal(418, {}, { code: 'teapot', message: 'Short and stout.', details: { max: 1 } }),
    ]);
    expect(await errorOf(vesfx.index())).toMatchObject({
      code: 'unexpected_answer',
      message: 'Short and stout.',
      details: { code: 'teapot', max: 1 },
    });
  });
});
