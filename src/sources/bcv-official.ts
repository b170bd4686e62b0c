import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { SourceFailure, type SourceRecord } from '../app/ports.ts';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../domain/bcv.ts';
import type { CaracasDay } from '../domain/time.ts';
import { type Amount, amountOf, haveSameDecimals } from './amount.ts';
import { onlyBody } from './json-body.ts';
import type { SourceKind } from './kind.ts';
import { pageOf, titleOf } from './page.ts';
import { dateShown } from './spanish-date.ts';
import { shown } from './workbook.ts';

/** The `id` of the block in which a currency stands. */
const BLOCK_IDS: Readonly<Record<PublishedCurrency, string>> = {
  USD: 'dolar',
  EUR: 'euro',
  CNY: 'yuan',
  TRY: 'lira',
  RUB: 'rublo',
};
/** Without these a page is no publication; that another has vanished is for judgement to see. */
const REQUIRED: readonly PublishedCurrency[] = ['USD', 'EUR'];

const feed = z.strictObject({});
type Feed = z.output<typeof feed>;

/**
 * The official rates, from the central bank's home page or any other with the same side block: five
 * currencies in VES per unit, and the one value date they are for, often a day to come.
 */
export const bcvOfficial: SourceKind<Feed> = {
  parserVersion: 1,
  feed,
  markets: () => [],
  async read(ask, url) {
    return [await ask({ url, accept: ['text/html'] })];
  },
  parse(bodies): readonly SourceRecord[] {
    const $ = pageOf(onlyBody(bodies));
    const rates = ratesOn($);
    const { day, text } = valueDateOn($);
    return [
      {
        kind: 'official',
        value_date: day,
        ...(text !== '' && { value_date_text: text }),
        rates,
      },
    ];
  },
};

function ratesOn($: CheerioAPI): Readonly<Partial<Record<PublishedCurrency, number>>> {
  const found = PUBLISHED_CURRENCIES.flatMap((currency) => {
    const amount = amountOn($, currency);
    return amount === undefined ? [] : [[currency, amount] as const];
  });
  const missing = REQUIRED.filter((required) => found.every(([currency]) => currency !== required));
  if (missing.length > 0) {
    throw failure(`the rate of ${missing.join(' and ')}`, titleOf($));
  }
  if (!haveSameDecimals(found.map(([, amount]) => amount))) {
    throw failure('figures with equally many decimals', 'others');
  }
  return Object.fromEntries(found.map(([currency, { value }]) => [currency, value]));
}

/**
 * The figure of a currency: of the block with its `id`, and of every one that is labelled with it.
 * @returns undefined when there is no such block.
 */
function amountOn($: CheerioAPI, currency: PublishedCurrency): Amount | undefined {
  const labelled = $('.recuadrotsmc')
    .toArray()
    .filter((block) => labelsIn($(block)).includes(currency));
  const blocks = new Set([...$(`#${BLOCK_IDS[currency]}`).toArray(), ...labelled]);
  const amounts = [...blocks].map((block) => amountIn($(block), currency));
  const values = new Set(amounts.map(({ value }) => value));
  if (values.size > 1) throw failure(`one rate of ${currency}`, [...values].join(' and '));
  return amounts[0];
}

type Block = ReturnType<CheerioAPI>;

function amountIn(block: Block, currency: PublishedCurrency): Amount {
  const labels = labelsIn(block);
  if (labels.some((label) => label !== currency)) {
    throw failure(`the block of ${currency}`, `one of ${labels.join(' and ')}`);
  }
  const figures = block.find('strong');
  const amount = figures.length === 1 ? amountOf(figures.text().trim()) : undefined;
  if (amount !== undefined && amount.value > 0) return amount;
  throw failure(`one figure of ${currency}, as 889,57540000`, `"${shown(block.text().trim())}"`);
}

/** The currency codes that stand in a block. */
function labelsIn(block: Block): readonly string[] {
  const codes: readonly string[] = PUBLISHED_CURRENCIES;
  const { texts } = block.extract({ texts: ['span'] });
  return texts.map((text) => text.trim()).filter((text) => codes.includes(text));
}

/**
 * The value date and its label as published, of which only the ends are trimmed. Other dates of the
 * page have the same class, so that the one counts which stands after the words "Fecha Valor".
 */
function valueDateOn($: CheerioAPI): { readonly day: CaracasDay; readonly text: string } {
  const dates = $('.date-display-single, [property="dc:date"]')
    .filter((_, date) => /^\s*Fecha\s+Valor\s*:/i.test($(date).closest('div').text()))
    .toArray()
    .map((date) => {
      const text = $(date).text().trim();
      return { day: dateShown(text, $(date).attr('content')), text };
    });
  const days = new Set(dates.map(({ day }) => day));
  if (days.size > 1) throw failure('one value date', [...days].join(' and '));
  const [first] = dates;
  if (first === undefined) throw failure('a date after "Fecha Valor:"', titleOf($));
  return first;
}

function failure(expected: string, there: string): SourceFailure {
  return new SourceFailure('content', `expected ${expected}, there was ${there}`);
}
