import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../../src/core/app/access/keys.ts';
import { changedLine } from '../changed-line.ts';
import { accountWithKey, alsoWith, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';

const PAGE_BYTES = 4_096;
const MEGABYTE = 1024 * 1024;
const LANES = 8;
/** Number of intervals. The least memory in each counts. */
const STRETCHES = 20;
/** Share of the run in which caches fill and code is compiled. */
const WARM_SHARE = 0.4;
/** Most growth for each wrong key, once the caches are full. */
const MAX_BYTES_PER_KEY = 400;

const KEEPS_WRONG_KEYS = changedLine(
  '/app/access/access.ts',
  'if (holder === undefined || !isKey) throw',
  'if (!isKey) (globalThis.kept ??= []).push(Buffer.alloc(32_768, presented)); if (holder === undefined || !isKey) throw',
);

export const soak = scenario({
  name: 'soak',
  title: 'Soak with distinct wrong keys',
  promise: 'Memory does not grow with the keys that were refused, and a good key goes on.',
  control: 'it keeps 32 KB of every wrong key',
  full: { keys: 100_000, seconds: 600, perKey: MAX_BYTES_PER_KEY },
  beside: true,
  // Such a short run also measures memory kept by the runtime.
  quick: { keys: 4_000, seconds: 2, perKey: 16_384 },
  shown: ({ keys, seconds }) => `${keys.toLocaleString('en-US')} keys in ${seconds} s`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads memory in /proc'),
  run: async (trial, { keys, seconds, perKey }, subject) => {
    const data = join(trial.dir, 'data');
    const env = { VESFX_TRUST_PROXY: '1' };
    const { key } = await accountWithKey(data, 'Escala');
    const changed = subject === 'control' ? KEEPS_WRONG_KEYS : {};
    const served = await serve(trial, data, alsoWith({ env }, changed));
    const client = new Client(LANES);
    trial.onEnd(() => client.close());
    const url = `${served.url}/v1/fx/rates`;
    const stretches = Array.from({ length: STRETCHES }, () => ({ least: Infinity, sent: 0 }));
    const startedAt = performance.now();
    let sent = 0;
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const chance = trial.chance.of(`lane ${lane}`);
      while (sent < keys) {
        sent += 1;
        const due = startedAt + (sent / keys) * seconds * 1_000;
        if (performance.now() < due) await pause(due - performance.now());
        // Each address sends one key, like a botnet, so that none reaches its limit of wrong keys.
        const from = Array.from({ length: 4 }, () => chance.int(1, 254)).join('.');
        const reply = await client.send(url, {
          key: newKey(),
          headers: { 'X-Forwarded-For': from },
        });
        const status = statusOf(reply);
        if (status !== 401) trial.failed(`a wrong key gets ${status}`);
        const stretch = stretches[Math.min(STRETCHES - 1, Math.floor((sent / keys) * STRETCHES))];
        if (stretch === undefined || sent % 50 !== 0) continue;
        stretch.least = Math.min(stretch.least, residentBytes(served.pid));
        stretch.sent = sent;
        if (sent % 1_000 !== 0) continue;
        const good = statusOf(await client.send(url, { key }));
        trial.expect(good === 200, `a good key gets ${good}`);
        trial.progress(`${sent} of ${keys} keys, ${Math.round(stretch.least / MEGABYTE)} MB`);
      }
    });
    await Promise.all(lanes);
    const warm = stretches
      .slice(Math.floor(STRETCHES * WARM_SHARE))
      .filter(({ least }) => least < Infinity);
    const slope = slopeOf(warm.map(({ sent: x, least: y }) => ({ x, y })));
    const perMinute = ((slope * keys) / seconds) * 60;
    trial.expect(slope <= perKey, `memory grows by ${Math.round(slope)} bytes for each wrong key`);
    const last = (warm.at(-1)?.least ?? 0) / MEGABYTE;
    trial.measured(`${last.toFixed(0)} MB, ${(perMinute / MEGABYTE).toFixed(2)} MB a minute`);
    await served.running.stop();
  },
});

function residentBytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
  return Number(pages) * PAGE_BYTES;
}

/** The slope of the least-squares line through the points. */
function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const both = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const alone = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return alone === 0 ? 0 : both / alone;
}
