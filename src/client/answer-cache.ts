/** Most characters of all cached answers together. A long raw series has about 700,000. */
export const MAX_KEPT_CHARACTERS = 8_000_000;
/** Most answers that a client can cache. */
// limit: Answers kept | 10,000 (more: a `TypeError`), 8 million characters | the least used forgotten | MAX_KEPT_CHARACTERS
export const MAX_KEPT_ANSWERS = 10_000;

export interface AnswerWithEtag {
  readonly etag: string;
  readonly text: string;
}

/** The last answers with an ETag, by address. The least recently used are removed first. */
export class AnswerCache {
  readonly #answers = new Map<string, AnswerWithEtag>();
  readonly #most: number;
  #characters = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(address: string): AnswerWithEtag | undefined {
    const answer = this.#answers.get(address);
    if (answer === undefined) return undefined;
    // A Map keeps the order of insertion, so move a used entry to the end.
    this.#answers.delete(address);
    this.#answers.set(address, answer);
    return answer;
  }

  set(address: string, answer: AnswerWithEtag): void {
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
