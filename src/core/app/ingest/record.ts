import { z } from 'zod';
import { MAX_SIGNIFICANT_DIGITS, significantDigits } from '../../domain/decimal.ts';
import { WrittenNumber } from '../../domain/exact-json.ts';
import { unitDoubt } from '../../domain/judgement/unit-judgement.ts';
import { MAX_RATE, MIN_RATE } from '../../domain/quotes.ts';
import { type Redenominations, storedUnitOf, unitOfDay } from '../../domain/redenomination.ts';
import {
  type CaracasDay,
  caracasDayOf,
  type Instant,
  parseCaracasDay,
  parseInstant,
} from '../../domain/time.ts';
import type { SourceRecord } from '../ports/sources.ts';
import { TOO_MANY_DIGITS as MANY, schemaSentence } from '../schema-sentences.ts';

const TOO_MANY_DIGITS = MANY.what.en;

const MAX_BANK_ROWS = 500;
// limit: Name of a bank, rows of a table, currencies, label of a value date | 200 characters, 500, 60, 200 characters | record refused | MAX_BANK_ROWS, MAX_CURRENCIES, MAX_DATE_LABEL_LENGTH
const MAX_BANK_NAME_LENGTH = 200;
const MAX_DATE_LABEL_LENGTH = 200;
/** A workbook has up to 23 currencies. */
const MAX_CURRENCIES = 60;
/** Three letters, as the central bank writes them: some are not in ISO 4217 any more. */
const CURRENCY_CODE = /^(?!VE[BDFS])[A-Z]{3}$/;

const rate = z
  .number({ error: ({ input }) => (hasManyDigits(input) ? TOO_MANY_DIGITS : 'must be a number') })
  .min(MIN_RATE, `must be greater than 0, and at least ${MIN_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .refine((value) => significantDigits(value) <= MAX_SIGNIFICANT_DIGITS, TOO_MANY_DIGITS);

/** Digits are counted as written, because the nearest double may have fewer. */
function hasManyDigits(input: unknown): boolean {
  return input instanceof WrittenNumber && significantDigits(input.text) > MAX_SIGNIFICANT_DIGITS;
}

/** A text that `parse` reads. */
function textOf<Value>(parse: (text: string) => Value | undefined, message: string) {
  return z.string('must be text').transform((text, context) => {
    const value = parse(text);
    if (value === undefined) context.addIssue({ code: 'custom', message });
    return value ?? z.NEVER;
  });
}

const instant = textOf(parseInstant, 'must be an ISO 8601 time with a zone');
const caracasDay = textOf(parseCaracasDay, 'must be a date, YYYY-MM-DD');

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

/** Without it figures of before 1 October 2021 are in the bolívar of that day (contract §7). */
const unit = z.literal('day', { error: 'must be "day"' }).optional();

const quoteRecord = z.strictObject({
  kind: z.literal('quote'),
  market: z.string('must be text'),
  mid: rate.optional(),
  ask: rate.optional(),
  bid: rate.optional(),
  updated_at: instant.optional(),
  captured_at: instant.optional(),
  effective_date: caracasDay.optional(),
  unit,
});

const officialRecord = z.strictObject({
  kind: z.literal('official'),
  value_date: caracasDay,
  value_date_text: shortText(MAX_DATE_LABEL_LENGTH, NO_CONTROL_BUT_SPACE).optional(),
  rates: z.record(z.string(), rate).superRefine((rates, context) => {
    const codes = Object.keys(rates);
    for (const code of codes) {
      if (!CURRENCY_CODE.test(code)) context.addIssue(`${code} is not the code of a currency`);
    }
    if (codes.length === 0) context.addIssue('must have at least one currency');
    if (codes.length > MAX_CURRENCIES) {
      context.addIssue(`must have at most ${MAX_CURRENCIES} currencies`);
    }
  }),
  captured_at: instant.optional(),
  unit,
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
  unit,
});

/** The schema of an input record (contract §7). */
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

/** The result of `work`, or the refusal that it throws. */
export function orRefusal<Result>(work: () => Result): Result | Refused {
  try {
    return work();
  } catch (error) {
    return asRefusal(error);
  }
}

/** @throws what is no refusal. */
export function asRefusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}

/** An item for `Ingest`: a record, a line that is not one, or undefined for an empty line. */
export type IncomingRecord = SourceRecord | Refused | undefined;

/** @throws Refused when it is not a record (contract §7). */
export function checkRecord(record: SourceRecord): InputRecord {
  const result = recordSchema.safeParse(record, { error: schemaSentence });
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

/**
 * The day of a quote: its value date, or the day of its own time. A time after the reading is wrong.
 */
function dayOfQuote(
  { effective_date: valueDate, updated_at: updatedAt }: QuoteRecord,
  capturedAt: Instant,
): CaracasDay {
  return valueDate ?? caracasDayOf(Math.min(updatedAt ?? capturedAt, capturedAt));
}

/** The record with its figures in the unit in which they are stored. */
export function inStoredUnit<Input extends InputRecord>(
  input: Input,
  capturedAt: Instant,
  { rebased }: Pick<Redenominations, 'rebased'>,
): Input {
  if (input.unit !== 'day') return input;
  const stored = (figure: number, day: CaracasDay) =>
    rebased(figure, { from: unitOfDay(day), to: storedUnitOf(day) });
  switch (input.kind) {
    case 'quote': {
      const day = dayOfQuote(input, capturedAt);
      const side = (figure: number | undefined) => figure && stored(figure, day);
      return { ...input, mid: side(input.mid), ask: side(input.ask), bid: side(input.bid) };
    }
    case 'official': {
      const rates = Object.entries(input.rates).map(([code, rate]) => [
        code,
        stored(rate, input.value_date),
      ]);
      return { ...input, rates: Object.fromEntries(rates) };
    }
    case 'bank_table': {
      const rows = input.rows.map((row) => {
        const day = row.date ?? input.indicator_date;
        const side = (figure: number | null | undefined) => figure && stored(figure, day);
        return { ...row, buy: side(row.buy), sell: side(row.sell) };
      });
      return { ...input, rows };
    }
    default:
      return input satisfies never;
  }
}

/**
 * The doubt about a record whose figure of a dollar or a euro is right in the other unit.
 * @param subject The subject of its candidate.
 */
export function unitDoubtOf(input: InputRecord, capturedAt: Instant, subject: string) {
  const doubtOf = (name: string, day: CaracasDay, figure: number | null | undefined) =>
    figure == null ? undefined : unitDoubt(name, day, figure, input.unit === 'day');
  switch (input.kind) {
    case 'quote':
      return doubtOf(subject, dayOfQuote(input, capturedAt), input.mid ?? input.ask);
    case 'official': {
      const name = input.rates['USD'] === undefined ? 'EUR' : 'USD';
      return doubtOf(name, input.value_date, input.rates[name]);
    }
    case 'bank_table': {
      const [row] = input.rows;
      return row && doubtOf(row.bank, row.date ?? input.indicator_date, row.sell ?? row.buy);
    }
    default:
      return input satisfies never;
  }
}
