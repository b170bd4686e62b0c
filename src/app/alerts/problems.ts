import { type Instant, isoInstant, MINUTE_MS } from '../../domain/time.ts';
import type { SourcesHealth } from '../collecting/source-health.ts';
import type { HeldRecord } from '../ports/held.ts';

/** How long a source must fail before an alert. Most failures are short. */
export const SOURCE_FAILING_MS = 15 * MINUTE_MS;
/** How long no process must collect before an alert: another process may take over in that time. */
export const COLLECTOR_LOST_MS = 5 * MINUTE_MS;
/** An alert is sent when less disk space than this is free. */
export const MIN_FREE_DISK_BYTES = 1_000_000_000;

/** A problem that the operator must know of. The id is stable while the problem lasts. */
export interface Problem {
  readonly id: string;
  /** Whole sentences. */
  readonly text: string;
  /** How long it must last before an alert, in milliseconds. */
  readonly afterMs: number;
}

export interface Observed {
  readonly health: SourcesHealth;
  readonly held: readonly HeldRecord[];
  /** Free bytes on the data folder's disk; undefined when the database is elsewhere. */
  readonly freeDiskBytes: number | undefined;
}

/** All current problems, worst first. */
export function problemsOf({ health, held, freeDiskBytes }: Observed): readonly Problem[] {
  const lost = 'No process is reading the sources. Start "vesfx serve" or "vesfx collect".';
  return [
    ...(health.collecting ? [] : [problem('collector', lost, COLLECTOR_LOST_MS)]),
    ...missedPublications(health),
    ...failingSources(health),
    ...heldRecords(held),
    ...lowDisk(freeDiskBytes),
  ];
}

/** The sentence for the end of each kind of problem, by the name of what was affected. */
const RECOVERIES = {
  collector: () => 'A process is reading the sources again.',
  publication: (source: string) => `No publication is overdue any more (source ${source}).`,
  source: (source: string) => `Source ${source} works again.`,
  held: (subject: string) => `No record of ${subject} is held any more.`,
  disk: () => 'There is enough free disk space again.',
} as const;

type ProblemKind = keyof typeof RECOVERIES;

/** The sentence for the end of the problem with that id. Another version may have reported it. */
export function recoveryOf(id: string): string {
  const [name = '', subject = ''] = id.split(/:(.*)/s);
  const kind = Object.keys(RECOVERIES).find((one): one is ProblemKind => one === name);
  return kind === undefined ? `${name} ${subject}: solved.` : RECOVERIES[kind](subject);
}

function problem(id: ProblemKind | `${ProblemKind}:${string}`, text: string, afterMs = 0): Problem {
  return { id, text, afterMs };
}

function missedPublications({ sources }: SourcesHealth): readonly Problem[] {
  return sources
    .filter(({ publicationsMissed = 0 }) => publicationsMissed > 0)
    .map(({ name, publicationsMissed = 0 }) => {
      const missing =
        publicationsMissed === 1 ? '1 publication is' : `${publicationsMissed} publications are`;
      return problem(
        `publication:${name}`,
        `${missing} overdue. "vesfx source check ${name}" reads the central bank now.`,
      );
    });
}

function failingSources({ sources }: SourcesHealth): readonly Problem[] {
  return sources
    .filter(({ condition }) => condition === 'failing' || condition === 'frozen')
    .map(({ name, why, lastSuccessAt }) => {
      const since = lastSuccessAt === undefined ? 'never' : isoInstant(lastSuccessAt);
      return problem(
        `source:${name}`,
        `Source ${name}: ${why} Last good reading: ${since}.`,
        SOURCE_FAILING_MS,
      );
    });
}

/** One problem for each subject: a market whose quotes are held every minute is one problem. */
function heldRecords(held: readonly HeldRecord[]): readonly Problem[] {
  return [...Map.groupBy(held, ({ subject }) => subject)].map(([subject, records]) => {
    const [newest] = records;
    const many = records.length === 1 ? 'A record is' : `${records.length} records are`;
    return problem(
      `held:${subject}`,
      `${many} held for ${subject}: ${newest?.message ?? ''}. "vesfx held list" shows what to do.`,
    );
  });
}

function lowDisk(freeBytes: number | undefined): readonly Problem[] {
  if (freeBytes === undefined || freeBytes >= MIN_FREE_DISK_BYTES) return [];
  const megabytes = Math.floor(freeBytes / 1_000_000);
  return [problem('disk', `Only ${megabytes} MB of disk space is free.`)];
}

/** Tracks how long this process has seen each problem. */
export class ProblemDurations {
  readonly #since = new Map<string, Instant>();

  /** The problems that have lasted for their `afterMs`. */
  due(problems: readonly Problem[], now: Instant): readonly Problem[] {
    const ids = new Set(problems.map(({ id }) => id));
    for (const id of this.#since.keys()) if (!ids.has(id)) this.#since.delete(id);
    return problems.filter(({ id, afterMs }) => {
      const since = this.#since.get(id) ?? now;
      this.#since.set(id, since);
      return now - since >= afterMs;
    });
  }
}
