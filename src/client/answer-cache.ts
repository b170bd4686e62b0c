/** Most characters of all kept answers together; a long raw series has some 700 thousand. */
export const MAX_KEPT_CHARACTERS = 8_000_000;
/** Most answers that a client may be set to keep. */
export const MAX_KEPT_ANSWERS = 10_000;

export interface CachedAnswer {
  readonly etag: string;
  readonly text: string;
}

/** The last answers with an ETag by address, the least used forgotten first. */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(address: string): CachedAnswer | undefined {
    const found = this.#answers.get(address);
    if (found === undefined) return undefined;
    // A Map keeps the order of insertion: what is used goes to the end.
    this.#answers.delete(address);
    this.#answers.set(address, found);
    return found;
  }

  set(address: string, answer: CachedAnswer): void {
    this.#forget(address);
    if (answer.text.length > MAX_KEPT_CHARACTERS) return;
    this.#answers.set(address, answer);
    this.#characters += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#most && this.#characters <= MAX_KEPT_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(address: string): void {
    this.#characters -= this.#answers.get(address)?.text.length ?? 0;
    this.#answers.delete(address);
  }
}
