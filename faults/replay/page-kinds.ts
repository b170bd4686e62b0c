import { isRatioOver } from '../../src/core/domain/calculations/ratio.ts';
import { APART_RATIO } from '../../src/core/domain/judgement/page-judgement.ts';
import { addCaracasDays, type CaracasDay } from '../../src/core/domain/time.ts';
import { calendar, type Page } from './desk.ts';
import { figure, withFirstDigitTwice } from './faults.ts';
import type { SeriesPublication } from './series.ts';

/** A page that the bank's site shows. */
export interface PageKind {
  readonly name: string;
  /**
   * `wrong`: no right page was ever like it. `plausible`: it cannot be distinguished from a right
   * page. `true`: it is the right one, with a large move. `right`: it is as it was.
   */
  readonly sort: 'wrong' | 'plausible' | 'true' | 'right';
  /** @param before The pages before it, oldest first. */
  change(page: SeriesPublication, before: readonly SeriesPublication[]): Page;
}

const wrong = (name: string, change: PageKind['change']): PageKind => ({
  name,
  sort: 'wrong',
  change,
});

/** The page with other figures of USD and EUR, and without a currency that the change leaves out. */
function withRates(page: Page, change: (rates: { USD: number; EUR: number }) => object): Page {
  const { USD = 0, EUR = 0, ...others } = page.rates;
  const rates = { ...change({ USD, EUR }), ...others };
  return { valueDate: page.valueDate, rates: Object.fromEntries(Object.entries(rates)) };
}

const dated = ({ rates }: Page, valueDate: CaracasDay): Page => ({ valueDate, rates });
const times =
  (factor: number, ...names: readonly string[]) =>
  ({ valueDate, rates }: Page): Page => ({
    valueDate,
    rates: Object.fromEntries(
      Object.entries(rates).map(([name, rate]) => [
        name,
        names.length === 0 || names.includes(name) ? figure(rate * factor) : rate,
      ]),
    ),
  });

/** The page of a dollar at another rate, with the other figures computed from it as the bank does. */
const moved =
  (factor: number): PageKind['change'] =>
  ({ valueDate, rates: { USD = 1, ...others } }) => {
    const usd = Number((USD * factor).toFixed(4));
    const cut = (value: number) => Math.floor(value * 1e8) / 1e8;
    const computed = Object.entries(others).map(([name, rate]) => [
      name,
      name === 'EUR'
        ? cut(usd * Number((rate / USD).toFixed(5)))
        : cut(usd / Number((USD / rate).toFixed(5))),
    ]);
    return { valueDate, rates: { USD: usd, ...Object.fromEntries(computed) } };
  };

function closedDayAfter(day: CaracasDay): CaracasDay {
  let found = addCaracasDays(day, 1);
  while (calendar.isBusinessDay(found)) found = addCaracasDays(found, 1);
  return found;
}

/**
 * Two figures of the page in each other's place; the same page when it or the last one lacks one, or
 * when they are so near each other that a right page may be like it, as CNY and TRY in May 2020.
 */
const swapped = (one: string, other: string): PageKind =>
  wrong(`${one} and ${other} swapped`, (page, before) => {
    const { [one]: first, [other]: second, ...others } = page.rates;
    const known = before.at(-1)?.rates ?? {};
    if (first === undefined || second === undefined) return page;
    if (known[one] === undefined || known[other] === undefined) return page;
    if (!isRatioOver(known[one], known[other], APART_RATIO)) return page;
    return { valueDate: page.valueDate, rates: { ...others, [one]: second, [other]: first } };
  });

/** What a witness shows that is wrong. */
export const raised: (page: Page) => Page = times(1.02);

/** The right page, all the time. */
export const RIGHT_PAGE: PageKind = {
  name: 'the right page',
  sort: 'right',
  change: (page) => page,
};

export const PAGE_KINDS: readonly PageKind[] = [
  wrong('the page before', (page, before) => before.at(-1) ?? page),
  wrong('the page of a week ago', (page, before) => before.at(-5) ?? page),
  wrong("tomorrow's figures, today's date", (page, before) =>
    dated(page, before.at(-1)?.valueDate ?? page.valueDate),
  ),
  wrong('a day on which banks are closed', (page) => dated(page, closedDayAfter(page.valueDate))),
  wrong('a month ahead', (page) => dated(page, addCaracasDays(page.valueDate, 30))),
  wrong('a year ahead', (page) => dated(page, addCaracasDays(page.valueDate, 364))),
  wrong('a week back', (page, before) => dated(page, before.at(-5)?.valueDate ?? page.valueDate)),
  wrong('a year back', (page) => dated(page, addCaracasDays(page.valueDate, -364))),
  wrong('USD and EUR swapped', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: EUR, EUR: USD })),
  ),
  swapped('TRY', 'RUB'),
  swapped('CNY', 'TRY'),
  swapped('CNY', 'RUB'),
  swapped('EUR', 'CNY'),
  wrong('USD times 10', times(10, 'USD')),
  wrong('USD without a digit', times(0.1, 'USD')),
  wrong('all divided by 1,000', times(1 / 1_000)),
  wrong('all times 1,000,000', times(1_000_000)),
  wrong('EUR over USD up by 4 %', (page, before) => {
    const { USD: usd = 1, EUR: eur = 1 } = before.at(-1)?.rates ?? {};
    return withRates(page, ({ USD }) => ({ USD, EUR: figure((USD * eur * 1.04) / usd) }));
  }),
  wrong('EUR missing', (page) => withRates(page, ({ USD }) => ({ USD }))),
  wrong('another currency for EUR', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD, EUR: figure(EUR / 7.8) })),
  ),
  wrong('the first digit of USD twice', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: withFirstDigitTwice(USD), EUR })),
  ),
  wrong('USD in the block of EUR', (page) => withRates(page, ({ USD }) => ({ USD, EUR: USD }))),
  wrong('figures of the page before, the right date', (page, before) =>
    dated(before.at(-1) ?? page, page.valueDate),
  ),
  wrong('figures of a week ago, the right date', (page, before) =>
    dated(before.at(-5) ?? page, page.valueDate),
  ),
  wrong('EUR of the page before', (page, before) =>
    withRates(page, ({ USD, EUR }) => ({ USD, EUR: before.at(-1)?.rates['EUR'] ?? EUR })),
  ),
  wrong('USD 2 % higher', times(1.0213, 'USD')),
  wrong('a digit of USD', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD + 0.01), EUR })),
  ),
  wrong('USD 2 % lower', times(0.9787, 'USD')),
  wrong('EUR 2 % higher', times(1.0213, 'EUR')),
  {
    // After midnight this is the date of the next page.
    name: 'two business days late',
    sort: 'plausible',
    change: (page) => dated(page, calendar.nextValueDate(page.valueDate)),
  },
  { name: 'all figures 2 % higher', sort: 'plausible', change: moved(1.02) },
  { name: 'all figures 2 % lower', sort: 'plausible', change: moved(0.98) },
  { name: 'a true move of +30 %', sort: 'true', change: moved(1.3) },
  { name: 'a true move of +90 %', sort: 'true', change: moved(1.9) },
  { name: 'a true move of −25 %', sort: 'true', change: moved(0.75) },
];
