import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGED_CATALOGUE } from '../../src/core/config.ts';
import { install, type RunningProcess } from '../harness/processes.ts';
import { temporaryDir } from '../harness/service.ts';

/** SIGHUP reads the catalogue and the admin token again, in every process. */

/** Requests on connections of their own, so that every worker gets some. */
const ASKED = 12;

type Rows = Record<string, Record<string, unknown>>;

/** A catalogue folder and a file of settings that a test changes while the service runs. */
async function settings() {
  const folder = await temporaryDir();
  const file = join(folder, 'vesfx.env');
  const plans: Rows = JSON.parse(readFileSync(join(PACKAGED_CATALOGUE, 'plans.json'), 'utf8'));
  const markets: Rows[string][] = JSON.parse(
    readFileSync(join(PACKAGED_CATALOGUE, 'markets.json'), 'utf8'),
  );
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value, null, 1));
  const token = (text: string) => writeFileSync(file, `VESFX_ADMIN_TOKEN=${text}\n`);
  write('plans.json', plans);
  write('markets.json', markets);
  token('the first admin token');
  return {
    folder,
    write,
    token,
    plans,
    markets,
    env: { VESFX_CATALOG: folder, VESFX_ENV_FILE: file },
  };
}

/** What the processes answer: each different answer once. */
async function answersOf<T>(
  served: RunningProcess,
  path: string,
  headers: Record<string, string>,
  read: (answer: Response) => Promise<T>,
) {
  const asked = Array.from({ length: ASKED }, async () => {
    const answer = await fetch(served.ready.listening + path, {
      headers: { ...headers, Connection: 'close' },
    });
    return JSON.stringify(await read(answer));
  });
  return [...new Set(await Promise.all(asked))].map((text) => JSON.parse(text));
}

/** Plan, minute and status for a key. */
const planOf = (served: RunningProcess, key: string) =>
  answersOf(served, '/v1/account', { 'X-API-Key': key }, async (answer) => {
    const { plan, limits } = (await answer.json()) as { plan: string; limits: Rows[string] };
    return [answer.status, plan, limits?.['requests_per_minute']];
  });

/** Whether the token opens `/metrics`. A worker that is busy elsewhere makes it 503. */
const opens = (served: RunningProcess, token: string) =>
  answersOf(served, '/metrics', { Authorization: `Bearer ${token}` }, async ({ status, body }) => {
    await body?.cancel();
    return status !== 401;
  });

describe.each([['1'], ['2']])('SIGHUP with --workers %s', (workers) => {
  const SERVE = [
    'serve',
    '--no-collect',
    '--port',
    '0',
    ...(workers === '1' ? [] : ['--workers', workers]),
  ];

  test('applies new limits and another admin token, and drops no request', async () => {
    const { write, token, plans, env } = await settings();
    const site = await install(env);
    const key = await site.keyFor('Inicio');
    const served = await site.start(SERVE);
    expect(await planOf(served, key)).toEqual([[200, 'Inicio', 240]]);
    expect(await opens(served, 'the first admin token')).toEqual([true]);

    write('plans.json', { ...plans, Inicio: { ...plans['Inicio'], requests_per_minute: 250 } });
    token('the second admin token');
    served.child.kill('SIGHUP');
    await expect.poll(() => planOf(served, key)).toEqual([[200, 'Inicio', 250]]);
    expect(await opens(served, 'the second admin token')).toEqual([true]);
    expect(await opens(served, 'the first admin token')).toEqual([false]);
    expect(served.log()).toContain('the catalogue and the admin token were read again');

    // The audit log has one row, however many processes obeyed, and no token (contract §28).
    const settingsRows = async () =>
      (await site.json(['audit'])).filter(({ what }: { what: string }) => what === 'settings');
    await expect.poll(settingsRows).toMatchObject([
      {
        command: 'SIGHUP',
        before: { 'plans.json Inicio.requests_per_minute': 240, VESFX_ADMIN_TOKEN: 'set' },
        after: { 'plans.json Inicio.requests_per_minute': 250, VESFX_ADMIN_TOKEN: 'another one' },
      },
    ]);
    served.child.kill('SIGHUP');
    const reloads = () => served.log().split('were read again').length - 1;
    await expect.poll(reloads).toBe(2 * Number(workers));
    expect(await settingsRows()).toHaveLength(1);
    expect(JSON.stringify(await settingsRows())).not.toContain('admin token');
  });

  test('never answers more than a lowered plan, whatever was leased before (contract §3)', async () => {
    const { write, plans, env } = await settings();
    const site = await install(env);
    const key = await site.keyFor('Esencial');
    const served = await site.start(SERVE);
    const headers = { 'X-API-Key': key, Connection: 'close' };
    const ask = async () =>
      (await fetch(`${served.ready.listening}/v1/fx/rates`, { headers })).status;
    let answered = 0;
    for (let count = 0; count < 5; count += 1) if ((await ask()) === 200) answered += 1;
    const lowered = { ...plans['Esencial'], units_per_month: 20, requests_per_minute: 590 };
    write('plans.json', { ...plans, Esencial: lowered });
    served.child.kill('SIGHUP');
    await expect.poll(() => planOf(served, key)).toEqual([[200, 'Esencial', 590]]);
    for (let count = 0; count < 60; count += 1) if ((await ask()) === 200) answered += 1;
    expect(answered).toBeLessThanOrEqual(20);
    expect(answered).toBeGreaterThanOrEqual(15);
  });

  test('changes nothing when a file or the token has a fault, and logs its line', async () => {
    const { write, token, plans, folder, env } = await settings();
    const site = await install(env);
    const key = await site.keyFor('Inicio');
    const served = await site.start(SERVE);
    const faulty = { ...plans, Inicio: { ...plans['Inicio'], requests_per_minute: -1 } };
    write('plans.json', faulty);
    token('the second admin token');
    served.child.kill('SIGHUP');
    const fault = `${folder}/plans.json:${lineOf(JSON.stringify(faulty, null, 1), -1)}: Inicio.requests_per_minute must be 0 or more, or null`;
    await expect.poll(() => served.log().split(fault).length - 1).toBe(Number(workers));
    expect(await planOf(served, key)).toEqual([[200, 'Inicio', 240]]);
    expect(await opens(served, 'the first admin token')).toEqual([true]);

    write('plans.json', plans);
    token('short');
    served.child.kill('SIGHUP');
    const short = 'VESFX_ADMIN_TOKEN must have at least 16 characters.';
    await expect.poll(() => served.log().split(short).length - 1).toBe(Number(workers));
    expect(await opens(served, 'the first admin token')).toEqual([true]);
  });
});

/** The line of a value in a file. */
function lineOf(text: string, value: number): number {
  return text.split('\n').findIndex((line) => line.includes(`: ${value}`)) + 1;
}

test('an account keeps the plan it had when the catalogue lacks its plan: after SIGHUP, at a start, and before a new plan is read', async () => {
  const { write, plans, markets, env } = await settings();
  const site = await install(env);
  const key = await site.keyFor('Esencial');
  const served = await site.start(['serve', '--no-collect', '--port', '0']);
  expect(await planOf(served, key)).toEqual([[200, 'Esencial', 600]]);

  const { Esencial: taken, ...others } = plans;
  write('plans.json', others);
  write(
    'markets.json',
    markets.map((one) =>
      one['required_plan'] === 'Esencial' ? { ...one, required_plan: 'Profesional' } : one,
    ),
  );
  served.child.kill('SIGHUP');
  await expect.poll(() => served.log()).toContain('the catalogue lacks plans of accounts');
  expect(await planOf(served, key)).toEqual([[200, 'Esencial', 600]]);
  served.child.kill('SIGTERM');
  await served.ended;

  const again = await site.start(['serve', '--no-collect', '--port', '0']);
  expect(await planOf(again, key)).toEqual([[200, 'Esencial', 600]]);
  const { code, out } = await site.vesfx(['doctor']);
  expect(out).toContain(
    'on the plan Esencial, which the catalogue lacks. It has the limits of Esencial as they were.',
  );
  expect(code).toBe(0);

  // A command with a newer catalogue knows a plan that the service does not know yet.
  const [{ id }] = await site.json(['account', 'list']);
  write('plans.json', { ...others, Grande: { ...taken, requests_per_minute: 700 } });
  await site.json(['account', 'set-plan', id, 'Grande']);
  // Nobody knows what this one had before: it has the cheapest plan.
  const other = await site.json(['account', 'create', '--name', 'another', '--plan', 'grande']);
  const made = await site.json(['key', 'create', other.id]);
  expect(await planOf(again, made.key)).toEqual([[200, 'Gratis', 120]]);
  expect(await planOf(again, key)).toEqual([[200, 'Esencial', 600]]);
  again.child.kill('SIGHUP');
  await expect.poll(() => planOf(again, key)).toEqual([[200, 'Grande', 700]]);
  expect(await planOf(again, made.key)).toEqual([[200, 'Grande', 700]]);
});

test('SIGHUP takes another folder of the catalogue, and names the sources that a missing market switches off', async () => {
  const { folder, plans, markets, env } = await settings();
  const { VESFX_CATALOG: _unused, ...others } = env;
  const place = (catalogue: string) =>
    writeFileSync(
      env.VESFX_ENV_FILE,
      `VESFX_ADMIN_TOKEN=the first admin token\nVESFX_CATALOG=${catalogue}\n`,
    );
  place(folder);
  const site = await install(others);
  const key = await site.keyFor('Inicio');
  const served = await site.start(['serve', '--no-collect', '--port', '0']);
  expect(await planOf(served, key)).toEqual([[200, 'Inicio', 240]]);

  const other = await temporaryDir();
  const changed = { ...plans, Inicio: { ...plans['Inicio'], requests_per_minute: 250 } };
  writeFileSync(join(other, 'plans.json'), JSON.stringify(changed));
  writeFileSync(
    join(other, 'markets.json'),
    JSON.stringify(markets.filter((one) => one['id'] !== 'saldo')),
  );
  place(other);
  served.child.kill('SIGHUP');
  await expect.poll(() => planOf(served, key)).toEqual([[200, 'Inicio', 250]]);
  expect(served.log()).toMatch(/quotes saldo, which is no market of the catalogue/);
});

test('contract §8: SIGHUP takes a source that vesfx source enable switched on, without any setting', async () => {
  const site = await install();
  const served = await site.start(['serve', '--no-collect', '--port', '0']);
  const isOn = async () => {
    const answer = await fetch(`${served.ready.listening}/v1/status`);
    const { sources } = (await answer.json()) as { sources: Rows[string][] };
    return sources.find(({ name }) => name === 'binance')?.['enabled'];
  };
  expect(await isOn()).toBe(false);
  expect((await site.vesfx(['source', 'enable', 'binance'])).code).toBe(0);
  served.child.kill('SIGHUP');
  await expect.poll(isOn).toBe(true);
});

test('vesfx collect reads its sources again', async () => {
  const { write, env } = await settings();
  write('sources.json', []);
  const site = await install(env);
  const running = await site.start(['collect']);
  write('sources.json', [{}]);
  running.child.kill('SIGHUP');
  await expect.poll(running.log).toMatch(/sources\.json:\d+: .*is missing/);
  write('sources.json', []);
  running.child.kill('SIGHUP');
  await expect.poll(running.log).toContain('were read again');
  await expect.poll(() => running.log().split('this process collects').length).toBe(3);
});
