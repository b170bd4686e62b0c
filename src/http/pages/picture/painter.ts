import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../../domain/errors.ts';

/** Longest time of one picture, with the start of the thread. On an idle machine it takes 50 ms. */
const PICTURE_TIMEOUT_MS = 10_000;
/** Most pictures that wait for the thread. */
export const MAX_WAITING_PICTURES = 50;

/** A picture to be drawn, and its width in pixels. */
export interface Drawing {
  readonly svg: string;
  readonly width: number;
}

/** In the folder of this file, both in the sources and in the built package. */
const THREAD = new URL(import.meta.url.replace(/painter(?=\.\w+$)/, 'picture-thread'));

/**
 * Draws pictures in a thread, one at a time, so that no answer waits for them. The thread starts
 * with the first picture. One that fails or takes too long is ended, and the next picture starts
 * another.
 */
export class Painter {
  readonly #timeoutMs: number;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ timeoutMs = PICTURE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @returns the picture as a PNG
   * @throws ApiError `service_unavailable` if too many wait, or it could not be drawn
   */
  async draw(drawing: Drawing): Promise<Buffer> {
    if (this.#waiting >= MAX_WAITING_PICTURES) throw unavailable('Too many pictures are waiting.');
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
    const thread = this.#thread ?? new Worker(THREAD);
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
      this.#thread = undefined;
      thread.on('error', () => undefined);
      void thread.terminate();
      throw unavailable('The picture could not be drawn.');
    } finally {
      done.abort();
      // An idle thread does not keep the process alive.
      thread.unref();
    }
  }
}

function unavailable(message: string): ApiError {
  return new ApiError('service_unavailable', { message });
}

const painter = new Painter();

/** Draws with the one thread of this process. */
export function drawn(svg: string, width: number): Promise<Buffer> {
  return painter.draw({ svg, width });
}
