/** Look-ups of an address that wait for their turn. */
// limit: Look-ups of one address waiting | 1,000 | 429, or 503 below its limit
export const MAX_WAITING_LOOK_UPS = 1_000;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Bounds the look-ups that run at once for each address. Others are not affected. */
export class LookUpTurns {
  /** Only of addresses with a look-up that runs. */
  readonly #turns = new Map<string, Turns>();

  /**
   * Resolves when one more look-up may run: at once, or after it waited. Each is followed by `end`.
   * @param atOnce How many may run at once; it is asked again for each turn.
   * @returns whether it waited; undefined when too many wait already.
   */
  async begin(address: string, atOnce: () => number): Promise<boolean | undefined> {
    const turns = this.#turns.get(address) ?? { running: 0, waiting: [] };
    if (turns.running < atOnce()) {
      this.#turns.set(address, turns);
      turns.running += 1;
      return false;
    }
    if (turns.waiting.length >= MAX_WAITING_LOOK_UPS) return undefined;
    return new Promise((resolve) => {
      turns.waiting.push(() => resolve(true));
    });
  }

  end(address: string, atOnce: () => number): void {
    const turns = this.#turns.get(address);
    if (turns === undefined) return;
    turns.running -= 1;
    while (turns.running < atOnce() && turns.waiting.length > 0) {
      turns.running += 1;
      turns.waiting.shift()?.();
    }
    if (turns.running === 0) this.#turns.delete(address);
  }
}
