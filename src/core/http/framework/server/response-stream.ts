import type { ServerResponse } from 'node:http';
import type { AnswerStream, Sink } from '../encoding/answer-stream.ts';

/** A response that goes on after its headers, until one side ends it. */
export class ResponseStream implements Sink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse, stream: AnswerStream) {
    this.#response = response;
    const { socket } = response.req;
    response.once('close', () => stream.closed());
    response.on('drain', () => stream.drained());
    // A client that closes its side has left: nobody ends a stream to read on.
    socket.once('end', () => socket.destroy());
    if (socket.readableEnded) socket.destroy();
    else stream.begin(this);
  }

  get unread(): number {
    return this.#response.writableLength;
  }

  write(events: Buffer): void {
    if (this.#isOpen) this.#response.write(events);
  }

  end(last?: Buffer): void {
    if (this.#isOpen) this.#response.end(last);
  }

  get #isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }
}
