import { randomUUID } from 'node:crypto';
import { Access } from './app/access/access.ts';
import { Accounts } from './app/access/accounts.ts';
import { KeyUses } from './app/access/key-uses.ts';
import { startRetention } from './app/access/retention.ts';
import { ReadSettings, type Settings } from './app/audit/settings.ts';
import { ChangePoller } from './app/change-poller.ts';
import { ClockWatch } from './app/collecting/clock-watch.ts';
import { Collector } from './app/collecting/collect.ts';
import { loneFigures } from './app/collecting/source-additions.ts';
import { SourceWatch } from './app/collecting/source-watch.ts';
import { withoutStore } from './app/failures.ts';
import { Ingest } from './app/ingest/ingest.ts';
import type { DatabaseWait, Peers } from './app/peers.ts';
import type { Clock } from './app/ports/clock.ts';
import type { Lease } from './app/ports/lease.ts';
import type { Log } from './app/ports/log.ts';
import type { Fetch, Source } from './app/ports/sources.ts';
import { rawKeptFrom } from './app/prune.ts';
import { Quota } from './app/quota/quota.ts';
import { UsageDays } from './app/quota/usage-days.ts';
import { SnapshotHolder } from './app/snapshot.ts';
import { StoreMonitor } from './app/store-monitor.ts';
import { waitLog } from './app/throttled-log.ts';
import { addSourceKinds, type Capability, openJobs, sourceKindsAdded } from './capability.ts';
import { loadCatalogue, loadOrigins } from './catalogue/catalogue.ts';
import { catalogueValues } from './catalogue/catalogue-values.ts';
import { catalogueChangedAt as changedAt } from './catalogue/file.ts';
import { loadHolidays } from './catalogue/holidays.ts';
import { loadJudgement } from './catalogue/judgement.ts';
import { loadRedenominations } from './catalogue/redenominations.ts';
import { type Config, ConfigError, version } from './config.ts';
import { bankCalendar } from './domain/calendar.ts';
import type { Markets } from './domain/markets.ts';
import { plans as plansOf } from './domain/plans.ts';
import { caracasDayOf, SECOND_MS } from './domain/time.ts';
import { Patience } from './storage/patience.ts';
import { permissionsForOthers } from './storage/sqlite/data-folder.ts';
import { type OpenedStore, openStore } from './storage/store.ts';

/** Longest wait of a command for the database. */
const COMMAND_LOCK_WAIT_MS = 30_000;
/** Longest wait of a request for another process's write lock. */
// limit: Wait for the database: request, call of a start, command | 0.7 s, 10 s, 30 s | 503; repeated; fails | START_CALL_WAIT_MS, COMMAND_LOCK_WAIT_MS
export const SERVER_LOCK_WAIT_MS = 700;
/** Longest wait of one call of a start, which no request waits for. */
const START_CALL_WAIT_MS = 10_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The parts that commands use: the store, the rules and the use cases, without a server. */
export type Toolbox = Readonly<Awaited<ReturnType<typeof toolboxOn>>>;

/** @param options `patience`: that of the command, see `commandPatience`; by default a new one. */
export async function openToolbox(
  config: Config,
  {
    clock = systemClock,
    patience = commandPatience(),
  }: { readonly clock?: Clock; readonly patience?: Patience } = {},
): Promise<Toolbox> {
  // Faults of the catalogue are told before a database is made.
  const catalogue = loadAll(config);
  const store = await openStore({ ...config, waitMs: COMMAND_LOCK_WAIT_MS, patience });
  // What the command does is done once.
  patience.end();
  return toolboxOn(store, catalogue, clock);
}

/** How long a command waits for a database that cannot be reached yet. */
export function commandPatience(onFailure: (failure: Error) => void = () => undefined): Patience {
  return new Patience({ forMs: COMMAND_LOCK_WAIT_MS, callMs: COMMAND_LOCK_WAIT_MS, onFailure });
}

function loadAll(config: Config) {
  const { markets, plans: current } = loadCatalogue(config.catalogueDir);
  return { markets, current, rules: loadRules(config), originOf: loadOrigins(config.catalogueDir) };
}

async function toolboxOn(
  store: OpenedStore,
  { markets, current, rules, originOf }: ReturnType<typeof loadAll>,
  clock: Clock,
) {
  const plans = plansOf(current.list, await store.keptPlans());
  return {
    store,
    markets,
    plans,
    ...rules,
    accounts: new Accounts({ store, plans, clock }),
    ingest: new Ingest({ store, markets, ...rules, originOf, clock }),
    /** Returns where a source's figures of a market are first published. */
    originOf,
  };
}

/** Reads the judgement rules, the bank calendar and the redenominations of the catalogue. */
export function loadRules({ catalogueDir }: Config) {
  const { thresholds, rules: judgementRules } = loadJudgement(catalogueDir);
  const calendar = bankCalendar(loadHolidays(catalogueDir));
  const redenominations = loadRedenominations(catalogueDir);
  return { thresholds, judgementRules, calendar, redenominations };
}

/**
 * Reads the sources. Loaded on demand: the parsers take longer than most commands run.
 * @param draft The text of `sources.json` when it is not written yet.
 */
export async function readSources(
  { catalogueDir, allowLoopbackSources: allowLoopback }: Config,
  markets: Markets,
  draft?: string,
): Promise<readonly Source[]> {
  const [catalogue, { SOURCE_KINDS }, added] = await Promise.all([
    import('./catalogue/sources.ts'),
    import('./sources/registry.ts'),
    sourceKindsAdded(),
  ]);
  const kinds = new Map(SOURCE_KINDS);
  for (const [name, kind] of added) {
    if (kinds.has(name))
      throw new ConfigError(`A capability adds ${name}, which is a kind already.`);
    kinds.set(name, kind);
  }
  const options = { markets, kinds, allowLoopback, draft };
  return catalogue.loadSources(catalogueDir, options);
}

/** The HTTP client for the sources. */
export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>;

/** Creates the HTTP client, which takes a tenth of a start. Only readers of sources load it. */
export async function openUpstreams(
  { contact, allowLoopbackSources: allowLoopback }: Config,
  clock: Clock = systemClock,
) {
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
    /** Returns the `Fetch` of a source, with its own timeout. */
    fetch:
      ({ timeoutMs }: Source): Fetch =>
      (request) =>
        fetcher.fetch(request, { timeoutMs }),
    close: () => fetcher.close(),
  };
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

/** What a process keeps when it reads the catalogue again. */
type Lasting = Awaited<ReturnType<typeof openLasting>>;

/**
 * The parts of a process that rest on the catalogue. Reading it again makes others, and then replaces
 * all at once: a request sees one catalogue, and a fault in a file changes nothing.
 */
type Edition = Awaited<ReturnType<typeof openEdition>>;

async function openEdition(config: Config, { opened, clock, log }: Lasting) {
  const toolbox = await toolboxOn(opened, loadAll(config), clock);
  const sources = await readSources(config, toolbox.markets);
  const reasons = sources.flatMap(({ whyOff }) => whyOff ?? []);
  if (reasons.length > 0) log.warn({ reasons }, 'the catalogue switches sources off');
  return { ...toolbox, sources, watch: new SourceWatch({ ...toolbox, sources, clock }) };
}

interface StartOptions {
  /** By default that of the system. */
  readonly clock?: Clock;
  readonly log: Log;
  /** Ends the wait for the database: the start rejects with its reason. */
  readonly signal?: AbortSignal;
  readonly capabilities: readonly Capability[];
}

async function openLasting(
  config: Config,
  { clock = systemClock, log, signal, capabilities }: StartOptions,
  onWait: (wait: DatabaseWait) => void = waitLog(log),
) {
  addSourceKinds(capabilities);
  // Faults of the catalogue are told before a database is made.
  loadAll(config);
  const patience = new Patience({
    forMs: config.databaseWaitMs,
    callMs: START_CALL_WAIT_MS,
    signal,
    onFailure: ({ message }, leftMs) =>
      onWait({ reason: message, leftSec: Math.ceil(leftMs / SECOND_MS) }),
  });
  const opened = await openStore({ ...config, waitMs: SERVER_LOCK_WAIT_MS, patience });
  warnOfOpenFolder(config, log);
  const monitor = new StoreMonitor({ store: opened, clock, log });
  return {
    ...{ opened, patience, monitor, clock, log },
    clockWatch: new ClockWatch({ clock, log }),
    /** Undefined in a process that reads no sources. */
    upstreams: config.collect ? await openUpstreams(config, clock) : undefined,
    /** Identifies the process as a holder of the lease to collect. */
    holder: randomUUID(),
  };
}

/** The collector of an edition; undefined in a process that reads no sources. */
function collectorOf(
  edition: Edition,
  { upstreams, holder, clock, log }: Lasting,
  { keepRaw }: Config,
  onIngested?: () => Promise<void>,
): Collector | undefined {
  if (upstreams === undefined) return undefined;
  return new Collector({
    ...edition,
    fetch: upstreams.fetch,
    random: Math.random,
    ...{ holder, clock, log },
    onIngested,
    onTurn: (source, outcome) => edition.watch.count(source, outcome),
    rawKeptFrom: keepRaw ? undefined : (now) => rawKeptFrom(edition.plans, now),
  });
}

async function reloading(log: Log, apply: () => Promise<void>): Promise<void> {
  try {
    await apply();
    log.info({}, 'the catalogue and the admin token were read again');
  } catch (error) {
    const isFault = error instanceof ConfigError;
    const why = isFault ? { faults: error.message.split('\n') } : { err: error };
    log.error(why, 'the catalogue was not read again: nothing changes');
  }
}

function settingsOf({ catalogueDir, adminToken, metricsToken }: Config): Settings {
  const tokens = { VESFX_ADMIN_TOKEN: adminToken, VESFX_METRICS_TOKEN: metricsToken };
  return { values: catalogueValues(catalogueDir), tokens };
}

/** At the first start the operator learns which figures have one source, and what adds another. */
async function tellLoneFigures({ store, sources }: Edition, lasting: Lasting): Promise<void> {
  const { upstreams, clock, log } = lasting;
  if (upstreams === undefined) return;
  const { fetchedAt } = await store.currentRecords(caracasDayOf(clock.now()));
  if (fetchedAt !== undefined) return;
  for (const { message, remedy } of loneFigures(sources)) log.info({ remedy }, message);
}

/** Accounts keep a plan that the catalogue lacks, and the operator learns of it. */
async function tellLostPlans({ accounts }: Toolbox, log: Log): Promise<void> {
  const lost = await accounts.lostPlans();
  if (lost.length === 0) return;
  log.warn(
    { plans: lost },
    'the catalogue lacks plans of accounts, which keep the limits they had',
  );
}

/** Warns when other users can read the data folder. An existing folder keeps its permissions. */
function warnOfOpenFolder({ dataDir, postgres }: Config, log: Log): void {
  const permissions = postgres === undefined ? permissionsForOthers(dataDir) : undefined;
  if (permissions === undefined) return;
  log.warn({ dataDir, permissions }, 'other users can read the data folder; run chmod 700 on it');
}

/** Starts a collector without a server. When processes share a store, only one reads. */
export async function startCollecting(config: Config, options: StartOptions) {
  const lasting = await openLasting({ ...config, collect: true }, options);
  const { opened, upstreams, monitor, clockWatch, clock, log } = lasting;
  let edition = await openEdition(config, lasting);
  const settings = new ReadSettings(settingsOf(config), { store: opened, clock });
  await tellLoneFigures(edition, lasting);
  let collector = collectorOf(edition, lasting, config);
  const shared = { config, store: opened, monitor, clock, log };
  const parts = { ...shared, edition: () => edition, lease: () => collector?.lease };
  const jobs = await openJobs(options.capabilities, parts);
  const stopMonitor = monitor.start();
  const stopClockWatch = clockWatch.start();
  const stopJobs = jobs.start();
  lasting.patience.end();
  await collector?.start();
  return {
    /** Whether this process reads the sources now. If not, it waits for the process that does. */
    get collects() {
      return collector?.collects === true;
    },
    /** Reads the catalogue again. Never rejects: a fault is logged and changes nothing. */
    reload: (read: () => Config) =>
      reloading(log, async () => {
        const again = read();
        const next = await openEdition({ ...config, catalogueDir: again.catalogueDir }, lasting);
        await settings.replace(settingsOf(again));
        await collector?.stop();
        edition = next;
        collector = collectorOf(edition, lasting, config);
        void collector?.start();
      }),
    /** Ends readings in progress, lets another process take over and closes the store. */
    async close() {
      await stopJobs();
      await stopMonitor();
      await stopClockWatch();
      await collector?.stop();
      upstreams?.close();
      await opened.close();
    },
  };
}

export async function startService(
  config: Config,
  options: StartOptions & {
    /** The other processes that serve the same port. */
    readonly peers?: Peers | undefined;
    /** That of whoever brings the figures when this process reads no sources, such as a demonstration. */
    readonly lease?: () => Lease | undefined;
    /** Nothing of a capability acts by itself. */
    readonly isIdle?: true;
  },
) {
  const { peers } = options;
  const lasting = await openLasting(config, options, peers && ((wait) => peers.reportWait(wait)));
  const { opened, upstreams, monitor, clockWatch, clock, log } = lasting;
  const quota = new Quota({ store: opened, clock, log });
  const usageDays = new UsageDays({ store: opened, clock, log });
  const keyUses = new KeyUses({ store: opened, log });

  const edition = () => serving.services;
  const lease = () => serving.collector?.lease ?? options.lease?.();
  const parts = { config, store: opened, monitor, clock, log, edition, lease };
  const jobs = await openJobs(options.capabilities, parts, (capability, text) =>
    peers?.tell(capability, text),
  );
  const { addMetrics } = jobs;

  /** All that answers by one catalogue. */
  const openServing = async ({ catalogueDir }: Config) => {
    const edition = await openEdition({ ...config, catalogueDir }, lasting);
    const { store, plans } = edition;
    await opened.keepPlans(plans.kept);
    await tellLostPlans(edition, log);
    const access = new Access({
      store,
      plans,
      isDemonstration: config.notice !== undefined,
      onFirstUse: (accountId) => quota.learn(accountId),
      onBadKey: (address) => peers?.reportBadKey(address),
    });
    const now = clock.now();
    // Read versions before records: a change in between is then read again.
    const versions = await store.versions();
    const records = await store.currentRecords(caracasDayOf(now));
    const snapshots = new SnapshotHolder(edition, records, now);
    const polled = { store, clock, log, snapshots, access, quota, monitor, versions };
    const changePoller = new ChangePoller(polled);
    const collector = collectorOf(edition, lasting, config, () => changePoller.poll());
    // For answers the catalogue cannot have changed after it was read.
    const catalogueChangedAt = Math.min(changedAt(catalogueDir), now);
    const { notice } = config;
    const own = { access, snapshots, changePoller, addMetrics, notice, catalogueChangedAt };
    return {
      services: { ...edition, ...own, quota, usageDays, keyUses, monitor, clockWatch },
      collector,
      start() {
        changePoller.start();
        edition.watch.start();
        // Not awaited: the service answers meanwhile. `start` logs its failures and never rejects.
        void collector?.start();
      },
      stop() {
        changePoller.stop();
        edition.watch.stop();
      },
    };
  };

  let serving = await openServing(config);
  const settings = new ReadSettings(settingsOf(config), { store: opened, clock });
  // Import here, so that commands without a server do not load it.
  const { startServer } = await import('./http/serving/server.ts');
  const { services } = serving;
  const serve = await jobs.serve();
  const server = await startServer({ config, clock, log, services, serve, peers });
  peers?.join({
    onBadKey: (address) => serving.services.access.countBadKeyOfPeer(address, clock.now()),
    onAdmitted: (limit, address) => server.countAdmittedOfPeer(limit, address),
    onTold: jobs.toldByPeer,
    count: () => server.counts(),
  });
  const stopMonitor = monitor.start();
  const stopClockWatch = clockWatch.start();
  const stopJobs = options.isIdle === true ? undefined : jobs.start();
  await withoutStore(tellLoneFigures(services, lasting), undefined);
  lasting.patience.end();
  serving.start();
  usageDays.start();
  keyUses.start();
  const stopRetention = startRetention(opened, { clock, log });
  return {
    ...services,
    /** `http://host:port`, with the actual port. */
    url: server.url,
    endpoints: server.endpoints,
    /** Reads catalogue and admin token again. Never rejects: a fault is logged and changes nothing. */
    reload: (read: () => Config) =>
      reloading(log, async () => {
        const again = read();
        const { adminToken, metricsToken } = again;
        const next = await openServing(again);
        await settings.replace(settingsOf(again));
        server.use({ config: { ...config, adminToken, metricsToken }, services: next.services });
        const previous = serving;
        serving = next;
        previous.stop();
        await previous.collector?.stop();
        next.start();
      }),
    /** Finishes requests in progress, gives units back and closes the store. */
    async close() {
      // What jobs record last rests on the lease, which ends with collecting.
      await stopJobs?.();
      // A reading can end while requests do.
      const stopped = serving.collector?.stop();
      await server.close();
      await jobs.close();
      upstreams?.close();
      await stopped;
      await stopMonitor();
      await stopClockWatch();
      serving.stop();
      await stopRetention();
      await quota.close().catch((error: unknown) => {
        log.error({ err: error }, 'quota units could not be given back');
      });
      await usageDays.close();
      await keyUses.close();
      await opened.close();
    },
  };
}
