/** Answers that go on: server-sent events. */

export const EVENT_STREAM = 'text/event-stream';

/** Where a stream is written. */
export interface Sink {
  /** Bytes that the client has not read and the system has not taken. */
  readonly unread: number;
  /** Writes whole events, so that a stream never ends within one. */
  write(events: Buffer): void;
  /** Ends the stream, after the last event if there is one. */
  end(last?: Buffer): void;
}

/** What an endpoint answers in place of a body. */
export interface AnswerStream {
  /** The client gets the status and the headers; events may follow. */
  begin(sink: Sink): void;
  /** Everything written was taken, after it had not been. */
  drained(): void;
  /** It is over: called in every case, even if it never began, and perhaps again. */
  closed(): void;
}
