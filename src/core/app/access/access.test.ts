import { expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../../config.ts';
import { plans as plansOf } from '../../domain/plans.ts';
import type { KeyHolder } from '../ports/accounts.ts';
import { Access, BAD_KEYS_PER_MINUTE, LOOK_UPS_PAST_LIMIT } from './access.ts';
import { keyDigest, newKey } from './keys.ts';
import { MAX_WAITING_LOOK_UPS } from './look-up-turns.ts';

/** Wrong keys with a right checksum, which only the store can tell from valid ones. */

const plans = plansOf(loadCatalogue(PACKAGED_CATALOGUE).plans.list);
const NOW = 1_000_000;
const ADDRESS = () => '192.0.2.1';

/** Access on a store that answers each look-up when it is told to. */
function slowAccess() {
  const valid = newKey();
  const holder: KeyHolder = {
    key: {
      ...{ id: 'key-1', accountId: 'acc-1', digest: keyDigest(valid), createdAt: 0 },
      grant: { kind: 'full' },
    },
    account: { id: 'acc-1', name: 'x', plan: 'Gratis', status: 'active', createdAt: 0 },
    markups: [],
  };
  const open: (() => void)[] = [];
  let lookUps = 0;
  const store = {
    async findKeyHolder(digest: string) {
      lookUps += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      open.push(resolve);
      await promise;
      return digest === holder.key.digest ? holder : undefined;
    },
  };
  const access = new Access({ store, plans, onFirstUse: async () => undefined });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    access,
    valid,
    /** Look-ups that the store is asked for now. */
    atOnce: () => open.length,
    lookUps: () => lookUps,
    async answerAll() {
      await turn();
      while (open.length > 0) {
        for (const answer of open.splice(0)) answer();
        await turn();
      }
    },
    ask: (key = newKey(), isGone?: () => boolean) =>
      Promise.resolve()
        .then(() => access.authenticate(key, ADDRESS, NOW, isGone))
        .then(
          () => 'admitted',
          (error: { readonly code?: string }) => error.code ?? String(error),
        ),
  };
}

test('contract §4 600 wrong keys at once are looked up as many at once as may still be wrong, then a few', async () => {
  const { ask, atOnce, answerAll } = slowAccess();
  const asked = Array.from({ length: 600 }, () => ask());
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(atOnce()).toBe(BAD_KEYS_PER_MINUTE);
  await answerAll();
  const answers = await Promise.all(asked);
  expect(answers.filter((code) => code === 'invalid_api_key')).toHaveLength(BAD_KEYS_PER_MINUTE);
  expect(answers.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(540);
});

test('contract §4 past the limit a few look-ups of an address run at once, and a valid key among them is admitted', async () => {
  const { access, ask, valid, atOnce, answerAll } = slowAccess();
  for (let sent = 0; sent < BAD_KEYS_PER_MINUTE; sent += 1) access.refuse(ADDRESS(), NOW);
  const wrong = Array.from({ length: 300 }, () => ask());
  const right = ask(valid);
  const more = Array.from({ length: 300 }, () => ask());
  await new Promise((resolve) => setImmediate(resolve));
  expect(atOnce()).toBe(LOOK_UPS_PAST_LIMIT);
  await answerAll();
  expect(await right).toBe('admitted');
  expect(new Set(await Promise.all([...wrong, ...more]))).toEqual(new Set(['rate_limit_exceeded']));
  // Known now, it needs no look-up.
  expect(await ask(valid)).toBe('admitted');
});

test('contract §4 no look-up is made for a client that left before its turn', async () => {
  const { access, ask, lookUps, answerAll } = slowAccess();
  for (let sent = 0; sent < BAD_KEYS_PER_MINUTE; sent += 1) access.refuse(ADDRESS(), NOW);
  const asked = Array.from({ length: 600 }, () => ask(newKey(), () => true));
  await answerAll();
  await Promise.all(asked);
  expect(lookUps()).toBe(LOOK_UPS_PAST_LIMIT);
});

test('contract §4 look-ups beyond the queue of an address are refused without one', async () => {
  const { access, ask, lookUps, answerAll } = slowAccess();
  for (let sent = 0; sent < BAD_KEYS_PER_MINUTE; sent += 1) access.refuse(ADDRESS(), NOW);
  const most = LOOK_UPS_PAST_LIMIT + MAX_WAITING_LOOK_UPS;
  const asked = Array.from({ length: most }, () => ask());
  expect(await ask()).toBe('rate_limit_exceeded');
  await answerAll();
  await Promise.all(asked);
  expect(lookUps()).toBe(most);
});
