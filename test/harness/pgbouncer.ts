import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { OWNER } from './postgres-server.ts';

/** Debian's, which `.ci/run` installs. */
export const PGBOUNCER = '/usr/sbin/pgbouncer';

/** `nobody`: it refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const START_CHECK_MS = 20;
const FOLDER = 'vesfx-pgbouncer-';
const PID_FILE = 'pid';

export interface Pooler {
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** PgBouncer in front of a PostgreSQL of this machine, with so few connections to it. */
export async function startPgBouncer(target: number, connections: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), FOLDER));
  const port = await freePort();
  writeFileSync(join(folder, 'users'), `"${OWNER}" ""\n`);
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
* = host=127.0.0.1 port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 1000
server_idle_timeout = 5
pidfile = ${join(folder, PID_FILE)}
`,
  );
  // It writes its own file there, as another user.
  chmodSync(folder, 0o777);
  const child = spawn(PGBOUNCER, ['-q', join(folder, 'ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && UNPRIVILEGED),
  });
  // A worker of the tests ends without it.
  child.unref();
  const ended = once(child, 'exit');
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    await pause(START_CHECK_MS);
  }
  return {
    port,
    process: child,
    async stop() {
      child.ref();
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Ends those whose folders are in this one. */
export function stopPgBouncers(within: string): void {
  for (const name of readdirSync(within).filter((one) => one.startsWith(FOLDER))) {
    try {
      process.kill(Number(readFileSync(join(within, name, PID_FILE), 'utf8')));
    } catch {
      // It has ended.
    }
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return opened;
}
