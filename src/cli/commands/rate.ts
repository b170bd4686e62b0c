import type { Command } from 'commander';
import type { IngestCounts } from '../../app/ingest/ingest.ts';
import type { Toolbox } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { isOfficial, type Market, type Markets } from '../../domain/markets.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type CaracasDay, caracasDayOf, isoInstant, startOfCaracasDay } from '../../domain/time.ts';
import { requireNoDemonstration } from '../demo/demo-folder.ts';
import {
  type CommonFlags,
  flagsOf,
  NOTHING_PUBLISHED,
  print,
  remark,
  UsageError,
  visible,
} from '../output.ts';
import { withToolboxOf } from '../toolbox.ts';
import { dayOf } from './moment.ts';

const HELP = `
Use it when the service cannot read the central bank's page: reference is the dollar, eur_reference the
euro. The rate is in force from 00:00 in Caracas of its value date. It is judged like every record: one that
moves far, replaces a rate in force, or is dated too far ahead or on a day on which banks are closed, is
held and not published, with exit code 3. If you have checked it, --force publishes it.

  vesfx rate set reference 889.5754 --date 2026-11-24
  vesfx rate set eur_reference 1012.34 --date 2026-11-24`;

interface SetFlags extends CommonFlags {
  readonly date: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
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
    .option('--force', 'publish a rate that would be held, because you have checked it')
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
  { ingest, store }: Toolbox,
): Promise<void> {
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
  let doubts: readonly string[] = [];
  const counts = await ingest.ingest([line], {
    source: PUSHED,
    trust: flags.force === true,
    dryRun,
    onBadLine: ({ reason }) => {
      problem = reason;
    },
    onHeld: (held) => {
      doubts = held.map(({ message }) => message);
    },
  });
  if (problem !== undefined) throw new UsageError(`The rate is refused: ${visible(problem)}.`);
  const result = { market: market.id, rate: Number(rate), value_date: date, ...counts };
  print(
    flags,
    { ...result, ...(counts.held > 0 && { doubts }), ...(dryRun && { dry_run: true }) },
    text({ market, rate, date }, counts, dryRun),
  );
  if (counts.held > 0) process.exitCode = NOTHING_PUBLISHED;
  if (flags.json === true) return;
  if (counts.held > 0) {
    remark(visible(`In doubt: ${doubts.join('; ')}.`));
    remark('If you have checked it, set it with --force.');
    return;
  }
  const { publication } = await store.currentRecords(caracasDayOf(Date.now()));
  if (publication !== undefined && publication.valueDate < date) {
    // One rate is not a publication, and must not appear with the other currencies of an older one.
    remark(
      `/v1/fx/bcv/currencies goes on showing the publication of ${publication.valueDate}: import the whole new one to renew it.`,
    );
  }
}

function text(
  { market, rate, date }: Wanted,
  { accepted, held }: IngestCounts,
  dryRun: boolean,
): string {
  const tried = dryRun ? ' (dry run: nothing was stored)' : '';
  if (held > 0) return `${market.id} ${rate} for ${date} is held, not published${tried}.`;
  if (dryRun) return `${market.id} ${rate} for ${date} can be set${tried}.`;
  if (accepted === 0) return `${market.id} was ${rate} for ${date} already.`;
  const effect = date > caracasDayOf(Date.now()) ? '; it takes effect at 00:00 in Caracas' : '';
  return `Set ${market.id} to ${rate} for ${date}${effect}.`;
}
