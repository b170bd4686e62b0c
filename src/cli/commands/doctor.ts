import type { SourceHealth } from '../../app/collecting/source-health.ts';
import type { Store } from '../../app/ports/store.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Config, placeOf } from '../../config.ts';
import type { BankCalendar } from '../../domain/calendar.ts';
import { isStale } from '../../domain/quotes.ts';
import {
  caracasDayOf,
  DAY_MS,
  type Instant,
  isoInstant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../domain/time.ts';

/** Something that was looked at. `broken` means that callers notice, or will. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'broken';
  readonly subject: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function isBroken({ level }: Finding): boolean {
  return level === 'broken';
}

const NEEDED_NODE_MAJOR = 26;

/** No clock is right that stands before the day these lines were written. */
const EARLIEST_NOW = Date.parse('2026-08-01T00:00:00Z');

/** A record further ahead than this was received by a clock that differs from ours. */
const MAX_CLOCK_GAP_MS = 5 * MINUTE_MS;

/** The list of bank holidays should reach at least this far. */
const HOLIDAYS_AHEAD_MS = 30 * DAY_MS;

/** Most accounts whose keys are looked through for a live one. */
const MAX_ACCOUNTS_SEARCHED = 1_000;

/** Examines an installation. It creates nothing. */
export async function examine(config: Config, now: Instant): Promise<readonly Finding[]> {
  const findings: Finding[] = [examineNode(), ...examineClock(now), examineToken(config)];
  const catalogue = await readCatalogue(config, findings);
  const store = await openSound(config, findings);
  if (store === undefined) return findings;
  try {
    const soundness = await store.check();
    findings.push(...examineSoundness(soundness));
    if (soundness.length > 0 || catalogue === undefined) return findings;
    findings.push(...(await examineAccounts(store, catalogue, now)));
    findings.push(...(await examineMarkets(store, catalogue, now)));
    findings.push(...(await examineSources(store, catalogue, config, now)));
    return findings;
  } finally {
    await store.close();
  }
}

function examineNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  const subject = 'node';
  if (major >= NEEDED_NODE_MAJOR) {
    return { level: 'ok', subject, message: `Node ${process.versions.node}.` };
  }
  return {
    level: 'broken',
    subject,
    message: `Node ${process.versions.node} is too old: ${NEEDED_NODE_MAJOR} is needed.`,
    remedy: 'Start vesfx with bin/vesfx.js, which finds the right one.',
  };
}

function examineClock(now: Instant): readonly Finding[] {
  const message = `The clock says ${isoInstant(now)}.`;
  if (now >= EARLIEST_NOW) return [{ level: 'ok', subject: 'clock', message }];
  const remedy = 'Set the clock: it is behind this version of vesfx. Ages and limits depend on it.';
  return [{ level: 'broken', subject: 'clock', message, remedy }];
}

function examineToken({ adminToken }: Config): Finding {
  const subject = 'admin token';
  if (adminToken !== undefined) return { level: 'ok', subject, message: 'An admin token is set.' };
  return {
    level: 'warning',
    subject,
    message: 'No admin token is set: /v1/admin/records and /metrics are closed.',
    remedy: 'Set VESFX_ADMIN_TOKEN if you want them.',
  };
}

async function readCatalogue(config: Config, findings: Finding[]): Promise<Catalogue | undefined> {
  const { CatalogueError, loadCatalogue } = await import('../../catalogue/catalogue.ts');
  try {
    const catalogue = loadCatalogue(config.catalogueDir);
    const [markets, plans] = [catalogue.markets.list.length, catalogue.plans.list.length];
    const message = `The catalogue has ${markets} markets and ${plans} plans.`;
    findings.push({ level: 'ok', subject: 'catalogue', message });
    return catalogue;
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    findings.push({
      level: 'broken',
      subject: 'catalogue',
      message: error.message,
      remedy: 'Mend the file at those lines, or remove it to use the packaged one.',
    });
    return undefined;
  }
}

/** The store, when there is one that can be opened. */
async function openSound(config: Config, findings: Finding[]): Promise<Store | undefined> {
  const subject = 'database';
  const { openStore, storeExists } = await import('../../storage/store.ts');
  try {
    if (await storeExists(config)) return await openStore(config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    findings.push({ level: 'broken', subject, message: error.message });
    return undefined;
  }
  const message = `There is no database in ${placeOf(config)} yet.`;
  const remedy = 'It is made by the first "vesfx serve", "account create" or "import".';
  findings.push({ level: 'warning', subject, message, remedy });
  return undefined;
}

function examineSoundness(damage: readonly string[]): readonly Finding[] {
  const subject = 'database';
  if (damage.length === 0) return [{ level: 'ok', subject, message: 'The database is sound.' }];
  const remedy = 'Stop the service and restore a backup: vesfx restore FILE.';
  return damage.map((message) => ({ level: 'broken', subject, message, remedy }));
}

async function examineAccounts(
  store: Store,
  { plans }: Catalogue,
  now: Instant,
): Promise<readonly Finding[]> {
  const subject = 'accounts';
  const accounts = await store.listAccounts();
  if (accounts.length === 0) {
    const remedy = 'Create one: vesfx account create --name NAME --plan PLAN.';
    return [
      { level: 'warning', subject, message: 'There are no accounts: nobody can call.', remedy },
    ];
  }
  const findings: Finding[] = accounts
    .filter(({ plan }) => plans.find(plan) === undefined)
    .map(({ id, plan }) => ({
      level: 'broken',
      subject,
      message: `The account ${id} is on the plan ${plan}, which the catalogue lacks: the service does not start.`,
      remedy: `Add the plan to plans.json, or run: vesfx account set-plan ${id} PLAN.`,
    }));
  if (await hasLiveKey(store, accounts.slice(0, MAX_ACCOUNTS_SEARCHED), now)) {
    findings.push({ level: 'ok', subject, message: `There are ${accounts.length} accounts.` });
  } else {
    const remedy = 'Create one: vesfx key create ACCOUNT.';
    findings.push({ level: 'warning', subject, message: 'No account has a live key.', remedy });
  }
  return findings;
}

async function hasLiveKey(
  store: Store,
  accounts: readonly { readonly id: string }[],
  now: Instant,
): Promise<boolean> {
  for (const { id } of accounts) {
    const keys = await store.listKeys(id);
    const isLive = keys.some(
      (key) => key.revokedAt === undefined && (key.expiresAt ?? Infinity) > now,
    );
    if (isLive) return true;
  }
  return false;
}

async function examineMarkets(
  store: Store,
  { markets }: Catalogue,
  now: Instant,
): Promise<readonly Finding[]> {
  const { buildSnapshot } = await import('../../app/snapshot.ts');
  const records = await store.currentRecords(caracasDayOf(now));
  const findings: Finding[] = [];
  if (records.fetchedAt !== undefined && records.fetchedAt > now + MAX_CLOCK_GAP_MS) {
    findings.push({
      level: 'broken',
      subject: 'clock',
      message: `The newest records were received at ${isoInstant(records.fetchedAt)}, which is to come.`,
      remedy: 'Set the clock: it is behind, or it was ahead when they were received.',
    });
  }
  const { quotes } = buildSnapshot(records, markets, { now, startedAt: now });
  const quoted = new Set(quotes.map(({ market }) => market.id));
  const missing = markets.list.filter(({ id }) => !quoted.has(id)).map(({ id }) => id);
  const stale = quotes.filter((quote) => isStale(quote, now)).map(({ market }) => market.id);
  const subject = 'markets';
  if (missing.length > 0) {
    const message = `No quote for ${missing.join(', ')}.`;
    const remedy = 'Import records for them, or take them out of markets.json.';
    findings.push({ level: 'warning', subject, message, remedy });
  }
  if (stale.length > 0) {
    const message = `The quote is stale of ${stale.join(', ')}.`;
    findings.push({ level: 'warning', subject, message, remedy: 'Import newer records for them.' });
  }
  const fresh = quotes.length - stale.length;
  if (fresh > 0) {
    const message = `${fresh} of ${markets.list.length} markets have a fresh quote.`;
    findings.push({ level: 'ok', subject, message });
  }
  return findings;
}

async function examineSources(
  store: Store,
  { markets }: Catalogue,
  config: Config,
  now: Instant,
): Promise<readonly Finding[]> {
  const [{ CatalogueError }, { openRules, openSources }, { SourceWatch }] = await Promise.all([
    import('../../catalogue/catalogue.ts'),
    import('../../compose.ts'),
    import('../../app/collecting/source-watch.ts'),
  ]);
  try {
    const rules = openRules(config);
    const sources = await openSources(config, markets);
    const watch = new SourceWatch({ store, sources, markets, ...rules, clock: { now: () => now } });
    const { sources: health, collecting } = await watch.health();
    return [
      ...examineHolidays(rules.calendar, now),
      ...examineCollecting(collecting),
      ...health.flatMap((source) => examineSource(source)),
      ...examineHeld(await store.countHeld()),
    ];
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    const remedy = 'Mend the file at those lines, or remove it to use the packaged one.';
    return [{ level: 'broken', subject: 'catalogue', message: error.message, remedy }];
  }
}

function examineSource({ name, condition, why }: SourceHealth): readonly Finding[] {
  const finding = { subject: `source ${name}`, message: `${name} (${condition}): ${why}` };
  switch (condition) {
    case 'ok':
      return [{ level: 'ok', ...finding }];
    case 'off':
    case 'standby':
    // That nothing is read is told once.
    case 'waiting':
      return [];
    case 'failing':
    case 'late':
      return [{ level: 'warning', ...finding, remedy: `Look at it: vesfx source check ${name}.` }];
    case 'frozen': {
      const remedy = 'Compare it with another source; take it out if it is dead.';
      return [{ level: 'warning', ...finding, remedy }];
    }
    default:
      return condition satisfies never;
  }
}

function examineCollecting(collecting: boolean): readonly Finding[] {
  const subject = 'collector';
  if (collecting) return [{ level: 'ok', subject, message: 'The sources are read.' }];
  const message = 'No process reads the sources.';
  const remedy =
    'Start "vesfx collect", or "vesfx serve" without --no-collect, unless all records are imported.';
  return [{ level: 'warning', subject, message, remedy }];
}

function examineHolidays({ announcedUntil }: BankCalendar, now: Instant): readonly Finding[] {
  const message = `Bank holidays are known until ${announcedUntil}.`;
  const subject = 'calendar';
  if (startOfCaracasDay(announcedUntil) >= now + HOLIDAYS_AHEAD_MS) {
    return [{ level: 'ok', subject, message }];
  }
  const remedy = "Add the regulator's list of the next year to holidays.json.";
  return [{ level: 'warning', subject, message, remedy }];
}

function examineHeld(held: ReadonlyMap<string, number>): readonly Finding[] {
  return [...held].map(([source, records]) => ({
    level: 'warning',
    subject: 'held records',
    message: `${records} of ${source} ${records === 1 ? 'is' : 'are'} held and not published.`,
    remedy: 'Look at them with: vesfx held list.',
  }));
}
