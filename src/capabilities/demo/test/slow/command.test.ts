import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { runHere } from '../../../../../test/harness/commands.ts';
import { read as textOf } from '../../../../../test/harness/repository.ts';
import { temporaryDir } from '../../../../../test/harness/service.ts';
import { LAUNCHER, ownVariables, VesfxProcess } from '../../../../../testkit/vesfx-process.ts';
import { demoKey } from '../../../../core/app/access/keys.ts';

/** Each start loads the figures of a year, which takes its time beside other tests. */
const DEADLINE_MS = 100_000;

/** A demonstration, and what it prints when it is ready. */
async function start(...flags: readonly string[]) {
  const demo = new VesfxProcess([LAUNCHER, 'demo', '--port', '0', ...flags], {
    env: { ...ownVariables(), VESFX_DRAIN_SEC: '0' },
    cwd: await temporaryDir(),
  });
  onTestFinished(async () => void (await demo.kill()));
  await demo.readyLine(DEADLINE_MS);
  return { demo, first: demo.out };
}

async function json(data: string, ...args: readonly string[]) {
  const { code, out, err } = await runHere([...args, '--json'], { VESFX_DATA: data });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('vesfx demo', () => {
  async function rates(url: string, key: string) {
    const response = await fetch(`${url}/v1/fx/rates`, { headers: { 'X-API-Key': key } });
    return { response, body: JSON.parse(await response.text()) };
  }

  test('has real figures, a key for each plan, and a notice everywhere', async () => {
    const data = join(await temporaryDir(), 'data');
    const { demo, first } = await start('--json', '--data', data);
    const told = JSON.parse(first);
    expect(Object.keys(told.keys)).toEqual([
      'Gratis',
      'Inicio',
      'Esencial',
      'Profesional',
      'Escala',
    ]);
    // Documents show them, so they are the same at every start.
    for (const [plan, key] of Object.entries(told.keys)) expect(key).toBe(demoKey(plan));
    expect(told.notice).toMatch(/^Demonstration: /);
    expect(told.try).toHaveLength(3);
    for (const line of told.try) expect(line).toMatch(`'${told.listening}/v1/fx/`);
    for (const key of Object.values(told.keys)) {
      const { response, body } = await rates(told.listening, String(key));
      expect(response.status).toBe(200);
      expect(response.headers.get('X-Vesfx-Notice')).toBe(told.notice);
      expect(body.rates.length).toBeGreaterThanOrEqual(10);
      expect(body.index.flags).toEqual({});
    }
    const { body: all } = await rates(told.listening, told.keys.Escala);
    const catalogue: { id: string }[] = JSON.parse(textOf('catalog/markets.json'));
    expect(all.rates.map(({ market }: { market: string }) => market)).toEqual(
      catalogue.map(({ id }) => id),
    );
    // The guides about other services can be tried too.
    const headers = { 'X-API-Key': told.keys.Escala };
    const others = [
      '/v1/dolares/oficial',
      '/api/v1/dollar?page=bcv&monitor=usd',
      '/api/bingxp2p/USDT/VES/1',
      '/v1/latest?base=USD&symbols=VES',
    ];
    for (const path of hasCapability('compat') ? others : []) {
      expect([path, (await fetch(told.listening + path, { headers })).status]).toEqual([path, 200]);
    }
    const read = async (path: string) =>
      JSON.parse(await (await fetch(told.listening + path, { headers })).text());
    const status = await read('/v1/status');
    expect(status).toMatchObject({ status: 'degraded', reasons: [{ sources: ['yadio'] }] });
    // The bank changes nothing between two publications.
    const { captured_at: publishedAt } = await read('/v1/fx/bcv/banks');
    for (const name of ['bcv-official', 'bcv-banks']) {
      const source = status.sources.find((one: { name: string }) => one.name === name);
      expect(source).toMatchObject({ state: 'ok', last_change: publishedAt });
    }
    const { changes } = await read('/v1/fx/changes?period=365d');
    expect(changes.filter(({ before }: { before?: object }) => before === undefined)).toEqual([]);
    const held = await json(data, 'held', 'list');
    expect(held).toMatchObject([{ subject: 'saldo', source: 'simulated' }]);
    demo.signal('SIGINT');
    const { code, err } = await demo.ended;
    expect(code).toBe(0);
    for (const line of err.trimEnd().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ demo: true, notice: told.notice });
    }

    // The same folder again: the same keys keep working.
    const again = JSON.parse((await start('--json', '--data', data)).first);
    expect(again.keys).toEqual(told.keys);
    expect(await json(data, 'held', 'list')).toHaveLength(1);
    expect((await rates(again.listening, again.keys.Gratis)).response.status).toBe(200);
    const served = await runHere(['serve', '--no-collect', '--port', '0'], { VESFX_DATA: data });
    expect([served.code, served.err]).toEqual([1, expect.stringMatching('holds a demonstration')]);
  });

  test('prints the keys, three requests to paste and the origin of its figures', async () => {
    const { demo, first } = await start();
    expect(demo.err).toBe('');
    const [, origin = ''] = first.match(/^Where every figure comes from: (.+)$/m) ?? [];
    expect(readFileSync(origin, 'utf8')).toMatch('simulated');
    expect(first).toMatch(/^vesfx is listening on http:\/\/127\.0\.0\.1:\d+\n\nDemonstration: /);
    expect(first.match(/vfx_live_\w{38}$/gm)).toHaveLength(5);
    expect(first.match(/^ {2}curl -s -H 'X-API-Key: vfx_live_\w{38}' 'http:\S+'$/gm)).toHaveLength(
      3,
    );
  });

  test('refuses a folder with a real installation', async () => {
    const data = join(await temporaryDir(), 'data');
    const { id } = await json(data, 'account', 'create', '--name', 'Acme', '--plan', 'escala');
    const demo = await runHere(['demo', '--port', '0', '--data', data], {});
    expect([demo.code, demo.err]).toEqual([
      1,
      expect.stringMatching('holds an installation that is not a demonstration'),
    ]);
    expect(await json(data, 'account', 'list')).toMatchObject([{ id }]);
  });
});
