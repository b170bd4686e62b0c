import type { CheerioAPI } from 'cheerio/slim';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import { DOLLAR_DECIMALS, PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../domain/bcv.ts';
import { compare, multiply, round } from '../../domain/decimal.ts';
import type { CaracasDay } from '../../domain/time.ts';
import { type Amount, amountOf, haveSameDecimals } from '../body/amount.ts';
import { excerpt, unexpected } from '../body/excerpt.ts';
import { onlyBody } from '../body/json-body.ts';
import { pageOf, titleOf } from '../body/page.ts';
import { confirmedDateShown } from './spanish-date.ts';

const BLOCKS: ReadonlyMap<string, PublishedCurrency> = new Map([
  ['dolar', 'USD'],
  ['euro', 'EUR'],
  ['yuan', 'CNY'],
  ['lira', 'TRY'],
  ['rublo', 'RUB'],
]);
/** Every block contains the class, which is enough if the `id` is missing. */
const BLOCK_SELECTOR = [...[...BLOCKS.keys()].map((id) => `#${id}`), '.recuadrotsmc'].join();

/** A publication needs these currencies. Judgement checks whether another one is missing. */
const REQUIRED: readonly PublishedCurrency[] = ['USD', 'EUR'];

/** @throws SourceFailure `content` when the body is not a page with the official rates. */
export function parseBcvOfficial(bodies: readonly UpstreamBody[]): readonly SourceRecord[] {
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
}

type Rates = ReadonlyMap<PublishedCurrency, Amount>;

function ratesOn($: CheerioAPI): Readonly<Partial<Record<PublishedCurrency, number>>> {
  const found = new Map<PublishedCurrency, Amount>();
  const misfits = new Set<string>();
  for (const element of $(BLOCK_SELECTOR)) {
    const block = $(element);
    const label = labelOf(block);
    const currency = currencyOf(block, label);
    if (currency === undefined) {
      if (label !== '') misfits.add(`"${excerpt(label)}"`);
      continue;
    }
    const amount = amountIn(block, currency);
    const known = found.get(currency) ?? amount;
    if (known.value !== amount.value) {
      throw unexpected(`one rate of ${currency}`, `${known.value} and ${amount.value}`);
    }
    found.set(currency, amount);
  }
  const missing = REQUIRED.filter((currency) => !found.has(currency));
  if (missing.length > 0) {
    const there = misfits.size === 0 ? titleOf($) : `a block of ${[...misfits].join(' and of ')}`;
    throw unexpected(`the rate of ${missing.join(' and ')}`, there);
  }
  expectFitting(found);
  return Object.fromEntries([...found].map(([currency, { value }]) => [currency, value]));
}

/**
 * Plausible ratios of currencies, with a margin: the euro was 0.953 to 1.604 dollars since 2002,
 * and the dollar 6.0 to 8.3 yuan since 1994. A figure that lost a digit, or that is in another
 * currency's block, is outside.
 */
const EURO_IN_DOLLARS = [0.9, 1.65] as const;
const DOLLAR_IN_YUAN = [5, 10] as const;

function expectFitting(rates: Rates): void {
  const shownRates = [...rates].map(([currency, { text }]) => `${currency} ${text}`).join(', ');
  if (!haveSameDecimals([...rates.values()])) {
    throw unexpected('figures with the same number of decimals', shownRates);
  }
  const [dollar, euro, yuan] = [rates.get('USD'), rates.get('EUR'), rates.get('CNY')];
  if (dollar === undefined || euro === undefined) return;
  if (!isTimes(euro.value, EURO_IN_DOLLARS, dollar.value)) {
    const [low, high] = EURO_IN_DOLLARS;
    throw unexpected(`a euro of ${low} to ${high} dollars`, shownRates);
  }
  if (yuan !== undefined && !isTimes(dollar.value, DOLLAR_IN_YUAN, yuan.value)) {
    const [low, high] = DOLLAR_IN_YUAN;
    throw unexpected(`a dollar of ${low} to ${high} yuan`, shownRates);
  }
  // The dollar is padded to the decimals of the other currencies.
  const isPadded = ({ value }: Amount) => compare(value, round(value, DOLLAR_DECIMALS)) === 0;
  if (!isPadded(dollar) && [...rates.values()].some(isPadded)) {
    throw unexpected(`the dollar as the figure with ${DOLLAR_DECIMALS} decimals`, shownRates);
  }
}

function isTimes(value: number, [low, high]: readonly [number, number], unit: number): boolean {
  return compare(value, multiply(unit, low)) >= 0 && compare(value, multiply(unit, high)) <= 0;
}

type Block = ReturnType<CheerioAPI>;

function labelOf(block: Block): string {
  const rest = block.clone();
  rest.find('strong').remove();
  return rest.text().replaceAll(/\s+/g, ' ').trim();
}

/**
 * The currency of a block, by its `id` or its label. A label other than a known code (`JPY`, `100
 * CNY`, `Bs/USD`) means another currency or unit, whatever the `id` is.
 * @returns undefined for another currency or unit.
 * @throws SourceFailure when `id` and label name different currencies.
 */
function currencyOf(block: Block, label: string): PublishedCurrency | undefined {
  const named = BLOCKS.get(block.attr('id') ?? '');
  const words = label.split(' ');
  const [currency, other] = new Set([
    ...(named === undefined ? [] : [named]),
    ...PUBLISHED_CURRENCIES.filter((code) => words.includes(code)),
  ]);
  if (other !== undefined) throw unexpected('one currency in a block', `${currency} and ${other}`);
  return label === '' || label === currency ? currency : undefined;
}

function amountIn(block: Block, currency: PublishedCurrency): Amount {
  const figures = block.find('strong');
  const amount = figures.length === 1 ? amountOf(figures.text().trim()) : undefined;
  if (amount !== undefined && amount.value > 0) return amount;
  throw unexpected(
    `one figure of ${currency}, as 889,57540000`,
    `"${excerpt(block.text().trim())}"`,
  );
}

/** Other dates of the page have the same class: only the one after "Fecha Valor" counts. */
function valueDateOn($: CheerioAPI): { readonly day: CaracasDay; readonly text: string } {
  const dates = $('.date-display-single, [property="dc:date"]')
    .filter((_, date) => /^\s*Fecha\s+Valor\s*:/i.test($(date).closest('div').text()))
    .toArray()
    .map((date) => {
      const text = $(date).text().trim();
      return { day: confirmedDateShown(text, $(date).attr('content')), text };
    });
  const days = new Set(dates.map(({ day }) => day));
  if (days.size > 1) throw unexpected('one value date', [...days].join(' and '));
  const [first] = dates;
  if (first === undefined) throw unexpected('a date after "Fecha Valor:"', titleOf($));
  return first;
}
