import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ClientGone } from '../framework/encoding/slices.ts';
import {
  LongAnswers,
  MAX_LONG_AT_ONCE,
  MAX_LONG_PER_ACCOUNT,
  MAX_LONG_WAITING_PER_ACCOUNT,
} from './long-answers.ts';

const here = () => false;

/** Answers that are made until `finish` is called, in the order in which they were begun. */
function bench() {
  const answers = new LongAnswers();
  const begun: string[] = [];
  const finishers: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const ask = (id: string, name = id, isGone = here, isWithoutKey = false) =>
    answers.make({ id, isGone, isWithoutKey }, async () => {
      begun.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => finishers.push(resolve));
      running -= 1;
      return name;
    });
  const settled = async () => {
    // Those that waited begin one a turn of the event loop, those without a key after two turns each.
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const finish = async () => {
    finishers.shift()?.();
    await settled();
  };
  return { ask, begun, finish, settled, most: () => most };
}

describe('long answers', () => {
  test('an account with many long answers leaves places for others', async () => {
    const { ask, begun, finish, settled } = bench();
    const greedy = Array.from({ length: 100 }, () => ask('greedy'));
    await settled();
    expect(begun).toHaveLength(MAX_LONG_PER_ACCOUNT);
    const other = ask('other');
    await settled();
    // It need not wait for any of them.
    expect(begun.at(-1)).toBe('other');
    while (begun.length < 101) await finish();
    for (let n = 0; n < MAX_LONG_PER_ACCOUNT; n += 1) await finish();
    expect(await other).toBe('other');
    expect(await Promise.all(greedy)).toHaveLength(100);
  });

  test('an address without a key has two places, all of them four, and a place rests after each answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { ask, begun, finish, settled } = bench();
    const rest = () => {
      vi.runAllTimers();
      return settled();
    };
    const all = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].flatMap((address) =>
      Array.from({ length: 10 }, () => ask(address, address, here, true)),
    );
    await settled();
    expect(begun).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2']);
    // The places of accounts are others.
    const accounts = Array.from({ length: 3 * MAX_LONG_PER_ACCOUNT }, (_, n) => ask(`a${n}`));
    await settled();
    expect(begun).toHaveLength(MAX_LONG_AT_ONCE);
    for (let n = 0; n < 3; n += 1) await finish();
    expect(begun.slice(MAX_LONG_AT_ONCE)).not.toContain('192.0.2.3');
    await rest();
    expect(begun.slice(MAX_LONG_AT_ONCE)).toContain('192.0.2.3');
    for (let n = 0; n < all.length + accounts.length; n += 1) {
      await finish();
      await rest();
    }
    expect(await Promise.all([...all, ...accounts])).toHaveLength(begun.length);
  });

  test('while all places are taken, accounts take turns', async () => {
    const { ask, begun, finish, settled } = bench();
    const accounts = Array.from(
      { length: MAX_LONG_AT_ONCE / MAX_LONG_PER_ACCOUNT },
      (_, n) => `a${n}`,
    );
    const all: Promise<string>[] = [];
    for (const account of accounts) {
      for (let n = 0; n < MAX_LONG_PER_ACCOUNT; n += 1) all.push(ask(account));
    }
    for (let n = 0; n < 50; n += 1) all.push(ask('many', `many ${n}`));
    all.push(ask('few', 'few 0'), ask('few', 'few 1'));
    await settled();
    expect(begun).toHaveLength(MAX_LONG_AT_ONCE);
    for (let n = 0; n < 4; n += 1) await finish();
    expect(begun.slice(MAX_LONG_AT_ONCE)).toEqual(['many 0', 'few 0', 'many 1', 'few 1']);
    while (begun.length < all.length) await finish();
    for (let n = 0; n < MAX_LONG_AT_ONCE; n += 1) await finish();
    await Promise.all(all);
  });

  test('contract §14: an answer without a key begins once the end of its client would be read', async () => {
    const { ask, begun, settled } = bench();
    let left = false;
    const gone = ask('192.0.2.1', 'gone', () => left, true);
    const told = Promise.allSettled([gone]);
    // The service reads the end of a connection in the turn after its request.
    setImmediate(() => {
      left = true;
    });
    await settled();
    expect(begun).toEqual([]);
    expect(await told).toMatchObject([{ reason: expect.any(ClientGone) }]);
  });

  test('the answer for a client that left is never started', async () => {
    const { ask, begun, finish, settled } = bench();
    const running = Array.from({ length: MAX_LONG_PER_ACCOUNT }, () => ask('a'));
    let left = false;
    const gone = Array.from({ length: 10 }, () => ask('a', 'gone', () => left));
    const stayed = ask('a', 'stayed');
    const told = Promise.allSettled(gone);
    left = true;
    await settled();
    await finish();
    expect(begun.slice(MAX_LONG_PER_ACCOUNT)).toEqual(['stayed']);
    for (const one of await told) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(ClientGone) });
    }
    for (let n = 0; n < MAX_LONG_PER_ACCOUNT; n += 1) await finish();
    await Promise.all([...running, stayed]);
  });

  test('an account has a limit of waiting answers; other accounts are unaffected', async () => {
    const { ask, finish, settled } = bench();
    const most = MAX_LONG_PER_ACCOUNT + MAX_LONG_WAITING_PER_ACCOUNT;
    const all = Array.from({ length: most }, () => ask('a'));
    await expect(ask('a')).rejects.toMatchObject({ code: 'service_unavailable' });
    const other = ask('b');
    await settled();
    for (let n = 0; n <= most; n += 1) await finish();
    expect(await Promise.all([...all, other])).toHaveLength(most + 1);
  });

  test('failed work frees its place', async () => {
    const answers = new LongAnswers();
    const asker = { id: 'a', isGone: here };
    for (let n = 0; n < 3 * MAX_LONG_AT_ONCE; n += 1) {
      await expect(
        answers.make(asker, () => {
          throw new Error('of the work');
        }),
      ).rejects.toThrow('of the work');
    }
    expect(await answers.make(asker, () => 'made')).toBe('made');
  });

  test('every answer is made, within the limit of simultaneous ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')),
        async (accounts) => {
          const { ask, finish, most } = bench();
          const all = accounts.map((account) => ask(account));
          for (let n = 0; n < accounts.length; n += 1) await finish();
          expect(await Promise.all(all)).toEqual(accounts);
          expect(most()).toBeLessThanOrEqual(MAX_LONG_AT_ONCE);
        },
      ),
      { numRuns: 50 },
    );
  });
});
