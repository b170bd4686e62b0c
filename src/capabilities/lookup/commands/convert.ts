import { ageView, asOfView, conversionView } from '../../../core/app/views.ts';
import { databaseCommand, type Result } from '../../../core/cli/command.ts';
import { dayOfFlag } from '../../../core/cli/commands/moment.ts';
import { CommandError, UsageError, visible, withDays } from '../../../core/cli/output.ts';
import type { Toolbox } from '../../../core/compose.ts';
import {
  AMOUNT_LIMIT,
  parseAmount,
  parseDirection,
  requireConvertible,
} from '../../../core/domain/calculations/convert.ts';
import { ApiError } from '../../../core/domain/errors.ts';
import {
  DATE_RULES,
  type PastDate,
  requireKnownDay,
} from '../../../core/domain/history/past-dates.ts';
import {
  isOfficial,
  type Market,
  type Markets,
  OFFICIAL_RATES,
} from '../../../core/domain/markets.ts';
import { didYouMean } from '../../../core/domain/near-names.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
} from '../../../core/domain/time.ts';

const HELP = `
Uses the stored rates and reads no source. Without --via it uses the official rate.

  vesfx convert 100 USD VES
  vesfx convert 100 USD VES --date 2026-05-01
  vesfx convert 100 USD VES --date 2026-05-02 --rule next_banking_day
  vesfx convert 5000 VES USD --via parallel`;

/** No value date is as far ahead: a later day is refused without the database. */
// limit: `vesfx convert`: days ahead | 366 | exit code 2
const MAX_DAYS_AHEAD = 366;

function farthestDay(now: Instant): CaracasDay {
  return addCaracasDays(caracasDayOf(now), MAX_DAYS_AHEAD);
}

type Question = ReturnType<typeof readQuestion>;

/** Runs a check of the arguments. Its refusals are usage errors. */
function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(withDays(error)) : error;
  }
}

type Typed = Record<'amount' | 'from' | 'to', string> &
  Partial<Record<'via' | 'date' | 'rule', string>>;

/** What is asked for. `past` is undefined for the current rate. */
function readQuestion(typed: Typed, now: Instant) {
  const amount = parseAmount(typed.amount);
  if (amount === undefined) {
    const range = `greater than 0 and at most ${AMOUNT_LIMIT.en}`;
    throw new UsageError(`"${visible(typed.amount)}" is not an amount: a number ${range}.`);
  }
  const direction = parseDirection({ from: typed.from.toUpperCase(), to: typed.to.toUpperCase() });
  const rule = DATE_RULES.find((name) => name === typed.rule);
  if (typed.rule !== undefined && rule === undefined) {
    throw new UsageError(`--rule must be ${DATE_RULES.join(' or ')}.`);
  }
  let past: PastDate | undefined;
  if (typed.date !== undefined) {
    const date = dayOfFlag(typed.date, '--date');
    const asked = { field: 'date', day: date };
    // Whether a later one is stored, only the database knows.
    if (date > farthestDay(now)) requireKnownDay(asked, { now });
    past = { date, rule: rule ?? 'value_date' };
  } else if (rule !== undefined) throw new UsageError('--rule requires --date.');
  return { amount, direction, past, isRuleGiven: rule !== undefined, via: typed.via, now };
}

function marketFor({ direction, via, isRuleGiven }: Question, markets: Markets): Market {
  const name = via ?? OFFICIAL_RATES[direction.foreign];
  const market = markets.find(name);
  if (market === undefined) {
    const hint = didYouMean(markets, name);
    throw new UsageError(`There is no market "${visible(name)}".${hint}`);
  }
  requireConvertible(market, direction, 'via');
  if (isRuleGiven && !isOfficial(market)) {
    throw new UsageError('--rule is only for official markets.');
  }
  return market;
}

async function answer(
  question: Question,
  market: Market,
  { store, markets, calendar, redenominations, thresholds }: Toolbox,
): Promise<Result> {
  const { amount, direction, past, now } = question;
  if (past === undefined) {
    const { buildSnapshot } = await import('../../../core/app/snapshot.ts');
    const records = await store.currentRecords(caracasDayOf(now));
    const at = { now, startedAt: now, redenominations, thresholds };
    const quote = buildSnapshot(records, markets, at).quoteOf(market);
    if (quote === undefined) {
      const message = `${market.id} has no quote now.`;
      throw new CommandError('resource_not_found', message);
    }
    const view = { ...conversionView(amount, direction, quote), ...ageView(quote, now) };
    const when = view.effective_date ? `value date ${view.effective_date}` : view.updated_at;
    return { json: view, text: inWords(view, view.stale ? `${when}, stale` : when) };
  }
  const { pastRate } = await import('../../../core/app/past-rates.ts');
  const last = isOfficial(market)
    ? ((await store.officialRateUpTo(market.id, farthestDay(now)))?.effectiveDate ?? null)
    : undefined;
  requireKnownDay({ field: 'date', day: past.date }, { now, lastValueDate: last });
  const { quote, asOf } = await pastRate(market, past, { store, calendar, redenominations, now });
  const view = { ...conversionView(amount, direction, quote), as_of: asOfView(asOf) };
  const when =
    asOf.official === undefined
      ? `captured ${view.as_of.captured_at}`
      : `value date ${asOf.official.valueDate}, rule ${asOf.official.rule}`;
  const hints = asOf.unitChanges.map(
    ({ on, factor }) =>
      `Bolívares are those of ${past.date}: since ${on} one new bolívar is ${factor} old ones.`,
  );
  return { json: view, text: inWords(view, `${when}, for ${past.date}`), hints };
}

function inWords(
  { from, to, rate, market }: ReturnType<typeof conversionView>,
  when: string,
): string {
  return `${from.amount} ${from.currency} = ${to.amount} ${to.currency}\nby ${rate} of ${market} (${when})`;
}

/** `vesfx convert`: converts an amount at the stored rates, current or past (contract §9). */
export const convertCommand = databaseCommand({
  name: 'convert',
  follows: 'held',
  about: 'convert an amount at the stored rates, current or of a past day',
  arguments: {
    '<amount>': 'a number, with a point for decimals',
    '<from>': 'USD, EUR or VES',
    '<to>': 'USD, EUR or VES',
  },
  flags: {
    '--via <market>': 'id or alias of a market; by default the official one',
    '--date <day>': 'a day in Caracas, YYYY-MM-DD: use the rate of that day',
    '--rule <rule>': `on a day without banks: ${DATE_RULES.join(' or ')}`,
  },
  help: HELP,
  read: (input) => asUsage(() => readQuestion(input, Date.now())),
  work: (toolbox, question) =>
    answer(
      question,
      asUsage(() => marketFor(question, toolbox.markets)),
      toolbox,
    ),
});
