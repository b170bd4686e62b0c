import { loneFigures } from '../../core/app/collecting/source-additions.ts';
import { StoreUnavailable, type WriteFailure } from '../../core/app/failures.ts';
import type { Store } from '../../core/app/ports/store.ts';
import type { ServiceState } from '../../core/app/service-state.ts';
import type { Capability } from '../../core/capability.ts';
import { type Catalogue, CatalogueError, loadCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadRules, readSources } from '../../core/compose.ts';
import { type Config, placeOf } from '../../core/config.ts';
import { plans } from '../../core/domain/plans.ts';
import type { CaracasDay, Instant } from '../../core/domain/time.ts';
import { type OpenedStore, openStore, storeExists } from '../../core/storage/store.ts';
import { examineAccounts } from './accounts.ts';
import { examineFigures } from './figures.ts';
import { broken, catalogueFault, type Finding, ok } from './finding.ts';
import { examineMachine } from './machine.ts';
import { type DryRun, dryRun } from './redenomination.ts';

/**
 * Examines an installation. It creates nothing.
 * @returns The state as in `/v1/status` too, unless the figures could not be read.
 */
export async function examine(
  config: Config,
  now: Instant,
  capabilities: readonly Capability[] = [],
): Promise<{ readonly findings: readonly Finding[]; readonly state?: ServiceState }> {
  const findings: Finding[] = [...examineMachine(config, now)];
  const catalogue = await readOrReport(findings, config, () => loadCatalogue(config.catalogueDir));
  const collecting = catalogue && (await readCollecting(findings, config, catalogue));
  if (collecting !== undefined) {
    const counts = [catalogue?.markets.list.length, catalogue?.plans.list.length];
    findings.push(
      ok('catalogue', `The catalogue has ${counts[0]} markets and ${counts[1]} plans.`),
    );
    const lone = loneFigures(collecting.sources);
    findings.push(
      ...lone.map((figure) => ({ level: 'ok', subject: 'sources', ...figure }) as const),
    );
  }
  const store = await openSound(config, findings);
  if (store === undefined) return { findings };
  try {
    findings.push(...(await examineWriting(store)));
    const damage = await store.check();
    const remedy = 'Stop the service and restore a backup: vesfx restore FILE.';
    findings.push(...damage.map((message) => broken('database', message, remedy)));
    if (damage.length === 0) findings.push(ok('database', 'The database is sound.'));
    if (damage.length > 0 || catalogue === undefined) return { findings };
    const allPlans = plans(catalogue.plans.list, await store.keptPlans());
    findings.push(...(await examineAccounts(store, allPlans, now)));
    for (const { examine: more } of capabilities)
      findings.push(...((await more?.(config, store, allPlans)) ?? []));
    if (collecting === undefined) return { findings };
    const figures = await examineFigures(store, collecting, now);
    return { ...figures, findings: [...findings, ...figures.findings] };
  } finally {
    await store.close();
  }
}

/** What becomes of the installation up to a day, by its redenominations. Writes nothing. */
export async function examineUntil(
  day: CaracasDay,
  config: Config,
  now: Instant,
): Promise<Partial<DryRun> & Pick<DryRun, 'findings'>> {
  const findings: Finding[] = [];
  const catalogue = await readOrReport(findings, config, () => loadCatalogue(config.catalogueDir));
  const collecting = catalogue && (await readCollecting(findings, config, catalogue));
  const store = await openSound(config, findings);
  if (store === undefined) return { findings };
  try {
    if (collecting === undefined) return { findings };
    return await dryRun(day, { ...collecting, store, now });
  } finally {
    await store.close();
  }
}

function readCollecting(findings: Finding[], config: Config, { markets }: Catalogue) {
  return readOrReport(findings, config, async () => ({
    markets,
    ...loadRules(config),
    sources: await readSources(config, markets),
  }));
}

async function readOrReport<Value>(
  findings: Finding[],
  { catalogueDir }: Config,
  read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    findings.push(catalogueFault(error, catalogueDir));
    return undefined;
  }
}

async function openSound(config: Config, findings: Finding[]): Promise<OpenedStore | undefined> {
  try {
    if (await storeExists(config)) return await openStore(config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    findings.push(unusable(error));
    return undefined;
  }
  // Broken, because a mistyped folder must not look healthy to a monitor.
  const message = `There is no vesfx database in ${placeOf(config)}.`;
  const remedy =
    (config.postgres === undefined
      ? 'Name its folder with --data or VESFX_DATA. '
      : 'Look at VESFX_DATABASE_URL. ') +
    'A new one is made by the first "vesfx serve", "account create" or "import".';
  findings.push(broken('database', message, remedy));
  return undefined;
}

const UNWRITABLE: Readonly<Record<WriteFailure, readonly [message: string, remedy: string]>> = {
  read_only: [
    'The database is read-only',
    'Make its disk and files writable; with PostgreSQL, connect to the primary, not to a standby.',
  ],
  disk_full: [
    'The disk of the database is full',
    'Free some space. Never delete vesfx.db-wal or vesfx.db-shm.',
  ],
};

function unusable(error: Error): Finding {
  const failure = error instanceof StoreUnavailable ? error.writeFailure : undefined;
  if (failure === undefined)
    return { level: 'broken', subject: 'database', message: error.message };
  const [message, remedy] = UNWRITABLE[failure];
  return broken('database', `${message}. ${error.message}`, remedy);
}

/** Opening alone does not notice a full disk. */
async function examineWriting(store: Store): Promise<readonly Finding[]> {
  try {
    await store.tryWrite({ really: true });
    return [];
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // A database that is only locked can be written later.
    return error.writeFailure === undefined ? [] : [unusable(error)];
  }
}
