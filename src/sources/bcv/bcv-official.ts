import type { CheerioAPI } from 'cheerio/slim';
import { z } from 'zod';
import { SourceFailure } from '../../app/failures.ts';
import type { SourceRecord } from '../../app/ports/sources.ts';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../domain/bcv.ts';
import type { CaracasDay } from '../../domain/time.ts';
import { type Amount, amountOf, haveSameDecimals } from '../body/amount.ts';
import { onlyBody } from '../body/json-body.ts';
import { pageOf, titleOf } from '../body/page.ts';
import { shown } from '../body/shown.ts';
import type { SourceKind } from '../kind.ts';
import { dateShown } from './spanish-date.ts';

/** The currencies by the `id` of the block they stand in. */
const BLOCKS: ReadonlyMap<string, PublishedCurrency> = new Map([
  ['dolar', 'USD'],
  ['euro', 'EUR'],
  ['yuan', 'CNY'],
  ['lira', 'TRY'],
  ['rublo', 'RUB'],
]);
/** The class is inside of every block, and enough should the `id` be missing. */
const BLOCK_SELECTOR = [...[...BLOCKS.keys()].map((id) => `#${id}`), '.recuadrotsmc'].join();

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
  async read(fetch, url) {
    return [await fetch({ url, accept: ['text/html'] })];
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
  const found = new Map<PublishedCurrency, Amount>();
  for (const element of $(BLOCK_SELECTOR)) {
    const block = $(element);
    const currency = currencyOf(block);
    if (currency === undefined) continue;
    const amount = amountIn(block, currency);
    const known = found.get(currency) ?? amount;
    if (known.value !== amount.value) {
      throw failure(`one rate of ${currency}`, `${known.value} and ${amount.value}`);
    }
    found.set(currency, amount);
  }
  const missing = REQUIRED.filter((currency) => !found.has(currency));
  if (missing.length > 0) throw failure(`the rate of ${missing.join(' and ')}`, titleOf($));
  if (!haveSameDecimals([...found.values()])) {
    throw failure('figures with equally many decimals', 'others');
  }
  return Object.fromEntries([...found].map(([currency, { value }]) => [currency, value]));
}

type Block = ReturnType<CheerioAPI>;

/**
 * The currency of a block by its `id` and by the codes that stand in it, of which one is enough.
 * @returns undefined when it has neither.
 */
function currencyOf(block: Block): PublishedCurrency | undefined {
  const named = BLOCKS.get(block.attr('id') ?? '');
  const { texts } = block.extract({ texts: ['span'] });
  const codes = texts.map((text) => text.trim());
  const [currency, other] = new Set([
    ...(named === undefined ? [] : [named]),
    ...PUBLISHED_CURRENCIES.filter((code) => codes.includes(code)),
  ]);
  if (other === undefined) return currency;
  throw failure('one currency in a block', `${currency} and ${other}`);
}

function amountIn(block: Block, currency: PublishedCurrency): Amount {
  const figures = block.find('strong');
  const amount = figures.length === 1 ? amountOf(figures.text().trim()) : undefined;
  if (amount !== undefined && amount.value > 0) return amount;
  throw failure(`one figure of ${currency}, as 889,57540000`, `"${shown(block.text().trim())}"`);
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
