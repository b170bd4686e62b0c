import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Chance } from '../chance.ts';
import { changedLine } from '../changed-line.ts';
import { withoutLimits } from '../plans.ts';
import { ADMIN_TOKEN, accountWithKey, alsoWith, load, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, statusOf } from '../wire.ts';

const LANES = 16;
/** A request without an answer for this long hangs. */
const ANSWER_WITHIN_MS = 60_000;

const UNGUARDED = changedLine(
  '/http/framework/routing/parameters.ts',
  'throw invalidField(name, BAD_ENCODING);',
  "throw new Error('not guarded');",
);

export const hostile = scenario({
  name: 'hostile',
  title: 'Hostile bodies and market names, with every method',
  promise: 'Every one is answered, none with 5xx, and the service goes on.',
  control: 'it decodes names unguarded',
  full: { bodies: 20_000, names: 50_000 },
  quick: { bodies: 400, names: 800 },
  shown: ({ bodies, names }) =>
    `${bodies.toLocaleString('en-US')} bodies, ${names.toLocaleString('en-US')} names`,
  run: async (trial, { bodies, names }, subject) => {
    const data = join(trial.dir, 'data');
    const unlimited = withoutLimits(trial);
    const { key } = await accountWithKey(data, 'Escala', unlimited);
    const official = { kind: 'official', value_date: '2026-01-05', rates: { USD: 300 } };
    await load(data, [official], unlimited);
    const changed = subject === 'control' ? UNGUARDED : {};
    const served = await serve(trial, data, alsoWith(unlimited, changed));
    const statuses = new Map<number, number>();
    const flood = async (count: number, what: string, make: (chance: Chance) => Buffer) => {
      const each = Math.ceil(count / LANES);
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        const chance = trial.chance.of(`${what} ${lane}`);
        const line = new Line(served.url);
        for (let left = each; left > 0 && !trial.isSettled; left -= 1) {
          const request = make(chance);
          const status = await line.ask(request);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const isFine = status >= 200 && status < 500;
          if (isFine) trial.ok();
          else trial.failed(`${status} for ${JSON.stringify(request.toString('latin1', 0, 300))}`);
        }
        line.close();
      });
      await Promise.all(lanes);
      trial.progress(what);
    };
    await flood(names, 'names', (chance) => nameRequest(chance, key));
    await flood(bodies, 'bodies', (chance) => bodyRequest(chance, key));
    const client = new Client(1);
    const after = statusOf(await client.send(`${served.url}/v1/fx/rates`, { key }));
    client.close();
    trial.expect(after === 200, `afterwards a good request gets ${after}`);
    const told = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    if (subject === 'product') trial.measured(told.join(', '));
    await served.running.stop();
  },
});

/** A connection that is reopened whenever the server has closed it. */
class Line {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** @returns the status, or 0 without an answer. */
  async ask(bytes: Buffer): Promise<number> {
    const isKept = this.#socket !== undefined;
    const status = await this.#askOnce(bytes);
    // The server may just have closed a kept connection, but not a new one.
    return status === 0 && isKept ? this.#askOnce(bytes) : status;
  }

  #askOnce(bytes: Buffer): Promise<number> {
    return new Promise((resolve) => {
      const socket = this.#socket ?? connect(this.#port, this.#host);
      this.#socket = socket;
      let answer: Buffer = Buffer.alloc(0);
      const done = (status: number, isOver: boolean) => {
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (isOver) {
          this.#socket = undefined;
          socket.destroy();
        }
        resolve(status);
      };
      socket.setTimeout(ANSWER_WITHIN_MS, () => done(0, true));
      socket.on('data', (part: Buffer) => {
        answer = Buffer.concat([answer, part]);
        if (!isWhole(answer, bytes.toString('latin1', 0, 5) === 'HEAD ')) return;
        done(statusIn(answer), /^connection: close/im.test(headOf(answer)));
      });
      socket.on('error', () => done(statusIn(answer), true));
      socket.on('close', () => done(statusIn(answer), true));
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }
}

const headOf = (answer: Buffer) => answer.toString('latin1', 0, answer.indexOf('\r\n\r\n') + 2);
const statusIn = (answer: Buffer) =>
  Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString('latin1', 0, 16))?.[1] ?? 0);

function isWhole(answer: Buffer, isHead: boolean): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (isHead) return true;
  const head = headOf(answer);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return answer.length >= end + 4 + Number(length);
  return /^transfer-encoding: chunked/im.test(head)
    ? answer.toString('latin1').endsWith('0\r\n\r\n')
    : true;
}

const NASTY = [
  '',
  '.',
  '..',
  '%',
  '%2',
  '%zz',
  '%00',
  '%2f',
  '%c0%af',
  '%ff',
  '%25',
  "'",
  '"',
  '`',
  '$',
  '{',
  '}',
  '\\',
  '*',
  ';',
  '+',
  '\u00e9',
  'parallel',
  'reference',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  ' or 1=1--',
  '<script>',
  '%F0%9F%92%A9',
  '%ED%A0%80',
  'a'.repeat(3_000),
];

/** A name as bytes of an address, without spaces and line ends, which would end it. */
function nameOf(chance: Chance): Buffer {
  if (chance.int(0, 3) === 0) {
    const raw = chance.bytes(chance.int(1, 40));
    return Buffer.from(raw.map((byte) => (byte <= 32 ? 65 : byte)));
  }
  const parts = Array.from({ length: chance.int(1, 4) }, () => chance.pick(NASTY));
  return Buffer.from(parts.join('').replaceAll(' ', '%20'));
}

function nameRequest(chance: Chance, key: string): Buffer {
  const name = nameOf(chance);
  const [before, after] = chance.pick([
    ['/v1/fx/rates/', ''],
    ['/v1/fx/rates/', '/history'],
    ['/v1/fx/convert?from=USD&to=VES&amount=1&via=', ''],
    ['/v1/fx/spread?against=', ''],
    ['/v1/fx/rates/reference/history?date=', ''],
  ] as const);
  // Mostly the method that reads the name.
  const method = chance.int(0, 2) > 0 ? 'GET' : chance.pick(METHODS);
  return Buffer.concat([
    Buffer.from(`${method} ${before}`),
    name,
    Buffer.from(`${after} HTTP/1.1\r\nHost: faults\r\nX-API-Key: ${key}\r\n\r\n`),
  ]);
}

const PLACES = [
  ['POST', '/v1/fx/bulk/convert', 'application/json'],
  ['POST', '/v1/account/markups', 'application/json'],
  ['PUT', '/v1/account/markups/a', 'application/json'],
  ['POST', '/v1/admin/records', 'application/x-ndjson'],
] as const;

function bodyRequest(chance: Chance, key: string): Buffer {
  const body = chance.pick(BODIES)(chance);
  const [method, path, type] = chance.pick(PLACES);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: faults',
    `X-API-Key: ${key}`,
    `Authorization: Bearer ${ADMIN_TOKEN}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

const VALUES = [
  '1e400',
  '-0',
  '0',
  '1e-400',
  '9'.repeat(400),
  '""',
  'null',
  'true',
  '[]',
  '{}',
  '[[[]]]',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '1.7976931348623157e308',
  '"2026-02-30"',
  '"9999999-01-01"',
  '"USD"',
  '"parallel"',
  '-1',
  '0x10',
  'NaN',
  '{"a":{"b":[]}}',
];
const FIELDS = [
  'from',
  'to',
  'amounts',
  'market',
  'kind',
  'mid',
  'ask',
  'bid',
  'rates',
  'rows',
  'captured_at',
  'updated_at',
  'value_date',
  'tag',
  'value',
  'markets',
  'active',
  '__proto__',
  'constructor',
  'toString',
  'via',
  'items',
  '',
];

const BODIES: readonly ((chance: Chance) => Buffer)[] = [
  (chance) => chance.bytes(chance.int(0, 200)),
  (chance) => Buffer.from('['.repeat(chance.int(1, 30_000))),
  (chance) => Buffer.from('{"a":'.repeat(chance.int(1, 8_000))),
  (chance) => Buffer.from(objectOf(chance)),
  (chance) => Buffer.from(objectOf(chance)),
  (chance) =>
    Buffer.from(Array.from({ length: chance.int(1, 20) }, () => objectOf(chance)).join('\n')),
  (chance) =>
    broken(Buffer.from('{"from":"USD","to":"VES","amounts":[1,2,3],"market":"reference"}'), chance),
  (chance) =>
    broken(
      Buffer.from('{"kind":"quote","market":"parallel","mid":900,"ask":901,"bid":899}'),
      chance,
    ),
  (chance) =>
    Buffer.from(`{"from":"USD","to":"VES","amounts":[${'1,'.repeat(chance.int(49, 5_000))}1]}`),
];

function objectOf(chance: Chance): string {
  const fields = Array.from(
    { length: chance.int(0, 8) },
    () => `${JSON.stringify(chance.pick(FIELDS))}:${chance.pick(VALUES)}`,
  );
  return `{${fields.join(',')}}`;
}

/** A valid body with some changed bytes. */
function broken(body: Buffer, chance: Chance): Buffer {
  for (let left = chance.int(1, 3); left > 0; left -= 1) {
    body[chance.int(0, body.length - 1)] = chance.int(0, 255);
  }
  return body;
}
