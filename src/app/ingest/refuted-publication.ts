import { witnessDoubt } from '../../domain/judgement/witness.ts';
import { PUBLICATIONS } from '../../domain/judgement.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { type CaracasDay, caracasDayOf, type Instant, isoInstant } from '../../domain/time.ts';
import type { SupersededPublication, Suspect } from '../ports/held.ts';
import type { TracedPublication } from '../ports/records.ts';
import type { BatchContext, IngestStore } from './batch-context.ts';
import type { HeldReadings } from './held-readings.ts';
import type { KnownRecords } from './known-records.ts';
import type { Candidate } from './record-entry.ts';
import type { StoredPublications } from './stored-publications.ts';

/** Most publications of a value date among which the published one is looked for. */
const MAX_LISTED_OF_DATE = 100;

/** Most released records that are searched for a publication. */
const MAX_RELEASED_COMPARED = 10_000;

/** A publication that a witness refutes: it is withdrawn, and held like one that was never published. */
interface Refutation {
  readonly source: string;
  readonly suspect: Suspect;
  readonly withdrawn: SupersededPublication;
}

/**
 * The publication of a value date to come that witnesses read shortly before `at` contradict, if it
 * was published without one that agrees and without the operator.
 */
export async function refutationAt(
  at: Instant,
  valueDate: CaracasDay,
  { store, thresholds, receivedAt }: BatchContext,
  stored: StoredPublications,
): Promise<Refutation | undefined> {
  if (valueDate <= caracasDayOf(receivedAt)) return undefined;
  const published = await publishedFor(valueDate, store);
  if (published?.source === undefined || published.source === PUSHED) return undefined;
  const { rates, source } = published;
  const words = await stored.wordsFor(valueDate, at);
  const doubt = witnessDoubt(words, rates, thresholds);
  if (doubt === undefined || (await wasReleased(published, store))) return undefined;
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

async function publishedFor(
  date: CaracasDay,
  store: IngestStore,
): Promise<TracedPublication | undefined> {
  const listed = await store.listPublications({ from: date, to: date, limit: MAX_LISTED_OF_DATE });
  return listed.find(({ state }) => state === 'published');
}

/** Whether a witness or the operator decided that it is right. */
async function wasReleased(
  { valueDate, rates, insisted }: TracedPublication,
  store: IngestStore,
): Promise<boolean> {
  if (insisted === true) return false;
  const released = await store.listHeld('released', MAX_RELEASED_COMPARED);
  return released.some(({ record }) => {
    const figures = new Map(Object.entries(record['rates'] ?? {}));
    const isSame = Object.entries(rates).every(([name, rate]) => figures.get(name) === rate);
    return record['value_date'] === valueDate && isSame;
  });
}

/** Whether a page shows a value date whose publication was withdrawn because a witness refuted it. */
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
