import type { Publication } from '../../domain/bcv.ts';
import {
  archiveRepetition,
  MAX_DAYS_BETWEEN_RATES,
} from '../../domain/judgement/page-judgement.ts';
import { haveSameFigures } from '../../domain/judgement/publication-judgement.ts';
import { contradictions, countsUntil } from '../../domain/judgement/witness.ts';
import { type Doubt, type Observation, PUBLICATIONS } from '../../domain/judgement.ts';
import { addCaracasDays, type CaracasDay, type Instant } from '../../domain/time.ts';
import type { StoredPublication, WitnessReading } from '../ports/records.ts';
import type { BatchContext } from './batch-context.ts';

/** An official rate with its value date. */
export interface DatedRate {
  readonly date: CaracasDay;
  readonly mid: number;
}

/** The figures by name. */
export function ratesIn(dated: readonly (readonly [string, DatedRate])[]): Record<string, number> {
  return Object.fromEntries(dated.map(([name, { mid }]) => [name, mid]));
}

/** A publication that its page shows again. */
interface PublicationReturn {
  /** Its first reading. */
  readonly first: StoredPublication;
  /** The one that replaced it. */
  readonly wrong: StoredPublication;
}

/** What a witness showed, with its origin. */
interface HeardWord extends WitnessReading {
  readonly origin: string;
}

/** Most stored publications, newest value date first, with which an archive is compared. */
// limit: Stored publications compared with those of an archive | 2,000 | those of the earliest value dates are left out
const MAX_PUBLICATIONS_BESIDE = 2_000;

/**
 * What is stored about a value date: its publications, and what witnesses show for it. Of an archive
 * also its own publications.
 */
export class StoredPublications {
  readonly #context: BatchContext;
  readonly #accepted: readonly Publication[];
  /** Those of the value date that was asked for last. */
  #last?: {
    readonly valueDate: CaracasDay;
    readonly publications: readonly StoredPublication[];
  };

  /** The publications of an archive, before they are judged. */
  archived: readonly Publication[] = [];
  /** The doubt about all of them. */
  repetition: Doubt | undefined;

  /** @param accepted The publications of the batch that were accepted so far. */
  constructor(context: BatchContext, accepted: readonly Publication[]) {
    this.#context = context;
    this.#accepted = accepted;
  }

  /** Takes the publications of an archive. */
  async expect(archived: readonly Publication[]): Promise<void> {
    const { store, isArchive } = this.#context;
    const dates = archived.map(({ valueDate }) => valueDate).sort();
    const [first, last] = [dates.at(0), dates.at(-1)];
    if (!isArchive || first === undefined || last === undefined) return;
    const beside = await store.listPublications({
      from: addCaracasDays(first, -MAX_DAYS_BETWEEN_RATES),
      to: addCaracasDays(last, MAX_DAYS_BETWEEN_RATES),
      limit: MAX_PUBLICATIONS_BESIDE,
    });
    const published = beside.filter(({ state }) => state === 'published');
    this.archived = archived;
    this.repetition = archiveRepetition(archived, published);
  }

  /** The publications stored for a value date. A batch changes them only at its end. */
  async forDate(valueDate: CaracasDay): Promise<readonly StoredPublication[]> {
    if (this.#last?.valueDate !== valueDate) {
      const publications = await this.#context.store.publicationsFor(valueDate);
      this.#last = { valueDate, publications };
    }
    return this.#last.publications;
  }

  /**
   * Whether a publication was accepted before, and a page that insisted on other figures replaced it.
   * Then it may return, and the replacement was wrong.
   */
  async returnOf(publication: Publication): Promise<PublicationReturn | undefined> {
    const { valueDate, rates } = publication;
    const sameDate = await this.forDate(valueDate);
    const published = sameDate.filter(({ state }) => state === 'published');
    const first = sameDate.find(
      (other) => other.state === 'replaced' && haveSameFigures(other.rates, rates),
    );
    const isHere = [...published, ...this.#accepted].some(
      (other) => other.valueDate === valueDate && haveSameFigures(other.rates, rates),
    );
    const wrong = isHere ? undefined : published.find(({ insisted }) => insisted === true);
    return first === undefined || wrong === undefined ? undefined : { first, wrong };
  }

  /** What witnesses that were read shortly before `at` show for the value date of a publication. */
  async wordsAbout(
    { observation }: { readonly observation: Observation },
    at: Instant,
  ): Promise<readonly HeardWord[]> {
    return observation.kind === 'publication' ? this.wordsFor(observation.valueDate, at) : [];
  }

  /** Whether a witness contradicts it now, and neither another one nor the operator spoke for it. */
  async isContradicted({ valueDate, rates }: Publication): Promise<boolean> {
    const { store, thresholds, now } = this.#context;
    const words = await this.wordsFor(valueDate, now);
    if (contradictions(words, rates, thresholds).length === 0) return false;
    return (await store.uncheckedPublication(valueDate)) !== undefined;
  }

  /** What they show for that value date. */
  async wordsFor(valueDate: CaracasDay, at: Instant): Promise<readonly HeardWord[]> {
    const { store, originOf, thresholds } = this.#context;
    const words = await store.witnessReadings(valueDate);
    return words
      .filter((word) => at <= countsUntil(word, thresholds))
      .map((word) => ({ ...word, origin: originOf(word.source, PUBLICATIONS) }));
  }
}
