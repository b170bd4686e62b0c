import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

export interface StreamEvent {
  /** `comment` and `retry` too, which are no events. */
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of every shape.
  readonly data: any;
}

export interface OpenedStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly response: IncomingMessage;
  /** The next event, but for `retry` and comments. */
  next(): Promise<StreamEvent>;
  /** Whatever comes next; undefined at the end. */
  part(): Promise<StreamEvent | undefined>;
  /** All until the end, and the bytes after the last whole event. */
  rest(): Promise<{ readonly events: readonly StreamEvent[]; readonly cut: string }>;
  leave(): void;
}

interface StreamRequest {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens a stream as programs do; tests wait for its events. */
export async function openedStream(
  address: string,
  { key, method = 'GET', headers = {} }: StreamRequest = {},
): Promise<OpenedStream> {
  const asked = request(address, {
    ...{ method, agent: false },
    headers: { ...(key !== undefined && { 'X-API-Key': key }), ...headers },
  });
  onTestFinished(() => void asked.destroy());
  asked.end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  if (response === undefined) throw new Error('there is no answer');
  response.setEncoding('utf8');
  // One that is cut ends for the test too.
  response.on('error', () => undefined);
  let text = '';
  const more = async (): Promise<boolean> => {
    const before = text;
    for (;;) {
      const chunk: string | null = response.read();
      if (chunk !== null) text += chunk;
      if (text !== before) return true;
      if (response.readableEnded || response.destroyed) return false;
      await Promise.race([
        once(response, 'readable').catch(() => undefined),
        once(response, 'close'),
      ]);
    }
  };
  const part = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const whole = text.slice(0, end);
        text = text.slice(end + 2);
        return eventIn(whole);
      }
      if (!(await more())) return undefined;
    }
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    response,
    part,
    async next() {
      for (;;) {
        const one = await part();
        if (one === undefined) throw new Error('the stream has ended');
        if (one.event !== 'retry' && one.event !== 'comment') return one;
      }
    },
    async rest() {
      const events: StreamEvent[] = [];
      for (let one = await part(); one !== undefined; one = await part()) events.push(one);
      return { events, cut: text };
    },
    leave: () => void asked.destroy(),
  };
}

function eventIn(text: string): StreamEvent {
  if (text.startsWith(':')) return { event: 'comment', id: undefined, data: text.slice(2) };
  const fields = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const retry = fields.get('retry');
  if (retry !== undefined) return { event: 'retry', id: undefined, data: Number(retry) };
  return {
    event: fields.get('event') ?? 'message',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
