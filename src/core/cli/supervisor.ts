import { spawn } from 'node:child_process';
import type { Log } from '../app/ports/log.ts';
import { repeat } from '../app/repeat.ts';
import { type Config, supervision } from '../config.ts';
import { MINUTE_MS } from '../domain/time.ts';

/** Several signs of life fit into the time after which systemd gives the service up. */
const SIGNS_PER_WATCHDOG = 3;

/** Longest start beside its wait for the database, such as that of a version which migrates it. */
// limit: Start under systemd | `VESFX_DATABASE_WAIT_SEC` and 3 min | started again
const MAX_START_MS = 3 * MINUTE_MS;

interface Told {
  readonly log: Log;
  readonly watched?: ReturnType<typeof supervision>;
  /** Sends one assignment of sd_notify. */
  readonly send?: (assignment: string) => void;
}

interface SupervisorParts extends Told {
  /** Resolves when the service begins to stop. */
  readonly stopped: Promise<void>;
  /** Whether all processes of the service answer; by default this one, which asks. */
  readonly isAlive?: () => Promise<boolean>;
}

/**
 * Tells systemd how long this start may take. The unit knows the wait for the database that is usual,
 * not the one that is set: a longer one would be ended in the middle, again and again.
 */
export function tellStart(
  { databaseWaitMs }: Pick<Config, 'databaseWaitMs'>,
  { log, watched = supervision(), send = notifier(log) }: Told,
): void {
  if (watched === undefined) return;
  send(`EXTEND_TIMEOUT_USEC=${(databaseWaitMs + MAX_START_MS) * 1_000}`);
}

/**
 * Tells systemd that the service is ready, then that it lives, in the end that it stops. It does
 * nothing where nobody listens. The protocol of sd_notify is spoken by `systemd-notify`, which every
 * machine with systemd has: Node has no datagram sockets of Unix.
 */
export function tellSupervisor({
  log,
  stopped,
  isAlive = async () => true,
  watched = supervision(),
  send = notifier(log),
}: SupervisorParts): void {
  if (watched === undefined) return;
  send('READY=1');
  void stopped.then(() => send('STOPPING=1'));
  if (watched.watchdogMs === undefined) return;
  repeat(watched.watchdogMs / SIGNS_PER_WATCHDOG, async () => {
    if (await isAlive()) send('WATCHDOG=1');
    else log.error({}, 'a process does not answer: systemd gets no sign of life');
  });
}

function notifier(log: Log): (assignment: string) => void {
  let isTold = false;
  return (assignment) => {
    const sender = spawn('systemd-notify', [assignment], { stdio: 'ignore' });
    sender.unref();
    sender.on('error', (err) => {
      if (!isTold) log.error({ err }, 'systemd-notify does not run: systemd will end the service');
      isTold = true;
    });
  };
}
