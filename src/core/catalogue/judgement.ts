import { z } from 'zod';
import type { Band } from '../domain/calculations/ratio.ts';
import type { JudgementRule, Thresholds } from '../domain/judgement.ts';
import { faultsOf } from './faults.ts';
import { CatalogueError, readCatalogueFile } from './file.ts';

// limit: Reason in `judgement.json` | 600 characters | not started
const MAX_REASON_LENGTH = 600;

/**
 * Reads `judgement.json` of a folder, or the packaged one when the folder has none.
 * @throws CatalogueError naming file, line and fault.
 */
export function loadJudgement(folder: string) {
  const file = readCatalogueFile(folder, 'judgement.json');
  const result = judgementFile.safeParse(file.value);
  if (!result.success) throw new CatalogueError(file.shownAs, faultsOf(file, result.error));
  const names = Object.keys(file.value as object);
  // In the order of the file.
  const rules: readonly JudgementRule[] = Object.entries(result.data)
    .map(([name, { value, reason }]) => Object.freeze({ name, value, reason }))
    .sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  return Object.freeze({ thresholds: thresholdsOf(result.data), rules: Object.freeze(rules) });
}

/** At 100 percent or more, no fall could exceed the limit. */
const share = z
  .number('must be a number of percent')
  .gt(0, 'must be more than 0')
  .lt(100, 'must be less than 100');
const ratio = z.number('must be a ratio').gt(1, 'must be more than 1');
const seconds = z.int('must be a whole number of seconds').positive('must be more than 0');
const days = z.int('must be a whole number of days');
const moreThanNoDays = days.positive('must be more than 0');
const factor = z.number('must be a number').positive('must be more than 0');
const band = z
  .tuple([factor, factor], 'must be a list of the lowest and the highest multiple')
  .refine(([low, high]) => low < high, 'must have the lower multiple first')
  .refine(([low, high]) => low < 1 && high > 1, 'must have 1 between its multiples');

const text = z
  .string('must be text')
  .min(1, 'must not be empty')
  .max(MAX_REASON_LENGTH, `must have at most ${MAX_REASON_LENGTH} characters`);

function rule<T extends z.ZodType>(value: T) {
  return z.strictObject(
    {
      value,
      reason: z.strictObject({ en: text, es: text }, 'must be an object of en and es'),
    },
    'must be an object of value and reason',
  );
}

const OF_ARCHIVES = ['archive_ratio', 'archive_doubles_in_days', 'archive_cross_percent'] as const;

const rulesOfFile = z.strictObject(
  {
    quote_ratio: rule(ratio),
    quote_band: rule(band),
    venue_percent: rule(share),
    venues_needed: rule(
      z.int('must be a whole number').min(2, 'must be at least 2: one venue is no median'),
    ),
    // The files of 0.2.0 do not have these: without them the rules do not apply.
    parallel_percent: rule(share).optional(),
    parallel_venues_needed: rule(
      z.int('must be a whole number').min(2, 'must be at least 2: one venue is no median'),
    ).optional(),
    in_doubt_sec: rule(seconds).optional(),
    drift_ratio: rule(ratio).optional(),
    origin_step_percent: rule(share).optional(),
    restore_within_sec: rule(seconds),
    publication_ratio: rule(ratio),
    cross_percent: rule(
      // The files of 0.4.0 and before have the percentage of the euro alone.
      share
        .transform((EUR) => ({ EUR }))
        .or(z.strictObject({ EUR: share, CNY: share, TRY: share, RUB: share })),
    ),
    // The files of 0.2.0 and before do not have the next seven: without them the rules do not apply.
    archive_ratio: rule(ratio).optional(),
    archive_doubles_in_days: rule(moreThanNoDays).optional(),
    archive_cross_percent: rule(share).optional(),
    archive_apart_percent: rule(share).optional(),
    cross_decimals: rule(
      z.int('must be a whole number').min(1, 'must be at least 1').max(8, 'must be at most 8'),
    ).optional(),
    repeated_within_days: rule(moreThanNoDays).optional(),
    insisted_ratio: rule(ratio).optional(),
    release_before_effect_sec: rule(seconds),
    publication_agreement_percent: rule(share),
    correction_within_sec: rule(seconds),
    bank_band: rule(band),
    bank_ratio: rule(ratio),
    bank_rows_percent: rule(share),
    value_date_days_ahead: rule(days.min(0, 'must be 0 or more')),
    agreement_percent: rule(share),
    confirming_reads: rule(
      z
        .int('must be a whole number')
        .min(2, 'must be at least 2: one reading cannot confirm itself'),
    ),
    confirming_span_sec: rule(seconds),
    agreement_within_sec: rule(seconds),
    frozen_after_sec: rule(
      z.strictObject(
        {
          reference: seconds,
          parallel: seconds,
          p2p: seconds,
          remittance: seconds,
          exchange_house: seconds,
          cash: seconds,
        },
        'must be an object of seconds for each type of market',
      ),
    ),
  },
  'must be an object of thresholds',
);

/** The limits of archives are read together: each is meaningless without the others. */
const judgementFile = rulesOfFile.superRefine((file, context) => {
  const missing = OF_ARCHIVES.filter((name) => file[name] === undefined);
  if (missing.length === OF_ARCHIVES.length) return;
  for (const name of missing) {
    context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
  }
});

type Row = z.output<typeof judgementFile>;

type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type ValueOf<Rule> = Rule extends { readonly value: infer Value }
  ? Value extends readonly [number, number]
    ? Band
    : Value
  : never;

/** The field `quote_ratio` is `quoteRatio` here, and the list of a band is its two ends. */
type ReadThresholds = {
  readonly [Name in keyof Row as Camel<Name>]: ValueOf<NonNullable<Row[Name]>>;
};

/** The cast is safe: names and values are made as `ReadThresholds` says. */
function thresholdsOf(row: Row): Thresholds {
  const named = Object.entries(row).map(([name, { value }]) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    Object.freeze(Array.isArray(value) ? { low: value[0], high: value[1] } : value),
  ]);
  return Object.freeze(Object.fromEntries(named) as ReadThresholds);
}
