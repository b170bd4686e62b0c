import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { residentMegabytes } from '../data/leftovers.ts';
import { accountWithKey, load, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';

/**
 * When a connection must be closed: the service's timeout, the interval of its check, the linger
 * time, and the time until the client's next write.
 */
const HEADERS_CLOSED_MS = 7_000;
const BODY_CLOSED_MS = 17_000;
/** Time for the service to fill the socket buffers of all readers before they stall. */
const MAKING_MS = 10_000;
const READER_CLOSED_MS = MAKING_MS + 20_500;
/** Pause between two bytes of a slow client. */
const BYTE_EVERY_MS = 1_000;
/** Pause between two requests of the good client. */
const GOOD_EVERY_MS = 5;
const QUIET_MS = 1_000;
const MAX_P99_MS = 50;
const MAX_GROWTH_MB = 200;
/** Most memory for a stalled reader, which is about one answer. */
const MAX_MB_PER_READER = 1.5;

const KINDS = ['headers', 'blank', 'body', 'chunk', 'reader'] as const;
/** One client in this many is a reader, because the service builds megabytes for each. */
const READER_EVERY = 25;
type Kind = (typeof KINDS)[number];
const CLOSED_MS: Readonly<Record<Kind, number>> = {
  headers: HEADERS_CLOSED_MS,
  blank: HEADERS_CLOSED_MS,
  body: BODY_CLOSED_MS,
  chunk: BODY_CLOSED_MS,
  reader: READER_CLOSED_MS,
};

const WAITS_FOR_CLIENTS = changedLine(
  '/http/framework/server/connection.ts',
  'setTimeout(() => this.socket.destroy(), LINGER_MS).unref();',
  '',
);

export const slow = scenario({
  name: 'slow',
  title: 'Slow headers, slow bodies, slow readers',
  promise:
    'They are closed on time, a good client beside them does not feel it, and memory is flat.',
  control: 'it ends its own half and waits for the client',
  full: { connections: 1_000, kinds: 5, slack: 1 },
  quick: { connections: 60, kinds: 2, slack: 4 },
  controlled: { connections: 10, kinds: 2, slack: 1 },
  shown: ({ connections, kinds }) =>
    kinds < KINDS.length
      ? `${connections} connections: ${KINDS.slice(0, kinds).join(', ')}`
      : `${connections} connections, ${connections / READER_EVERY} of them readers`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads memory in /proc'),
  run: async (trial, { connections, kinds: count, slack }, subject) => {
    const data = join(trial.dir, 'data');
    const { key } = await accountWithKey(data, 'Escala');
    await load(data, series());
    const served = await serve(trial, data, subject === 'control' ? WAITS_FOR_CLIENTS : {});
    const good = new GoodClient(served.url, key);
    await pause(QUIET_MS);
    const quiet = good.takeP99();
    const before = residentMegabytes(served.pid);
    const kinds = KINDS.slice(0, count);
    const slowOnes = Array.from({ length: connections }, (_, index) =>
      slowConnection(served.url, key, kindOf(index, kinds)),
    );
    trial.onEnd(() => slowOnes.map(({ socket }) => socket.destroy()));
    const longest = Math.max(...kinds.map((kind) => CLOSED_MS[kind]));
    const noticing = slowOnes.filter(({ kind }) => kind !== 'reader');
    await Promise.race([
      Promise.all([...noticing.map(({ closed }) => closed), readersDue(slowOnes, 1_000 * slack)]),
      pause(longest + 1_000 * slack),
    ]);
    const after = residentMegabytes(served.pid);
    await lookAtReaders(slowOnes);
    for (const { kind, state } of slowOnes) {
      const isClosed =
        state.closedMs !== undefined &&
        state.closedMs <= CLOSED_MS[kind] + (kind === 'reader' ? READ_ON_MS : 0) + 1_000 * slack;
      trial.expect(isClosed, `slow ${kind}: closed after ${Math.round(state.closedMs ?? -1)} ms`);
    }
    const busy = good.takeP99();
    await good.stop();
    const limit = Math.max(MAX_P99_MS, 2 * quiet) * slack;
    trial.expect(
      busy <= limit,
      `the p99 of a good client is ${busy.toFixed(1)} ms, quiet ${quiet.toFixed(1)} ms`,
    );
    trial.expect(good.failures === 0, `${good.failures} good requests failed`);
    const readers = slowOnes.filter(({ kind }) => kind === 'reader').length;
    const most = MAX_GROWTH_MB + readers * MAX_MB_PER_READER;
    trial.expect(after - before <= most, `memory grew by ${Math.round(after - before)} MB`);
    const kindsTold = kinds.map((kind) => {
      const times = slowOnes
        .filter((one) => one.kind === kind)
        .map(({ state }) => state.closedMs ?? 0);
      return `${kind} closed by ${(Math.max(...times) / 1_000).toFixed(1)} s`;
    });
    trial.measured(kindsTold.join(', '));
    trial.measured(`p99 ${busy.toFixed(1)} ms, quiet ${quiet.toFixed(1)} ms`);
    trial.measured(`memory grew by ${Math.round(after - before)} MB`);
    for (const { socket } of slowOnes) socket.destroy();
    await served.running.stop();
  },
});

function kindOf(index: number, kinds: readonly Kind[]): Kind {
  if (index % READER_EVERY === 0 && kinds.includes('reader')) return 'reader';
  const writing = kinds.filter((kind) => kind !== 'reader');
  return writing[index % writing.length] ?? 'headers';
}

/** The data that each kind sends, piece by piece. */
const TRICKLE: Readonly<Record<Kind, string>> = {
  headers: 'a',
  blank: '\r\n',
  body: 'a',
  chunk: '1\r\na\r\n',
  reader: '',
};

interface SlowOne {
  readonly kind: Kind;
  readonly socket: Socket;
  readonly state: { closedMs?: number };
  readonly closed: Promise<void>;
}

function slowConnection(url: string, key: string, kind: Kind): SlowOne {
  const { hostname, port } = new URL(url);
  // Writers keep their half of the connection open until the service closes the socket.
  const socket = connect({
    port: Number(port),
    host: hostname,
    allowHalfOpen: kind !== 'reader',
  });
  const startedAt = performance.now();
  const state: { closedMs?: number } = {};
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      state.closedMs = performance.now() - startedAt;
      clearInterval(timer);
      resolve();
    });
  });
  socket.on('error', () => undefined);
  const head = `Host: faults\r\nX-API-Key: ${key}\r\n`;
  switch (kind) {
    case 'headers':
      socket.resume().write('GET /v1/fx/rates HTTP/1.1\r\nHost: fau');
      break;
    case 'blank':
      socket.resume().write('\r\n');
      break;
    case 'chunk':
      socket
        .resume()
        .write(
          `POST /v1/fx/bulk/convert HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
      break;
    case 'body':
      socket
        .resume()
        .write(
          `POST /v1/fx/bulk/convert HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
        );
      break;
    case 'reader': {
      // Requests more than the socket buffers hold, and never reads.
      const path = '/v1/fx/rates/parallel/history?granularity=raw&format=xml';
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`.repeat(READER_REQUESTS));
      break;
    }
    default:
      kind satisfies never;
  }
  const timer = setInterval(() => {
    if (socket.writable) socket.write(TRICKLE[kind]);
  }, BYTE_EVERY_MS);
  return { kind, socket, state, closed };
}

/** Waits until the service must have closed the readers. */
async function readersDue(slowOnes: readonly SlowOne[], moreMs: number): Promise<void> {
  if (slowOnes.some(({ kind }) => kind === 'reader')) await pause(READER_CLOSED_MS + moreMs);
}

/**
 * A stalled reader does not notice that its connection was closed. Each one resumes reading now and
 * must reach the end. A reader that the service still waits for would get all its answers and stay
 * open.
 */
async function lookAtReaders(slowOnes: readonly SlowOne[]): Promise<void> {
  const readers = slowOnes.filter(({ kind }) => kind === 'reader');
  for (const { socket } of readers) socket.resume();
  await Promise.race([Promise.all(readers.map(({ closed }) => closed)), pause(READ_ON_MS)]);
}

/** A resumed reader has read the socket buffers within this time. */
const READ_ON_MS = 2_000;

/** Answers of a megabyte each: more than the socket buffers hold. */
const READER_REQUESTS = 6;

/** A well-behaved client that measures its waiting times. */
class GoodClient {
  failures = 0;
  readonly #client = new Client(1);
  #times: number[] = [];
  #isOver = false;
  readonly #over: Promise<void>;

  constructor(url: string, key: string) {
    this.#over = this.#run(`${url}/v1/fx/rates`, key);
  }

  async #run(url: string, key: string): Promise<void> {
    while (!this.#isOver) {
      const since = performance.now();
      const status = statusOf(await this.#client.send(url, { key }));
      this.#times.push(performance.now() - since);
      // The account has a limit per minute. A 429 takes as long as an answer.
      if (status !== 200 && status !== 429) this.failures += 1;
      await pause(GOOD_EVERY_MS);
    }
    this.#client.close();
  }

  /** The p99 of the requests since the last call. */
  takeP99(): number {
    const times = this.#times.toSorted((a, b) => a - b);
    this.#times = [];
    return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  }

  stop(): Promise<void> {
    this.#isOver = true;
    return this.#over;
  }
}

/** As many captures as fit in one raw history. */
function series(): readonly object[] {
  const now = Date.now();
  return Array.from({ length: 5_000 }, (_, index) => {
    const at = new Date(now - index * 60_000).toISOString();
    return { kind: 'quote', market: 'parallel', mid: 900, updated_at: at, captured_at: at };
  });
}
