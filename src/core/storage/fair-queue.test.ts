import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../app/failures.ts';
import {
  FairQueue,
  MAX_QUEUED_PER_ACCOUNT,
  MAX_QUEUED_TRANSACTIONS,
  OWN_LANE,
} from './fair-queue.ts';

/** A task that runs until it is released. */
function held() {
  let release = () => undefined as unknown;
  const done = new Promise<void>((resolve) => {
    release = () => resolve();
  });
  return { work: () => done, release: () => release() };
}

describe('the queue of transactions', () => {
  test('lanes take turns: an account with many writes does not delay another', async () => {
    const queue = new FairQueue();
    const order: string[] = [];
    const blocker = held();
    const running = queue.run('busy', blocker.work);
    const all = ['busy', 'busy', 'busy', 'other', 'other', OWN_LANE].map((lane, position) =>
      queue.run(lane, async () => {
        order.push(`${lane}${position}`);
      }),
    );
    blocker.release();
    await Promise.all([running, ...all]);
    expect(order).toEqual(['busy0', 'other3', '5', 'busy1', 'other4', 'busy2']);
  });

  test('transactions run one at a time, once each, in order within a lane', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', OWN_LANE)), async (lanes) => {
        const queue = new FairQueue();
        const ran: { lane: string; position: number }[] = [];
        let running = 0;
        await Promise.all(
          lanes.map((lane, position) =>
            queue.run(lane, async () => {
              running += 1;
              expect(running).toBe(1);
              await Promise.resolve();
              running -= 1;
              ran.push({ lane, position });
            }),
          ),
        );
        expect(ran).toHaveLength(lanes.length);
        for (const lane of new Set(lanes)) {
          const positions = ran.filter((one) => one.lane === lane).map(({ position }) => position);
          expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        }
        await queue.idle();
      }),
      { numRuns: 50 },
    );
  });

  test('the event loop runs between two transactions', async () => {
    const queue = new FairQueue();
    const seen: string[] = [];
    const first = queue.run('a', async () => {
      seen.push('first');
      setImmediate(() => seen.push('a request'));
    });
    const second = queue.run('a', async () => {
      seen.push('second');
    });
    await Promise.all([first, second]);
    expect(seen).toEqual(['first', 'a request', 'second']);
  });

  test('a failed transaction does not stop the next', async () => {
    const queue = new FairQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', async () => 'fine');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('fine');
  });

  test('an account has a limited share of the queue; other accounts are unaffected', async () => {
    const queue = new FairQueue();
    const blocker = held();
    const running = queue.run('first', blocker.work);
    const fill = (lane: string) =>
      Array.from({ length: MAX_QUEUED_PER_ACCOUNT }, () => queue.run(lane, async () => lane));
    const waiting = fill('a');
    await expect(queue.run('a', async () => 'a')).rejects.toBeInstanceOf(StoreUnavailable);
    for (let lane = 1; lane < MAX_QUEUED_TRANSACTIONS / MAX_QUEUED_PER_ACCOUNT; lane += 1) {
      waiting.push(...fill(`account ${lane}`));
    }
    await expect(queue.run('late', async () => 'late')).rejects.toBeInstanceOf(StoreUnavailable);
    // The service's own work, such as counting units, is not kept out by accounts.
    const own = queue.run(OWN_LANE, async () => 'own');
    for (let more = 1; more < MAX_QUEUED_TRANSACTIONS; more += 1) {
      waiting.push(queue.run(OWN_LANE, async () => OWN_LANE));
    }
    await expect(queue.run(OWN_LANE, async () => '')).rejects.toBeInstanceOf(StoreUnavailable);
    blocker.release();
    await running;
    expect(await own).toBe('own');
    expect(await Promise.all(waiting)).toHaveLength(2 * MAX_QUEUED_TRANSACTIONS - 1);
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });
});
