import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readPostgresUrl } from '../src/core/storage/postgres/url.ts';
import { openStore } from '../src/core/storage/store.ts';
import { freePort } from './harness/ports.ts';
import { ROOT } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** `deploy/vesfx-dump` on a server of the system, because its pg_dump refuses a newer one. */

const run = promisify(execFile);
const SCRIPT = join(ROOT, 'deploy/vesfx-dump');
const NOBODY = 65_534;
/** Of Debian's package `postgresql`. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin').findLast((one) =>
  existsSync(`${one}/initdb`),
);
const PASSWORD = 'p@ss/word:of?a#1\\x%';

if (PROGRAMS === undefined) process.stderr.write('NOT RUN, for there is no PostgreSQL: the dump\n');

/** @returns the address of a new server of the system, with a password. */
async function startSystemServer(): Promise<string> {
  const folder = await temporaryDir();
  const port = await freePort();
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const secret = join(folder, 'password');
  writeFileSync(secret, PASSWORD);
  const data = join(folder, 'data');
  const initialize = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8'];
  const asUser = { ...user, cwd: folder };
  await run(`${PROGRAMS}/initdb`, [...initialize, '--no-sync', `--pwfile=${secret}`], asUser);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const control = ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options];
  await run(`${PROGRAMS}/pg_ctl`, ['start', ...control], asUser);
  onTestFinished(async () => {
    await run(`${PROGRAMS}/pg_ctl`, ['stop', '-D', data, '-m', 'immediate'], asUser);
  });
  return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
}

const dump = (folder: string, url: string) => {
  const PATH = `${PROGRAMS}:${process.env['PATH']}`;
  return run(SCRIPT, [folder, '7'], { env: { PATH, VESFX_DATABASE_URL: url } });
};

test.skipIf(PROGRAMS === undefined)(
  'a dump restores into an empty database, goes beside those of a week, and replaces none when it fails',
  async () => {
    const server = await startSystemServer();
    const folder = join(await temporaryDir(), 'dumps');
    mkdirSync(folder);
    const place = (name: string, days: number) => {
      writeFileSync(join(folder, name), '');
      const at = Date.now() / 1_000 - days * 86_400;
      utimesSync(join(folder, name), at, at);
    };
    place('vesfx-20261101T000000Z.dump', 8);
    place('vesfx-20261102T000000Z.dump', 6);
    place('other', 8);
    for (const name of ['dumped', 'restored']) {
      await run(`${PROGRAMS}/psql`, [`${server}/postgres`, '-c', `create database ${name}`]);
    }
    const opened = async (name: string) => {
      const postgres = readPostgresUrl(`${server}/${name}`);
      const store = await openStore({ dataDir: '/nonexistent', postgres, waitMs: 20_000 });
      onTestFinished(() => store.close());
      return store;
    };
    await (await opened('dumped')).takeLease('one', 1, 10);

    const wrong = await dump(folder, `${server}/no_such_database`).catch(String);
    expect(wrong).toContain('no_such_database');
    expect(readdirSync(folder)).toHaveLength(3);
    expect(await dump(folder, 'sqlite:/srv').catch(String)).toContain('is no PostgreSQL database');

    const { stdout } = await dump(folder, `${server}/dumped`);
    const made = stdout.trim();
    expect(existsSync(made)).toBe(true);
    expect(readdirSync(folder)).toEqual([
      'other',
      'vesfx-20261102T000000Z.dump',
      made.slice(folder.length + 1),
    ]);
    const into = `--dbname=${server}/restored`;
    await run(`${PROGRAMS}/pg_restore`, ['--no-owner', into, made]);
    // Somebody else holds it, as in the database that was dumped.
    expect(await (await opened('restored')).takeLease('other', 5, 20)).toBeUndefined();
  },
);
