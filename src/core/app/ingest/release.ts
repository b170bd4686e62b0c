import type { CorrectionReason } from '../../domain/history/corrections.ts';
import { published } from '../../domain/judgement/publication-context.ts';
import { caracasDayOf, instantAfter } from '../../domain/time.ts';
import type { HeldRecord, Settlement } from '../ports/held.ts';
import type { IngestStore, KnownRecords } from '../ports/ingest-store.ts';
import type { Lease } from '../ports/lease.ts';
import type { Entry } from '../ports/records.ts';
import type { Judging } from './judging.ts';
import { JudgedPublications } from './publications/judged-publications.ts';
import { valueDatesOf } from './publications/load.ts';
import { JudgedQuotes } from './quotes/judged-quotes.ts';
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
  if (parsed.observation.kind === 'quote') {
    const { quotes: pending } = await judging.held(context);
    const publications = new JudgedPublications(context, held.source, []);
    const quotes = new JudgedQuotes(context, held.source, pending, publications);
    const { entry } = await quotes.trust(parsed);
    const { settlement } = quotes;
    await storeReleased(judging, store, held, entry, settlement, lease, isChecked);
    await storeAllReleased(judging, store, quotes, lease);
    return 'held';
  }
  const dates = await valueDatesOf([parsed], context);
  const { entry, superseded: supersede } = published(parsed.entry, dates, context);
  const whole = withRestOfTable(entry, context.current);
  await storeReleased(judging, store, held, whole, { supersede }, lease, isChecked);
  return 'held';
}

export function asReleased(ids: readonly string[]) {
  return ids.map((id) => ({ id, status: 'released' as const }));
}

/** Stores what a held record says, from its own source, with what else that changes. */
async function storeReleased(
  { parts }: Judging,
  store: IngestStore,
  { id, source, provenance }: HeldRecord,
  entry: Entry,
  { settle = [], ...others }: Settlement,
  lease: Lease | undefined,
  trusted = false,
): Promise<void> {
  const now = parts.clock.now();
  const { fetchedAt } = await store.currentRecords(caracasDayOf(now));
  const origin = { source, receivedAt: instantAfter(fetchedAt, now), provenance, lease, trusted };
  const settled = [...asReleased([id]), ...settle];
  await store.appendBatch(origin, [entry], () => ({ ...others, settle: settled }));
}

/** Publishes the held quotes that judged ones release. */
export async function storeAllReleased(
  judging: Judging,
  store: IngestStore,
  quotes: JudgedQuotes,
  lease: Lease | undefined,
): Promise<void> {
  for (const { held, candidate } of quotes.released) {
    await storeReleased(judging, store, held, candidate.entry, {}, lease);
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
