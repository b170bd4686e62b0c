import { OFFICIAL_EUR, OFFICIAL_USD } from '../domain/markets.ts';
import { isStale, type Quote, staleFrom } from '../domain/quotes.ts';
import { isFailing, OFFICIAL_KIND, PUSHED, type SourceHealth } from '../domain/source-health.ts';
import type { ServiceStateName, StateReasonName } from '../domain/state-names.ts';
import type { Instant } from '../domain/time.ts';
import type { SourcesHealth } from './collecting/source-health.ts';
import type { KnownHealth } from './collecting/source-watch.ts';
import type { Snapshot } from './snapshot.ts';
import type { DatabaseCondition } from './store-monitor.ts';

/** With one of these reasons no published figure is reliable. The others affect some figures. */
const FAILING: readonly StateReasonName[] = ['no_figures', 'official_stale', 'all_quotes_stale'];

export interface StateReason {
  readonly name: StateReasonName;
  readonly since?: Instant;
  readonly markets?: readonly string[];
  readonly sources?: readonly string[];
  readonly count?: number;
}

/** How reliable the published figures are, and why. */
export interface ServiceState {
  readonly status: ServiceStateName;
  /** In the order of `STATE_REASONS`; empty when all is well. */
  readonly reasons: readonly StateReason[];
}

interface StateFacts {
  readonly snapshot: Pick<Snapshot, 'quotes' | 'dropped'>;
  /** The health of the sources; undefined while the store has never answered. */
  readonly known: KnownHealth | undefined;
  /** What this process knows of the database. */
  readonly database: DatabaseCondition;
  readonly now: Instant;
}

/** The state of the service. It is the same in every process, whichever reads the sources. */
export function serviceState(facts: StateFacts): ServiceState {
  const reasons = [...figureReasons(facts), ...sourceReasons(facts), ...storeReasons(facts)];
  const isUseless = reasons.some(({ name }) => FAILING.includes(name));
  const status = isUseless ? 'failing' : reasons.length > 0 ? 'degraded' : 'ok';
  return { status, reasons };
}

/** `known.at` is the time of the store's last answer. */
function storeReasons({ known, database }: StateFacts): readonly StateReason[] {
  if (!known?.isCurrent) return [{ name: 'database_unavailable', since: known?.at }];
  if (database.state === 'ok' || database.state === 'unavailable') return [];
  return [{ name: 'database_not_writable', since: database.since }];
}

function figureReasons({ snapshot, known, now }: StateFacts): StateReason[] {
  const { quotes } = snapshot;
  const health = known?.health;
  const missed = health?.publicationsMissed;
  const overdue: readonly StateReason[] =
    missed === undefined
      ? []
      : [{ name: 'publications_missed', since: missed.since, count: missed.count }];
  const missing = missingReasons(snapshot, health);
  if (quotes.length === 0) return [{ name: 'no_figures' }, ...overdue, ...missing];
  const reasons: StateReason[] = [];
  const stale = quotes.filter((quote) => isStale(quote, now));
  const official = quotes.find(({ market }) => market.id === OFFICIAL_USD);
  if (official !== undefined && stale.includes(official)) {
    reasons.push({ name: 'official_stale', ...aboutQuotes([official]) });
  }
  if (stale.length === quotes.length) {
    reasons.push({ name: 'all_quotes_stale', ...aboutQuotes(stale) });
  }
  if (official === undefined) reasons.push({ name: 'official_missing', markets: [OFFICIAL_USD] });
  reasons.push(...overdue);
  if (stale.length > 0 && stale.length < quotes.length) {
    reasons.push({ name: 'quotes_stale', ...aboutQuotes(stale) });
  }
  return [...reasons, ...missing];
}

function aboutQuotes(quotes: readonly Quote[]): Pick<StateReason, 'since' | 'markets'> {
  return {
    since: Math.min(...quotes.map(staleFrom)),
    markets: quotes.map(({ market }) => market.id),
  };
}

/**
 * Markets without a quote that should have one: the quote became too old, or a source that is read
 * lists the market. Other markets are not expected to have one.
 */
function missingReasons(
  { quotes, dropped }: Pick<Snapshot, 'quotes' | 'dropped'>,
  health: SourcesHealth | undefined,
): readonly StateReason[] {
  const sources = health?.sources ?? [];
  const off = sources.filter(({ enabled }) => !enabled).map(({ name }) => name);
  const gone = dropped.filter(({ source }) => source === undefined || !off.includes(source));
  const quoted = new Set(quotes.map(({ market }) => market.id));
  // `official_missing` says it of the dollar, unless nothing else has a quote either.
  const official = quotes.length === 0 ? [OFFICIAL_USD, OFFICIAL_EUR] : [OFFICIAL_EUR];
  const expected = sources
    .filter(isRead)
    .flatMap(({ kind, markets }) => (kind === OFFICIAL_KIND ? official : markets));
  const names = [...gone.map(({ market }) => market.id), ...expected];
  const markets = [...new Set(names)].filter((market) => !quoted.has(market));
  if (markets.length === 0) return [];
  const since = gone.map(staleFrom);
  return [
    { name: 'quotes_missing', since: since.length > 0 ? Math.min(...since) : undefined, markets },
  ];
}

/** Whether it is a source of the catalogue that has been read at least once. */
function isRead({ name, condition }: SourceHealth): boolean {
  return name !== PUSHED && !['off', 'standby', 'waiting'].includes(condition);
}

function sourceReasons({ known }: StateFacts): readonly StateReason[] {
  if (known === undefined) return [];
  const { sources, stoppedSince } = known.health;
  const read = sources.filter((source) => isRead(source) || isFailing(source));
  const failing = read.filter(isFailing);
  const frozen = sources.filter(({ condition }) => condition === 'frozen');
  const reasons: StateReason[] = [];
  if (failing.length > 0) {
    const name = failing.length === read.length ? 'all_sources_failing' : 'sources_failing';
    reasons.push({ name, ...aboutSources(failing, name) });
  }
  if (frozen.length > 0) {
    reasons.push({ name: 'sources_frozen', sources: frozen.map(({ name }) => name) });
  }
  if (stoppedSince !== undefined) reasons.push({ name: 'collecting_stopped', since: stoppedSince });
  return reasons;
}

/**
 * `since` is a last success, if every source had one: the oldest of them, or the newest where all
 * fail, because until then one still worked.
 */
function aboutSources(
  failing: readonly SourceHealth[],
  reason: 'all_sources_failing' | 'sources_failing',
): Pick<StateReason, 'since' | 'sources'> {
  const good = failing.flatMap(({ lastSuccessAt }) => lastSuccessAt ?? []);
  const began = reason === 'all_sources_failing' ? Math.max : Math.min;
  const since = good.length < failing.length ? undefined : began(...good);
  return { since, sources: failing.map(({ name }) => name) };
}
