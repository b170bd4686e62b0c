import type {
  HeldDoubt,
  QuoteChange,
  QuoteReading,
  QuotesState,
} from '../../../domain/judgement/quote-memory.ts';
import { isoInstant } from '../../../domain/time.ts';
import type { HeldRecord, Suspect } from '../../ports/held.ts';
import type { StoredMemory } from '../../ports/quotes.ts';
import type { SourceRecord } from '../../ports/sources.ts';

/** What becomes of readings, in the terms of the store. */

type Changes = ReadonlyMap<QuoteReading, QuoteChange>;

/** What became something else. */
export function changedFrom(changes: Changes, before: Changes) {
  return new Map([...changes].filter(([one, change]) => !areSame(before.get(one), change)));
}

function areSame(
  before: QuoteChange | undefined,
  { status, isEnded, doubts, placedAt, updatedAt }: QuoteChange,
): boolean {
  if (before?.updatedAt !== updatedAt || before.placedAt !== placedAt) return false;
  const isSame = before.status === status && before.isEnded === isEnded;
  return isSame && codesOf(before) === codesOf({ doubts });
}

const codesOf = ({ doubts = [] }: Pick<QuoteChange, 'doubts'>) =>
  doubts.map(({ reason }) => reason).join(' ');

export function doubtsOf({ reason: gravest, message, reasons = [gravest] }: HeldRecord) {
  return reasons.map((reason) => ({ reason, message: reason === gravest ? message : reason }));
}

/** @param doubts Hardest to overcome first. */
export function whyOf(
  doubts: readonly HeldDoubt[],
): Required<Pick<Suspect, 'reason' | 'message' | 'reasons'>> {
  const [{ reason, message } = { reason: '', message: '' }] = doubts;
  return { reason, message, reasons: doubts.map((doubt) => doubt.reason) };
}

/**
 * A reading as a held record.
 * @param given Its record; without one, as for a published quote, one is made.
 */
export function suspectOf(
  { reading, doubts = [], isEnded }: QuoteChange,
  given: SourceRecord | undefined,
): Suspect {
  const { market, mid, ask, bid, at, datedAt, source } = reading;
  const dated = datedAt === undefined ? {} : { updated_at: isoInstant(datedAt) };
  const record = given ?? { kind: 'quote', mid, ask, bid, ...dated };
  return {
    subject: market.id,
    // The record may have named its market by an alias.
    record: { ...record, market: market.id, captured_at: isoInstant(at) },
    capturedAt: at,
    ...whyOf(doubts),
    counts: isEnded !== true,
    source,
  };
}

/** Whenever what is remembered of a market is something else, one of them is. */
const REMEMBERED = ['published', 'supported', 'apartSince', 'step'] as const;

/** What is remembered of the markets of which it is something else. Held records are stored by themselves. */
export function memoriesOf(
  before: QuotesState | undefined,
  now: QuotesState | undefined,
): readonly StoredMemory[] {
  return [...(now?.markets.values() ?? [])].flatMap((memory) => {
    const { market, held: _held, shown: _shown, ...kept } = memory;
    const last = before?.markets.get(market.id);
    if (REMEMBERED.every((name) => memory[name] === last?.[name])) return [];
    return [{ ...kept, market: market.id, at: now?.at ?? 0 }];
  });
}
