import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Installation, install, type RunningProcess } from '../harness/processes.ts';
import { temporaryDir } from '../harness/service.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

/** `vesfx collect` beside servers that do not, as real processes on one database. */

/** An installation whose only source is a server of the test. */
async function installed(): Promise<Installation & { readonly feed: Upstream }> {
  const feed = await startUpstream();
  feed.says({ rate: 900.5 });
  const catalogue = join(await temporaryDir(), 'catalog');
  await mkdir(catalogue);
  const source = {
    name: 'feed',
    kind: 'json-feed',
    enabled: true,
    url: feed.url,
    origin: 'feed',
    schedule: [{ cron: '* * * * *' }],
    quotes: [{ market: 'parallel', mid: 'rate', between: [1, 1_000_000] }],
  };
  await writeFile(join(catalogue, 'sources.json'), JSON.stringify([source]));
  const env = { VESFX_CATALOG: catalogue, VESFX_ALLOW_LOOPBACK_SOURCES: '1' };
  return { ...(await install(env)), feed };
}

async function servedMid({ ready }: RunningProcess, key: string): Promise<number | undefined> {
  const headers = { 'X-API-Key': key };
  const answer = await fetch(`${ready.listening}/v1/fx/rates/parallel`, { headers });
  const { mid } = JSON.parse(await answer.text());
  return mid;
}

const collectsNow = ({ log }: RunningProcess) => log().includes('"this process collects"');

describe('vesfx collect', () => {
  test('one of many collects, every server serves its records, and a stop hands over', async () => {
    const site = await installed();
    const answer = site.feed.hangs();
    // Simultaneous starts on an empty folder: any of them may create the database.
    const [[one, other], collectors] = await Promise.all([
      Promise.all([
        site.start(['serve', '--no-collect', '--port', '0']),
        site.start(['serve', '--no-collect', '--port', '0']),
      ]),
      Promise.all([site.start(['collect']), site.start(['collect'])]),
    ]);
    const key = await site.keyFor('Escala');
    // Without an official rate the first quote of a market is held (contract §8).
    await site.vesfx(['rate', 'set', 'reference', '800', '--date', '2026-01-05']);
    expect(collectors.filter(({ ready }) => ready.collecting)).toHaveLength(1);
    const first = collectors.find(({ ready }) => ready.collecting);
    expect(first?.ready).toEqual({ collecting: true, pid: first?.child.pid });

    await expect.poll(() => site.feed.asked).toBe(1);
    for (const server of [one, other]) expect(await servedMid(server, key)).toBeUndefined();
    answer({ rate: 911.25 });
    await Promise.all(
      [one, other].map((server) => expect.poll(() => servedMid(server, key)).toBe(911.25)),
    );

    first?.child.kill('SIGTERM');
    expect(await first?.ended).toEqual({ code: 0, signal: null });
    expect(first?.out().trim().split('\n')).toHaveLength(1);
    const rest = collectors.filter((collector) => collector !== first);
    await expect.poll(() => rest.filter(collectsNow).length).toBe(1);
  });

  test('contract §4 a server says collecting: false within 10 s of the end of the lease of a killed process', async () => {
    const site = await installed();
    const served = await site.start(['serve', '--no-collect', '--port', '0']);
    const collecting = async () => {
      const answer = await fetch(`${served.ready.listening}/v1/status`);
      return JSON.parse(await answer.text()).collecting;
    };
    expect(await collecting()).toBe(false);
    const collector = await site.start(['collect']);
    await expect.poll(collecting).toBe(true);
    collector.child.kill('SIGKILL');
    await collector.ended;
    await expect.poll(collecting).toBe(false);
  });

  test('aborts a reading to stop, and releases the lease', async () => {
    const site = await installed();
    site.feed.hangs();
    const first = await site.start(['collect']);
    await expect.poll(() => site.feed.asked).toBe(1);
    first.child.kill('SIGINT');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    const second = await site.start(['collect']);
    expect(second.ready.collecting).toBe(true);
  });

  test('refuses a folder of a demonstration', async () => {
    const site = await installed();
    const data = site.env['VESFX_DATA'] ?? '';
    await mkdir(data);
    await writeFile(join(data, 'demo.json'), '{}');
    const { code, err } = await site.vesfx(['collect']);
    expect(code).toBe(1);
    expect(err).toMatch(/^error: .* holds a demonstration: run "vesfx demo --data" on it\.\n$/);
  });
});
