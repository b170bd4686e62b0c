import { z } from 'zod';
import type { ThreadedKind } from '../app/ports/source-kinds.ts';
import type { Fetch, Source, UpstreamBody } from '../app/ports/sources.ts';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { isJsonObject } from '../domain/exact-json.ts';
import type { Markets } from '../domain/markets.ts';
import { nearMarkets } from '../domain/near-names.ts';
import { FIRST_STORED_UNIT, type Redenominations, storedUnitAt } from '../domain/redenomination.ts';
import { type Instant, SECOND_MS } from '../domain/time.ts';
import { checked, faultsOf } from './faults.ts';
import { CatalogueError, type CatalogueFile, type Fault, readCatalogueFile } from './file.ts';
import { loadRedenominations } from './redenominations.ts';
import { type CommonRow, commonRow, outline } from './source-columns.ts';

// limit: Sources | 100 | not started
export const MAX_SOURCES = 100;
export const SOURCES_FILE = 'sources.json';

interface SourcesOptions {
  readonly markets: Markets;
  /** Kinds by the name in an entry's `kind` column. */
  readonly kinds: ReadonlyMap<string, ThreadedKind>;
  /** Allows addresses of this machine, also without TLS. For tests. */
  readonly allowLoopback?: boolean;
  /** The text of the file when it is not written yet. */
  readonly draft?: string | undefined;
}

/**
 * Reads `sources.json` of a folder, or the packaged one when the folder has none. Keeps its order.
 * @throws CatalogueError naming file, line and fault.
 */
export function loadSources(folder: string, options: SourcesOptions): readonly Source[] {
  const file = readCatalogueFile(folder, SOURCES_FILE, options.draft);
  const redenominations = loadRedenominations(folder);
  const whole = z
    .array(z.unknown(), 'must be a list of sources')
    .max(MAX_SOURCES, `must have at most ${MAX_SOURCES} sources`);
  const { kinds, allowLoopback = false } = options;
  const row = commonRow({ kinds: [...kinds.keys()], allowLoopback });
  const faults: Fault[] = [];
  const entries: Entry[] = [];
  checked(file, whole).forEach((value, position) => {
    const named = outline.parse(value);
    const kind = kinds.get(named.kind ?? '');
    if (kind === undefined && isShipped(named)) return;
    const subject = { path: [position], label: named.name ?? `entry ${position + 1}`, value };
    const [common, own] = partedColumns(value, (column) => Object.hasOwn(row.shape, column));
    const result = row.safeParse(common);
    const feed = kind?.feed.safeParse(own);
    if (!result.success) faults.push(...faultsOf(file, result.error, subject));
    if (feed?.success === false) faults.push(...faultsOf(file, feed.error, subject));
    if (!result.success || kind === undefined || feed?.success !== true) return;
    const source = sourceOf(result.data, kind, feed.data, { ...options, redenominations });
    const { markets } = source;
    faults.push(...originFaults(file, { row: result.data, markets, position }));
    if (source.role === 'witness' && markets.length > 0) {
      const problem = `${source.name}.role must be absent: a witness gives official rates, and quotes no market`;
      faults.push({ line: file.lineOf([position, 'role']), problem });
    }
    const fallbackKey = result.data.instead_of === undefined ? 'fallback_for' : 'instead_of';
    const unknown = source.enabled
      ? marketFaults(file, { source, position, fallbackKey }, options.markets)
      : [];
    if (file.isPackaged && unknown[0] !== undefined) {
      // An operator may replace markets.json without replacing sources.json, so packaged sources of
      // unknown markets are switched off.
      const off = Object.freeze({ ...source, enabled: false, whyOff: unknown[0].problem });
      entries.push({ source: off, position, fallbackKey });
      return;
    }
    faults.push(...unknown);
    entries.push({ source, position, fallbackKey });
  });
  // References between entries are checked only when each entry is valid by itself.
  if (faults.length === 0) {
    faults.push(...nameFaults(file, entries), ...referenceFaults(file, entries));
  }
  if (faults.length > 0) throw new CatalogueError(file.shownAs, faults);
  return Object.freeze(entries.map(({ source }) => source));
}

/** Whether the package has it too: a build may lack the capability that brings its kind. */
function isShipped({ name, kind }: z.output<typeof outline>): boolean {
  const { value } = readCatalogueFile(PACKAGED_CATALOGUE, SOURCES_FILE);
  const shipped = z.array(outline).parse(value);
  return kind !== undefined && shipped.some((one) => one.name === name && one.kind === kind);
}

interface Entry {
  readonly source: Source;
  readonly position: number;
  /** The column that names the source for which it is a fallback. */
  readonly fallbackKey: 'fallback_for' | 'instead_of';
}

function partedColumns(
  entry: unknown,
  isCommon: (column: string) => boolean,
): readonly [unknown, unknown] {
  // Any other value stays as it is. The schema of the common columns refuses it.
  if (!isJsonObject(entry)) return [entry, undefined];
  const columns: [string, unknown][] = Object.entries(entry);
  return [
    Object.fromEntries(columns.filter(([column]) => isCommon(column))),
    Object.fromEntries(columns.filter(([column]) => !isCommon(column))),
  ];
}

function sourceOf(
  row: CommonRow,
  kind: ThreadedKind,
  feed: unknown,
  {
    markets,
    redenominations,
  }: Pick<SourcesOptions, 'markets'> & { redenominations: Redenominations },
): Source {
  const inUnitOf = (readAt: Instant) =>
    inUnit(feed, (figure) =>
      redenominations.rebased(figure, { from: FIRST_STORED_UNIT, to: storedUnitAt(readAt) }),
    );
  // An entry may name a market by an alias. Its records have the id.
  const idOf = (name: string) => markets.find(name)?.id ?? name;
  const { archive } = kind;
  return Object.freeze({
    name: row.name,
    kind: row.kind,
    enabled: row.enabled,
    role: row.role,
    url: row.url,
    origin: (subject: string) =>
      typeof row.origin === 'string' ? row.origin : (row.origin[subject] ?? row.name),
    between: (market: string, readAt: Instant) => kind.between?.(inUnitOf(readAt), market),
    schedule: Object.freeze(
      row.schedule.map(({ cron, while_expected: whileExpected = false }) => ({
        cron,
        whileExpected,
      })),
    ),
    jitterMs: row.jitter_sec * SECOND_MS,
    timeoutMs: row.timeout_sec * SECOND_MS,
    fallbackFor: row.fallback_for ?? row.instead_of,
    rankedBefore: row.before,
    markets: Object.freeze([...new Set(kind.markets(feed).map(idOf))]),
    parserVersion: kind.parserVersion,
    read: (fetch: Fetch, readAt: Instant) => kind.read(fetch, row.url, inUnitOf(readAt)),
    parse: async (bodies: readonly UpstreamBody[], readAt: Instant) =>
      (await kind.parse(bodies, inUnitOf(readAt))).map((record) => {
        const { market } = record;
        return typeof market === 'string' ? { ...record, market: idOf(market) } : record;
      }),
    archive: archive && ((fetch: Fetch) => archive(fetch, row.url, feed)),
  });
}

/** The columns with figures in bolívares, which the catalogue has in that of 1 October 2021 (contract §1). */
const IN_BOLIVARES = ['between', 'ticket_ves'];

/** A feed with those figures in another unit. */
function inUnit(feed: unknown, rebased: (figure: number) => number): unknown {
  if (Array.isArray(feed)) return feed.map((entry) => inUnit(entry, rebased));
  if (!isJsonObject(feed)) return feed;
  return Object.fromEntries(
    Object.entries(feed).map(([column, value]) => {
      if (!IN_BOLIVARES.includes(column)) return [column, inUnit(value, rebased)];
      return [column, Array.isArray(value) ? value.map(rebased) : rebased(Number(value))];
    }),
  );
}

/** An aggregator must name the origin of each of its markets. */
function originFaults(
  file: CatalogueFile,
  { row, markets, position }: { row: CommonRow; markets: readonly string[]; position: number },
): readonly Fault[] {
  const { name, origin } = row;
  if (typeof origin === 'string') return [];
  const line = file.lineOf([position, 'origin']);
  const missing = markets.filter((market) => !Object.hasOwn(origin, market));
  const unknown = Object.keys(origin).filter((market) => !markets.includes(market));
  return [
    ...missing.map((market) => ({ line, problem: `${name}.origin has no origin of ${market}` })),
    ...unknown.map((market) => ({
      line,
      problem: `${name}.origin has ${market}, which ${name} does not quote`,
    })),
  ];
}

function marketFaults(file: CatalogueFile, entry: Entry, markets: Markets): readonly Fault[] {
  const { source, position } = entry;
  return source.markets.flatMap((name) => {
    if (markets.find(name) !== undefined) return [];
    const near = nearMarkets(markets, name);
    const hint = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
    const problem = `${source.name} quotes ${name}, which is no market of the catalogue${hint}`;
    return [{ line: file.lineOf([position]), problem }];
  });
}

function nameFaults(file: CatalogueFile, entries: readonly Entry[]): readonly Fault[] {
  const seen = new Set<string>();
  return entries.flatMap(({ source: { name }, position }) => {
    const problem = `the source ${name} is there twice`;
    if (seen.has(name)) return [{ line: file.lineOf([position, 'name']), problem }];
    seen.add(name);
    return [];
  });
}

/** A fallback must name an existing source that is switched on; `before` an existing one. */
function referenceFaults(file: CatalogueFile, entries: readonly Entry[]): readonly Fault[] {
  const byName = new Map(entries.map(({ source }) => [source.name, source]));
  return entries.flatMap(({ source, position, fallbackKey }) => {
    const ranking = referenceProblem(source, byName, ({ rankedBefore }) => rankedBefore);
    return [
      { key: fallbackKey, problem: fallbackProblem(source, byName) },
      { key: 'before', problem: ranking },
    ].flatMap(({ key, problem }) => {
      if (problem === undefined) return [];
      return [{ line: file.lineOf([position, key]), problem: `${source.name}.${key} ${problem}` }];
    });
  });
}

type SourcesByName = ReadonlyMap<string, Source>;

function fallbackProblem(source: Source, byName: SourcesByName): string | undefined {
  const { fallbackFor = '' } = source;
  const other = byName.get(fallbackFor);
  if (other !== undefined && source.enabled && !other.enabled) {
    return `names ${other.name}, which is off: as it never fails, this one is never read`;
  }
  return referenceProblem(source, byName, (one) => one.fallbackFor);
}

/** @param named Returns the name of the source that an entry refers to, if it does. */
function referenceProblem(
  source: Source,
  byName: SourcesByName,
  named: (source: Source) => string | undefined,
): string | undefined {
  const visited = new Set<string>();
  let current = source;
  for (let name = named(source); name !== undefined; name = named(current)) {
    visited.add(current.name);
    const next = byName.get(name);
    // An entry further on that names no source has a fault of its own.
    if (next === undefined)
      return current === source ? `names ${name}, which is no source` : undefined;
    if (visited.has(next.name)) return 'goes round in a circle';
    current = next;
  }
  return undefined;
}
