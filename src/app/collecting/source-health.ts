import type { BankCalendar } from '../../domain/calendar.ts';
import { isFrozen, type Thresholds } from '../../domain/judgement.ts';
import { type Markets, OFFICIAL_USD } from '../../domain/markets.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  type Instant,
  isoInstant,
  MINUTE_MS,
} from '../../domain/time.ts';
import type { SourceDay, SourceState } from '../ports/collecting.ts';
import type { CurrentRecords, StandingQuote, StoredQuote } from '../ports/records.ts';
import type { FailureReason, Source } from '../ports/sources.ts';
import { expectsPublications } from './schedule.ts';

/** A turn that is late by more than this, longer than any reading takes, does not come. */
export const OVERDUE_AFTER_MS = 6 * MINUTE_MS;

/** Days that the history of a source shows, today included. */
export const HEALTH_DAYS = 30;
/** How much further back a value date shows that publications were kept at all. */
const DAYS_BEFORE = 15;

/** The name under which pushed records are told of. */
export const PUSHED = 'operator';

/**
 * How a source is. `late`: a publication is missing that should be there. `frozen`: it dates the
 * same figures anew. `waiting`: it was never read, or its turn has passed. `standby`: it is read
 * only when it is needed.
 */
export const CONDITIONS = ['ok', 'failing', 'frozen', 'late', 'waiting', 'off', 'standby'] as const;
export type Condition = (typeof CONDITIONS)[number];

export interface SourceHealth {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Ids of the markets it quotes. */
  readonly markets: readonly string[];
  /** The source that it is read instead of, when that fails. */
  readonly fallbackFor?: string;
  readonly condition: Condition;
  /** Why it is off, when that is not the operator's switch. */
  readonly whyOff?: string;
  /** Why its last reading failed, in one word. */
  readonly failure?: FailureReason;
  /** One sentence for anyone: no addresses, and nothing that an upstream said. */
  readonly why: string;
  readonly lastSuccessAt?: Instant;
  readonly lastChangeAt?: Instant;
  readonly consecutiveFailures: number;
  /** Of a source that brings publications, once one is stored. */
  readonly publicationsMissed?: number;
  /** Of such a source, the value dates of the last `HEALTH_DAYS` days that are not stored. */
  readonly valueDatesMissing?: readonly CaracasDay[];
  readonly nextRunAt?: Instant;
  /** Its records that are held. */
  readonly held: number;
  /** The last `HEALTH_DAYS` days, those on which it was read, oldest first. */
  readonly days: readonly SourceDay[];
}

export interface SourcesHealth {
  /** When the newest batch was received; absent before the first. */
  readonly fetchedAt?: Instant;
  /** In catalogue order, pushed records last. */
  readonly sources: readonly SourceHealth[];
  /** Whether a process reads the sources: turns come when they should. */
  readonly collecting: boolean;
  /** The first turn that has passed without a reading, when one has: no process reads. */
  readonly overdueSince?: Instant;
  /** Publications of the central bank that should be stored; absent while none is missing. */
  readonly publicationsMissed?: MissedPublications;
}

export interface MissedPublications {
  readonly count: number;
  /** When the first of them should have been there. */
  readonly since: Instant;
}

/** What the store knows of the sources. */
export interface KnownOfSources {
  readonly states: readonly SourceState[];
  readonly records: Pick<CurrentRecords, 'fetchedAt' | 'quotes'>;
  /** How many records of each source are held. */
  readonly held: ReadonlyMap<string, number>;
  /** When records were last pushed. */
  readonly pushedAt: Instant | undefined;
  /** Quotes that were pushed. */
  readonly pushed: readonly StandingQuote[];
  /** From `firstDayOf` on. */
  readonly days: readonly SourceDay[];
  /** Of the official dollar, from `firstValueDateOf` on. */
  readonly valueDates: readonly CaracasDay[];
}

export interface HealthRules {
  readonly markets: Markets;
  readonly calendar: BankCalendar;
  readonly thresholds: Thresholds;
}

/**
 * The newest official value date among the quotes that can be of a publication so far; undefined
 * when there is none. One that is further ahead than is believed without doubt is not: published
 * after all, it would make whoever waits for the next publication wait until then.
 */
export function newestValueDate(
  quotes: readonly StoredQuote[],
  { valueDateDaysAhead }: Thresholds,
  now: Instant,
): CaracasDay | undefined {
  const last = addCaracasDays(caracasDayOf(now), valueDateDaysAhead);
  return quotes
    .filter(({ market }) => market === OFFICIAL_USD)
    .flatMap(({ effectiveDate }) => effectiveDate ?? [])
    .filter((date) => date <= last)
    .sort()
    .at(-1);
}

/** The first day of the history that is shown at `now`. */
export function firstDayOf(now: Instant): CaracasDay {
  return addCaracasDays(caracasDayOf(now), 1 - HEALTH_DAYS);
}

/** From here on value dates are looked at. */
export function firstValueDateOf(now: Instant): CaracasDay {
  return addCaracasDays(firstDayOf(now), -DAYS_BEFORE);
}

/** How every source is at `now`. */
export function sourcesHealth(
  sources: readonly Source[],
  known: KnownOfSources,
  rules: HealthRules,
  now: Instant,
): SourcesHealth {
  const states = new Map(known.states.map((state) => [state.source, state]));
  const isNeeded = ({ fallbackFor }: Source): boolean => {
    if (fallbackFor === undefined) return true;
    const main = sources.find(({ name }) => name === fallbackFor);
    const { consecutiveFailures = 0, pausedUntil } = states.get(fallbackFor) ?? {};
    const isAway = consecutiveFailures > 0 || pausedUntil !== undefined;
    return main !== undefined && isAway && isNeeded(main);
  };
  const found = sources.map((source) => {
    const state = states.get(source.name);
    return healthOf({ source, state, needed: isNeeded(source), known, rules, now });
  });
  const pushed = pushedHealth(known, rules);
  const planned = sources.flatMap((source) => {
    const state = states.get(source.name);
    return hasOwnTurns(source) && state?.nextRunAt !== undefined ? [state] : [];
  });
  const overdue = planned
    .filter((state) => isOverdue(state, now))
    .map(({ nextRunAt = now }) => nextRunAt);
  const { fetchedAt } = known.records;
  const publicationsMissed = publicationsMissedAt(now, known, rules);
  return {
    ...(fetchedAt !== undefined && { fetchedAt }),
    sources: [...found, pushed],
    collecting: planned.length > 0 && overdue.length === 0,
    ...(overdue.length > 0 && { overdueSince: Math.min(...overdue) }),
    ...(publicationsMissed !== undefined && { publicationsMissed }),
  };
}

/** Whoever brings the publications, and also when no source does. */
function publicationsMissedAt(
  now: Instant,
  { records }: KnownOfSources,
  { calendar, thresholds }: HealthRules,
): MissedPublications | undefined {
  const newest = newestValueDate(records.quotes, thresholds, now);
  if (newest === undefined) return undefined;
  const count = calendar.missedPublications({ newestValueDate: newest, now });
  if (count === 0) return undefined;
  return { count, since: calendar.publishedBy(calendar.nextValueDate(newest)) };
}

/** Whether it is read by its schedule, not only when it is needed. */
function hasOwnTurns({ enabled, fallbackFor, schedule }: Source): boolean {
  return enabled && fallbackFor === undefined && schedule.length > 0;
}

interface Looked {
  readonly source: Source;
  readonly state: SourceState | undefined;
  /** False while the source that this one stands in for is well, or not needed either. */
  readonly needed: boolean;
  readonly known: KnownOfSources;
  readonly rules: HealthRules;
  readonly now: Instant;
}

function healthOf(looked: Looked): SourceHealth {
  const { source, state, known } = looked;
  const { name, kind, enabled, markets, fallbackFor, whyOff } = source;
  const nextRunAt = hasOwnTurns(source) ? state?.nextRunAt : undefined;
  const missed = missedBy(looked);
  const missing = missed === undefined ? undefined : valueDatesMissing(looked);
  const [condition, why] = judged(looked, missed);
  const held = known.held.get(name) ?? 0;
  return {
    name,
    kind,
    enabled,
    markets,
    ...(fallbackFor !== undefined && { fallbackFor: fallbackFor }),
    condition,
    ...(whyOff !== undefined && { whyOff }),
    ...(state?.failure !== undefined && { failure: state.failure.reason }),
    why: why + heldInWords(held),
    ...(state?.lastSuccessAt !== undefined && { lastSuccessAt: state.lastSuccessAt }),
    ...(state?.lastChangeAt !== undefined && { lastChangeAt: state.lastChangeAt }),
    consecutiveFailures: state?.consecutiveFailures ?? 0,
    ...(missed !== undefined && { publicationsMissed: missed }),
    ...(missing !== undefined && { valueDatesMissing: missing }),
    ...(nextRunAt !== undefined && { nextRunAt }),
    held,
    days: known.days.filter((day) => day.source === name),
  };
}

function pushedHealth(known: KnownOfSources, rules: HealthRules): SourceHealth {
  const { pushedAt, held } = known;
  const records = held.get(PUSHED) ?? 0;
  const [condition, why] = pushedCondition(known, rules);
  return {
    name: PUSHED,
    kind: PUSHED,
    enabled: true,
    markets: [],
    condition,
    why: why + heldInWords(records),
    ...(pushedAt !== undefined && { lastSuccessAt: pushedAt }),
    consecutiveFailures: 0,
    held: records,
    days: [],
  };
}

function pushedCondition(
  { pushedAt, pushed }: KnownOfSources,
  rules: HealthRules,
): readonly [Condition, string] {
  if (pushedAt === undefined) return ['waiting', 'Nothing has been pushed yet'];
  const frozen = frozenInWords(pushed, rules);
  if (frozen !== undefined) return ['frozen', frozen];
  return ['ok', `Records were last pushed at ${isoInstant(pushedAt)}`];
}

/** The end of the sentence. */
function heldInWords(held: number): string {
  if (held === 0) return '.';
  return held === 1 ? '; 1 of its records is held.' : `; ${held} of its records are held.`;
}

function judged(looked: Looked, missed: number | undefined): readonly [Condition, string] {
  const { source, state, needed, known, rules, now } = looked;
  if (!source.enabled) return ['off', source.whyOff ?? 'It is switched off in the catalogue'];
  if (!needed) return ['standby', `It is read only while ${source.fallbackFor} fails`];
  if (source.fallbackFor === undefined && source.schedule.length === 0) {
    return ['standby', 'It has no schedule: it is read by command only'];
  }
  if (state?.lastAttemptAt === undefined)
    return ['waiting', `It has not been read yet${pausedInWords(state)}`];
  if (hasOwnTurns(source) && isOverdue(state, now)) {
    const since = isoInstant(state.nextRunAt ?? now);
    return ['waiting', `Its turn at ${since} has passed: no process reads it`];
  }
  if (state.failure !== undefined) return ['failing', failureInWords(state)];
  if (state.pausedUntil !== undefined) {
    return [
      'waiting',
      `It was last read at ${isoInstant(state.lastAttemptAt)}${pausedInWords(state)}`,
    ];
  }
  if (missed !== undefined && missed > 0) {
    const missing = missed === 1 ? '1 publication is' : `${missed} publications are`;
    const newest = newestValueDate(known.records.quotes, rules.thresholds, now);
    return ['late', `${missing} missing: the newest value date is ${newest}`];
  }
  const frozen = frozenInWords(standingOf(looked, state), rules);
  if (frozen !== undefined) return ['frozen', frozen];
  return ['ok', `It was last read at ${isoInstant(state.lastAttemptAt)}`];
}

function isOverdue({ nextRunAt }: SourceState, now: Instant): boolean {
  return nextRunAt !== undefined && now > nextRunAt + OVERDUE_AFTER_MS;
}

function missedBy({ source, known, rules, now }: Looked): number | undefined {
  if (!source.enabled || !expectsPublications(source)) return undefined;
  const newest = newestValueDate(known.records.quotes, rules.thresholds, now);
  return newest && rules.calendar.missedPublications({ newestValueDate: newest, now });
}

/**
 * The business days up to today that no rate is stored for. Those before the first rate of all do
 * not count: the service may not have been there.
 */
function valueDatesMissing({ known, rules, now }: Looked): readonly CaracasDay[] {
  const stored = new Set(known.valueDates);
  const [first] = known.valueDates;
  if (first === undefined) return [];
  const today = caracasDayOf(now);
  const days = Array.from({ length: HEALTH_DAYS }, (_, ago) => addCaracasDays(today, -ago));
  return days
    .filter((day) => day > first && rules.calendar.isBusinessDay(day) && !stored.has(day))
    .reverse();
}

const REASONS: Readonly<Record<FailureReason, string>> = {
  unreachable: 'it cannot be reached',
  tls: 'its certificate cannot be verified',
  timeout: 'it did not answer in time',
  status: 'it answered with an error',
  redirect: 'it pointed to another address',
  content_type: 'it answered with another kind of content',
  too_large: 'its answer was too large',
  forbidden_address: 'its address is not a public one',
  paused: 'it is left alone for a while after failures',
  content: 'its answer was not what it publishes',
  refused: 'its records were refused',
};

function failureInWords({ consecutiveFailures: failures, failure }: SourceState): string {
  const readings = failures > 1 ? `Its last ${failures} readings` : 'Its last reading';
  const why = failure === undefined ? '' : `: ${REASONS[failure.reason]}`;
  return `${readings} failed${why}`;
}

/** The end of a sentence about a source that was not asked at its last turn. */
function pausedInWords(state: SourceState | undefined): string {
  if (state?.pausedUntil === undefined) return '';
  const until = isoInstant(state.pausedUntil);
  return `: requests to its host are paused until ${until}, after other ones failed`;
}

/**
 * What the source quotes, by the figures of its own readings. A quote of another source of the same
 * market may be newer than this one's last reading, so it counts until then only.
 */
function standingOf(
  { source, known }: Looked,
  { standing = {}, lastSuccessAt = 0 }: SourceState,
): readonly StandingQuote[] {
  return source.markets.flatMap((market) => {
    const unchangedSince = standing[market]?.since;
    const times = known.records.quotes
      .filter(({ market: of }) => of === market)
      .map(({ updatedAt }) => updatedAt);
    if (unchangedSince === undefined || times.length === 0) return [];
    return [{ market, unchangedSince, updatedAt: Math.min(lastSuccessAt, Math.max(...times)) }];
  });
}

/** Which of the quotes are frozen, in a sentence without its end; undefined when none is. */
function frozenInWords(
  quotes: readonly StandingQuote[],
  { markets, thresholds }: HealthRules,
): string | undefined {
  const [first, ...others] = quotes.filter((quote) => {
    const type = markets.find(quote.market)?.type;
    return type !== undefined && isFrozen(type, quote, thresholds);
  });
  if (first === undefined) return undefined;
  const since = isoInstant(first.unchangedSince);
  const more = others.length === 0 ? '' : `, and of ${others.length} more`;
  return `The same figures of ${first.market} are dated anew since ${since}${more}`;
}
