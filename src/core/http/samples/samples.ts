import type { Log } from '../../app/ports/log.ts';
import { within } from '../../app/within.ts';
import { ApiError } from '../../domain/errors.ts';
import { type CaracasDay, caracasDayOf, type Instant, MINUTE_MS } from '../../domain/time.ts';
import type { Language } from '../../domain/words/language.ts';
import { once } from '../framework/encoding/made-once.ts';
import type { ApiDocument } from '../openapi/api-document.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import type { Services } from '../pipeline/services.ts';
import { type AskSample, type MoveDays, withAnswers } from './sample-answers.ts';
import { sampleDays } from './sample-days.ts';

// limit: Samples of the documents | made once in 10 minutes at most | those of before
const EDITION_MS = 10 * MINUTE_MS;
// limit: Waits for samples: first reader, one answer | 1 s, 2 s | the demonstration's | ANSWER_WAIT_MS
const FIRST_WAIT_MS = 1_000;
const ANSWER_WAIT_MS = 2_000;

/** Samples that belong together: the answers of the service at about one time. */
export interface SampleEdition {
  /** The day of its figures; undefined when the service has none, and all are the demonstration's. */
  readonly day: CaracasDay | undefined;
  readonly moved: MoveDays;
  /**
   * What the service answers by GET, of the markets that every plan has; undefined when it refuses, such
   * as a day without a rate. An address is asked once.
   */
  readonly ask: (address: string) => Promise<unknown>;
  readonly document: (language: Language) => ApiDocument;
}

interface SamplesParts {
  readonly endpoints: readonly Endpoint[];
  readonly document: (
    endpoints: readonly Endpoint[],
    language: Language,
    day: CaracasDay | undefined,
  ) => ApiDocument;
  readonly ask: AskSample;
  readonly snapshots: Services['snapshots'];
  readonly log: Log;
  readonly now: () => Instant;
}

/** An edition, and whether it rests on all that the service has. */
interface MadeEdition extends SampleEdition {
  /** What the samples rest on; another one makes others. */
  readonly key: string;
  /** How many markets had a quote. */
  readonly quoted: number;
  /** The service failed to answer: the next edition asks again. */
  hasFailed: boolean;
}

/** Makes the samples of the reference from what this service answers. */
export class Samples {
  readonly #parts: SamplesParts;
  /** Those of the demonstration. */
  readonly #declared: SampleEdition;
  #edition: MadeEdition | undefined;
  #making: Promise<void> | undefined;
  #triedAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: SamplesParts) {
    this.#parts = parts;
    this.#declared = {
      day: undefined,
      moved: (text) => text,
      ask: async () => undefined,
      document: this.#document(parts.endpoints, undefined),
    };
  }

  /**
   * The newest samples. They are made again when the value date of the dollar, its rate or the week has
   * changed, or more markets have a quote; meanwhile readers get those of before.
   */
  async current(): Promise<SampleEdition> {
    const now = this.#parts.now();
    const { key, quoted } = this.#state(now);
    const edition = this.#edition;
    if (quoted === 0) return this.#declared;
    const isCurrent = edition?.key === key && quoted <= edition.quoted && !edition.hasFailed;
    // After the clock was set back too.
    const isDue = Math.abs(now - this.#triedAt) >= EDITION_MS;
    if (!isCurrent && isDue && this.#making === undefined) {
      this.#triedAt = now;
      this.#making = this.#make(now, { key, quoted })
        .catch((err: unknown) => this.#parts.log.error({ err }, 'samples could not be made'))
        .finally(() => {
          this.#making = undefined;
        });
    }
    if (edition === undefined && this.#making !== undefined) {
      await within(this.#making, FIRST_WAIT_MS);
    }
    return this.#edition ?? this.#declared;
  }

  #state(now: Instant): Pick<MadeEdition, 'key' | 'quoted'> {
    const { quotes, official } = this.#parts.snapshots.at(now);
    const { valueDate, rate } = official.get('USD')?.inForce ?? {};
    const saturday = sampleDays(caracasDayOf(now))('2026-11-21');
    return { key: `${saturday} ${valueDate} ${rate}`, quoted: quotes.length };
  }

  async #make(now: Instant, state: Pick<MadeEdition, 'key' | 'quoted'>): Promise<void> {
    const day = caracasDayOf(now);
    const moved = sampleDays(day);
    const asked = new Map<string, Promise<unknown>>();
    const ask: AskSample = (address, body) => {
      const name = body === undefined ? address : `${address} ${JSON.stringify(body)}`;
      const answer = asked.get(name) ?? this.#answer(made, () => this.#parts.ask(address, body));
      asked.set(name, answer);
      return answer;
    };
    const filled: Endpoint[] = [];
    const document = this.#document(filled, day);
    const made: MadeEdition = {
      ...{ ...state, hasFailed: false, day, moved, document },
      ask: (address) => ask(address),
    };
    for (const endpoint of this.#parts.endpoints) {
      filled.push(await withAnswers(endpoint, moved, ask));
    }
    // Old samples are better than half of the new ones.
    if (this.#edition === undefined || !made.hasFailed) this.#edition = made;
  }

  /** Undefined for a refusal. After a failure nothing more is asked. */
  async #answer(edition: MadeEdition, ask: () => Promise<unknown>): Promise<unknown> {
    if (edition.hasFailed) return undefined;
    const answer = await within(
      ask().catch((err: unknown) => {
        // Also that no market has a figure; a store that is away is another error.
        if (err instanceof ApiError) return undefined;
        this.#parts.log.warn({ err }, 'a sample was not answered');
        return 'late';
      }),
      ANSWER_WAIT_MS,
    );
    if (answer !== 'late') return answer;
    edition.hasFailed = true;
    return undefined;
  }

  #document(endpoints: readonly Endpoint[], day: CaracasDay | undefined) {
    const inLanguage = (language: Language) =>
      once(() => this.#parts.document(endpoints, language, day));
    const documents = { en: inLanguage('en'), es: inLanguage('es') };
    return (language: Language) => documents[language]();
  }
}
