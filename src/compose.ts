import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Access } from './app/access/access.ts';
import { Accounts } from './app/access/accounts.ts';
import { startKeyRetention } from './app/access/key-retention.ts';
import { ChangePoller } from './app/change-poller.ts';
import { Collector } from './app/collecting/collect.ts';
import { SourceWatch } from './app/collecting/source-watch.ts';
import { Ingest, type Origins } from './app/ingest/ingest.ts';
import { withCurrentIds } from './app/market-names.ts';
import type { Peers } from './app/peers.ts';
import type { AlertDestination } from './app/ports/alerts.ts';
import type { Clock } from './app/ports/clock.ts';
import type { Log } from './app/ports/log.ts';
import type { Fetch, Source } from './app/ports/sources.ts';
import type { Store } from './app/ports/store.ts';
import { rawShownFrom } from './app/prune.ts';
import { QuotaLeases } from './app/quota/quota-leases.ts';
import { UsageDays } from './app/quota/usage-days.ts';
import { SnapshotHolder } from './app/snapshot.ts';
import { loadCatalogue } from './catalogue/catalogue.ts';
import { catalogueChangedAt } from './catalogue/file.ts';
import { loadHolidays } from './catalogue/holidays.ts';
import { loadJudgement } from './catalogue/judgement.ts';
import { loadOrigins } from './catalogue/origins.ts';
import { type Config, ConfigError, version } from './config.ts';
import { type BankCalendar, bankCalendar } from './domain/calendar.ts';
import type { JudgementRule, Thresholds } from './domain/judgement.ts';
import type { Markets } from './domain/markets.ts';
import type { Plans } from './domain/plans.ts';
import { caracasDayOf } from './domain/time.ts';
import { freeBytesIn, permissionsForOthers } from './storage/sqlite/data-folder.ts';
import { openStore } from './storage/store.ts';

/** Longest wait of a command for another process's write lock. */
const COMMAND_LOCK_WAIT_MS = 30_000;
/** Most held records that alerts read. */
const MAX_ALERTED_HELD = 1_000;
/** Longest wait of a request for another process's write lock. */
export const SERVER_LOCK_WAIT_MS = 700;

export const systemClock: Clock = { now: () => Date.now() };

/** The parts that commands use: the store, the rules and the use cases, without a server. */
export interface Toolbox {
  readonly store: Store;
  readonly markets: Markets;
  readonly plans: Plans;
  readonly thresholds: Thresholds;
  readonly judgementRules: readonly JudgementRule[];
  readonly calendar: BankCalendar;
  readonly accounts: Accounts;
  readonly ingest: Ingest;
  /** Returns where a source's figures of a market are first published. */
  readonly originOf: Origins;
}

export async function openToolbox(
  config: Config,
  { clock = systemClock, waitMs = COMMAND_LOCK_WAIT_MS } = {},
): Promise<Toolbox> {
  const { markets, plans } = loadCatalogue(config.catalogueDir);
  const rules = loadRules(config);
  const opened = await openStore({ ...config, waitMs });
  await opened.renameMarkets(markets.list);
  const store = withCurrentIds(markets, opened);
  const originOf = loadOrigins(config.catalogueDir);
  return {
    store,
    markets,
    plans,
    ...rules,
    accounts: new Accounts({ store, plans, clock }),
    ingest: new Ingest({ store, markets, ...rules, originOf, clock }),
    originOf,
  };
}

/** Reads the judgement rules and the bank calendar of the catalogue. */
export function loadRules({
  catalogueDir,
}: Config): Pick<Toolbox, 'thresholds' | 'judgementRules' | 'calendar'> {
  const { thresholds, rules } = loadJudgement(catalogueDir);
  return {
    thresholds,
    judgementRules: rules,
    calendar: bankCalendar(loadHolidays(catalogueDir)),
  };
}

/** Reads the sources. Loaded on demand: the parsers take longer than most commands run. */
export async function loadSources(
  { catalogueDir, allowLoopbackSources: allowLoopback }: Config,
  markets: Markets,
): Promise<readonly Source[]> {
  const [catalogue, { SOURCE_KINDS }] = await Promise.all([
    import('./catalogue/sources.ts'),
    import('./sources/registry.ts'),
  ]);
  return catalogue.loadSources(catalogueDir, { markets, kinds: SOURCE_KINDS, allowLoopback });
}

/** The HTTP client for the sources. */
export interface Upstreams {
  /** Returns the `Fetch` of a source, with its own timeout. */
  fetch(source: Source): Fetch;
  close(): void;
}

/** Creates the HTTP client, which takes a tenth of a start. Only readers of sources load it. */
export async function openUpstreams(
  { contact, allowLoopbackSources: allowLoopback }: Config,
  clock: Clock = systemClock,
): Promise<Upstreams> {
  const [{ createFetcher }, { shippedCertificates }] = await Promise.all([
    import('./sources/client/fetch.ts'),
    import('./sources/client/authorities.ts'),
  ]);
  const fetcher = createFetcher({
    userAgent: `vesfx/${version()}${contact === undefined ? '' : ` (+${contact})`}`,
    clock,
    random: Math.random,
    certificates: shippedCertificates,
    allowLoopback,
  });
  return {
    fetch:
      ({ timeoutMs }) =>
      (request) =>
        fetcher.fetch(request, { timeoutMs }),
    close: () => fetcher.close(),
  };
}

export interface RunningService extends Toolbox {
  /** `http://host:port`, with the actual port. */
  readonly url: string;
  readonly changePoller: ChangePoller;
  /** Finishes requests in progress, returns leased units and closes the store. */
  close(): Promise<void>;
}

/** Creates the collector of a process, with or without a server. */
async function createCollector(
  config: Config,
  toolbox: Toolbox,
  parts: ClockAndLog & {
    readonly sources: readonly Source[];
    readonly watch: SourceWatch;
    readonly onIngested?: () => Promise<void>;
  },
): Promise<{ collector: Collector; upstreams: Upstreams }> {
  const { watch, clock, ...more } = parts;
  const upstreams = await openUpstreams(config, clock);
  const collector = new Collector({
    ...toolbox,
    ...more,
    clock,
    fetch: upstreams.fetch,
    random: Math.random,
    holder: randomUUID(),
    onTurn: (source, outcome) => watch.count(source, outcome),
    ...(!config.keepRaw && { rawShownFrom: (now) => rawShownFrom(toolbox.plans, now) }),
  });
  return { collector, upstreams };
}

interface ClockAndLog {
  readonly clock: Clock;
  readonly log: Log;
}

/** Where alerts for the operator go; none by default. @throws ConfigError */
export async function loadAlertDestinations({
  alerts,
}: Config): Promise<readonly AlertDestination[]> {
  if (alerts === undefined) return [];
  const { AlertAddressError, alertDestinations } = await import('./alerts/destinations.ts');
  try {
    return alertDestinations(alerts);
  } catch (error) {
    if (!(error instanceof AlertAddressError)) throw error;
    throw new ConfigError(`VESFX_ALERTS: ${error.message}`);
  }
}

export function serviceName({ publicUrl }: Config): string {
  return publicUrl ?? hostname();
}

/** Starts the alerts, if the configuration names a destination. @returns what stops them. */
async function startAlerts(
  config: Config,
  { store }: Toolbox,
  { watch, clock, log }: ClockAndLog & { readonly watch: SourceWatch },
): Promise<() => Promise<void>> {
  const destinations = await loadAlertDestinations(config);
  if (destinations.length === 0) return async () => {};
  const { Alerter } = await import('./app/alerts/alerter.ts');
  const alerter = new Alerter({
    store,
    observe: async () => ({
      health: await watch.health(),
      held: await store.listHeld('held', MAX_ALERTED_HELD),
      freeDiskBytes: config.postgres === undefined ? freeBytesIn(config.dataDir) : undefined,
    }),
    destinations,
    clock,
    log,
    service: serviceName(config),
  });
  return alerter.start();
}

/** Warns when other users can read the data folder. An existing folder keeps its permissions. */
function warnOfOpenFolder({ dataDir, postgres }: Config, log: Log): void {
  const permissions = postgres === undefined ? permissionsForOthers(dataDir) : undefined;
  if (permissions === undefined) return;
  log.warn({ dataDir, permissions }, 'other users can read the data folder; run chmod 700 on it');
}

interface RunningCollector {
  /** Whether this process reads the sources now. If not, it waits for the process that does. */
  readonly collects: boolean;
  /** Ends readings in progress, lets another process take over and closes the store. */
  close(): Promise<void>;
}

/** Starts a collector without a server. When processes share a store, only one reads. */
export async function startCollecting(
  config: Config,
  { clock = systemClock, log }: { readonly clock?: Clock; readonly log: Log },
): Promise<RunningCollector> {
  const toolbox = await openToolbox(config, { clock, waitMs: SERVER_LOCK_WAIT_MS });
  warnOfOpenFolder(config, log);
  const sources = await loadSources(config, toolbox.markets);
  const watch = new SourceWatch({ ...toolbox, sources, clock });
  const parts = { sources, watch, clock, log };
  const stopAlerts = await startAlerts(config, toolbox, parts);
  const { collector, upstreams } = await createCollector(config, toolbox, parts);
  await collector.start();
  return {
    get collects() {
      return collector.collects;
    },
    async close() {
      await stopAlerts();
      await collector.stop();
      upstreams.close();
      await toolbox.store.close();
    },
  };
}

export async function startService(
  config: Config,
  options: {
    readonly clock?: Clock;
    readonly log: Log;
    /** The other processes that serve the same port. */
    readonly peers?: Peers | undefined;
  },
): Promise<RunningService> {
  const { clock = systemClock, log, peers } = options;
  const toolbox = await openToolbox(config, { clock, waitMs: SERVER_LOCK_WAIT_MS });
  warnOfOpenFolder(config, log);
  const { store, markets, plans, accounts } = toolbox;
  await accounts.requireKnownPlans();
  const now = clock.now();
  const quotaLeases = new QuotaLeases({ store, clock, log, holder: randomUUID() });
  const usageDays = new UsageDays({ store, clock, log });
  const access = new Access({
    store,
    plans,
    onFirstUse: (accountId) => quotaLeases.learn(accountId),
    onBadKey: (address) => peers?.reportBadKey(address),
  });
  // Read versions before records: a change in between is then read again.
  const versions = await store.versions();
  const records = await store.currentRecords(caracasDayOf(now));
  const snapshots = new SnapshotHolder(markets, records, now);
  const changePoller = new ChangePoller({
    store,
    clock,
    log,
    snapshots,
    access,
    quotaLeases,
    versions,
  });
  // Import here, so that commands without a server do not load it.
  const { startServer } = await import('./http/server/server.ts');
  const sources = await loadSources(config, markets);
  const watch = new SourceWatch({ ...toolbox, sources, clock });
  const parts = { sources, watch, clock, log, onIngested: () => changePoller.poll() };
  const stopAlerts = await startAlerts(config, toolbox, parts);
  const collecting = config.collect ? await createCollector(config, toolbox, parts) : undefined;
  const server = await startServer({
    config,
    clock,
    log,
    services: {
      ...toolbox,
      access,
      quotaLeases,
      usageDays,
      snapshots,
      changePoller,
      watch,
      // The catalogue is read only at the start, so for answers it cannot have changed after that.
      catalogueChangedAt: Math.min(catalogueChangedAt(config.catalogueDir), now),
    },
    peers,
  });
  peers?.join({
    onBadKey: (address) => access.countBadKeyOfPeer(address, clock.now()),
    onAdmitted: (limit, address) => server.countAdmittedOfPeer(limit, address),
    count: () => server.counts(),
  });
  changePoller.start();
  watch.start();
  usageDays.start();
  const stopKeyRetention = startKeyRetention(store, { clock, log });
  // Not awaited: the service answers meanwhile. `start` logs its failures and never rejects.
  void collecting?.collector.start();
  return {
    ...toolbox,
    url: server.url,
    changePoller,
    async close() {
      // Stop collecting first, so that a reading can end while requests do.
      const stopped = collecting?.collector.stop();
      await stopAlerts();
      await server.close();
      collecting?.upstreams.close();
      await stopped;
      changePoller.stop();
      watch.stop();
      await stopKeyRetention();
      await quotaLeases.close().catch((error: unknown) => {
        log.error({ err: error }, 'quota units could not be returned');
      });
      await usageDays.close();
      await store.close();
    },
  };
}
