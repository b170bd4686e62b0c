import { expect, test } from 'vitest';
import { manualClock } from '../../../test/harness/service.ts';
import type { PlaceClaim } from './place-store.ts';
import { Places } from './places.ts';

/** A store that answers when the test says so and remembers what it was told. */
function heldStore() {
  const claims: (readonly PlaceClaim[])[] = [];
  let answer: () => void = () => undefined;
  const store = {
    claim: async (_holder: string, asked: readonly PlaceClaim[]) => {
      claims.push(asked);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return new Map(asked.map(({ accountId, wanted }) => [accountId, wanted]));
    },
    sweep: async () => undefined,
  };
  return { store, open: () => claims.map(([claim]) => claim?.open), answer: () => answer() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('contract §23 the store hears of a place that was freed while it was told of the others', async () => {
  const { store, open, answer } = heldStore();
  const onExcess = () => undefined;
  const places = new Places({ store, holder: 'one', clock: manualClock(), onExcess });
  const taken = [places.take('account', 2), places.take('account', 2)];
  await turn();
  answer();
  expect(await Promise.all(taken)).toEqual([true, true]);

  places.release('account');
  await turn();
  places.release('account');
  answer();
  await turn();
  answer();
  await places.close();
  expect(open()).toEqual([0, 1, 0]);
});
