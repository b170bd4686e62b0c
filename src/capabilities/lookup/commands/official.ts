import { databaseCommand, group } from '../../../core/cli/command.ts';
import { dayRangeOf } from '../../../core/cli/commands/moment.ts';
import { textTable, UsageError, unitChangeRemark, visible } from '../../../core/cli/output.ts';
import { DAY_CHOICES, officialDaysRange } from '../../../core/domain/history/official-days.ts';
import { officialNameOf } from '../../../core/domain/markets.ts';
import { caracasDayOf } from '../../../core/domain/time.ts';

const HELP = `
With --days all there is a row for each day, with the rate in force on it, at weekends and on bank
holidays that of the business day before, and then the rate of the next banking day. Without --from it begins 30 days before its end.

  vesfx official history --days all --from 2026-11-01
  vesfx official history --currency EUR --from 2025-01-01 --json`;

const COLUMNS = ['DATE', 'RATE', 'VALUE DATE', 'DAYS CARRIED'];
const NEXT_COLUMNS = ['NEXT BANKING DAY', 'ITS RATE'];

function questionOf(given: {
  readonly currency: string;
  readonly days: string;
  readonly from?: string;
  readonly to?: string;
}) {
  const code = given.currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) {
    throw new UsageError(`--currency: "${visible(given.currency)}" is not three letters.`);
  }
  const choice = DAY_CHOICES.find((one) => one === given.days);
  if (choice === undefined) throw new UsageError(`--days must be ${DAY_CHOICES.join(' or ')}.`);
  return { code, choice, now: Date.now(), asked: dayRangeOf(given) };
}

/** `vesfx official history`: the rates of a currency by day (contract §21). */
const history = databaseCommand({
  name: 'history',
  about: 'list the official rates of a currency by day',
  flags: {
    '--currency <code>': { about: 'three letters', byDefault: 'USD' },
    '--days <choice>': { about: 'value (value dates) or all (each day)', byDefault: 'value' },
    '--from <day>': 'first day in Caracas, YYYY-MM-DD',
    '--to <day>': 'last day; today by default, at most the newest value date',
  },
  help: HELP,
  read: questionOf,
  async work(toolbox, { code, choice, asked, now }) {
    const { officialHistoryView } = await import('../../../core/app/past-rates.ts');
    const known = { from: caracasDayOf(now) };
    const rates = await toolbox.store.officialRates(officialNameOf(code), known);
    const lastValueDate = rates.at(-1)?.effectiveDate ?? null;
    const range = officialDaysRange(asked, { now, lastValueDate });
    const answer = await officialHistoryView(code, range, choice, { ...toolbox, now });
    const isEveryDay = choice === 'all';
    const rows = answer.rows.map(({ date, rate, value_date, carried_days, ...row }) => [
      ...[date, String(rate), value_date],
      carried_days === 0 ? '-' : String(carried_days),
      ...(isEveryDay
        ? [row.next_banking_day ?? '-', String(row.next_banking_day_rate ?? '-')]
        : []),
    ]);
    const { missing, unit_changes: changes = [] } = answer;
    const remarks = [
      ...changes.map(unitChangeRemark),
      ...(missing.length === 0 ? [] : [`Business days without a rate: ${missing.join(', ')}.`]),
    ];
    return {
      json: answer,
      text: textTable(
        [...COLUMNS, ...(isEveryDay ? NEXT_COLUMNS : [])],
        rows,
        'There is no rate in these days.',
      ),
      remarks,
    };
  },
});

export const officialCommands = group(
  'official',
  'read the official rates that are stored',
  [history],
  { follows: 'source' },
);
