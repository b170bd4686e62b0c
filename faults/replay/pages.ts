import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  HOUR_MS,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../src/domain/time.ts';
import type { Chance } from '../chance.ts';
import { calendar, Desk } from './desk.ts';
import type { SeriesPublication } from './series.ts';

type Page = Omit<SeriesPublication, 'at'>;

/** A fault of a page. `previous` and older pages were published before. */
interface PageFault {
  readonly name: string;
  /** Its figures and date are plausible, so it cannot be distinguished from a right page. */
  readonly isPlausible?: true;
  change(page: SeriesPublication, before: readonly SeriesPublication[]): Page;
}

const fault = (name: string, change: PageFault['change']): PageFault => ({ name, change });

const plausible = (name: string, change: PageFault['change']): PageFault => ({
  name,
  isPlausible: true,
  change,
});

/** The page with other figures of USD and EUR, and without a currency that the change leaves out. */
function withRates(page: Page, change: (rates: { USD: number; EUR: number }) => object): Page {
  const { USD = 0, EUR = 0, ...others } = page.rates;
  const rates = { ...change({ USD, EUR }), ...others };
  return { valueDate: page.valueDate, rates: Object.fromEntries(Object.entries(rates)) };
}

const dated = ({ rates }: Page, valueDate: CaracasDay): Page => ({ valueDate, rates });
const figure = (value: number) => Number(value.toPrecision(12));
const times = ({ valueDate, rates }: Page, factor: number): Page => ({
  valueDate,
  rates: Object.fromEntries(
    Object.entries(rates).map(([name, rate]) => [name, figure(rate * factor)]),
  ),
});

function closedDayAfter(day: CaracasDay): CaracasDay {
  let found = addCaracasDays(day, 1);
  while (calendar.isBusinessDay(found)) found = addCaracasDays(found, 1);
  return found;
}

export const PAGE_FAULTS: readonly PageFault[] = [
  fault('the page before', (page, before) => before.at(-1) ?? page),
  fault('the page of a week ago', (page, before) => before.at(-5) ?? page),
  fault("tomorrow's figures, today's date", (page, before) =>
    dated(page, before.at(-1)?.valueDate ?? page.valueDate),
  ),
  fault('a day on which banks are closed', (page) => dated(page, closedDayAfter(page.valueDate))),
  fault('two business days late', (page) => dated(page, calendar.nextValueDate(page.valueDate))),
  fault('a month ahead', (page) => dated(page, addCaracasDays(page.valueDate, 30))),
  fault('a year ahead', (page) => dated(page, addCaracasDays(page.valueDate, 364))),
  fault('a week back', (page, before) => dated(page, before.at(-5)?.valueDate ?? page.valueDate)),
  fault('a year back', (page) => dated(page, addCaracasDays(page.valueDate, -364))),
  fault('USD and EUR swapped', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: EUR, EUR: USD })),
  ),
  fault('USD times 10', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD * 10), EUR })),
  ),
  fault('USD without a digit', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD / 10), EUR })),
  ),
  fault('all divided by 1,000', (page) => times(page, 1 / 1_000)),
  fault('EUR over USD up by 4 %', (page, before) => {
    const { USD: usd = 1, EUR: eur = 1 } = before.at(-1)?.rates ?? {};
    return withRates(page, ({ USD }) => ({ USD, EUR: figure((USD * eur * 1.04) / usd) }));
  }),
  fault('EUR missing', (page) => withRates(page, ({ USD }) => ({ USD }))),
  fault('another currency for EUR', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD, EUR: figure(EUR / 7.8) })),
  ),
  fault('the first digit of USD twice', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: Number(`${String(USD)[0]}${USD}`), EUR })),
  ),
  fault('USD in the block of EUR', (page) => withRates(page, ({ USD }) => ({ USD, EUR: USD }))),
  fault('figures of the page before, the right date', (page, before) =>
    dated(before.at(-1) ?? page, page.valueDate),
  ),
  fault('figures of a week ago, the right date', (page, before) =>
    dated(before.at(-5) ?? page, page.valueDate),
  ),
  fault('EUR of the page before', (page, before) =>
    withRates(page, ({ USD, EUR }) => ({ USD, EUR: before.at(-1)?.rates['EUR'] ?? EUR })),
  ),
  fault('USD 1.5 % higher', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD * 1.015), EUR })),
  ),
  fault('a digit of USD', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD + 0.01), EUR })),
  ),
  fault('USD 2 % lower', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD: figure(USD * 0.98), EUR })),
  ),
  fault('EUR 1.5 % higher', (page) =>
    withRates(page, ({ USD, EUR }) => ({ USD, EUR: figure(EUR * 1.015) })),
  ),
  plausible('all figures 1.5 % higher', (page) => times(page, 1.015)),
];

/**
 * When the wrong page is shown: instead of the right one, for so many hours (one reading, an hour,
 * until 22:50), or after it, from 23:00 of the eve of its value date.
 */
const SHOWN = [0, 1, 4, 'eve'] as const;
type Shown = (typeof SHOWN)[number];
const EVE_MS = 50 * MINUTE_MS;

export interface PageResult {
  readonly fault: string;
  readonly isPlausible: boolean;
  tries: number;
  wrong: number;
  wrongMinutes: number;
  /** Longest delay of the right page afterwards, in minutes. */
  lateMinutes: number;
}

/** Replays every wrong page in place of a right one, at its time. */
export async function replayPages(
  publications: readonly SeriesPublication[],
  {
    tries,
    chance,
    first = 10,
  }: {
    readonly tries: number;
    readonly chance: Chance;
    /** The first replaced publication: a fault may show one from a week before. */
    readonly first?: number;
  },
): Promise<readonly PageResult[]> {
  const results: PageResult[] = [];
  // A page that lacks a currency of the one before is held, so a gap in the series is no right page.
  const places = publications.flatMap(({ rates }, place) => {
    const known = Object.keys(publications[place - 1]?.rates ?? {});
    const isWhole = known.every((name) => rates[name] !== undefined);
    return isWhole && place >= first && place <= publications.length - 2 ? [place] : [];
  });
  for (const one of PAGE_FAULTS) {
    const isPlausible = one.isPlausible === true;
    const result = {
      fault: one.name,
      isPlausible,
      tries: 0,
      wrong: 0,
      wrongMinutes: 0,
      lateMinutes: 0,
    };
    const own = chance.of(one.name);
    for (const shown of SHOWN) {
      for (let number = 0; number < tries; number += 1) {
        const place = own.pick(places);
        await tryPage(result, { one, shown, publications, place });
      }
    }
    results.push(result);
  }
  return results;
}

async function tryPage(
  result: PageResult,
  {
    one,
    shown,
    publications,
    place,
  }: {
    readonly one: PageFault;
    readonly shown: Shown;
    readonly publications: readonly SeriesPublication[];
    readonly place: number;
  },
): Promise<void> {
  const right = publications[place];
  if (right === undefined) return;
  const before = publications.slice(Math.max(0, place - 10), place);
  const desk = new Desk();
  for (const page of before) await desk.page(page.at, page, true);
  const wrong = one.change(right, before);
  result.tries += 1;
  const eve = startOfCaracasDay(right.valueDate) - HOUR_MS;
  const [from, end] =
    shown === 'eve' ? [eve, eve + EVE_MS] : [right.at, right.at + shown * HOUR_MS];
  let minutes = 0;
  let late = 0;
  // Read every ten minutes of the evening and around the eve, and every hour of the days after.
  for (let at = right.at; at < right.at + 96 * HOUR_MS; ) {
    const isWrong = at >= from && at <= end;
    await desk.page(at, isWrong ? wrong : right);
    const isOften = at < right.at + 6 * HOUR_MS || Math.abs(at - eve) < 2 * HOUR_MS;
    const step = isOften ? 10 * MINUTE_MS : HOUR_MS;
    if (await isWrongNow(desk, at, { right, before })) minutes += step / MINUTE_MS;
    if (!isWrong && !(await has(desk, right))) late += step / MINUTE_MS;
    at += step;
  }
  if (minutes > 0) result.wrong += 1;
  result.wrongMinutes = Math.max(result.wrongMinutes, minutes);
  result.lateMinutes = Math.max(result.lateMinutes, late);
}

async function has({ store }: Desk, { valueDate, rates }: Page): Promise<boolean> {
  const usd = await store.officialRateUpTo('reference', valueDate);
  return usd?.effectiveDate === valueDate && usd.mid === rates['USD'];
}

/**
 * Whether the rate in force, the currencies or the history contain a figure that no right page had.
 */
async function isWrongNow(
  { store }: Desk,
  at: number,
  {
    right,
    before,
  }: { readonly right: SeriesPublication; readonly before: readonly SeriesPublication[] },
): Promise<boolean> {
  const pages = new Map([...before, right].map((page) => [page.valueDate, page.rates]));
  const { publication } = await store.currentRecords(caracasDayOf(at));
  if (publication !== undefined) {
    const rates = pages.get(publication.valueDate);
    if (rates?.['EUR'] !== publication.rates.EUR) return true;
    const newest = before.at(-1)?.valueDate ?? right.valueDate;
    if (publication.valueDate < newest) return true;
  }
  for (const [market, name] of [
    ['reference', 'USD'],
    ['eur_reference', 'EUR'],
  ] as const) {
    for (const { effectiveDate, mid } of store.captures.get(market) ?? []) {
      if (effectiveDate !== undefined && pages.get(effectiveDate)?.[name] !== mid) return true;
    }
  }
  return false;
}
