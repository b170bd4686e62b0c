import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fullMarket } from '../harness/make.ts';
import { install, type RunningProcess, smallPlan } from '../harness/processes.ts';
import { temporaryDir } from '../harness/service.ts';

/** `vesfx serve --workers`: several real processes on one port. */

const ADMIN_TOKEN = 'admin-token-of-the-tests';
const UNITS = 40;
const SERVE = ['serve', '--no-collect', '--port', '0', '--workers'];

/** Requests on connections of their own, so that all workers get some. */
async function statuses(
  { ready }: RunningProcess,
  path: string,
  { key, count }: { readonly key?: string; readonly count: number },
): Promise<number[]> {
  const headers = { Connection: 'close', ...(key !== undefined && { 'X-API-Key': key }) };
  const answers = Array.from({ length: count }, async () => {
    const { status, body } = await fetch(ready.listening + path, { headers });
    await body?.cancel();
    return status;
  });
  return (await Promise.all(answers)).sort((a, b) => a - b);
}

async function metric({ ready }: RunningProcess, row: string): Promise<number> {
  const headers = { 'X-Admin-Token': ADMIN_TOKEN };
  const answer = await fetch(`${ready.listening}/metrics`, { headers });
  const text = await answer.text();
  const line = text.split('\n').find((one) => one.startsWith(`${row} `));
  return Number(line?.slice(row.length + 1));
}

function pidsOf({ log }: RunningProcess, message: string): number[] {
  const lines = log().trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, pid }) => (msg === message ? [pid] : []));
}

describe('vesfx serve --workers', () => {
  test('shares one port, counts exactly, adds up its metrics, and restarts a dead worker', async () => {
    const site = await install({
      VESFX_CATALOG: await smallPlan(UNITS),
      VESFX_ADMIN_TOKEN: ADMIN_TOKEN,
    });
    await site.load(fullMarket());
    const key = await site.keyFor('Gratis');
    const served = await site.start([...SERVE, '3']);
    expect(served.ready).toEqual({
      listening: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: served.child.pid,
      workers: 3,
    });
    expect(new Set(pidsOf(served, 'listening')).size).toBe(3);

    // Not the index: the real clock leaves figures of a fixed day too old for it.
    // A store that is busy for too long gives 503, and that unit is not spent.
    const tally = new Map<number, number>();
    while ((tally.get(200) ?? 0) < UNITS || (tally.get(429) ?? 0) < UNITS) {
      for (const status of await statuses(served, '/v1/fx/rates', { key, count: 20 })) {
        tally.set(status, (tally.get(status) ?? 0) + 1);
      }
    }
    expect(tally.get(200)).toBe(UNITS);
    for (const [status, count] of tally) {
      const row = `vesfx_http_requests_total{path="/v1/fx/rates",status="${status}"}`;
      // A worker that is late for a scrape is in the next one.
      await expect.poll(() => metric(served, row)).toBe(count);
    }

    // The limit on wrong keys from an address covers all workers.
    for (let sent = 0; sent < 60; sent += 10) {
      const refused = await statuses(served, '/v1/fx/rates', { key: 'wrong', count: 10 });
      expect(refused).toEqual(Array(10).fill(401));
    }
    await expect
      .poll(() => statuses(served, '/v1/fx/rates', { key: 'wrong', count: 6 }))
      .toEqual(Array(6).fill(429));

    // So does the limit on requests without a key (contract §11). The requests are sequential,
    // because workers cannot inform each other of simultaneous ones.
    const path = '/v1/fx/public/calculator?amount=1&from=USD&to=VES';
    await expect
      .poll(async () => {
        const free: number[] = [];
        while (free.length < 70) free.push(...(await statuses(served, path, { count: 1 })));
        return { few: free.indexOf(429) <= 62, last: free.slice(-5) };
      })
      // A minute may end among them, and then they are sent once more.
      .toEqual({ few: true, last: Array(5).fill(429) });

    const [victim = 0] = pidsOf(served, 'listening');
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => pidsOf(served, 'listening').length).toBe(4);
    expect(served.log()).toMatch(
      /"worker":\d+,"code":null,"signal":"SIGKILL".*"msg":"a worker ended;/,
    );
    expect(await statuses(served, '/readyz', { count: 6 })).toEqual(Array(6).fill(200));
    served.child.kill('SIGTERM');
    expect(await served.ended).toEqual({ code: 0, signal: null });
    expect(served.out().trim().split('\n')).toHaveLength(1);
  });

  test('a startup error of the workers is reported once, and nothing is left running', async () => {
    const missing = join(await temporaryDir(), 'missing');
    const site = await install({ VESFX_CATALOG: missing });
    const { code, out, err } = await site.vesfx(['serve', '--workers', '3', '--port', '0']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.match(/error: /g)).toHaveLength(1);
    expect(err).toContain('there is no such folder');
  });

  test('reports a port in use, although workers could share it', async () => {
    const site = await install();
    const first = await site.start(['serve', '--no-collect', '--port', '0']);
    const { port } = new URL(first.ready.listening);
    const { code, out, err } = await site.vesfx(['serve', '--workers', '2', '--port', port]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `error: Something listens on 127.0.0.1 port ${port} already: stop it, or choose another with --port.\n`,
    );
  });

  test('ends at once on a second signal', async () => {
    const site = await install({ VESFX_DRAIN_SEC: '60' });
    const served = await site.start([...SERVE, '1']);
    served.child.kill('SIGINT');
    await expect.poll(() => served.log()).toContain('"msg":"stopping"');
    await expect
      .poll(
        () => {
          served.child.kill('SIGINT');
          return served.child.exitCode;
        },
        { interval: 200 },
      )
      .toBe(130);
    await expect
      .poll(() =>
        fetch(`${served.ready.listening}/healthz`).then(
          () => 'answers',
          () => 'gone',
        ),
      )
      .toBe('gone');
  });
});
