import { isFrozen } from '../../domain/frozen.ts';
import type { CatalogueRules } from '../../domain/judgement.ts';
import type { FailureReason, SourceCondition } from '../../domain/source-health.ts';
import { isoInstant } from '../../domain/time.ts';
import type { SourceState } from '../ports/collecting.ts';
import type { StandingQuote } from '../ports/records.ts';
import { newestValueDate } from './publications.ts';
import { isOverdue, missingMarketsOf, type SourceFacts } from './source-facts.ts';
import type { StuckVenue } from './stuck-venues.ts';

/**
 * The condition of a source, and the reason as a sentence without its end. The first that applies
 * counts. While a source was never read, or nobody reads it, its last state says nothing about now.
 * A pause is short, so a failure and a late publication come before it.
 * @param missed Number of publications that it has missed.
 */
export function conditionOf(facts: SourceFacts, missed = 0): readonly [SourceCondition, string] {
  const { source, state, scheduledState, needed, known, rules, now } = facts;
  if (!source.enabled) return ['off', source.whyOff ?? 'It is switched off in the catalogue'];
  if (!needed) return ['standby', `It is read only while ${source.fallbackFor} fails`];
  if (source.fallbackFor === undefined && source.schedule.length === 0) {
    return ['standby', 'It has no schedule: it is read only by command'];
  }
  if (state?.lastAttemptAt === undefined)
    return ['waiting', `It has not been read yet${pausedInWords(state)}`];
  if (scheduledState !== undefined && isOverdue(scheduledState, now)) {
    const since = isoInstant(scheduledState.nextRunAt ?? now);
    return ['waiting', `Its turn at ${since} has passed, but no process is reading it`];
  }
  if (state.failure !== undefined) return ['failing', failureInWords(state)];
  if (missed > 0) return ['late', lateInWords(facts, missed)];
  if (state.pausedUntil !== undefined) {
    return [
      'waiting',
      `It was last read at ${isoInstant(state.lastAttemptAt)}${pausedInWords(state)}`,
    ];
  }
  const frozen =
    frozenInWords(standingOf(facts, state), rules) ??
    stuckInWords(known.stuck.filter(({ source: name }) => name === source.name));
  if (frozen !== undefined) return ['frozen', frozen];
  const missingMarkets = missingMarketsOf(facts);
  if (missingMarkets.length > 0) {
    return ['incomplete', `It no longer provides ${missingMarkets.join(', ')}`];
  }
  return ['ok', `It was last read at ${isoInstant(state.lastAttemptAt)}`];
}

function lateInWords(
  { known, rules, now }: Pick<SourceFacts, 'known' | 'rules' | 'now'>,
  missed: number,
): string {
  const missing = missed === 1 ? '1 publication is' : `${missed} publications are`;
  const newest = newestValueDate(known.records.quotes, rules.thresholds, now);
  return `${missing} overdue: the newest value date is ${newest}`;
}

/**
 * The condition of pushed records, and the reason.
 * @param missed Number of publications that the operator should have brought, because no source does.
 */
export function pushedCondition(
  facts: Pick<SourceFacts, 'known' | 'rules' | 'now'>,
  missed = 0,
): readonly [SourceCondition, string] {
  const { known, rules } = facts;
  const { pushedAt, pushed } = known;
  if (missed > 0) return ['late', lateInWords(facts, missed)];
  if (pushedAt === undefined) return ['waiting', 'No pushed figure has been published yet'];
  const frozen = frozenInWords(pushed, rules);
  if (frozen !== undefined) return ['frozen', frozen];
  return ['ok', `Records were last pushed at ${isoInstant(pushedAt)}`];
}

/**
 * A clause for a page that shows an older publication again; undefined otherwise. The newer
 * publication must be stored, because the page may have shown a wrong one in between.
 */
export function wentBackInWords({ source, state, known }: SourceFacts): string | undefined {
  const { publications = [], backSince } = state?.shown ?? {};
  const newest = publications.at(-1);
  if (!source.enabled || newest === undefined || backSince === undefined) return undefined;
  if (!known.valueDates.some((day) => day === newest.valueDate)) return undefined;
  return `; its page shows an older publication than that of ${newest.valueDate} again, since ${isoInstant(backSince)}`;
}

/** The end of the sentence, with the number of held records. */
export function heldInWords(held: number): string {
  if (held === 0) return '.';
  return held === 1 ? '; 1 of its records is held.' : `; ${held} of its records are held.`;
}

const REASONS: Readonly<Record<FailureReason, string>> = {
  unreachable: 'could not connect',
  tls: 'its certificate cannot be verified',
  timeout: 'it did not answer in time',
  status: 'it answered with an error',
  redirect: 'it pointed to another address',
  content_type: 'it answered with another kind of content',
  too_large: 'its answer was too large',
  forbidden_address: 'its address is not a public one',
  paused: 'it is paused after several failures',
  content: 'its answer did not have its usual form',
  refused: 'its records were refused',
};

function failureInWords({ consecutiveFailures: failures, failure }: SourceState): string {
  const readings = failures > 1 ? `Its last ${failures} readings` : 'Its last reading';
  const why = failure === undefined ? '' : `: ${REASONS[failure.reason]}`;
  return `${readings} failed${why}`;
}

function pausedInWords(state: SourceState | undefined): string {
  if (state?.pausedUntil === undefined) return '';
  const until = isoInstant(state.pausedUntil);
  return `: requests to its host are paused until ${until}, because others failed`;
}

/**
 * How long the quotes of the source have stayed the same in its own readings. Another source may
 * have brought a newer quote of the same market, so times are capped at this source's last reading.
 */
function standingOf(
  { source, known }: SourceFacts,
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

function frozenInWords(
  quotes: readonly StandingQuote[],
  { markets, thresholds }: CatalogueRules,
): string | undefined {
  const [first, ...others] = quotes.filter((quote) => {
    const type = markets.find(quote.market)?.type;
    return type !== undefined && isFrozen(type, quote, thresholds);
  });
  if (first === undefined) return undefined;
  const since = isoInstant(first.unchangedSince);
  const more = others.length === 0 ? '' : `, also those of ${others.length} more`;
  return `The figures of ${first.market} have new times but no change since ${since}${more}`;
}

/** The same for venues whose figures stayed steady while most others moved. */
function stuckInWords([first, ...others]: readonly StuckVenue[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : `, also those of ${others.length} more`;
  const since = isoInstant(first.since);
  return `The figures of ${first.market} have only flickered since ${since}${more}, while other venues moved`;
}
