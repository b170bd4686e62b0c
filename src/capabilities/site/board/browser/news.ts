/** Changes within this time are asked for together. */
const GATHER_MS = 2_000;
/** After the stream broke off, or was refused, the page only asks for a while. */
const PAUSE_MS = 120_000;

/**
 * Hears from the service that figures changed, while the page is shown. Without a stream, and after an
 * error, the page asks by itself.
 */
export class ChangeNews {
  readonly #address: string | undefined;
  readonly #onNews: () => void;
  readonly #onEnd: () => void;
  #source: EventSource | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;

  /** @param address Undefined where the service has no stream. */
  constructor(
    address: string | undefined,
    { onNews, onEnd }: { readonly onNews: () => void; readonly onEnd: () => void },
  ) {
    this.#address = 'EventSource' in globalThis ? address : undefined;
    this.#onNews = onNews;
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.#source?.readyState === EventSource.OPEN;
  }

  /** Opens the stream, unless it is open or just broke off. */
  open(): void {
    const isTooEarly = performance.now() < this.#notBefore;
    if (this.#address === undefined || this.#source !== undefined || isTooEarly) return;
    const source = new EventSource(this.#address);
    this.#source = source;
    for (const name of ['snapshot', 'rates']) {
      source.addEventListener(name, () => this.#gather());
    }
    source.addEventListener('error', () => {
      this.#notBefore = performance.now() + PAUSE_MS;
      this.close();
      this.#onEnd();
    });
  }

  close(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#source?.close();
    this.#source = undefined;
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#onNews();
    }, GATHER_MS);
  }
}
