import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * A small service that makes one mistake, named on its command line: the controls of the fault
 * scenarios. Beyond its mistake it answers as the real one does, as far as the checks look.
 *
 *   node faults/wrong/server.ts MISTAKE FOLDER
 */

const MISTAKES = [
  'no-transaction',
  'synchronous-normal',
  'read-then-write',
  'kept-keys',
  'closes-at-once',
  'logs-keys',
  'remembers-keys',
  'acknowledges-anyway',
  'trusts-the-clock',
  'unchecked-file',
  'asks-each-time',
] as const;
type Mistake = (typeof MISTAKES)[number];

const mistake = MISTAKES.find((one) => one === process.argv[2]);
const folder = process.argv[3] ?? '.';
if (mistake === undefined) throw new Error(`The mistakes are ${MISTAKES.join(', ')}.`);
const makes = (one: Mistake) => one === mistake;

mkdirSync(folder, { recursive: true });
const file = join(folder, makes('unchecked-file') ? 'vesfx.db' : 'wrong.db');
const db = new DatabaseSync(file, { timeout: 5_000, readOnly: makes('unchecked-file') });
if (!makes('unchecked-file')) {
  db.exec('PRAGMA journal_mode=WAL');
  db.exec(`PRAGMA synchronous=${makes('synchronous-normal') ? 'NORMAL' : 'FULL'}`);
  db.exec('CREATE TABLE IF NOT EXISTS capture (market, at, mid)');
  db.exec('CREATE TABLE IF NOT EXISTS usage (used)');
  db.exec('CREATE TABLE IF NOT EXISTS key (key, revoked)');
}

interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const kept = new Map<string, boolean>();
const remembered: Buffer[] = [];
let window = 0;
let inWindow = 0;
let lastUpdatedAt = Date.now();

function store(text: string): Answer {
  const rows = text.split('\n').map((line) => JSON.parse(line));
  const insert = db.prepare('INSERT INTO capture VALUES (?, ?, ?)');
  try {
    if (!makes('no-transaction')) db.exec('BEGIN IMMEDIATE');
    for (const { market, captured_at: at = new Date().toISOString(), mid } of rows) {
      insert.run(market, at, mid);
      lastUpdatedAt = Date.parse(at);
    }
    if (db.isTransaction) db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    if (!makes('acknowledges-anyway')) throw error;
  }
  return { status: 200, body: { accepted: rows.length } };
}

function history(market: string, day: string): Answer {
  if (makes('unchecked-file')) {
    const rows = db.prepare('SELECT mid, captured_at FROM capture ORDER BY captured_at').all();
    return { status: 200, body: { points: rows } };
  }
  const rows = db
    .prepare('SELECT at AS captured_at FROM capture WHERE market = ? AND substr(at, 1, 10) = ?')
    .all(market, day);
  return { status: 200, body: { points: rows } };
}

/** Admits a call while the counter is below the limit, and forgets that others count as well. */
async function count(limit: number): Promise<Answer> {
  const used = Number(db.prepare('SELECT count(*) AS used FROM usage').get()?.['used']);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (used >= limit) return { status: 429 };
  db.prepare('INSERT INTO usage VALUES (1)').run();
  return { status: 200 };
}

function isRevoked(key: string): boolean {
  const known = makes('kept-keys') ? kept.get(key) : undefined;
  if (known !== undefined) return known;
  const row = db.prepare('SELECT 1 FROM key WHERE key = ?').get(key);
  kept.set(key, row !== undefined);
  return row !== undefined;
}

function rates(request: IncomingMessage): Answer | Promise<Answer> {
  const key = String(request.headers['x-api-key']);
  if (makes('logs-keys')) process.stderr.write(`${JSON.stringify(request.headers)}\n`);
  if (makes('remembers-keys')) {
    remembered.push(Buffer.alloc(32_768, key));
    return { status: 401 };
  }
  if (isRevoked(key)) return { status: 401 };
  if (makes('read-then-write')) return count(Number(process.env['LIMIT']));
  if (makes('trusts-the-clock')) {
    const now = Math.floor(Date.now() / 60_000);
    inWindow = now === window ? inWindow + 1 : 1;
    window = now;
    if (inWindow > Number(process.env['LIMIT'])) return { status: 429 };
  }
  const age = Math.floor((Date.now() - lastUpdatedAt) / 1_000);
  return { status: 200, body: { rates: [], staleness_sec: age, rate: 900 } };
}

/** Asks PostgreSQL whether it speaks TLS, which it answers with one byte, and waits for that. */
function reachDatabase(): Promise<void> {
  const asked = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(process.env['DATABASE_PORT']), '127.0.0.1', () => {
      socket.write(asked);
    });
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The database closed the connection.')));
  });
}

async function answer(request: IncomingMessage): Promise<Answer> {
  if (makes('asks-each-time')) await reachDatabase();
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [, , , , market = ''] = url.pathname.split('/');
  let text = '';
  for await (const part of request) text += String(part);
  if (url.pathname === '/v1/admin/records') return store(text);
  if (url.pathname === '/revoke') {
    db.prepare('INSERT INTO key VALUES (?, 1)').run(text);
    return { status: 204 };
  }
  if (url.pathname.endsWith('/history')) {
    return history(decodeURIComponent(market), url.searchParams.get('from') ?? '');
  }
  return rates(request);
}

function write(response: ServerResponse, { status, body = {}, headers = {} }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  answer(request).then(
    (given) => write(response, given),
    () => write(response, { status: 500 }),
  );
});
process.on('SIGTERM', () => {
  if (makes('closes-at-once')) server.closeAllConnections();
  process.exit(0);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ listening: `http://127.0.0.1:${port}` })}\n`);
});
