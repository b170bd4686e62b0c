import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sentence } from '../../../../core/domain/errors/sentence.ts';
import { ApiError } from '../../../../core/domain/errors.ts';
import { threadOf } from '../../../../core/product-files.ts';

/** Longest time of one picture, with the start of the thread. On an idle machine it takes 50 ms. */
const PICTURE_TIMEOUT_MS = 10_000;
/** An idle thread is ended after this time: it holds some 70 MB, and links are rarely shown anew. */
// limit: Idle picture thread | 60 s | started again
const PICTURE_IDLE_MS = 60_000;
/** Most pictures that wait for the thread. */
// limit: Pictures: waiting, time to draw | 50, 10 s | 503 | PICTURE_TIMEOUT_MS
export const MAX_WAITING_PICTURES = 50;

/** A picture to be drawn, and its width in pixels. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
}

const THREAD = 'src/capabilities/site/pages/picture/picture-thread.ts';

/**
 * Draws pictures in a thread, one at a time, so that no answer waits for them. The thread starts
 * with the first picture. One that fails, takes too long or is idle is ended, and the next picture
 * starts another.
 */
export class Painter {
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({
    timeoutMs = PICTURE_TIMEOUT_MS,
    idleMs = PICTURE_IDLE_MS,
  }: { readonly timeoutMs?: number; readonly idleMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
    this.#idleMs = idleMs;
  }

  /** Whether the thread runs, idle or not. */
  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /**
   * @returns the picture as a PNG
   * @throws ApiError `service_unavailable` if too many wait, or it could not be drawn
   */
  async draw(drawing: Drawing): Promise<Buffer> {
    if (this.#waiting >= MAX_WAITING_PICTURES) {
      throw unavailable('Too many pictures are waiting.', 'Hay demasiadas imágenes en espera.');
    }
    this.#waiting += 1;
    const drawn = this.#last.then(() => this.#drawNow(drawing));
    this.#last = drawn.catch(() => undefined);
    try {
      return await drawn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #drawNow(drawing: Drawing): Promise<Buffer> {
    clearTimeout(this.#idle);
    const thread = this.#thread ?? new Worker(threadOf(THREAD));
    this.#thread = thread;
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      // An error of the thread rejects.
      const answer = once(thread, 'message', { signal });
      thread.postMessage(drawing);
      const [png] = await answer;
      return Buffer.from(png);
    } catch {
      this.#end(thread);
      throw unavailable('The picture could not be drawn.', 'No se pudo dibujar la imagen.');
    } finally {
      done.abort();
      // An idle thread does not keep the process alive.
      thread.unref();
      this.#idle = setTimeout(() => this.#end(thread), this.#idleMs).unref();
    }
  }

  #end(thread: Worker): void {
    if (this.#thread === thread) this.#thread = undefined;
    thread.on('error', () => undefined);
    void thread.terminate();
  }
}

function unavailable(en: string, es: string): ApiError {
  return new ApiError('service_unavailable', { message: sentence(en, es) });
}

const painter = new Painter();

/** Draws with the one thread of this process. */
export function drawn(svg: string, width: number): Promise<Buffer> {
  return painter.draw({ svg, width });
}
