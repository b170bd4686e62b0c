import { METHODS } from 'node:http';
import type { Chance } from '../chance.ts';
import { ADMIN_TOKEN } from '../process.ts';

/** Byte streams of HTTP clients, most of them invalid. */

/** How a client ends its connection. */
export const ENDINGS = ['end', 'reset', 'destroy', 'answered', 'half-open'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface Stream {
  /** Sent in order, each after the previous one. */
  readonly pieces: readonly Buffer[];
  readonly ending: Ending;
}

export function anyStream(chance: Chance, key: string): Stream {
  const requests = Array.from({ length: chance.int(1, 3) }, () => anyRequest(chance, key));
  const bytes = mutated(Buffer.concat(requests), chance);
  return { pieces: inPieces(bytes, chance), ending: chance.pick(ENDINGS) };
}

const TARGETS = [
  ...['/', '/healthz', '/v1/fx/rates', '/v1/fx/rates/parallel/history', '/v1/fx/bulk/convert'],
  ...[
    '/v1/account/markups',
    '/v1/account/markups/a',
    '/v1/admin/records',
    '/v1/status',
    '/nowhere',
  ],
  ...['*', 'x:1', 'http://localhost/v1/fx/rates', 'http://', '//', '/%', `/${'a'.repeat(9_000)}`],
];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/9.9',
  'ICY',
  '',
];
const BODY = '{"from":"USD","to":"VES","amounts":[1,2]}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

/** Framing headers, and the body after them. */
const FRAMES: readonly (readonly [headers: readonly string[], body: string])[] = [
  [[], ''],
  [[], BODY],
  [[`Content-Length: ${BODY.length}`], BODY],
  [['Content-Length: 0'], ''],
  [['Content-Length: 500'], BODY],
  [['Content-Length: 99999999999999999999'], BODY],
  [['Content-Length: -1'], BODY],
  [['Content-Length: 5', 'Content-Length: 6'], BODY],
  [['Transfer-Encoding: chunked'], CHUNKED],
  [['Transfer-Encoding: chunked'], 'ffffffff\r\n{'],
  [['Transfer-Encoding: chunked'], '5\r\n{'],
  [['Transfer-Encoding: chunked'], `1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`],
  [['Transfer-Encoding: gzip, chunked'], CHUNKED],
  [['Transfer-Encoding: chunked', 'Content-Length: 3'], CHUNKED],
];
const EXTRAS = [
  ...['Connection: close', 'Connection: keep-alive', 'Connection: Upgrade\r\nUpgrade: websocket'],
  ...['Expect: 100-continue', 'Expect: a miracle', 'Host: another', 'Accept: text/html', 'X: '],
  ...['Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings', ' folded', 'no colon', ': no name'],
  ...[
    'X-Forwarded-For: 1.2.3.4:5',
    `X-Large: ${'x'.repeat(17_000)}`,
    'Origin: null',
    '\u0000: \u0000',
  ],
];

function anyRequest(chance: Chance, key: string): Buffer {
  const [framing, body] = chance.pick(FRAMES);
  const extras = Array.from({ length: chance.int(0, 2) }, () => chance.pick(EXTRAS));
  const head = [
    `${chance.pick(METHODS)} ${chance.pick(TARGETS)} ${chance.pick(VERSIONS)}`,
    'Host: faults',
    `X-API-Key: ${key}`,
    `Authorization: Bearer ${ADMIN_TOKEN}`,
    'Content-Type: application/json',
    ...framing,
    ...extras,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** Leaves half of them unchanged; in the others it changes, removes, repeats or truncates bytes. */
function mutated(bytes: Buffer, chance: Chance): Buffer {
  if (chance.int(0, 1) === 0) return bytes;
  let result = bytes;
  for (let left = chance.int(1, 4); left > 0 && result.length > 0; left -= 1) {
    const at = chance.int(0, result.length - 1);
    const to = Math.min(result.length, at + chance.int(1, 60));
    const [before, piece, after] = [
      result.subarray(0, at),
      result.subarray(at, to),
      result.subarray(to),
    ];
    const kinds = [
      () => Buffer.concat([before, chance.bytes(piece.length), after]),
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, piece, piece, after]),
      () => before,
      () => Buffer.concat([before, Buffer.from('\r\n'), piece, after]),
    ];
    result = chance.pick(kinds)();
  }
  return result;
}

function inPieces(bytes: Buffer, chance: Chance): readonly Buffer[] {
  const cuts = Array.from({ length: chance.int(0, 2) }, () => chance.int(0, bytes.length));
  const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}
