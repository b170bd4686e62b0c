import type { IngestCounts } from '../../app/ingest/batch.ts';
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

A rate of before 1 October 2021 is in the bolívar of that day, as archives convert it. With --unit day it is
in the bolívar of its own day, as the bank published it then.

  vesfx rate set reference 772.5441 --date 2026-11-24
  vesfx rate set eur_reference 1012.34 --date 2026-11-24
  vesfx rate set reference 77893.4605 --date 2020-03-30 --unit day`;

/** A rate in the other unit must not be forced: it would be wrong by a factor of a million. */
const IN_OTHER_UNIT = {
  day: 'Leave out --unit day for a rate in the bolívar of 1 October 2021.',
  stored: 'If it is the rate as the bank published it then, set it with --unit day.',
};

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

function unitNamed(name: string | undefined): 'day' | undefined {
  if (name === undefined || name === 'day') return name;
  throw new UsageError('--unit must be day.');
}

interface WantedRate {
  readonly market: Market;
  /** The typed text, so that its digits are counted as written. */
  readonly rate: string;
  readonly date: CaracasDay;
  /** The rate is in the bolívar of its own day. */
  readonly unit?: 'day' | undefined;
  readonly dryRun: boolean;
  readonly force: boolean;
}

async function setRate(wanted: WantedRate, { ingest, store }: Toolbox): Promise<Result> {
  const { market, rate, date, unit, dryRun, force } = wanted;
  const record = JSON.stringify({
    kind: 'quote',
    market: market.id,
    effective_date: date,
    updated_at: isoInstant(startOfCaracasDay(date)),
    captured_at: isoInstant(Date.now()),
    unit,
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
    tell({ bad, held }) {
      problem ??= bad?.reason;
      doubts = held?.map(({ message }) => message) ?? doubts;
      isInOtherUnit ||= held?.some(({ reason }) => reason === 'other_unit') ?? false;
    },
  });
  if (problem !== undefined) throw new UsageError(`The rate is refused: ${visible(problem)}.`);
  const isHeld = counts.held > 0;
  const json = {
    ...{ market: market.id, rate: Number(rate), unit, value_date: date, ...counts },
    doubts: isHeld ? doubts : undefined,
    dry_run: dryRun || undefined,
  };
  const hints = isHeld
    ? [
        visible(`In doubt: ${doubts.join('; ')}.`),
        isInOtherUnit
          ? IN_OTHER_UNIT[unit ?? 'stored']
          : 'If you have checked it, set it with --force.',
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
    '<rate>': 'VES per unit, as published: 772.5441',
  },
  flags: {
    '--date <day>': { about: 'value date, a day in Caracas: YYYY-MM-DD', isRequired: true },
    '--unit <unit>': 'day: the rate is in the bolívar of its own day, of before 1 October 2021',
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
      throw new UsageError(`"${visible(input.rate)}" is not a rate: write 772.5441, with a point.`);
    }
    const unit = unitNamed(input.unit);
    return { ...input, date, unit, market: await officialNamed(input.market, config) };
  },
  work: (toolbox, wanted) => setRate(wanted, toolbox),
});

export const rateCommands = group('rate', 'set official rates by hand', [setCommand]);
