import type { IngestCounts } from '../../app/ingest/ingest.ts';
import type { Toolbox } from '../../compose.ts';
import { type Config, readConfig } from '../../config.ts';
import { isOfficial, type Market } from '../../domain/markets.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type CaracasDay, caracasDayOf, isoInstant, startOfCaracasDay } from '../../domain/time.ts';
import { databaseCommand, group, type Result } from '../command.ts';
import { requireNoDemonstration } from '../demo-folder.ts';
import { DONE, NOTHING_PUBLISHED, UsageError, visible } from '../output.ts';
import { dayOfFlag } from './moment.ts';

const HELP = `
Use it when the service cannot read the central bank's page: reference is the dollar, eur_reference the
euro. The rate is in force from 00:00 in Caracas of its value date. It is judged like every record: one that
moves far, replaces a rate in force, or is dated too far ahead or on a day on which banks are closed, is
held and not published, with exit code 3. If you have checked it, --force publishes it.

  vesfx rate set reference 889.5754 --date 2026-11-24
  vesfx rate set eur_reference 1012.34 --date 2026-11-24`;

/** A rate in the unit of its day must not be forced: it would be a million times too large. */
const IN_STORED_UNIT =
  'Rates of before 1 October 2021 are set in the bolívar of that day: divide the published one by 1,000,000.';

async function officialNamed(name: string, { catalogueDir }: Config): Promise<Market> {
  const { loadCatalogue } = await import('../../catalogue/catalogue.ts');
  const { markets } = loadCatalogue(catalogueDir);
  const market = markets.find(name);
  if (market !== undefined && isOfficial(market)) return market;
  const hint = market === undefined ? didYouMean(markets, name) : '';
  const official = markets.list.filter(isOfficial).map(({ id }) => id);
  throw new UsageError(
    `Only official rates are set by hand (${official.join(', ')}): import quotes of other markets.${hint}`,
  );
}

interface WantedRate {
  readonly market: Market;
  /** The typed text, so that its digits are counted as written. */
  readonly rate: string;
  readonly date: CaracasDay;
  readonly dryRun: boolean;
  readonly force: boolean;
}

async function setRate(wanted: WantedRate, { ingest, store }: Toolbox): Promise<Result> {
  const { market, rate, date, dryRun, force } = wanted;
  const record = JSON.stringify({
    kind: 'quote',
    market: market.id,
    effective_date: date,
    updated_at: isoInstant(startOfCaracasDay(date)),
    captured_at: isoInstant(Date.now()),
  });
  const line = `${record.slice(0, -1)},"mid":${rate}}`;
  let problem: string | undefined;
  let doubts: readonly string[] = [];
  let isInOtherUnit = false;
  const { recordsIn } = await import('../../app/ingest/ndjson.ts');
  const counts = await ingest.ingest(recordsIn([line]), {
    source: PUSHED,
    trust: force,
    dryRun,
    onBadLine: ({ reason }) => {
      problem = reason;
    },
    onHeld: (held) => {
      doubts = held.map(({ message }) => message);
      isInOtherUnit = held.some(({ reason }) => reason === 'other_unit');
    },
  });
  if (problem !== undefined) throw new UsageError(`The rate is refused: ${visible(problem)}.`);
  const isHeld = counts.held > 0;
  const json = {
    ...{ market: market.id, rate: Number(rate), value_date: date, ...counts },
    doubts: isHeld ? doubts : undefined,
    dry_run: dryRun || undefined,
  };
  const hints = isHeld
    ? [
        visible(`In doubt: ${doubts.join('; ')}.`),
        isInOtherUnit ? IN_STORED_UNIT : 'If you have checked it, set it with --force.',
      ]
    : await publicationHints(date, store);
  const exitCode = isHeld ? NOTHING_PUBLISHED : DONE;
  return { json, text: textOf(wanted, counts), hints, exitCode };
}

/** One rate is not a publication, and must not appear with the other currencies of an older one. */
async function publicationHints(date: CaracasDay, store: Toolbox['store']) {
  const { publication } = await store.currentRecords(caracasDayOf(Date.now()));
  if (publication === undefined || publication.valueDate >= date) return [];
  return [
    `/v1/fx/bcv/currencies goes on showing the publication of ${publication.valueDate}: import the whole new one to renew it.`,
  ];
}

function textOf({ market, rate, date, dryRun }: WantedRate, counts: IngestCounts): string {
  const tried = dryRun ? ' (dry run: nothing was stored)' : '';
  if (counts.held > 0) return `${market.id} ${rate} for ${date} is held, not published${tried}.`;
  if (dryRun) return `${market.id} ${rate} for ${date} can be set${tried}.`;
  if (counts.accepted === 0) return `${market.id} was ${rate} for ${date} already.`;
  const effect = date > caracasDayOf(Date.now()) ? '; it takes effect at 00:00 in Caracas' : '';
  return `Set ${market.id} to ${rate} for ${date}${effect}.`;
}

const setCommand = databaseCommand({
  name: 'set',
  about: 'set the official rate of a value date by hand',
  arguments: {
    '<market>': 'reference or eur_reference, or an alias',
    '<rate>': 'VES per unit, as published: 889.5754',
  },
  flags: {
    '--date <day>': { about: 'value date, a day in Caracas: YYYY-MM-DD', isRequired: true },
    '--dry-run': 'check, store nothing',
    '--force': 'publish a rate that would be held, because you have checked it',
  },
  help: HELP,
  withoutDatabase: 'create',
  async read(input) {
    const config = readConfig(input);
    requireNoDemonstration(config);
    const date = dayOfFlag(input.date, '--date');
    // A JSON number, because the text is inserted into the record as it is.
    if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(input.rate)) {
      throw new UsageError(`"${visible(input.rate)}" is not a rate: write 889.5754, with a point.`);
    }
    return { ...input, date, market: await officialNamed(input.market, config) };
  },
  work: (toolbox, wanted) => setRate(wanted, toolbox),
});

export const rateCommands = group('rate', 'set official rates by hand', [setCommand]);
