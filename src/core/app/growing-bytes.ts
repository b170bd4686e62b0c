const FIRST_BUFFER_BYTES = 1024;

/**
 * Bytes that arrive in pieces, copied into one buffer. A sender that splits them into pieces of one
 * byte therefore takes no more memory than one that sends them at once.
 */
export class GrowingBytes {
  readonly #max: number;
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @returns false, and adds nothing, when there would be more than `max` bytes. */
  add(piece: Uint8Array): boolean {
    const needed = this.#length + piece.length;
    if (needed > this.#max) return false;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
    return true;
  }

  /** A copy of the bytes so far. */
  toBytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }
}
