import { z } from 'zod';
import { AMOUNT_LIMIT_WORDS, parseAmount } from '../../domain/calculations/convert.ts';
import { BASES, MARKET_TYPES } from '../../domain/markets.ts';
import { parseCaracasDay, parseUtcDay } from '../../domain/time.ts';

/** Schemas of parameters. Each turns text as sent into a value, or says what is wrong. */

/** A text parameter with its own parser, which returns `undefined` for text that it refuses. */
export function parsed<Value>(
  parse: (text: string) => Value | undefined,
  message: string,
  meta: { readonly description: string; readonly example?: string; readonly pattern?: string },
) {
  return z
    .string()
    .meta(meta)
    .transform((text, context): Value => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
}

/** The rule for amounts, in queries and bodies. */
export const AMOUNT_RULE = `must be a number greater than 0 and at most ${AMOUNT_LIMIT_WORDS}, with a point for decimals`;

export const amountText = parsed(parseAmount, AMOUNT_RULE, {
  description: `A number in the JSON grammar, greater than 0 and at most ${AMOUNT_LIMIT_WORDS}.`,
  example: '125.5',
});

/** Upper-cases ASCII letters only: letters of other scripts can turn into ASCII. */
export function upperCase(text: string): string {
  return /[a-z]/.test(text) ? text.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : text;
}

/** Three letters in any case. Whether the pair is valid is checked once both are known. */
export const currencyText = z
  .string()
  .transform(upperCase)
  .meta({ description: 'USD, EUR or VES, in any letter case.', example: 'USD' });

export function utcDayText(name: string) {
  return parsed(parseUtcDay, 'must be a date that exists, YYYY-MM-DD', {
    description: `${name}, a UTC day.`,
    example: '2026-11-20',
  });
}

export function caracasDayText(description: string) {
  return parsed(parseCaracasDay, 'must be a date that exists, YYYY-MM-DD', {
    description,
    example: '2026-11-20',
  });
}

export const marketText = z
  .string()
  .meta({ description: 'Id or alias of a market.', example: 'parallel' });

// Answers

export const timestamp = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC, milliseconds.', example: '2026-11-20T04:00:00.000Z' });

export const day = z.iso.date().meta({ example: '2026-11-20' });

export const rateNumber = z
  .number()
  .positive()
  .meta({ description: 'VES per unit of the base currency.', example: 889.5754 });

export const seconds = z.int().nonnegative().describe('Seconds.');

export const marketId = z.string().meta({ description: 'Id of the market.', example: 'reference' });

export const marketType = z
  .string()
  .describe(`One of ${MARKET_TYPES.join(', ')}; new ones may appear.`);

export const base = z.enum(BASES).describe('The quoted currency.');

export const valueDate = day.describe('Value date of an official rate, in Caracas.');

/** Of a range. */
export const firstDay = day.describe('First day, included.');
export const lastDay = day.describe('Last day, included.');

export const count = z.int().nonnegative().describe('How many there are.');

export const stale = z.boolean().describe('Whether it is older than its market allows.');

export const currency = z.string().describe('Currency, as its three letters.');

export const percent = z.number().describe('In percent, 4 decimals.');

export const rateChange = z
  .object({
    amount: z.number().describe('In VES, compared with the previous rate.'),
    percent,
  })
  .describe('Compared with the previous rate.');

export const money = z
  .object({ currency, amount: z.number().describe('The amount.') })
  .meta({ title: 'Money' });
