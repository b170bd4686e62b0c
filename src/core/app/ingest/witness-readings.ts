import type { Publication } from '../../domain/bcv.ts';
import type { Instant } from '../../domain/time.ts';
import type { IngestStore } from '../ports/ingest-store.ts';
import type { IncomingRecords, IngestCounts, IngestOptions } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import type { Judging } from './judging.ts';
import { JudgedPublications } from './publications/judged-publications.ts';
import { valueDatesOf } from './publications/load.ts';
import { refutedAt } from './publications/step.ts';
import { type IncomingRecord, orRefusal, Refused } from './record.ts';
import { type Candidate, type Surroundings, toCandidate } from './record-entry.ts';
import { releaseHeld } from './release.ts';

/** Keeps what a witness shows, and publishes the held publications with which it agrees. */
export async function hearWitness(
  judging: Judging,
  records: IncomingRecords,
  options: IngestOptions,
): Promise<IngestCounts> {
  const { source, lease, tell, dryRun = false } = options;
  const about = await judging.begin(options);
  const counts = { accepted: 0, held: 0, refused: 0, duplicate: 0 };
  const shown: (Candidate & { readonly publication: Publication })[] = [];
  let line = 0;
  for await (const record of records) {
    line += 1;
    const candidate = orRefusal(() => publicationIn(record, about));
    if (candidate instanceof Refused) {
      counts.refused += 1;
      tell?.({ bad: { line, reason: candidate.message } });
    } else if (!dryRun) {
      shown.push(candidate);
      counts.duplicate += 1;
    }
  }
  if (shown.length === 0) return counts;
  await judging.parts.store.writeTogether(lease, async (store) => {
    for (const { publication } of shown) {
      await store.keepWitnessReading({ source, ...publication }, lease);
    }
    const times = shown.map(({ capturedAt }) => capturedAt);
    const context = await releaseShown(judging, store, times, options);
    // What it released has replaced an earlier publication, which then needs no withdrawal.
    const dates = await valueDatesOf(shown, context);
    const refuted = shown.flatMap(
      ({ capturedAt, publication: { valueDate } }) =>
        refutedAt(capturedAt, valueDate, dates, context) ?? [],
    );
    for (const { source: of, settlement } of refuted) {
      const origin = { source: of, receivedAt: context.receivedAt, lease };
      await store.appendBatch(origin, [], () => settlement);
    }
    if (refuted.length > 0) await releaseShown(judging, store, times, options);
  });
  return counts;
}

/** Publishes the held publications with which a witness agrees that was read at these times. */
async function releaseShown(
  judging: Judging,
  store: IngestStore,
  times: readonly Instant[],
  options: IngestOptions,
): Promise<BatchContext> {
  const context = await judging.begin({ ...options, isPage: true }, store);
  const { publications: held } = await judging.held(context);
  const publications = new JudgedPublications(context, options.source, held);
  await publications.load(held);
  for (const at of times) publications.hear(at);
  for (const id of publications.released) {
    await releaseHeld(judging, store, id, { lease: options.lease, isChecked: false });
  }
  return context;
}

/** @throws Refused when it is not a publication. */
function publicationIn(record: IncomingRecord, around: Surroundings) {
  const candidate = record === undefined ? undefined : toCandidate(record, around);
  const { publication } = candidate?.entry ?? {};
  if (candidate !== undefined && publication !== undefined) return { ...candidate, publication };
  throw new Refused('kind must be official: a witness gives publications of the central bank');
}
