import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { changedLine } from '../changed-line.ts';
import { accountWithKey, type Served, serve } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, pause, push, statusOf } from '../wire.ts';
import { createImage, whyNoImage } from './image.ts';

const IMAGE_MB = 24;
/** Bytes left free on the full disk: less than a page of the database. */
const LEFT_BYTES = 4_096;
const RECOVERS_WITHIN_MS = 2_000;
/** Reads before each trouble: the account takes a block that lasts for it. */
const READS_BEFORE = 1_500;
/** Some checks of the service whether it can write. */
const TOLD_WITHIN_MS = 25_000;
const MINUTE_MS = 60_000;
/** Pause after a refusal, so that the account stays below its limit per minute. */
const BETWEEN_MS = 100;
/** Writes that may still fit into the existing log on a full disk. */
const MAX_ROOM_WRITES = 300;

const SWALLOWS_FAILURES = changedLine(
  '/storage/queries/batch/append-batch.ts',
  '  } finally {',
  '  } catch { return { stored: 0, duplicate: 0 }; } finally {',
);

export const disk = scenario({
  name: 'disk',
  title: 'Disk full, and disk read-only',
  promise:
    'Reads go on for half a minute of their use, writes get 503 with one log line a minute, /readyz ' +
    'gives the reason, and all is well by itself once there is room.',
  control: 'it swallows the failure of a write',
  full: { rounds: 4, seconds: 10 },
  quick: { rounds: 1, seconds: 1 },
  shown: ({ rounds, seconds }) => `${rounds} x full, ${rounds} x read-only, ${seconds} s each`,
  whyNot: whyNoImage,
  run: async (trial, { rounds, seconds }, subject) => {
    const image = createImage(trial, IMAGE_MB);
    const data = join(image.path, 'data');
    const { key } = await accountWithKey(data, 'Escala');
    const served = await serve(trial, data, subject === 'control' ? SWALLOWS_FAILURES : {});
    const client = new Client(4);
    trial.onEnd(() => client.close());
    const caller = { trial, client, served, key, seconds };
    await mustWrite(caller, 'at the start');
    for (let round = 0; round < rounds && !trial.isSettled; round += 1) {
      const fill = join(image.path, 'fill');
      await duringTrouble(
        caller,
        'disk_full',
        () => fillUp(fill, image.path),
        () => rmSync(fill),
      );
      await duringTrouble(
        caller,
        'read_only',
        () => setImmutable(data, true),
        () => setImmutable(data, false),
      );
      trial.progress(`${round + 1} of ${rounds} rounds`);
    }
    await served.running.stop();
    image.unmount();
  },
});

interface CallerOf {
  readonly trial: Trial;
  readonly client: Client;
  readonly served: Served;
  readonly key: string;
  readonly seconds: number;
}

async function duringTrouble(
  caller: CallerOf,
  what: string,
  begin: () => void,
  end: () => void,
): Promise<void> {
  const { trial, client, served, key, seconds } = caller;
  const { url, running } = served;
  const logBefore = running.err.length;
  for (let reads = 0; reads < READS_BEFORE; reads += 1) {
    await client.send(`${url}/v1/fx/rates`, { key });
  }
  // The last block of such a burst is still on its way.
  await pause(BETWEEN_MS * 3);
  begin();
  const since = performance.now();
  const until = since + seconds * 1_000;
  let refused = 0;
  try {
    const goesOn = (turn: number) =>
      performance.now() < until || (refused === 0 && turn < MAX_ROOM_WRITES);
    for (let turn = 0; goesOn(turn) && !trial.isSettled; turn += 1) {
      const at = new Date(Date.now() - turn).toISOString();
      const many = Array.from({ length: 200 }, (_, line) => record(at, line));
      const status = statusOf(await push(client, url, many));
      if (status !== 200) {
        refused += 1;
        trial.expect(status === 503, `${what}: a write got ${status}`);
      }
      const read = await client.send(`${url}/v1/fx/rates`, { key });
      trial.expect(statusOf(read) === 200, `${what}: a read got ${told(read)}`);
      if (refused > 0) await pause(BETWEEN_MS);
    }
    if (refused > 0) await mustTell(caller, { status: 'degraded', database: what });
  } finally {
    end();
  }
  trial.expect(refused > 0, `${what}: every write was acknowledged`);
  const log = running.err.slice(logBefore);
  const { line, times } = mostRepeated(log);
  // Another failure within the same minute may already have logged the line.
  const minutes = (performance.now() - since) / MINUTE_MS;
  trial.expect(times <= 1 + minutes, `${what}: "${line}" stands ${times} times in the log`);
  await mustWrite(caller, `after ${what}`);
  await mustTell(caller, { status: 'ready' });
}

/** Waits until `/readyz` is 200 with that body. */
async function mustTell({ trial, client, served }: CallerOf, body: object): Promise<void> {
  const until = performance.now() + trial.within(TOLD_WITHIN_MS);
  const wanted = `200 ${JSON.stringify(body)}`;
  for (;;) {
    const found = told(await client.send(`${served.url}/readyz`, {}));
    if (found === wanted) return trial.ok();
    if (performance.now() > until) return trial.failed(`/readyz said ${found}, not ${wanted}`);
    await pause(50);
  }
}

const told = (reply: Awaited<ReturnType<Client['send']>>) =>
  reply.kind === 'answered' ? `${reply.status} ${reply.text}` : reply.reason;

/** Waits until the service can write again. */
async function mustWrite({ trial, client, served, key }: CallerOf, when: string): Promise<void> {
  const until = performance.now() + trial.within(RECOVERS_WITHIN_MS);
  for (;;) {
    const status = statusOf(await push(client, served.url, [record(new Date().toISOString(), 0)]));
    const read = statusOf(await client.send(`${served.url}/v1/fx/rates`, { key }));
    if (status === 200 && read === 200) return trial.ok();
    if (performance.now() > until) {
      return trial.failed(`${when}: a write gets ${status}, a read ${read}`);
    }
    await pause(50);
  }
}

function record(at: string, line: number): object {
  const captured_at = new Date(Date.parse(at) - line * 1_000).toISOString();
  return { kind: 'quote', market: 'parallel', mid: 900, updated_at: captured_at, captured_at };
}

/** The most frequent error line in the log. */
function mostRepeated(log: string): { readonly line: string; readonly times: number } {
  const counts = new Map<string, number>();
  for (const [, message = ''] of log.matchAll(/"level":[45]0.*"msg":"([^"]*)"\}$/gm)) {
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  const [line = '', times = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return { line, times };
}

function fillUp(file: string, path: string): void {
  const { bavail, bsize } = statfsSync(path);
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize + LEFT_BYTES));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

/** Makes files immutable even for processes that have them open, as after a file system error. */
/**
 * Moves the log into the database and writes everything out. The next write of the service then meets
 * a clean page of SQLite's shared memory, as on a file system that has long been in use.
 */
function settle(data: string): void {
  const db = new DatabaseSync(join(data, 'vesfx.db'));
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  db.close();
  execFileSync('sync');
}

function setImmutable(data: string, isImmutable: boolean): void {
  if (isImmutable) settle(data);
  const files = readdirSync(data).map((name) => join(data, name));
  execFileSync('chattr', [isImmutable ? '+i' : '-i', ...files, data]);
}
