import type { Command } from 'commander';
import type { IngestCounts } from '../../app/ingest/ingest.ts';
import type { Toolbox } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { isOfficial, type Market, type Markets } from '../../domain/markets.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type CaracasDay, caracasDayOf, isoInstant, startOfCaracasDay } from '../../domain/time.ts';
import { requireNoDemonstration } from '../demo/demo-folder.ts';
import { type CommonFlags, flagsOf, print, remark, UsageError, visible } from '../output.ts';
import { withToolboxOf } from '../toolbox.ts';
import { dayOf } from './moment.ts';

/** A rate that differs from the one before by more than this ratio gets a remark. */
const REMARKABLE_RATIO = 1.1;

const HELP = `
Use it when the service cannot read the central bank's page: reference is the dollar, eur_reference the
euro. The rate is in force from 00:00 in Caracas of its value date. It goes through the checks of every
record, but is not held if it moves far, because you have checked it. Another figure for the same date
replaces it.

  vesfx rate set reference 889.5754 --date 2026-11-23
  vesfx rate set eur_reference 1012.34 --date 2026-11-23`;

interface SetFlags extends CommonFlags {
  readonly date: string;
  readonly dryRun?: boolean;
}

export function addRateCommands(program: Command): void {
  const group = program.command('rate').description('set official rates by hand');
  group
    .command('set')
    .description('set the official rate of a value date by hand')
    .argument('<market>', 'reference or eur_reference, or an alias')
    .argument('<rate>', 'VES per unit, as published: 889.5754')
    .requiredOption('--date <day>', 'value date, a day in Caracas: YYYY-MM-DD')
    .option('--dry-run', 'check, store nothing')
    .addHelpText('after', HELP)
    .action(async (name: string, rate: string, _options, command: Command) => {
      const flags = flagsOf<SetFlags>(command);
      const config = readConfig(flags);
      requireNoDemonstration(config);
      const date = dayOf(flags.date, '--date');
      // A JSON number, because the text is inserted into the record as it is.
      if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(rate)) {
        throw new UsageError(`"${visible(rate)}" is not a rate: write 889.5754, with a point.`);
      }
      const market = await officialNamed(name, config);
      const set = (toolbox: Toolbox) => setRate({ market, rate, date }, flags, toolbox);
      await withToolboxOf(config, set, {
        withoutDatabase: flags.dryRun === true ? 'try' : 'create',
      });
    });
}

async function officialNamed(name: string, { catalogueDir }: Config): Promise<Market> {
  const { loadCatalogue } = await import('../../catalogue/catalogue.ts');
  const { markets }: { markets: Markets } = loadCatalogue(catalogueDir);
  const market = markets.find(name);
  if (market !== undefined && isOfficial(market)) return market;
  const hint = market === undefined ? didYouMean(markets, name) : '';
  const official = markets.list.filter(isOfficial).map(({ id }) => id);
  throw new UsageError(
    `Only official rates are set by hand (${official.join(', ')}): import quotes of other markets.${hint}`,
  );
}

interface Wanted {
  readonly market: Market;
  /** The typed text, so that its digits are counted as written. */
  readonly rate: string;
  readonly date: CaracasDay;
}

async function setRate(
  { market, rate, date }: Wanted,
  flags: SetFlags,
  { ingest, store, calendar }: Toolbox,
): Promise<void> {
  const before = await store.officialRateUpTo(market.id, date);
  const record = JSON.stringify({
    kind: 'quote',
    market: market.id,
    effective_date: date,
    updated_at: isoInstant(startOfCaracasDay(date)),
    captured_at: isoInstant(Date.now()),
  });
  const line = `${record.slice(0, -1)},"mid":${rate}}`;
  const dryRun = flags.dryRun === true;
  let problem: string | undefined;
  const counts = await ingest.ingest([line], {
    source: PUSHED,
    trust: true,
    dryRun,
    onBadLine: ({ reason }) => {
      problem = reason;
    },
  });
  if (problem !== undefined) throw new UsageError(`The rate is refused: ${visible(problem)}.`);
  const result = { market: market.id, rate: Number(rate), value_date: date, ...counts };
  print(
    flags,
    { ...result, ...(dryRun && { dry_run: true }) },
    text({ market, rate, date }, counts, dryRun),
  );
  if (flags.json === true) return;
  const closing = calendar.closingOn(date);
  if (closing !== undefined) {
    const how = closing === 'computed' ? ", computed beyond the regulator's list" : '';
    remark(`${date} is not a business day of the banks${how}.`);
  }
  const { publication } = await store.currentRecords(caracasDayOf(Date.now()));
  if (publication !== undefined && publication.valueDate < date) {
    // One rate is not a publication, and must not appear with the other currencies of an older one.
    remark(
      `/v1/fx/bcv/currencies goes on showing the publication of ${publication.valueDate}: import the whole new one to renew it.`,
    );
  }
  const ratio = before === undefined ? 1 : Number(rate) / before.mid;
  if (Math.max(ratio, 1 / ratio) > REMARKABLE_RATIO) {
    remark(
      `Before it was ${before?.mid} (${before?.effectiveDate}). If that is a mistake, set the right rate for the same date.`,
    );
  }
}

function text({ market, rate, date }: Wanted, { accepted }: IngestCounts, dryRun: boolean): string {
  if (dryRun) return `${market.id} ${rate} for ${date} can be set (dry run: nothing was stored).`;
  if (accepted === 0) return `${market.id} was ${rate} for ${date} already.`;
  const effect = date > caracasDayOf(Date.now()) ? '; it takes effect at 00:00 in Caracas' : '';
  return `Set ${market.id} to ${rate} for ${date}${effect}.`;
}
