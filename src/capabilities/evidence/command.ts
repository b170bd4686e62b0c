import { hash } from 'node:crypto';
import { evidenceId, parseEvidenceId, quoteDigest } from '../../core/app/evidence.ts';
import type { StoredQuote } from '../../core/app/ports/quotes.ts';
import type { TracedCapture } from '../../core/app/ports/records.ts';
import { databaseCommand } from '../../core/cli/command.ts';
import { instantOf } from '../../core/cli/commands/moment.ts';
import {
  CommandError,
  caracasTime,
  isoTime,
  type LabelledRow,
  labelledText,
  UsageError,
  visible,
} from '../../core/cli/output.ts';
import type { Toolbox } from '../../core/compose.ts';
import { currencyOf, isOfficial, type Market, officialNameOf } from '../../core/domain/markets.ts';
import { didYouMean } from '../../core/domain/near-names.ts';
import { dayOfCapture, shownUnits } from '../../core/domain/redenomination.ts';
import { PUSHED } from '../../core/domain/source-health.ts';
import { caracasDayOf, type Instant, isoInstant } from '../../core/domain/time.ts';

const HELP = `
A market, or a currency of the central bank (USD, EUR, CNY, TRY, RUB), stands for its current figure, or with --at
for its figure at that time. The id of a figure is in "evidence" of /v1/fx/rates/:market?details=true and in what
this command prints.

  vesfx evidence reference --at 2026-11-20
  vesfx evidence CNY --at 2026-11-20
  vesfx evidence binance --at 2026-11-20T21:10:00Z`;

async function publishedId(
  name: string,
  at: Instant | undefined,
  { store, markets, redenominations, thresholds }: Toolbox,
): Promise<string> {
  const official = officialNameOf(name.toUpperCase());
  const market = markets.find(name) ?? markets.find(official);
  // Of a publication only some currencies have a market; the others are stored under their code.
  if (market === undefined && currencyOf(official) === undefined) {
    const hint = didYouMean(markets, name);
    throw new CommandError(
      'resource_not_found',
      `There is no market and no evidence ${visible(name)}.${hint}`,
    );
  }
  const shown =
    at === undefined && market !== undefined
      ? await shownNow(market, { store, markets, redenominations, thresholds })
      : await shownAt(market ?? official, at ?? Date.now(), { store });
  if (shown !== undefined) return evidenceId(shown);
  const when = at === undefined ? 'now; --at names another time' : `at ${isoInstant(at)}`;
  throw new CommandError(
    'resource_not_found',
    `${market?.id ?? official} shows no figure ${when}.`,
  );
}

async function shownNow(
  market: Market,
  {
    store,
    markets,
    ...rules
  }: Pick<Toolbox, 'store' | 'markets' | 'redenominations' | 'thresholds'>,
): Promise<StoredQuote | undefined> {
  const { buildSnapshot } = await import('../../core/app/snapshot.ts');
  const now = Date.now();
  const records = await store.currentRecords(caracasDayOf(now));
  const quote = buildSnapshot(records, markets, { now, startedAt: now, ...rules }).quoteOf(market);
  return records.quotes.find((stored) => quote?.evidence === evidenceId(stored));
}

/** @param market A market, or the code of a currency without one. */
async function shownAt(
  market: Market | string,
  at: Instant,
  { store }: Pick<Toolbox, 'store'>,
): Promise<StoredQuote | undefined> {
  if (typeof market === 'string') return store.officialRateUpTo(market, caracasDayOf(at));
  if (isOfficial(market)) return store.officialRateUpTo(market.id, caracasDayOf(at));
  const [quote] = await store.lastQuotesBefore([market.id], at + 1);
  return quote;
}

async function captureOf(id: string, { store, markets }: Toolbox): Promise<TracedCapture> {
  const key = parseEvidenceId(id);
  const captures =
    key && (await store.capturesAt(markets.find(key.market)?.id ?? key.market, key.capturedAt));
  const capture = captures?.find(({ quote }) => quoteDigest(quote) === key?.digest);
  if (capture !== undefined) return capture;
  throw new CommandError(
    'resource_not_found',
    `There is no evidence ${visible(id)}: it was never stored here, or is thinned by now.`,
  );
}

type ReadBody = Awaited<ReturnType<typeof keptBodies>>[number];

/** The bodies from which a figure was read, each with the reading that still keeps it, if any. */
async function keptBodies(store: Toolbox['store'], { quote, origin }: TracedCapture) {
  if (origin?.provenance === undefined) return [];
  const readAt = quote.observedAt ?? quote.capturedAt;
  const reading = await store.keptReading(origin.source, readAt);
  const digests = new Set(reading?.bodies.map(({ bytes }) => hash('sha256', bytes)));
  return origin.provenance.bodies.map((body) => ({
    ...body,
    keptAt: digests.has(body.digest) ? readAt : undefined,
  }));
}

/** When an official rate was read; when a quote was, if it counts from another instant. */
function otherReading({ observedAt, capturedAt, effectiveDate }: TracedCapture['quote']) {
  return effectiveDate === undefined && observedAt === capturedAt ? undefined : observedAt;
}

function view(
  id: string,
  { quote, batch, line, origin }: TracedCapture,
  bodies: readonly ReadBody[],
) {
  const { market, mid, ask, bid, updatedAt, capturedAt, effectiveDate } = quote;
  return {
    id,
    market,
    mid,
    ask,
    bid,
    effective_date: effectiveDate,
    updated_at: isoInstant(updatedAt),
    captured_at: isoInstant(capturedAt),
    observed_at: isoTime(otherReading(quote)),
    batch,
    line,
    source: origin?.source,
    received_at: isoTime(origin?.receivedAt),
    parser_version: origin?.provenance?.parserVersion,
    bodies: bodies.map(({ url, digest, keptAt }) => ({
      url,
      sha256: digest,
      kept_at: isoTime(keptAt),
    })),
  };
}

function text(
  id: string,
  { quote, batch, line, origin }: TracedCapture,
  bodies: readonly ReadBody[],
  storedMid: number | undefined,
) {
  const { market, mid, ask, bid, updatedAt, capturedAt, effectiveDate } = quote;
  const time = (at: Instant | undefined) =>
    at === undefined ? undefined : `${caracasTime(at)} in Caracas (${isoInstant(at)})`;
  const rows: readonly LabelledRow[] = [
    ['market', market],
    ['mid', mid],
    ['ask', ask],
    ['bid', bid],
    ['stored as', storedMid],
    ['value date', effectiveDate],
    ["source's time", time(updatedAt)],
    ['captured', time(capturedAt)],
    ['read', time(otherReading(quote))],
    ['evidence', id],
    ['batch', `${batch}, place ${line}`],
    ['source', origin?.source ?? 'forgotten with the batch'],
    ['received', time(origin?.receivedAt)],
    ['parser', origin?.provenance && `version ${origin.provenance.parserVersion}`],
  ];
  const bodyRows = bodies.flatMap(({ url, digest, keptAt }): readonly LabelledRow[] => [
    ['body', visible(url)],
    ['', `sha256 ${digest}`],
    ['', keptText(origin?.source, keptAt)],
  ]);
  const pushed = origin?.source === PUSHED ? '\nThe operator pushed it: there is no body.' : '';
  return labelledText([...rows, ...bodyRows], 15) + pushed;
}

function keptText(source: string | undefined, keptAt: Instant | undefined): string {
  if (source === undefined || keptAt === undefined) return 'no longer kept';
  return `kept: vesfx source body ${source} --at ${isoInstant(keptAt)}`;
}

/** `vesfx evidence`: traces a published figure to its batch, source and bodies. */
export const evidenceCommand = databaseCommand({
  name: 'evidence',
  follows: 'source',
  about: 'show the batch, source and body of a published figure',
  arguments: { '<figure>': 'a market, a currency, or the id of a figure' },
  flags: { '--at <time>': 'a day in Caracas, at its end, or an ISO 8601 time; by default now' },
  help: HELP,
  read({ figure, at }) {
    const isId = parseEvidenceId(figure) !== undefined;
    if (isId && at !== undefined) {
      throw new UsageError('--at is only for a market; an id contains its time.');
    }
    return { figure, isId, at: at === undefined ? undefined : instantOf(at, '--at') };
  },
  async work(toolbox, { figure, isId, at }) {
    const id = isId ? figure : await publishedId(figure, at, toolbox);
    const stored = await captureOf(id, toolbox);
    const bodies = await keptBodies(toolbox.store, stored);
    const day = dayOfCapture(stored.quote);
    const units = shownUnits(day, { on: day });
    const quote = toolbox.redenominations.rebasedSides(stored.quote, units);
    const capture = { ...stored, quote };
    const storedMid = quote === stored.quote ? undefined : stored.quote.mid;
    return {
      json: { ...view(id, capture, bodies), stored_mid: storedMid },
      text: text(id, capture, bodies, storedMid),
    };
  },
});
