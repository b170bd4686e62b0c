import { witnessDoubt } from '../../domain/judgement/witness.ts';
import { PUBLICATIONS } from '../../domain/judgement.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../domain/time.ts';
import type { SupersededPublication, Suspect } from '../ports/held.ts';
import type { BatchContext } from './batch-context.ts';
import type { HeldReadings } from './held-readings.ts';
import type { KnownRecords } from './known-records.ts';
import type { Candidate } from './record-entry.ts';
import type { StoredPublications } from './stored-publications.ts';

/** A publication that witnesses refute: it is withdrawn, and held like one that was never published. */
interface Refutation {
  readonly source: string;
  readonly suspect: Suspect;
  readonly withdrawn: SupersededPublication;
}

/**
 * The publication of a value date to come that witnesses read shortly before `at` refute, if it was
 * published without one that agrees and without the operator. Against one that insistence alone
 * released one witness is enough: it had another doubt.
 */
export async function refutationAt(
  at: Instant,
  valueDate: CaracasDay,
  { store, thresholds, receivedAt }: BatchContext,
  stored: StoredPublications,
): Promise<Refutation | undefined> {
  if (valueDate <= caracasDayOf(receivedAt)) return undefined;
  const published = await store.uncheckedPublication(valueDate);
  if (published === undefined) return undefined;
  const { rates, source, insisted: isDoubtful = false } = published;
  const words = await stored.wordsFor(valueDate, at);
  const doubt = witnessDoubt(words, rates, thresholds, { isDoubtful });
  if (doubt === undefined) return undefined;
  const { reason, message } = doubt;
  const why = { reason, message, reasons: [reason], counts: true };
  const record = { value_date: valueDate, rates, captured_at: isoInstant(at) };
  return {
    source,
    suspect: {
      subject: PUBLICATIONS,
      record: { kind: 'official', ...record },
      capturedAt: at,
      ...why,
    },
    withdrawn: { valueDate, rates, state: 'withdrawn', why: 'witness_differs' },
  };
}

/** Whether a page shows a value date whose publication was withdrawn because witnesses refuted it. */
export async function isOfRefuted(
  { subject, observation }: Candidate,
  readings: HeldReadings,
  { context, publications }: KnownRecords,
): Promise<boolean> {
  if (observation.kind !== 'publication' || !context.isPage) return false;
  const { valueDate } = observation;
  const isRefuted = readings
    .of(subject)
    .some(
      ({ reason, observation: held }) =>
        reason === 'witness_differs' && held.kind === 'publication' && held.valueDate === valueDate,
    );
  const sameDate = isRefuted ? await publications.stored.forDate(valueDate) : [];
  return isRefuted && !sameDate.some(({ state }) => state === 'published');
}
