import type { SourcesHealth } from '../../core/app/collecting/source-health.ts';
import type { HeldRecord } from '../../core/app/ports/held.ts';
import { type StateReason, serviceState } from '../../core/app/service-state.ts';
import type { Snapshot } from '../../core/app/snapshot.ts';
import {
  type DatabaseCondition,
  type DatabaseState,
  isDiskLow,
} from '../../core/app/store-monitor.ts';
import { staleFrom } from '../../core/domain/quotes.ts';
import { PUSHED } from '../../core/domain/source-health.ts';
import type { StateReasonName } from '../../core/domain/state-names.ts';
import { type Instant, isoInstant, MINUTE_MS, SECOND_MS } from '../../core/domain/time.ts';

/** How long a source must fail before an alert. Most failures are short. */
export const SOURCE_FAILING_MS = 15 * MINUTE_MS;
/** How long a market must be without a fresh quote before an alert, as in `deploy/alerts.yaml`. */
export const QUOTE_LOST_MS = 15 * MINUTE_MS;
/** How long no process must collect before an alert: another process may take over in that time. */
// limit: Without a collector, until told | 1 minute
export const COLLECTOR_LOST_MS = MINUTE_MS;
/** How long the database must be away before an alert: a restart of its server takes less. */
// limit: Without the database, until told | 30 s | one message a machine
export const DATABASE_LOST_MS = 30 * SECOND_MS;

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
  readonly stored: Stored | undefined;
  /** Free bytes on the data folder's disk; undefined when the database is elsewhere. */
  readonly freeDiskBytes: number | undefined;
  /** The start of this process. */
  readonly startedAt: Instant;
  readonly now: Instant;
}

interface Stored {
  readonly health: SourcesHealth;
  readonly held: readonly HeldRecord[];
  readonly snapshot: Pick<Snapshot, 'quotes' | 'dropped'>;
}

type Found = Pick<Problem, 'text'> & { readonly subject?: string; readonly dueAt?: Instant };

interface Kind {
  /** @param reasons The present reasons of the state that are of this kind. */
  readonly find: (observed: Observed, reasons: readonly StateReason[]) => readonly Found[];
  /** The sentence for its end, by the name of what was affected. */
  readonly recovery: (subject: string) => string;
}

const DATABASE_TEXTS: Readonly<Record<Exclude<DatabaseState, 'ok'>, string>> = {
  unavailable: 'The database does not answer.',
  read_only: 'The database is read-only.',
  disk_full: 'The disk of the database is full.',
};

/**
 * Every kind of problem, worst first. What is wrong with figures and sources is decided once, in
 * `serviceState`: `/v1/status`, its page and the doctor show its reasons; alerts and
 * `vesfx_alerts_open` show what is made of the same reasons here. `/v1/status` is public: it counts
 * held records in `sources`, and does not tell of the disk before the database cannot be written.
 */
const KINDS = {
  database: {
    find({ database: { state, since } }) {
      if (state === 'ok') return [];
      const still = 'The last figures are served until the units set aside are spent';
      const text = `${DATABASE_TEXTS[state]} ${still}: "vesfx doctor" shows what to do.`;
      return [{ subject: state, text, dueAt: since + DATABASE_LOST_MS }];
    },
    recovery: (state) =>
      state === 'unavailable'
        ? 'The database answers again.'
        : 'The database can be written again.',
  },
  collector: {
    // After an outage of the database a collector has as long to come back as after its own end.
    find: ({ database }, reasons) =>
      reasons.map(({ since = 0 }) => ({
        text: 'No process is reading the sources. Start "vesfx serve" or "vesfx collect".',
        dueAt: Math.max(since, database.since) + COLLECTOR_LOST_MS,
      })),
    recovery: () => 'A process is reading the sources again.',
  },
  publication: {
    find: ({ stored }, reasons) => (reasons.length === 0 ? [] : missedPublications(stored)),
    recovery: (source) => `No publication is overdue any more (source ${source}).`,
  },
  quote: {
    find: lostQuotes,
    recovery: (market) =>
      market === '' ? 'Figures are published again.' : `The quote of ${market} is fresh again.`,
  },
  source: {
    find({ stored }, reasons) {
      const names = new Set(reasons.flatMap(({ sources = [] }) => sources));
      const affected = stored?.health.sources.filter(({ name }) => names.has(name)) ?? [];
      return affected.map(({ name, why, lastSuccessAt, failingSince = 0 }) => {
        const good = lastSuccessAt === undefined ? 'never' : isoInstant(lastSuccessAt);
        const text = `Source ${name}: ${why} Last good reading: ${good}.`;
        return { subject: name, text, dueAt: failingSince + SOURCE_FAILING_MS };
      });
    },
    recovery: (source) => `Source ${source} works again.`,
  },
  held: {
    find: ({ stored }) => heldRecords(stored?.held ?? []),
    recovery: (subject) => `No record of ${subject} is held any more.`,
  },
  disk: {
    find({ freeDiskBytes }) {
      if (!isDiskLow(freeDiskBytes)) return [];
      const megabytes = Math.floor(freeDiskBytes / 1_000_000);
      return [{ text: `Only ${megabytes} MB of disk space is free.` }];
    },
    recovery: () => 'There is enough free disk space again.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemKind = keyof typeof KINDS;

export const PROBLEM_KINDS = Object.keys(KINDS) as readonly ProblemKind[];

/** No reason is without a kind, so what the status calls a problem is told to the operator too. */
const KIND_OF_REASON: Readonly<Record<StateReasonName, ProblemKind>> = {
  no_figures: 'quote',
  official_stale: 'quote',
  all_quotes_stale: 'quote',
  official_missing: 'quote',
  publications_missed: 'publication',
  quotes_stale: 'quote',
  quotes_missing: 'quote',
  all_sources_failing: 'source',
  sources_failing: 'source',
  sources_frozen: 'source',
  collecting_stopped: 'collector',
  database_unavailable: 'database',
  database_not_writable: 'database',
};

/** All current problems, worst first. */
export function problemsOf(observed: Observed): readonly Problem[] {
  const present = reasonsOf(observed);
  return PROBLEM_KINDS.flatMap((kind) => {
    const { find }: Kind = KINDS[kind];
    const ofKind = present.filter(({ name }) => KIND_OF_REASON[name] === kind);
    return find(observed, ofKind).map(({ subject, text, dueAt = 0 }) => {
      return { id: subject === undefined ? kind : `${kind}:${subject}`, kind, text, dueAt };
    });
  });
}

/** Nothing is known of figures and sources while the store does not answer. */
function reasonsOf({ stored, database, now }: Observed): readonly StateReason[] {
  if (stored === undefined) return [];
  const { health, snapshot } = stored;
  return serviceState({ snapshot, known: { health, at: now, isCurrent: true }, database, now })
    .reasons;
}

/** The sentence for the end of the problem with that id. Another version may have reported it. */
export function recoveryOf(id: string): string {
  const [name = '', subject = ''] = id.split(/:(.*)/s);
  const kind = PROBLEM_KINDS.find((other) => other === name);
  return kind === undefined ? `${name} ${subject}: solved.` : KINDS[kind].recovery(subject);
}

function missedPublications(stored: Stored | undefined): readonly Found[] {
  return (stored?.health.sources ?? [])
    .filter(({ publicationsMissed = 0 }) => publicationsMissed > 0)
    .map(({ name, publicationsMissed = 0 }) => {
      const missing =
        publicationsMissed === 1 ? '1 publication is' : `${publicationsMissed} publications are`;
      const remedy =
        name === PUSHED
          ? 'No source reads them: push them, or type "vesfx rate set reference RATE --date DAY".'
          : `"vesfx source check ${name}" reads the central bank now.`;
      return { subject: name, text: `${missing} overdue. ${remedy}` };
    });
}

/** One problem for each market; where nothing is published, one for all. */
function lostQuotes(
  { stored, startedAt }: Observed,
  reasons: readonly StateReason[],
): readonly Found[] {
  if (reasons.some(({ name }) => name === 'no_figures')) {
    const since = reasons.flatMap((reason) => reason.since ?? []);
    const text = 'Nothing is published. "vesfx doctor" shows what to do.';
    return [{ text, dueAt: Math.min(startedAt, ...since) + QUOTE_LOST_MS }];
  }
  const { quotes = [], dropped = [] } = stored?.snapshot ?? {};
  const markets = new Set(reasons.flatMap((reason) => reason.markets ?? []));
  return [...markets].map((id) => {
    const last = [...quotes, ...dropped].find(({ market }) => market.id === id);
    const what =
      last === undefined
        ? `There is no quote of ${id}.`
        : `The newest quote of ${id} is of ${isoInstant(last.updatedAt)}, which is too old.`;
    return {
      subject: id,
      text: `${what} "vesfx doctor" shows what to do.`,
      dueAt: (last === undefined ? startedAt : staleFrom(last)) + QUOTE_LOST_MS,
    };
  });
}

/** One problem for each subject: a market whose quotes are held every minute is one problem. */
function heldRecords(held: readonly HeldRecord[]): readonly Found[] {
  return [...Map.groupBy(held, ({ subject }) => subject)].map(([subject, records]) => {
    const [newest] = records;
    const many = records.length === 1 ? 'A record is' : `${records.length} records are`;
    const what = `${many} held for ${subject}: ${newest?.message ?? ''}.`;
    return { subject, text: `${what} "vesfx held list" shows what to do.` };
  });
}
