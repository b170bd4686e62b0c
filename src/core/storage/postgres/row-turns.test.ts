import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreBusy, StoreUnavailable } from '../../app/failures.ts';
import { RowTurns, TURN_WAIT_MS } from './row-turns.ts';

const WAIT_MS = 1_000;
const SCOPE = { access: true, account: 'acc-1' } as const;

/** A write that runs until it is ended. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: vi.fn(() => promise), done: () => resolve('done'), fail: reject };
}

describe('turns at the rows that many writes lock', () => {
  let turns: RowTurns;
  const run = (work: (leftMs: number) => Promise<string>) => turns.run(SCOPE, WAIT_MS, work);

  beforeEach(() => {
    // The event loop itself runs on.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    turns = new RowTurns();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('a write whose wait ended while another process held the row is refused in its turn', async () => {
    const [first, past] = [held(), held()];
    const asked = [run(first.work), run(past.work)];
    vi.advanceTimersByTime(WAIT_MS);
    first.fail(new StoreBusy('locked'));
    const ended = await Promise.allSettled(asked);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(ended[1]).toMatchObject({ reason: expect.any(StoreBusy) });
    expect(past.work).not.toHaveBeenCalled();
  });

  test('a write that may wait for a millisecond more still tries', async () => {
    const first = held();
    const failing = run(first.work);
    vi.advanceTimersByTime(1);
    const next = run(async (leftMs) => `had ${leftMs}`);
    vi.advanceTimersByTime(WAIT_MS - 1);
    first.fail(new StoreBusy('locked'));
    await expect(failing).rejects.toThrow('locked');
    // The least that a turn gets.
    expect(await next).toBe('had 100');
  });

  test.each([
    ['get the row', (first: ReturnType<typeof held>) => first.done()],
    ['fail by themselves', (first: ReturnType<typeof held>) => first.fail(new Error('no account'))],
  ])('a write waits for longer while those before it %s', async (_, end) => {
    const first = held();
    const before = run(first.work);
    const next = run(async () => 'written');
    vi.advanceTimersByTime(TURN_WAIT_MS - 1);
    end(first);
    await Promise.allSettled([before]);
    expect(await next).toBe('written');
  });

  test('a write that does not get its turn in time is refused, and never runs', async () => {
    const [first, late] = [held(), held()];
    const before = run(first.work);
    const refused = run(late.work);
    vi.advanceTimersByTime(TURN_WAIT_MS);
    await expect(refused).rejects.toThrow(StoreBusy);
    first.done();
    expect(await before).toBe('done');
    await turns.close();
    expect(late.work).not.toHaveBeenCalled();
  });

  test('after the close new writes are refused, and those that wait still run', async () => {
    const first = held();
    const asked = [run(first.work), run(async () => 'written')];
    const closing = turns.close();
    await expect(run(async () => 'more')).rejects.toThrow(StoreUnavailable);
    first.done();
    expect(await Promise.all(asked)).toEqual(['done', 'written']);
    await closing;
  });
});
