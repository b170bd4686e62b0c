import type { SourcesHealth } from '../../core/app/collecting/source-health.ts';
import { SourceWatch } from '../../core/app/collecting/source-watch.ts';
import type { Source } from '../../core/app/ports/sources.ts';
import type { Store } from '../../core/app/ports/store.ts';
import { type ServiceState, serviceState } from '../../core/app/service-state.ts';
import { buildSnapshot, type Snapshot } from '../../core/app/snapshot.ts';
import type { BankCalendar } from '../../core/domain/calendar.ts';
import type { CatalogueRules } from '../../core/domain/judgement.ts';
import type { Markets } from '../../core/domain/markets.ts';
import { isStale } from '../../core/domain/quotes.ts';
import type { Redenominations } from '../../core/domain/redenomination.ts';
import { PUSHED, type SourceHealth } from '../../core/domain/source-health.ts';
import {
  caracasDayOf,
  DAY_MS,
  type Instant,
  isoInstant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';
import { broken, type Finding, ok, warning } from './finding.ts';
import { reasonFinding } from './reasons.ts';

/** A record received further in the future shows that the clocks differ. */
// limit: `vesfx doctor`: newest batch ahead of the clock | 5 minutes | broken
const MAX_CLOCK_GAP_MS = 5 * MINUTE_MS;

/** `examine.ts` has tried a write and reports by itself when it failed. */
const WRITABLE = { state: 'ok', since: 0 } as const;

const COMPARE_SOURCE = 'Compare it with another source; take it out if it is dead.';

/** The announced bank holidays should reach at least this far ahead. */
const HOLIDAYS_AHEAD_MS = 30 * DAY_MS;

export async function examineFigures(
  store: Store,
  catalogue: CatalogueRules & {
    readonly sources: readonly Source[];
    readonly redenominations: Redenominations;
  },
  now: Instant,
): Promise<{ readonly state: ServiceState; readonly findings: readonly Finding[] }> {
  const { markets, calendar, redenominations, thresholds } = catalogue;
  const records = await store.currentRecords(caracasDayOf(now));
  const snapshot = buildSnapshot(records, markets, {
    now,
    startedAt: now,
    redenominations,
    thresholds,
  });
  const watch = new SourceWatch({ store, ...catalogue, clock: { now: () => now } });
  const health = await watch.health();
  const state = serviceState({
    snapshot,
    known: { health, at: now, isCurrent: true },
    database: WRITABLE,
    now,
  });
  const isNew = records.fetchedAt === undefined;
  const findings = [
    ...examineReceived(records.fetchedAt, now),
    ...state.reasons.map((reason) => reasonFinding(reason, { isNew })),
    ...examineMarkets(snapshot, state, markets, now),
    ...examineHolidays(calendar, now),
    ...examineCollecting(health),
    ...health.sources.flatMap(examineSource),
    ...examineHeld(await store.countHeld()),
  ];
  return { state, findings };
}

function examineReceived(fetchedAt: Instant | undefined, now: Instant): readonly Finding[] {
  if (fetchedAt === undefined || fetchedAt <= now + MAX_CLOCK_GAP_MS) return [];
  const message = `The newest records were received at ${isoInstant(fetchedAt)}, which is to come.`;
  const remedy = 'Set the clock: it is behind, or it was ahead when they were received.';
  return [broken('clock', message, remedy)];
}

function examineMarkets(
  { quotes }: Snapshot,
  { reasons }: ServiceState,
  { list }: Markets,
  now: Instant,
): readonly Finding[] {
  const ids = list.map(({ id }) => id);
  const quoted = new Set(quotes.map(({ market }) => market.id));
  const reported = new Set(reasons.flatMap(({ markets = [] }) => markets));
  const missing = ids.filter((id) => !quoted.has(id) && !reported.has(id));
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const message = `No quote for ${missing.join(', ')}.`;
    const remedy = 'Import records for them, or take them out of markets.json.';
    findings.push(warning('markets', message, remedy));
  }
  const fresh = quotes.filter((quote) => !isStale(quote, now)).length;
  if (fresh === 0) return findings;
  return [...findings, ok('markets', `${fresh} of ${ids.length} markets have a fresh quote.`)];
}

function examineCollecting({ collecting, stoppedSince }: SourcesHealth): readonly Finding[] {
  // The reason `collecting_stopped` already reports sources that are no longer read.
  if (stoppedSince !== undefined) return [];
  if (collecting) return [ok('collector', 'The sources are read.')];
  const remedy =
    'Start "vesfx collect", or "vesfx serve" without --no-collect, unless all records are imported.';
  return [warning('collector', 'No process reads the sources.', remedy)];
}

function examineHolidays({ announcedUntil }: BankCalendar, now: Instant): readonly Finding[] {
  const message = `Bank holidays are known until ${announcedUntil}.`;
  const subject = 'calendar';
  if (startOfCaracasDay(announcedUntil) >= now + HOLIDAYS_AHEAD_MS) return [ok(subject, message)];
  const remedy = "Add the regulator's list of the next year to holidays.json.";
  return [warning(subject, message, remedy)];
}

function examineHeld(held: ReadonlyMap<string, number>): readonly Finding[] {
  return [...held].map(([source, records]) => {
    const message = `${records} of ${source} ${records === 1 ? 'is' : 'are'} held and not published.`;
    return warning('held records', message, 'Look at them with: vesfx held list.');
  });
}

function examineSource({ name, condition, why }: SourceHealth): readonly Finding[] {
  const [subject, message] = [`source ${name}`, `${name} (${condition}): ${why}`];
  // The reason `publications_missed` already says what the operator should push.
  if (name === PUSHED && condition === 'late') return [];
  switch (condition) {
    case 'ok':
      return [ok(subject, message)];
    case 'off':
    case 'standby':
    // Another finding reports that no source is read.
    case 'waiting':
      return [];
    case 'failing':
    case 'incomplete':
    case 'late':
      return [warning(subject, message, `Look at it: vesfx source check ${name}.`)];
    case 'frozen':
      return [warning(subject, message, COMPARE_SOURCE)];
    default:
      return condition satisfies never;
  }
}
