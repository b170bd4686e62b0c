import { z } from 'zod';
import { PUBLISHED_CURRENCIES } from '../../domain/bcv.ts';
import {
  MAX_SIGNIFICANT_DIGITS,
  significantDigits,
  TOO_MANY_DIGITS,
} from '../../domain/decimal.ts';
import { parseExactJson, repeatedName, WrittenNumber } from '../../domain/exact-json.ts';
import { MAX_RATE, MIN_RATE } from '../../domain/quotes.ts';
import { parseCaracasDay, parseInstant } from '../../domain/time.ts';
import { schemaSentence } from '../schema-sentences.ts';

/** Longest line of an NDJSON file, in characters. */
export const MAX_RECORD_LENGTH = 262_144;
const MAX_BANK_ROWS = 500;
const MAX_BANK_NAME_LENGTH = 200;
const MAX_DATE_LABEL_LENGTH = 200;

const rate = z
  .number({ error: ({ input }) => (hasManyDigits(input) ? TOO_MANY_DIGITS : 'must be a number') })
  .min(MIN_RATE, `must be greater than 0, and at least ${MIN_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .refine((value) => significantDigits(value) <= MAX_SIGNIFICANT_DIGITS, TOO_MANY_DIGITS);

/** Digits are counted as written, because the nearest double may have fewer. */
function hasManyDigits(input: unknown): boolean {
  return input instanceof WrittenNumber && significantDigits(input.text) > MAX_SIGNIFICANT_DIGITS;
}

const instant = z.string('must be text').transform((text, context) => {
  const value = parseInstant(text);
  if (value !== undefined) return value;
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time with a zone' });
  return z.NEVER;
});

const caracasDay = z.string('must be text').transform((text, context) => {
  const day = parseCaracasDay(text);
  if (day !== undefined) return day;
  context.addIssue({ code: 'custom', message: 'must be a date, YYYY-MM-DD' });
  return z.NEVER;
});

/** Longest part of a field name in a refusal, in characters. */
const MAX_SHOWN_NAME = 64;

/** Names are written to terminals, logs and spreadsheets. */
const NO_CONTROL = /^\P{Cc}*$/u;
/** A label is kept as a page has it, with its line breaks. */
const NO_CONTROL_BUT_SPACE = /^[\P{Cc}\t\n\r]*$/u;

/** A text of at most `max` characters that a database gives back unchanged. */
function shortText(max: number, allowed: RegExp) {
  return z
    .string('must be text')
    .max(max, `must have at most ${max} characters`)
    .regex(allowed, 'must not have control characters')
    .refine((text) => text.isWellFormed(), 'must be Unicode text without unpaired surrogates');
}

const quoteRecord = z.strictObject({
  kind: z.literal('quote'),
  market: z.string('must be text'),
  mid: rate.optional(),
  ask: rate.optional(),
  bid: rate.optional(),
  updated_at: instant.optional(),
  captured_at: instant.optional(),
  effective_date: caracasDay.optional(),
});

const officialRecord = z.strictObject({
  kind: z.literal('official'),
  value_date: caracasDay,
  value_date_text: shortText(MAX_DATE_LABEL_LENGTH, NO_CONTROL_BUT_SPACE).optional(),
  rates: z
    .partialRecord(z.enum(PUBLISHED_CURRENCIES), rate)
    .refine((rates) => Object.keys(rates).length > 0, 'must have at least one currency'),
  captured_at: instant.optional(),
});

const bankTableRecord = z.strictObject({
  kind: z.literal('bank_table'),
  indicator_date: caracasDay,
  rows: z
    .array(
      z.strictObject({
        bank: shortText(MAX_BANK_NAME_LENGTH, NO_CONTROL).min(1, 'must not be empty'),
        buy: rate.nullish(),
        sell: rate.nullish(),
        date: caracasDay.optional(),
      }),
    )
    .min(1, 'must have at least one row')
    .max(MAX_BANK_ROWS),
  captured_at: instant.optional(),
});

/** The schema of an input record (decisions §7). */
export const recordSchema = z.discriminatedUnion('kind', [
  quoteRecord,
  officialRecord,
  bankTableRecord,
]);
export type InputRecord = z.output<typeof recordSchema>;
export type QuoteRecord = z.output<typeof quoteRecord>;

export type BankTableRecord = z.output<typeof bankTableRecord>;

/** A record is refused. The message is for the operator. */
export class Refused extends Error {}

/**
 * Reads a line of NDJSON (decisions §7).
 * @throws Refused when it is not a record.
 */
export function parseRecord(text: string): InputRecord {
  if (text.length > MAX_RECORD_LENGTH) {
    throw new Refused(`longer than ${MAX_RECORD_LENGTH} characters`);
  }
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw new Refused('not JSON');
  }
  const twice = repeatedName(text);
  if (twice !== undefined) throw new Refused(`${twice.slice(0, MAX_SHOWN_NAME)}: is given twice`);
  const result = recordSchema.safeParse(value, { error: schemaSentence });
  if (result.success) return result.data;
  throw new Refused(result.error.issues.map(describeIssue).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_union') return 'kind must be quote, official or bank_table';
  if (issue.code === 'invalid_type' && path === '') return 'not a JSON object';
  return `${path}: ${issue.message}`;
}

/** Characters of a text that show its format. */
const FORMAT_LENGTH = 1_000;

const TAKEN = 'import takes NDJSON, one JSON object per line';

/** How the first line of another format looks. No record looks like these. */
const OTHER_FORMATS: readonly { readonly looks: RegExp; readonly message: string }[] = [
  { looks: /^\[/, message: `This is a JSON array; ${TAKEN}. Convert it: jq -c '.[]'.` },
  { looks: /^\{\s*$/, message: `This is JSON over several lines; ${TAKEN}. Convert it: jq -c .` },
  { looks: /^[^{}[\]<>]+[,;\t][^{}[\]<>]*$/, message: `This is a CSV; ${TAKEN}.` },
];

/** A sentence about records in UTF-16; undefined for others. */
export function utf16ProblemOf([first = -1, second = -1]: Uint8Array): string | undefined {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Without a mark every ASCII character has a zero byte.
  if (!isMarked && first !== 0 && second !== 0) return undefined;
  return 'This is UTF-16; import takes UTF-8. Convert it: iconv -f UTF-16 -t UTF-8.';
}

/**
 * What a text is if it is not NDJSON, as a sentence; undefined for one that may have records. So a
 * file in another format is one error, not one for each line.
 */
export function otherFormatOf(text: string): string | undefined {
  const [line = ''] = text.slice(0, FORMAT_LENGTH).trimStart().split(/\r?\n/, 1);
  return OTHER_FORMATS.find(({ looks }) => looks.test(line))?.message;
}
