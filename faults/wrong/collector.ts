import { DatabaseSync } from 'node:sqlite';

/**
 * A collector without a fence: it looks for its lease before it reads and not again when it writes.
 * The control of the hand-overs.
 *
 *   node faults/wrong/collector.ts FILE UPSTREAM
 */

const [file = '', upstream = ''] = process.argv.slice(2);
const LEASE_MS = 30_000;
const LOOK_EVERY_MS = 200;

const db = new DatabaseSync(file, { timeout: 5_000 });
db.exec('PRAGMA journal_mode=WAL');
db.exec('CREATE TABLE IF NOT EXISTS lease (one PRIMARY KEY, holder, expires_at)');
db.exec('CREATE TABLE IF NOT EXISTS capture (mid)');

const take = db.prepare(`
  INSERT INTO lease VALUES (1, ?1, ?2) ON CONFLICT (one) DO UPDATE SET holder = ?1, expires_at = ?2
  WHERE holder = ?1 OR expires_at <= ?3`);

let collects = false;
let readAt = 0;

async function turn(): Promise<void> {
  const now = Date.now();
  const has = take.run(process.pid, now + LEASE_MS, now).changes === 1;
  if (has && !collects) {
    process.stderr.write(`${JSON.stringify({ pid: process.pid, msg: 'this process collects' })}\n`);
  }
  collects = has;
  if (!has || now - readAt < 60_000) return;
  readAt = now;
  const answer: unknown = await (await fetch(upstream)).json();
  if (typeof answer !== 'object' || answer === null || !('rate' in answer)) return;
  db.prepare('INSERT INTO capture VALUES (?)').run(Number(answer.rate));
}

for (;;) {
  await turn();
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
