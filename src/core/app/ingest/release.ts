import type { CorrectionReason } from '../../domain/history/corrections.ts';
import { published } from '../../domain/judgement/publication-context.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import type { HeldRecord, Settlement } from '../ports/held.ts';
import type { IngestStore, KnownRecords } from '../ports/ingest-store.ts';
import type { Lease } from '../ports/lease.ts';
import type { BatchOrigin, Entry } from '../ports/records.ts';
import type { Judging } from './judging.ts';
import { valueDatesOf } from './publications/load.ts';
import type { JudgedQuotes } from './quotes/judged-quotes.ts';
import { because, toCandidate } from './record-entry.ts';

export interface ReleaseOptions {
  readonly lease?: Lease | undefined;
  /** Whether an operator has checked it; false when other records released it. */
  readonly isChecked?: boolean;
  /** Why it may correct what was published. */
  readonly why?: CorrectionReason;
}

/**
 * Releases a held record, keeping its source and provenance.
 * @returns its status before: `held` when it is released now, undefined for an unknown id.
 * @throws Refused when the record is no longer valid because its market is gone.
 */
export async function releaseHeld(
  judging: Judging,
  store: IngestStore,
  id: string,
  { lease, isChecked = true, why }: ReleaseOptions,
): Promise<HeldRecord['status'] | undefined> {
  const held = await store.findHeld(id);
  if (held?.status !== 'held') return held?.status;
  const context = await judging.begin({ source: held.source }, store);
  const parsed = because(why, toCandidate(held.record, context));
  const options = { lease, trusted: isChecked };
  if (parsed.observation.kind === 'quote') {
    const { quotes } = await judging.judges(context, held.source);
    const candidate = await quotes.trust(parsed);
    await storeReleased(judging, store, [{ held, candidate }], options, quotes.settlement);
    await storeReleased(judging, store, quotes.released, { lease });
    return 'held';
  }
  const dates = await valueDatesOf([parsed], context);
  const { entry, superseded: supersede } = published(parsed.entry, dates, context);
  const candidate = { ...parsed, entry: withRestOfTable(entry, context.current) };
  await storeReleased(judging, store, [{ held, candidate }], options, { supersede });
  return 'held';
}

export function asReleased(ids: readonly string[]) {
  return ids.map((id) => ({ id, status: 'released' as const }));
}

/** Stores what held records say, each from its own source. @param more What else that changes. */
export async function storeReleased(
  { parts }: Judging,
  store: IngestStore,
  released: JudgedQuotes['released'],
  options: Pick<BatchOrigin, 'lease' | 'trusted'>,
  { settle = [], ...others }: Settlement = {},
): Promise<void> {
  for (const { held, candidate } of released) {
    const { id, source, provenance } = held;
    const now = parts.clock.now();
    const { fetchedAt } = await store.currentRecords(caracasDayOf(now));
    const origin = { source, receivedAt: instantAfter(fetchedAt, now), provenance, ...options };
    const settled = [...asReleased([id]), ...settle];
    await store.appendBatch(origin, [candidate.entry], () => ({ ...others, settle: settled }));
  }
}

/** Adds the rows of other banks to released ones, from the current table of the same date. */
function withRestOfTable(entry: Entry, { bankTable: current }: KnownRecords): Entry {
  const { bankTable } = entry;
  if (bankTable === undefined || current?.indicatorDate !== bankTable.indicatorDate) return entry;
  const banks = new Set(bankTable.rows.map(({ bank }) => bank));
  const rows = [...current.rows.filter(({ bank }) => !banks.has(bank)), ...bankTable.rows];
  const capturedAt = Math.max(current.capturedAt, bankTable.capturedAt);
  return { ...entry, bankTable: { ...bankTable, rows, capturedAt } };
}
