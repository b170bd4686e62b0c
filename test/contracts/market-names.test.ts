import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withCurrentIds } from '../../src/app/market-names.ts';
import { markets } from '../../src/domain/markets.ts';
import { aMarket } from '../harness/market.ts';
import {
  holdsQuote,
  READS_MARKETS,
  READS_RULES,
  savesRule,
  savesState,
  storesQuote,
  undoMarketNames,
} from '../harness/version-before.ts';
import { account, append, day, ENGINES, quoteEntry, type Site } from './engines.ts';

const TODAY = day('2026-11-20');
const RENAMED = {
  p2p_market_1: 'binance',
  p2p_market_2: 'bingx',
  p2p_market_3: 'bitget',
  p2p_market_4: 'bybit',
  p2p_market_5: 'mexc',
  p2p_market_6: 'okx',
  p2p_market_7: 'saldo',
};
const FORMER = Object.keys(RENAMED);
const IDS = Object.values(RENAMED);
const CATALOGUE = markets([
  aMarket({ id: 'parallel', type: 'parallel', aliases: ['paralelo'] }),
  ...Object.entries(RENAMED).map(([former, id]) => aMarket({ id, type: 'p2p', aliases: [former] })),
]);

const rule = (tag: string, names: readonly string[]) =>
  ({ tag, kind: 'percent', value: 3.5, markets: names, active: true }) as const;

describe.each(ENGINES)('markets and their names on $name', ({ name: engine, create }) => {
  let site: Site;
  beforeEach(() => {
    site = create();
  });
  afterEach(() => site.close());

  /** The store of this version over what the version before left. */
  async function upgraded(statements: string) {
    const first = await site.open();
    await first.createAccount(account());
    await first.close();
    await site.run(undoMarketNames(engine));
    await site.run(statements);
    return withCurrentIds(CATALOGUE, await site.open());
  }

  const namesOf = async (store: Awaited<ReturnType<typeof upgraded>>) =>
    (await store.currentRecords(TODAY)).quotes.map(({ market, mid }) => [market, mid]);

  test('decisions §1 an upgrade renames the market of every capture and loses none', async () => {
    const all = ['parallel', ...FORMER];
    const store = await upgraded(
      all
        .map((market, index) =>
          storesQuote(
            { market, number: index + 1 },
            { batch: index + 1, capturedAt: 9, mid: index },
          ),
        )
        .join(''),
    );
    expect(await namesOf(store)).toEqual(['parallel', ...IDS].map((id, index) => [id, index]));
    for (const [index, id] of IDS.entries()) {
      const range = { start: 0, end: 10 };
      expect(await store.latestCaptures(id, range, 5)).toMatchObject([{ mid: index + 1 }]);
      expect(await store.lastCaptureOfEachDay(id, 0, 10)).toMatchObject([{ mid: index + 1 }]);
    }
    expect([...(await store.firstCaptures()).keys()]).toEqual(['parallel', ...IDS]);
    expect(await store.check()).toEqual([]);
  });

  test('decisions §1 an upgrade renames markets in rules, held records and source states too', async () => {
    const standing = {
      p2p_market_1: { since: 7, digest: 'd1' },
      parallel: { since: 8, digest: 'd2' },
    };
    const store = await upgraded(
      savesRule('acc-1', 'all', []) +
        savesRule('acc-1', 'some', ['p2p_market_1', 'parallel', 'p2p_market_7']) +
        holdsQuote('held-1', 'p2p_market_4', 2000) +
        savesState('criptoya', standing),
    );
    expect(await store.listMarkups('acc-1')).toEqual([
      rule('all', []),
      rule('some', ['binance', 'parallel', 'saldo']),
    ]);
    expect(await store.findHeld('held-1')).toMatchObject({
      subject: 'bybit',
      record: { kind: 'quote', market: 'bybit', mid: 2000 },
    });
    const [state] = await store.sourceStates();
    expect(state?.standing).toEqual({
      binance: standing.p2p_market_1,
      parallel: standing.parallel,
    });
    // In the database itself, not only as the catalogue reads it.
    expect(await site.ask('select subject, record from held')).toEqual([
      {
        subject: 'bybit',
        record: expect.stringContaining('"market":"bybit"'),
      },
    ]);
    expect(await site.ask('select state from source_state')).toEqual([
      { state: expect.stringContaining('"binance":{"since":7') },
    ]);
  });

  test('a process of the version before keeps reading and writing the former names', async () => {
    const store = await upgraded(
      storesQuote({ market: 'p2p_market_1', number: 1 }, { batch: 1, capturedAt: 1, mid: 900 }),
    );
    await append(store, [quoteEntry({ market: 'binance', capturedAt: 2, mid: 901 })]);
    await append(store, [quoteEntry({ market: 'okx', capturedAt: 2, mid: 902 })]);
    expect(await site.ask(READS_MARKETS)).toEqual([
      { id: 'p2p_market_1', number: 1 },
      { id: 'p2p_market_6', number: 2 },
    ]);
    await site.run(
      storesQuote({ market: 'p2p_market_6', number: 3 }, { batch: 4, capturedAt: 3, mid: 903 }) +
        storesQuote({ market: 'p2p_market_2', number: 3 }, { batch: 5, capturedAt: 3, mid: 904 }),
    );
    expect(await namesOf(store)).toEqual([
      ['binance', 901],
      ['okx', 903],
      ['bingx', 904],
    ]);
    await append(store, [quoteEntry({ market: 'bingx', capturedAt: 4, mid: 905 })]);
    expect(await site.ask('select count(*) as markets from market')).toEqual([
      { markets: engine === 'SQLite' ? 3 : '3' },
    ]);
    expect(await store.check()).toEqual([]);
  });

  test('a rule saved by either version applies to the same markets in both', async () => {
    const store = await upgraded(savesRule('acc-1', 'a', ['p2p_market_1']));
    const seenBefore = async () =>
      (await site.ask(READS_RULES)).map((row) => Object.values(row).at(-1));
    const seenNow = async () => (await store.listMarkups('acc-1')).map((one) => one.markets);

    await site.run(savesRule('acc-1', 'b', ['p2p_market_2', 'parallel']));
    expect(await seenNow()).toEqual([['binance'], ['bingx', 'parallel']]);
    await store.saveMarkup('acc-1', rule('c', ['okx', 'parallel']), 'create', null);
    await store.saveMarkup('acc-1', rule('a', ['saldo']), 'replace', null);
    expect(await seenBefore()).toEqual([
      '["p2p_market_7"]',
      '["p2p_market_2","parallel"]',
      '["p2p_market_6","parallel"]',
    ]);
    await site.run(savesRule('acc-1', 'c', ['p2p_market_3']));
    await site.run(savesRule('acc-1', 'a', ['p2p_market_7']));
    await site.run(savesRule('acc-1', 'b', []));
    expect(await seenNow()).toEqual([['saldo'], [], ['bitget']]);
    expect(await seenBefore()).toEqual(['["p2p_market_7"]', '[]', '["p2p_market_3"]']);
  });

  test('held records and source states of the version before are read under the new names', async () => {
    const store = await upgraded('');
    await site.run(
      holdsQuote('held-2', 'p2p_market_6', 7) +
        savesState('criptoya', { p2p_market_6: { since: 5, digest: 'd' } }),
    );
    const held = { subject: 'okx', record: { market: 'okx' } };
    expect(await store.findHeld('held-2')).toMatchObject(held);
    expect(await store.listHeld('held', 9)).toMatchObject([held]);
    expect(await store.countingHeld()).toMatchObject([held]);
    expect((await store.sourceStates())[0]?.standing).toEqual({ okx: { since: 5, digest: 'd' } });
  });

  test('a database with both names as separate markets keeps them separate', async () => {
    const store = await upgraded(
      storesQuote({ market: 'p2p_market_1', number: 1 }, { batch: 1, capturedAt: 1, mid: 1 }) +
        storesQuote({ market: 'binance', number: 2 }, { batch: 2, capturedAt: 1, mid: 2 }) +
        storesQuote({ market: 'p2p_market_2', number: 3 }, { batch: 3, capturedAt: 1, mid: 3 }),
    );
    expect(await namesOf(store)).toEqual([
      ['p2p_market_1', 1],
      ['binance', 2],
      ['bingx', 3],
    ]);
  });
});
