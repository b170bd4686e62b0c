import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ingest } from '../src/core/app/ingest/ingest.ts';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { loadCatalogue, loadOrigins } from '../src/core/catalogue/catalogue.ts';
import { loadHolidays } from '../src/core/catalogue/holidays.ts';
import { loadJudgement } from '../src/core/catalogue/judgement.ts';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import { bankCalendar } from '../src/core/domain/calendar.ts';
import { isOfficial } from '../src/core/domain/markets.ts';
import { NO_REDENOMINATIONS } from '../src/core/domain/redenomination.ts';
import { DAY_MS, type Instant, isoInstant, MINUTE_MS } from '../src/core/domain/time.ts';
import { openStore } from '../src/core/storage/store.ts';

/**
 * Measures judgement on a database with some days of quotes of every market, one a minute: a batch of
 * all markets, one that comes ten seconds late, and one that comes an hour late.
 *
 *   node bench/judgement.ts [--days 365] [--rounds 100]
 */

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const days = option('--days', 365);
const rounds = option('--rounds', 100);

const { markets } = loadCatalogue(PACKAGED_CATALOGUE);
const { thresholds } = loadJudgement(PACKAGED_CATALOGUE);
const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));
const names = markets.list.filter((market) => !isOfficial(market)).map(({ id }) => id);
const dataDir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const store = await openStore({ dataDir });
const START = Date.parse('2026-11-20T12:00:00Z');
let now: Instant = START - days * DAY_MS;
const ingest = new Ingest({
  ...{ store, markets, thresholds, calendar, clock: { now: () => now } },
  redenominations: NO_REDENOMINATIONS,
  originOf: loadOrigins(PACKAGED_CATALOGUE),
});

const figure = (at: Instant, place: number) =>
  1_000 + 20 * Math.sin(at / (6 * 60 * MINUTE_MS)) + 3 * Math.sin(at / MINUTE_MS + place);

function* quotes(at: Instant, of = names): Iterable<string> {
  for (const [place, market] of of.entries()) {
    const mid = Number(figure(at, place).toFixed(2));
    const times = { updated_at: isoInstant(at), captured_at: isoInstant(at) };
    yield JSON.stringify({ kind: 'quote', market, mid, ...times });
  }
}

function* history(from: Instant): Iterable<string> {
  yield JSON.stringify({
    kind: 'official',
    ...{ value_date: '2024-01-02', rates: { USD: 800, EUR: 900 } },
    captured_at: isoInstant(from),
  });
  for (let at = from; at < START; at += MINUTE_MS) yield* quotes(at);
}

// It is read after the clock has gone on.
const lines = recordsIn(history(now));
now = START;
await ingest.ingest(lines, { source: 'operator', trust: true });

/** @returns the median and the longest, in milliseconds. */
async function timed(name: string, source: string, lateMs: number): Promise<void> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    now += MINUTE_MS;
    // What it is late after.
    await ingest.ingest(recordsIn(quotes(now)), { source: 'collector' });
    const begun = performance.now();
    if (lateMs === 0) now += MINUTE_MS;
    const at = now - lateMs;
    const counts = await ingest.ingest(recordsIn(quotes(at)), { source });
    took.push(performance.now() - begun);
    if (counts.accepted + counts.duplicate !== names.length)
      throw new Error(`${name}: ${JSON.stringify(counts)}`);
  }
  took.sort((a, b) => a - b);
  const figures = [took[rounds >> 1], took.at(-1)].map((ms = 0) => ms.toFixed(1));
  console.log(`| ${name} | ${figures.join(' | ')} |`);
}

console.log(`${names.length} markets, ${days} days of one quote a minute each.\n`);
console.log('| A batch of all markets | Median, ms | Longest, ms |');
console.log('| - | - | - |');
await timed('in its order', 'collector', 0);
await timed('ten seconds late', 'pushed', 10_000);
await timed('an hour late', 'pushed', 60 * MINUTE_MS);
await store.close();
await rm(dataDir, { recursive: true, force: true });
