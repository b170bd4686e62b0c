import type { CatalogueRules } from '../../domain/judgement.ts';
import { PUSHED, type SourceHealth } from '../../domain/source-health.ts';
import { addCaracasDays, type CaracasDay, caracasDayOf, type Instant } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { Source } from '../ports/sources.ts';
import { isLeased } from './collector-lease.ts';
import {
  type ExpectedPublication,
  type MissedPublications,
  missedBy,
  publicationsAt,
  readsPublications,
  valueDatesMissing,
} from './publications.ts';
import { additionOf } from './source-additions.ts';
import { conditionOf, heldInWords, pushedCondition, wentBackInWords } from './source-condition.ts';
import {
  HEALTH_DAYS,
  hasOwnTurns,
  isOverdue,
  type KnownOfSources,
  missingMarketsOf,
  type SourceFacts,
  VALUE_DATE_DAYS,
} from './source-facts.ts';

/** Days looked at before the window, to tell a gap from a history that starts later. */
const DAYS_BEFORE = 15;

export interface SourcesHealth {
  /** When the newest batch was received; absent before the first. */
  readonly fetchedAt?: Instant;
  /** In catalogue order, pushed records last. */
  readonly sources: readonly SourceHealth[];
  /** Whether a process may read the sources: it has the lease. */
  readonly collecting: boolean;
  /** The end of the last lease to collect, past or future; 0 when none was ever taken. */
  readonly leaseEnd: Instant;
  /** Since when no process reads the sources that should be read; absent while one does. */
  readonly stoppedSince?: Instant;
  /** Missing publications of the central bank; absent while none is missing. */
  readonly publicationsMissed?: MissedPublications;
  /** The publication after the newest stored one; absent while none is stored. */
  readonly nextPublication?: ExpectedPublication;
  /** The newest held records of all sources, at most `MAX_SHOWN_HELD`. */
  readonly heldRecords: KnownOfSources['heldRecords'];
  readonly heldCount: number;
}

/** The first day of the reported history. */
export function firstDayOf(now: Instant): CaracasDay {
  return addCaracasDays(caracasDayOf(now), 1 - HEALTH_DAYS);
}

/** The first day whose value date is checked. */
export function firstValueDateOf(now: Instant): CaracasDay {
  return addCaracasDays(caracasDayOf(now), 1 - VALUE_DATE_DAYS - DAYS_BEFORE);
}

/** The health of every source at `now`. */
export function sourcesHealth(
  sources: readonly Source[],
  known: KnownOfSources,
  rules: CatalogueRules,
  now: Instant,
): SourcesHealth {
  const states = new Map(known.states.map((state) => [state.source, state]));
  const mainOf = ({ fallbackFor }: Source) => sources.find(({ name }) => name === fallbackFor);
  const isNeeded = (source: Source): boolean => {
    if (source.fallbackFor === undefined) return true;
    const main = mainOf(source);
    const { consecutiveFailures = 0, pausedUntil } = states.get(source.fallbackFor) ?? {};
    const isAway = consecutiveFailures > 0 || pausedUntil !== undefined;
    return main !== undefined && isAway && isNeeded(main);
  };
  // A fallback has no turns of its own: it is read after the source that it replaces.
  const scheduledStateOf = (source: Source): SourceState | undefined => {
    if (hasOwnTurns(source)) return states.get(source.name);
    const main = mainOf(source);
    return main && scheduledStateOf(main);
  };
  const read = sources.map((source) =>
    healthOf({
      source,
      state: states.get(source.name),
      scheduledState: scheduledStateOf(source),
      needed: isNeeded(source),
      ...{ known, rules, now },
    }),
  );
  const pushed = pushedHealth(sources, { known, rules, now });
  const { leaseEnd } = known;
  const collecting = isLeased(leaseEnd, now);
  const planned = sources.flatMap((source) => {
    const nextRunAt = hasOwnTurns(source) ? states.get(source.name)?.nextRunAt : undefined;
    return nextRunAt ?? [];
  });
  const isStopped = !collecting && planned.length > 0;
  const { next, missed = 0 } = publicationsAt(now, known, rules) ?? {};
  return {
    fetchedAt: known.records.fetchedAt,
    sources: [...read, pushed],
    collecting,
    leaseEnd,
    stoppedSince: isStopped ? Math.min(now, ...(leaseEnd > 0 ? [leaseEnd] : planned)) : undefined,
    publicationsMissed: next && missed > 0 ? { count: missed, since: next.by } : undefined,
    nextPublication: next,
    heldRecords: known.heldRecords,
    heldCount: [...known.held.values()].reduce((sum, records) => sum + records, 0),
  };
}

function healthOf(facts: SourceFacts): SourceHealth {
  const { source, state, scheduledState, needed, known, now } = facts;
  const { name, kind, enabled, role, markets, fallbackFor, whyOff } = source;
  const nextRunAt = hasOwnTurns(source) ? state?.nextRunAt : undefined;
  const missed = missedBy(facts);
  const missingMarkets = missingMarketsOf(facts);
  const back = wentBackInWords(facts);
  const [condition, why] = conditionOf(facts, missed);
  const held = known.held.get(name) ?? 0;
  const overdueSince =
    enabled && needed && scheduledState !== undefined && isOverdue(scheduledState, now)
      ? scheduledState.nextRunAt
      : undefined;
  return {
    name,
    kind,
    enabled,
    role,
    adds: additionOf(source),
    markets,
    fallbackFor,
    condition,
    whyOff,
    failure: state?.failure?.reason,
    why: why + (back ?? '') + heldInWords(held),
    lastSuccessAt: state?.lastSuccessAt,
    failingSince: enabled && needed ? state?.failingSince : undefined,
    lastChangeAt: state?.lastChangeAt,
    consecutiveFailures: state?.consecutiveFailures ?? 0,
    publicationsMissed: missed,
    valueDatesMissing: missed === undefined ? undefined : valueDatesMissing(facts),
    overdueSince,
    pausedUntil: state?.pausedUntil,
    missingMarkets: missingMarkets.length > 0 ? missingMarkets : undefined,
    pageWentBack: back === undefined ? undefined : true,
    nextRunAt,
    held,
    days: known.days.filter((day) => day.source === name),
  };
}

function pushedHealth(
  sources: readonly Source[],
  facts: Pick<SourceFacts, 'known' | 'rules' | 'now'>,
): SourceHealth {
  const { known, rules, now } = facts;
  const { pushedAt, held } = known;
  const missed = sources.some(readsPublications)
    ? undefined
    : publicationsAt(now, known, rules)?.missed;
  const read = new Set(sources.map(({ name }) => name));
  const records = [...held].reduce((sum, [name, count]) => (read.has(name) ? sum : sum + count), 0);
  const [condition, why] = pushedCondition(facts, missed);
  return {
    name: PUSHED,
    kind: PUSHED,
    enabled: true,
    markets: [],
    condition,
    why: why + heldInWords(records),
    lastSuccessAt: pushedAt,
    consecutiveFailures: 0,
    publicationsMissed: missed,
    valueDatesMissing: missed === undefined ? undefined : valueDatesMissing(facts),
    held: records,
    days: [],
  };
}
