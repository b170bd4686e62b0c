import { type Instant, isoInstant, MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { SourcesHealth } from '../collecting/source-health.ts';
import type { HeldRecord } from '../ports/held.ts';
import type { DatabaseCondition } from '../store-monitor.ts';

/** How long a source must fail before an alert. Most failures are short. */
export const SOURCE_FAILING_MS = 15 * MINUTE_MS;
/** How long no process must collect before an alert: another process may take over in that time. */
export const COLLECTOR_LOST_MS = MINUTE_MS;
/** How long the database must be away before an alert: a restart of its server takes less. */
export const DATABASE_LOST_MS = 30 * SECOND_MS;
/** An alert is sent when less disk space than this is free. */
export const MIN_FREE_DISK_BYTES = 1_000_000_000;

/** A problem that the operator must know of. The id is stable while the problem lasts. */
export interface Problem {
  readonly id: string;
  readonly kind: ProblemKind;
  /** Whole sentences. */
  readonly text: string;
  /** When it is to be told. It follows from what is stored, so a restart does not delay it. */
  readonly dueAt: Instant;
}

export interface Observed {
  readonly database: DatabaseCondition;
  /** What the store tells; undefined while it does not answer. */
  readonly stored:
    | { readonly health: SourcesHealth; readonly held: readonly HeldRecord[] }
    | undefined;
  /** Free bytes on the data folder's disk; undefined when the database is elsewhere. */
  readonly freeDiskBytes: number | undefined;
  /** The start of this process. */
  readonly startedAt: Instant;
}

/** All current problems, worst first. */
export function problemsOf(observed: Observed): readonly Problem[] {
  const { stored, freeDiskBytes } = observed;
  const problems = [...databaseProblem(observed)];
  if (stored !== undefined) {
    const { health, held } = stored;
    problems.push(...lostCollector(health, observed), ...missedPublications(health));
    problems.push(...failingSources(health), ...heldRecords(held));
  }
  return [...problems, ...lowDisk(freeDiskBytes)];
}

/** The sentence for the end of each kind of problem, by the name of what was affected. */
const RECOVERIES = {
  database: (state: string) =>
    state === 'unavailable' ? 'The database answers again.' : 'The database can be written again.',
  collector: () => 'A process is reading the sources again.',
  publication: (source: string) => `No publication is overdue any more (source ${source}).`,
  source: (source: string) => `Source ${source} works again.`,
  held: (subject: string) => `No record of ${subject} is held any more.`,
  disk: () => 'There is enough free disk space again.',
} as const;

export type ProblemKind = keyof typeof RECOVERIES;

export const PROBLEM_KINDS = Object.keys(RECOVERIES) as readonly ProblemKind[];

/** The sentence for the end of the problem with that id. Another version may have reported it. */
export function recoveryOf(id: string): string {
  const [name = '', subject = ''] = id.split(/:(.*)/s);
  const kind = PROBLEM_KINDS.find((other) => other === name);
  return kind === undefined ? `${name} ${subject}: solved.` : RECOVERIES[kind](subject);
}

function problem(kind: ProblemKind, subject: string, text: string, dueAt: Instant = 0): Problem {
  return { id: subject === '' ? kind : `${kind}:${subject}`, kind, text, dueAt };
}

const DATABASE_TEXTS = {
  unavailable: 'The database does not answer.',
  read_only: 'The database is read-only.',
  disk_full: 'The disk of the database is full.',
} as const;

function databaseProblem({ database: { state, since } }: Observed): readonly Problem[] {
  if (state === 'ok') return [];
  const still = 'The last figures are served until the leased units are spent';
  const text = `${DATABASE_TEXTS[state]} ${still}: "vesfx doctor" shows what to do.`;
  return [problem('database', state, text, since + DATABASE_LOST_MS)];
}

/** After an outage of the database a collector has as long to come back as after its own end. */
function lostCollector(
  { collecting, leaseEnd }: SourcesHealth,
  { startedAt, database }: Observed,
): readonly Problem[] {
  if (collecting) return [];
  const text = 'No process is reading the sources. Start "vesfx serve" or "vesfx collect".';
  const lostAt = Math.max(leaseEnd || startedAt, database.since);
  return [problem('collector', '', text, lostAt + COLLECTOR_LOST_MS)];
}

function missedPublications({ sources }: SourcesHealth): readonly Problem[] {
  return sources
    .filter(({ publicationsMissed = 0 }) => publicationsMissed > 0)
    .map(({ name, publicationsMissed = 0 }) => {
      const missing =
        publicationsMissed === 1 ? '1 publication is' : `${publicationsMissed} publications are`;
      const text = `${missing} overdue. "vesfx source check ${name}" reads the central bank now.`;
      return problem('publication', name, text);
    });
}

/** Nobody reads a source that waits: it has not recovered by that. */
function failingSources({ sources }: SourcesHealth): readonly Problem[] {
  return sources
    .filter(({ condition, failingSince }) => condition === 'frozen' || failingSince !== undefined)
    .map(({ name, why, lastSuccessAt, failingSince = 0 }) => {
      const since = lastSuccessAt === undefined ? 'never' : isoInstant(lastSuccessAt);
      const text = `Source ${name}: ${why} Last good reading: ${since}.`;
      return problem('source', name, text, failingSince + SOURCE_FAILING_MS);
    });
}

/** One problem for each subject: a market whose quotes are held every minute is one problem. */
function heldRecords(held: readonly HeldRecord[]): readonly Problem[] {
  return [...Map.groupBy(held, ({ subject }) => subject)].map(([subject, records]) => {
    const [newest] = records;
    const many = records.length === 1 ? 'A record is' : `${records.length} records are`;
    const what = `${many} held for ${subject}: ${newest?.message ?? ''}.`;
    return problem('held', subject, `${what} "vesfx held list" shows what to do.`);
  });
}

function lowDisk(freeBytes: number | undefined): readonly Problem[] {
  if (freeBytes === undefined || freeBytes >= MIN_FREE_DISK_BYTES) return [];
  const megabytes = Math.floor(freeBytes / 1_000_000);
  return [problem('disk', '', `Only ${megabytes} MB of disk space is free.`)];
}
