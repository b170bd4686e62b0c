import type { Markets } from '../domain/markets.ts';
import type { MarkupRule } from '../domain/markup.ts';
import type { SourceState } from './ports/collecting.ts';
import type { HeldRecord } from './ports/held.ts';
import type { Store } from './ports/store.ts';

/**
 * A store that returns current ids of markets in the place of aliases and former names. The operator
 * may have renamed a market, or a process of an older version may still write the former name. Names
 * that the catalogue lacks stay unchanged.
 */
export function withCurrentIds(markets: Markets, store: Store): Store {
  const idOf = (name: string) => markets.find(name)?.id ?? name;
  const rule = (given: MarkupRule): MarkupRule => ({
    ...given,
    markets: [...new Set(given.markets.map(idOf))],
  });
  const held = (given: HeldRecord): HeldRecord => {
    const { market } = given.record;
    return {
      ...given,
      subject: idOf(given.subject),
      record: typeof market === 'string' ? { ...given.record, market: idOf(market) } : given.record,
    };
  };
  return {
    ...store,
    listMarkups: async (accountId) => (await store.listMarkups(accountId)).map(rule),
    findKeyHolder: async (digest) => {
      const holder = await store.findKeyHolder(digest);
      return holder && { ...holder, markups: holder.markups.map(rule) };
    },
    listHeld: async (status, limit) => (await store.listHeld(status, limit)).map(held),
    countingHeld: async () => (await store.countingHeld()).map(held),
    findHeld: async (id) => {
      const found = await store.findHeld(id);
      return found && held(found);
    },
    sourceStates: async () => (await store.sourceStates()).map((state) => stateOf(state, idOf)),
  };
}

/** When one market has two entries, the one under its current id is newer. */
function stateOf(state: SourceState, idOf: (name: string) => string): SourceState {
  if (state.standing === undefined) return state;
  const figures = Object.entries(state.standing);
  const former = figures.filter(([name]) => idOf(name) !== name);
  if (former.length === 0) return state;
  const current = figures.filter(([name]) => idOf(name) === name);
  const standing = Object.fromEntries([
    ...former.map(([name, figure]) => [idOf(name), figure] as const),
    ...current,
  ]);
  return { ...state, standing };
}
