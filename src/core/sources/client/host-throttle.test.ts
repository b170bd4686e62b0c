import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { manualClock, START } from '../../../../test/harness/service.ts';
import { SourceFailure } from '../../app/failures.ts';
import { isoInstant } from '../../domain/time.ts';
import {
  FIRST_PAUSE_MS,
  HostThrottle,
  MAX_PAUSE_MS,
  MAX_RETRY_AFTER_MS,
  MAX_TURN_WAIT_MS,
  MAX_WAITING_PER_HOST,
} from './host-throttle.ts';

const HOST = 'rates.example';
const ALMOST_ONE = 1 - Number.EPSILON;

function throttleWith(random: () => number = () => ALMOST_ONE) {
  const clock = manualClock();
  const throttle = new HostThrottle({ clock, random });
  let asked = 0;
  const succeed = (host = HOST) =>
    throttle.inTurn(host, async () => {
      asked += 1;
      return 'answer';
    });
  const fail = (retryAfterMs?: number, host = HOST) =>
    throttle
      .inTurn(host, async () => {
        asked += 1;
        throw new SourceFailure('status', 'it answered 503', {
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        });
      })
      .catch((error: unknown) => error);
  return { clock, throttle, succeed, fail, asked: () => asked };
}

/** The length of the pause, measured to the millisecond by trying. */
async function pauseOf({ clock, succeed }: ReturnType<typeof throttleWith>): Promise<number> {
  const { message } = await succeed().then(
    () => new Error('not paused'),
    (error: SourceFailure) => error,
  );
  const until = / until (\S+):/.exec(message)?.[1] ?? '';
  return Date.parse(until) - clock.now();
}

describe('pauses of a host', () => {
  test('grow from 10 seconds to 5 minutes, twice as long each time, and end with a success', async () => {
    const host = throttleWith();
    const pauses: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      await host.fail();
      const pause = await pauseOf(host);
      pauses.push(pause / 1000);
      host.clock.advance(pause);
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
    expect(await host.succeed()).toBe('answer');
    await host.fail();
    expect(await pauseOf(host)).toBe(FIRST_PAUSE_MS);
  });

  test('are random by half, so that services do not return together', async () => {
    const shortest = throttleWith(() => 0);
    await shortest.fail();
    expect(await pauseOf(shortest)).toBe(FIRST_PAUSE_MS / 2);
    const middle = throttleWith(() => 0.5);
    await middle.fail();
    expect(await pauseOf(middle)).toBe(FIRST_PAUSE_MS * 0.75);
  });

  test('are never longer than the maximum', async () => {
    const random = fc.double({ min: 0, max: ALMOST_ONE, noNaN: true });
    const retryAfter = fc.option(fc.integer({ min: 0, max: 1e12 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(random, retryAfter), { minLength: 1 }), async (steps) => {
        let next = 0;
        const host = throttleWith(() => next);
        for (const [chance, retryAfterMs] of steps) {
          next = chance;
          await host.fail(retryAfterMs);
          const pause = await pauseOf(host);
          expect(pause).toBeGreaterThanOrEqual(FIRST_PAUSE_MS / 2);
          expect(pause).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
          expect(pause).toBeLessThanOrEqual(
            Math.max(MAX_PAUSE_MS, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)),
          );
          host.clock.advance(pause);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('end to the millisecond, and then one request is tried', async () => {
    const host = throttleWith();
    await host.fail();
    host.clock.advance(FIRST_PAUSE_MS - 1);
    await expect(host.succeed()).rejects.toMatchObject({ reason: 'paused' });
    host.clock.advance(1);
    expect(await host.succeed()).toBe('answer');
  });

  test('report their end, the failures and the reason, without a request', async () => {
    const host = throttleWith();
    await host.fail();
    host.clock.advance(FIRST_PAUSE_MS);
    await host.fail();
    const asked = host.asked();
    const until = isoInstant(START + 3 * FIRST_PAUSE_MS);
    await expect(host.succeed()).rejects.toMatchObject({
      reason: 'paused',
      message: `${HOST} is paused until ${until}: it failed 2 times in a row, last status`,
    });
    expect(host.asked()).toBe(asked);
  });

  test('last as long as the host asks for if that is longer', async () => {
    const longer = throttleWith();
    await longer.fail(FIRST_PAUSE_MS + 1);
    expect(await pauseOf(longer)).toBe(FIRST_PAUSE_MS + 1);
    const shorter = throttleWith();
    await shorter.fail(FIRST_PAUSE_MS - 1);
    expect(await pauseOf(shorter)).toBe(FIRST_PAUSE_MS);
  });

  test('of one host do not affect others', async () => {
    const host = throttleWith();
    await host.fail();
    expect(await host.succeed('other.example')).toBe('answer');
    await expect(host.succeed()).rejects.toMatchObject({ reason: 'paused' });
  });

  test('end early when the clock is set back', async () => {
    const host = throttleWith();
    await host.fail();
    host.clock.advance(-2 * MAX_RETRY_AFTER_MS);
    expect(await host.succeed()).toBe('answer');
  });

  test('also follow unexpected errors', async () => {
    const host = throttleWith();
    const bug = host.throttle.inTurn(HOST, () => Promise.reject(new TypeError('a bug')));
    await expect(bug).rejects.toThrow(TypeError);
    await expect(host.succeed()).rejects.toMatchObject({ reason: 'paused' });
  });
});

/** A request that is under way until it is told to end. */
function heldRequest() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { request: () => promise, succeed: () => resolve('held'), fail: reject };
}

describe('turns at a host', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('one request is sent at a time, in order of arrival', async () => {
    const { throttle } = throttleWith();
    const order: string[] = [];
    const asks = ['a', 'b', 'c'].map((name) =>
      throttle.inTurn(HOST, async () => {
        order.push(`${name} starts`);
        await Promise.resolve();
        order.push(`${name} ends`);
      }),
    );
    await Promise.all(asks);
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  test('one host does not wait for another', async () => {
    const { throttle, succeed } = throttleWith();
    const held = heldRequest();
    const first = throttle.inTurn(HOST, held.request);
    expect(await succeed('other.example')).toBe('answer');
    held.succeed();
    expect(await first).toBe('held');
  });

  test('requests that wait for a failing trial are refused without contacting the host', async () => {
    const host = throttleWith();
    await host.fail();
    host.clock.advance(FIRST_PAUSE_MS);
    const held = heldRequest();
    const trial = host.throttle.inTurn(HOST, held.request);
    const waiting = [host.succeed(), host.succeed()];
    const asked = host.asked();
    held.fail(new SourceFailure('timeout', 'too late'));
    await expect(trial).rejects.toMatchObject({ reason: 'timeout' });
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(host.asked()).toBe(asked);
  });

  test('at most 20 requests wait, and the next is refused at once', async () => {
    const { throttle, succeed } = throttleWith();
    const held = heldRequest();
    const first = throttle.inTurn(HOST, held.request);
    const waiting = Array.from({ length: MAX_WAITING_PER_HOST }, () => succeed());
    await expect(succeed()).rejects.toMatchObject({
      reason: 'paused',
      message: `20 requests wait for ${HOST} already`,
    });
    held.succeed();
    expect(await first).toBe('held');
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'answer'));
  });

  test('no request waits longer than 2 minutes, and a timed-out one does not affect others', async () => {
    const { throttle, succeed, asked } = throttleWith();
    const held = heldRequest();
    const first = throttle.inTurn(HOST, held.request);
    const early = succeed();
    const refused = expect(early).rejects.toMatchObject({ reason: 'paused' });
    vi.advanceTimersByTime(1);
    const late = succeed();
    vi.advanceTimersByTime(MAX_TURN_WAIT_MS - 1);
    await refused;
    held.succeed();
    await first;
    expect(await late).toBe('answer');
    expect(asked()).toBe(1);
  });
});
