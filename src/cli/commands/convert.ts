import type { Command } from 'commander';
import { ageView, asOfView, conversionView } from '../../app/views.ts';
import type { Toolbox } from '../../compose.ts';
import {
  AMOUNT_LIMIT_WORDS,
  type Direction,
  parseAmount,
  parseDirection,
  requireConvertible,
} from '../../domain/calculations/convert.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { ApiError, notFound } from '../../domain/errors.ts';
import { DATE_RULES, type PastDate, requireBegunDay } from '../../domain/history/past-dates.ts';
import { isOfficial, type Market, type Markets, OFFICIAL_RATES } from '../../domain/markets.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { caracasDayOf, type Instant } from '../../domain/time.ts';
import { type CommonFlags, flagsOf, print, UsageError, visible } from '../output.ts';
import { withToolbox } from '../toolbox.ts';
import { dayOf } from './moment.ts';

const HELP = `
Uses the stored rates and reads no source. Without --via it uses the official rate.

  vesfx convert 100 USD VES
  vesfx convert 100 USD VES --date 2026-05-01
  vesfx convert 100 USD VES --date 2026-05-02 --rule next_banking_day
  vesfx convert 5000 VES USD --via parallel`;

interface ConvertFlags extends CommonFlags {
  readonly via?: string;
  readonly date?: string;
  readonly rule?: string;
}

interface Question {
  readonly amount: Decimal;
  readonly direction: Direction;
  /** Undefined for the current rate. */
  readonly past: PastDate | undefined;
}

/** `vesfx convert`: converts an amount at the stored rates, current or past (decisions §9). */
export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('convert an amount at the stored rates, current or of a past day')
    .argument('<amount>', 'a number, with a point for decimals')
    .argument('<from>', 'USD, EUR or VES')
    .argument('<to>', 'USD, EUR or VES')
    .option('--via <market>', 'id or alias of a market; by default the official one')
    .option('--date <day>', 'a day in Caracas, YYYY-MM-DD: use the rate of that day')
    .option('--rule <rule>', `on a day without banks: ${DATE_RULES.join(' or ')}`)
    .addHelpText('after', HELP)
    .action(async (amount: string, from: string, to: string, _options, command: Command) => {
      const flags = flagsOf<ConvertFlags>(command);
      const now = Date.now();
      const question = asUsage(() => readQuestion({ amount, from, to }, flags, now));
      await withToolbox(flags, async (toolbox) => {
        const market = asUsage(() => marketFor(question, flags, toolbox.markets));
        await answer(question, market, { flags, toolbox, now });
      });
    });
}

/** Runs a check of the arguments. Its refusals are usage errors. */
function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

function readQuestion(
  given: { readonly amount: string; readonly from: string; readonly to: string },
  { date: dateText, rule: ruleText }: ConvertFlags,
  now: Instant,
): Question {
  const amount = parseAmount(given.amount);
  if (amount === undefined) {
    const range = `greater than 0 and at most ${AMOUNT_LIMIT_WORDS}`;
    throw new UsageError(`"${visible(given.amount)}" is not an amount: a number ${range}.`);
  }
  const direction = parseDirection({ from: given.from.toUpperCase(), to: given.to.toUpperCase() });
  const rule = DATE_RULES.find((one) => one === ruleText);
  if (ruleText !== undefined && rule === undefined) {
    throw new UsageError(`--rule must be ${DATE_RULES.join(' or ')}.`);
  }
  if (dateText === undefined) {
    if (rule !== undefined) throw new UsageError('--rule requires --date.');
    return { amount, direction, past: undefined };
  }
  const date = dayOf(dateText, '--date');
  requireBegunDay(date, now);
  return { amount, direction, past: { date, rule: rule ?? 'value_date' } };
}

function marketFor({ direction }: Question, { via, rule }: ConvertFlags, markets: Markets): Market {
  const name = via ?? OFFICIAL_RATES[direction.foreign];
  const market = markets.find(name);
  if (market === undefined) {
    const hint = didYouMean(markets, name);
    throw new UsageError(`There is no market "${visible(name)}".${hint}`);
  }
  requireConvertible(market, direction, 'via');
  if (rule !== undefined && !isOfficial(market)) {
    throw new UsageError('--rule is only for official markets.');
  }
  return market;
}

async function answer(
  question: Question,
  market: Market,
  { flags, toolbox, now }: { flags: ConvertFlags; toolbox: Toolbox; now: Instant },
): Promise<void> {
  const { store, markets, calendar } = toolbox;
  const { amount, direction, past } = question;
  if (past === undefined) {
    const { buildSnapshot } = await import('../../app/snapshot.ts');
    const records = await store.currentRecords(caracasDayOf(now));
    const quote = buildSnapshot(records, markets, { now, startedAt: now }).quoteOf(market);
    if (quote === undefined) {
      const message = `${market.id} has no quote now.`;
      throw notFound('no_quote', { message });
    }
    const view = { ...conversionView(amount, direction, quote), ...ageView(quote, now) };
    const when = view.effective_date ? `value date ${view.effective_date}` : view.updated_at;
    print(flags, view, inWords(view, view.stale ? `${when}, stale` : when));
    return;
  }
  const { pastRate } = await import('../../app/past-rates.ts');
  const { quote, asOf } = await pastRate(market, past, { store, calendar, now });
  const view = { ...conversionView(amount, direction, quote), as_of: asOfView(asOf) };
  const when =
    asOf.official === undefined
      ? `captured ${view.as_of.captured_at}`
      : `value date ${asOf.official.valueDate}, rule ${asOf.official.rule}`;
  print(flags, view, inWords(view, `${when}, for ${past.date}`));
}

function inWords(
  { from, to, rate, market }: ReturnType<typeof conversionView>,
  when: string,
): string {
  return `${from.amount} ${from.currency} = ${to.amount} ${to.currency}\nby ${rate} of ${market} (${when})`;
}
