import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { install, type RunningProcess } from '../harness/processes.ts';

/** A real process whose descriptors are used up. */

const DESCRIPTORS = 200;
const SERVE = ['serve', '--no-collect', '--port', '0'];
const HOG = new URL('./uses-up-descriptors.ts', import.meta.url).href;

const openOf = ({ child }: RunningProcess) => readdirSync(`/proc/${child.pid}/fd`).length;

async function healthOf({ ready }: RunningProcess): Promise<number | undefined> {
  const answer = await fetch(`${ready.listening}/healthz`, {
    headers: { Connection: 'close' },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}

function linesOf({ log }: RunningProcess, message: string): readonly { err?: { code: string } }[] {
  const lines = log().trim().split('\n');
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

async function idleClient({ ready }: RunningProcess): Promise<Socket> {
  const { hostname, port } = new URL(ready.listening);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe.runIf(process.platform === 'linux')('with few descriptors', () => {
  test('idle clients are closed for new ones, with one log line', async () => {
    const { start } = await install({}, { descriptors: DESCRIPTORS });
    const running = await start(SERVE);
    for (let count = 0; count < 2 * DESCRIPTORS; count += 1) await idleClient(running);
    expect(openOf(running)).toBeLessThan(DESCRIPTORS);
    expect(await healthOf(running)).toBe(200);
    expect(linesOf(running, 'the limit of open connections is reached')).toHaveLength(1);
    expect(linesOf(running, 'no descriptor is left; new connections are closed')).toEqual([]);
  });

  test('other use of all descriptors is logged (EMFILE), and the service continues', async () => {
    const hog = { NODE_OPTIONS: `--import=${HOG}` };
    const { start } = await install(hog, { descriptors: DESCRIPTORS });
    const running = await start(SERVE);
    expect(await healthOf(running)).toBe(200);
    const clients = await Promise.all(Array.from({ length: 10 }, () => idleClient(running)));
    running.child.kill('SIGUSR2');
    await expect.poll(() => openOf(running)).toBeGreaterThanOrEqual(DESCRIPTORS);
    const told = () => linesOf(running, 'no descriptor is left; new connections are closed');
    await expect.poll(told).toHaveLength(1);
    expect(told()[0]).toMatchObject({ level: 40, err: { code: 'EMFILE' } });
    // Idle clients were closed, so that there is room for new ones.
    await expect.poll(() => clients.every(({ closed }) => closed)).toBe(true);
    await expect.poll(() => healthOf(running)).toBe(200);
    running.child.kill('SIGUSR2');
    await expect.poll(() => healthOf(running)).toBe(200);
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual({ code: 0, signal: null });
  });
});
