import { describe, expect, test } from 'vitest';
import { type DoubtReason, ruleWords } from '../../src/core/domain/judgement/rule-words.ts';
import { DOUBTS, RULES } from '../../src/core/domain/judgement/rules.ts';
import { judging } from '../harness/judging.ts';
import { bankTable, iso, official, quote } from '../harness/make.ts';
import { START } from '../harness/service.ts';

/** As the bank computes them from its dollar, cut off at the eighth decimal. */
function bank(USD: number) {
  const cut = (rate: number) => Math.floor(rate * 1e8) / 1e8;
  return { USD, EUR: cut(USD * 1.1587), CNY: cut(USD / 6.8949) };
}

type Service = Awaited<ReturnType<typeof judging>>;

const FRIDAY = '2026-11-20';
/** The next value date: Monday 23 November 2026 is a bank holiday. */
const TUESDAY = '2026-11-24';
const EVENING = '2026-11-20T20:00:00Z';
const LATER = '2026-11-20T20:10:00Z';

/** Friday's rates in force, and the last quote of the parallel market at 1,000. */
async function known({ service }: Service): Promise<void> {
  await service.push(official(FRIDAY, bank(800)), quote('parallel', 1_000));
}

/** Shows a page for Tuesday after Friday's. */
async function page(to: Service, rates: Parameters<Service['page']>[2], valueDate = TUESDAY) {
  await to.page('2026-11-19T20:00:00Z', FRIDAY, bank(800));
  await to.page(EVENING, valueDate, rates);
}

async function witness({ service, ingestAll }: Service, source: string, USD: number) {
  service.clock.set(Date.parse(EVENING));
  const record = official(TUESDAY, { USD }, { captured_at: EVENING });
  await ingestAll([record], { source, isWitness: true });
}

const table = (date: string, banks: Readonly<Record<string, number>>, more: object = {}) =>
  bankTable(
    date,
    Object.entries(banks).map(([name, buy]) => ({ bank: name, buy, sell: buy })),
    more,
  );

/** For each rule something that it alone holds: without it the record would be published. */
const HELD_BY: Readonly<Record<DoubtReason, (to: Service) => Promise<unknown>>> = {
  other_unit: ({ ingestAll }) => ingestAll([official('2020-03-30', { USD: 77_893.4605 })]),
  out_of_band: async (to) => {
    await to.service.push(official(FRIDAY, bank(800)));
    await to.read(4_000.00000001, 1);
  },
  first_quote: (to) => to.read(1_000, 1),
  venues_differ: async (to) => {
    await known(to);
    const venues = ['binance', 'bybit', 'okx'].map((market) => quote(market, 1_000));
    await to.service.push(...venues);
    await to.read(1_201, 1, { market: 'bitget' });
  },
  parallel_differs: async (to) => {
    await known(to);
    await to.read(1_251, 1, { market: 'bitget' });
  },
  side_apart: async (to) => {
    await known(to);
    await to.ingestAll([quote('cash', 1_000, { ask: 1_301 })]);
  },
  moved: async (to) => {
    await known(to);
    await to.read(1_301, 1);
  },
  other_figure: async (to) => {
    await to.page('2026-11-19T20:00:00Z', FRIDAY, bank(800));
    await to.page(EVENING, FRIDAY, bank(801));
  },
  page_returned: async (to) => {
    await page(to, bank(801));
    for (const minute of [10, 20, 30]) {
      await to.page(`2026-11-20T20:${minute}:00Z`, TUESDAY, bank(802));
    }
    await to.page('2026-11-20T20:40:00Z', TUESDAY, bank(801));
  },
  date_closed: (to) => page(to, bank(801), '2026-11-22'),
  date_ahead: (to) => page(to, bank(801), '2026-11-25'),
  date_back: (to) => page(to, bank(801), '2026-11-19'),
  cross_moved: (to) => page(to, { ...bank(801), EUR: 961.2 }),
  figure_repeated: async (to) => {
    // No figure follows from another, so the bank does not compute them here.
    const CNY = 116.02123456;
    await to.page('2026-11-19T20:00:00Z', FRIDAY, { USD: 800, CNY });
    await to.page(EVENING, TUESDAY, { USD: 801, CNY });
  },
  figures_unrelated: (to) => page(to, { ...bank(801), CNY: 116.17345678 }),
  witness_differs: async (to) => {
    await witness(to, 'relay', 803);
    await witness(to, 'other-relay', 803);
    await page(to, bank(801));
  },
  currency_lost: (to) => page(to, { USD: bank(801).USD, EUR: bank(801).EUR }),
  figure_changed: async (to) => {
    await page(to, bank(801));
    await to.page(LATER, TUESDAY, bank(802));
  },
  rows_lost: async (to) => {
    await to.service.push(official(FRIDAY, bank(800)));
    await to.service.push(table('2026-11-19', { Uno: 800, Dos: 801, Tres: 802 }));
    await to.ingestAll([table(FRIDAY, { Uno: 800 }, { captured_at: iso(START + 1) })]);
  },
  row_apart: async (to) => {
    await to.service.push(official(FRIDAY, bank(800)));
    await to.ingestAll([table(FRIDAY, { Uno: 800, Dos: 1_201 })]);
  },
};

describe('the rules of judgement', () => {
  test.each(RULES.map(({ code }) => code))(
    'contract §8: %s alone holds a record, and it is not published',
    async (code) => {
      const found = await judging();
      await HELD_BY[code](found);
      const held = await found.held();
      expect(held.map(({ reason, reasons = [reason] }) => [reason, reasons])).toContainEqual([
        code,
        [code],
      ]);
    },
  );

  test('contract §8: each has a code and words in both languages of its own', () => {
    expect(new Set(DOUBTS).size).toBe(RULES.length);
    for (const language of ['en', 'es'] as const) {
      const words = RULES.map(({ code }) => ruleWords(code)?.[language] ?? '');
      expect(words).not.toContain('');
      expect(new Set(words).size).toBe(RULES.length);
    }
  });
});
