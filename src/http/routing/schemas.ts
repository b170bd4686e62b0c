import { z } from 'zod';
import { refused } from '../../app/schema-sentences.ts';
import {
  AMOUNT_LIMIT,
  amountFault,
  MAX_AMOUNT,
  parseAmount,
} from '../../domain/calculations/convert.ts';
import { fault, type ValueFault } from '../../domain/errors/value-rules.ts';
import { BASES, type Base, MARKET_TYPES } from '../../domain/markets.ts';
import { parseCaracasDay, parseUtcDay } from '../../domain/time.ts';

/** Schemas of parameters. Each turns text as sent into a value, or says what is wrong. */

/** What the reference says of a parameter. Programs that read the document get its type from here. */
type Described = {
  readonly description: string;
  readonly example?: string | number;
  readonly type?: 'number' | 'integer';
  readonly format?: 'date';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
};

/**
 * A text parameter with its own parser, which returns `undefined` for text that it refuses.
 * @param wrong What is wrong with such a text.
 */
export function parsed<Value>(
  parse: (text: string) => Value | undefined,
  wrong: ValueFault | ((text: string) => ValueFault),
  meta: Described,
) {
  return z
    .string()
    .meta(meta)
    .transform((text, context): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue(refused(typeof wrong === 'function' ? wrong(text) : wrong));
      return z.NEVER;
    });
}

/** Whether a parameter is a day: its text is read as one. */
export function isDayText(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional) return isDayText(schema.unwrap());
  return schema instanceof z.ZodPipe && z.globalRegistry.get(schema.in)?.['format'] === 'date';
}

export const amountText = parsed(parseAmount, amountFault, {
  description: `The amount to convert: greater than 0 and at most ${AMOUNT_LIMIT.en}, with a point for decimals.`,
  example: 125.5,
  type: 'number',
  exclusiveMinimum: 0,
  maximum: Number(MAX_AMOUNT),
});

/** Upper-cases ASCII letters only: letters of other scripts can turn into ASCII. */
export function upperCase(text: string): string {
  return /[a-z]/.test(text) ? text.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : text;
}

/**
 * The pair of a conversion: VES and one of `bases`, in any letter case. Whether the pair is valid is
 * checked once both are known.
 */
export function currencyPair(bases: readonly Base[]) {
  const codes = [...bases, 'VES'];
  const currencyText = (whose: string) =>
    z
      .string()
      .transform(upperCase)
      .meta({
        description: `${whose}: ${codes.slice(0, -1).join(', ')} or VES, in any letter case.`,
        example: 'USD',
        enum: codes,
      });
  return {
    from: currencyText('Currency of the amount'),
    to: currencyText('Currency of the result'),
  };
}

export const NOT_A_DAY = fault(
  'not_a_day',
  'must be a date that exists, YYYY-MM-DD',
  'debe ser una fecha que exista, AAAA-MM-DD',
);

export function utcDayText(description: string) {
  return parsed(parseUtcDay, NOT_A_DAY, {
    description,
    example: '2026-11-20',
    format: 'date',
  });
}

/** The range of a series. */
export const rangeFields = {
  from: utcDayText(
    'First UTC day of the range; by default, as far back as your plan reaches.',
  ).optional(),
  to: utcDayText('Last UTC day of the range; today by default.').optional(),
};

export function caracasDayText(description: string) {
  return parsed(parseCaracasDay, NOT_A_DAY, {
    description,
    example: '2026-11-20',
    format: 'date',
  });
}

export const marketText = z
  .string()
  .meta({ description: 'Id or alias of a market.', example: 'parallel' });

const MAX_NAMED_MARKETS = 50;

function parseNames(text: string): readonly string[] | undefined {
  const names = text.split(',');
  return names.length > MAX_NAMED_MARKETS || names.includes('') ? undefined : names;
}

export const marketNames = parsed(
  parseNames,
  (text) =>
    fault(
      text.split(',').length > MAX_NAMED_MARKETS ? 'too_many' : 'malformed',
      `must be ids or aliases of at most ${MAX_NAMED_MARKETS} markets with commas between`,
      `deben ser ids o alias de ${MAX_NAMED_MARKETS} mercados como máximo, separados por comas`,
    ),
  {
    description:
      'Ids or aliases of markets, separated by commas; all markets in the plan by default.',
    example: 'reference,parallel',
  },
);

// Answers

/** ISO 8601 in UTC with milliseconds. Each field says which moment it is. */
export const timestamp = z.iso.datetime().meta({ example: '2026-11-20T04:00:00.000Z' });

export const updatedAt = timestamp.describe(
  'Time of the quote: that of its source or, without one, of its reading. For an official rate, 00:00 in Caracas on its value date.',
);

export const fetchedAt = timestamp.describe('When the service last received figures.');

export const day = z.iso.date().meta({ example: '2026-11-20' });

/** VES per unit of a currency. Each field says which rate it is. */
export const ves = z.number().positive().meta({ example: 889.5754 });

export const rateNumber = ves.describe('The rate: VES per unit of the base currency.');

const seconds = z.int().nonnegative();
export const staleAfterSec = seconds.describe(
  'Maximum age of a quote, in seconds; an older one is stale.',
);
export const quoteAge = seconds.describe('Age of the quote, in seconds.');

export const marketId = z.string().meta({ description: 'Id of the market.', example: 'reference' });

/** Names for a description, each marked as code. */
export const codeList = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const marketType = z
  .string()
  .describe(`Type of market: ${codeList(MARKET_TYPES)}; new ones may appear.`);

export const base = z.enum(BASES).describe('The quoted currency.');

export const valueDate = day.describe(
  'Value date of an official rate, in Caracas; absent for other markets.',
);

/** The range of an answer. */
export const firstDay = day.describe('First day of the range, included.');
export const lastDay = day.describe('Last day of the range, included.');

export const count = z.int().nonnegative().describe('How many items the list has.');

export const stale = z
  .boolean()
  .describe('Whether the quote is older than the maximum age of its market.');

export const currency = z.string().describe('Three-letter code of the currency.');

export const percent = z.number().describe('The difference in percent, with 4 decimals.');

export const rateChange = z
  .object({
    amount: z.number().describe('The difference in VES; negative when the rate fell.'),
    percent,
  })
  .describe('Difference from the earlier rate; absent when there is none.');

export const money = z
  .object({ currency, amount: z.number().describe('The amount, in that currency.') })
  .meta({ title: 'Money' });
