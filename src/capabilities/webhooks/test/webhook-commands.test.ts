import { describe, expect, test } from 'vitest';
import { runHere } from '../../../../test/harness/commands.ts';
import { temporaryDir } from '../../../../test/harness/service.ts';
import { CAPABILITIES } from '../../../capabilities.ts';
import { SECRET } from './webhook-site.ts';

/** `vesfx webhook …` (contract §24, contract §28). */

async function operator(more: NodeJS.ProcessEnv = {}) {
  const data = await temporaryDir();
  const environment = { ...process.env, VESFX_DATA: data, VESFX_SECRET: SECRET, ...more };
  const run = (...args: string[]) => runHere(args, environment, CAPABILITIES);
  const json = async (...args: string[]) => {
    const { code, out, err } = await run(...args, '--json');
    if (code !== 0) throw new Error(`${code}: ${out}${err}`);
    return JSON.parse(out);
  };
  const { id: account } = await json('account', 'create', '--name', 'Tienda', '--plan', 'Esencial');
  const webhook = (...args: string[]) => json('webhook', ...args);
  return { run, json, webhook, account };
}

const URL_OF_SHOP = 'https://shop.example/hook';

describe('contract §24 vesfx webhook', () => {
  test('creates, lists, shows, pauses, resumes, rotates, tests, recovers and deletes one', async () => {
    const { run, webhook, account } = await operator();
    const { secret, ...made } = await webhook(
      ...['create', account, URL_OF_SHOP, '--event', 'official.published,rate.changed'],
      ...['--market', 'paralelo', '--threshold', '0.5'],
    );
    expect(secret).toMatch(/^whsec_/);
    expect(made).toMatchObject({ markets: ['parallel'], threshold_percent: 0.5, status: 'active' });
    const { id } = made;
    expect(await webhook('list', account)).toEqual({ webhooks: [made] });
    expect(await webhook('show', account, id)).toEqual(made);
    expect((await run('webhook', 'show', account, id)).out).toContain(URL_OF_SHOP);
    expect((await webhook('pause', account, id)).status).toBe('paused');
    expect((await run('webhook', 'test', account, id)).code).toBe(1);
    expect((await webhook('resume', account, id)).status).toBe('active');
    expect((await webhook('rotate', account, id, '--grace', '0s')).previous_expires_at).toBeNull();
    const { message_id } = await webhook('test', account, id);
    expect((await webhook('deliveries', account, id)).deliveries).toMatchObject([
      { message_id, type: 'webhook.test', status: 'pending' },
    ]);
    expect(await webhook('redeliver', account, id, message_id)).toEqual({ message_id });
    expect(await webhook('recover', account, id, '--since', '2026-11-20')).toEqual({ count: 0 });
    expect(await webhook('delete', account, id)).toEqual({ id, removed: true });
    expect(await webhook('list', account)).toEqual({ webhooks: [] });
  });

  test('of one beyond the plan shows and deletes only', async () => {
    const { run, json, webhook, account } = await operator();
    await webhook('create', account, URL_OF_SHOP, '--event', 'rate.changed');
    const { id } = await webhook('create', account, `${URL_OF_SHOP}/2`, '--event', 'rate.changed');
    await json('account', 'set-plan', account, 'Inicio');
    for (const args of [
      ...[['pause'], ['resume'], ['rotate'], ['test']],
      ...[
        ['redeliver', 'msg_0'],
        ['recover', '--since', '2026-11-20'],
      ],
    ]) {
      const [name = '', ...more] = args;
      const { code, err } = await run('webhook', name, account, id, ...more);
      expect([name, code, err]).toEqual([name, 1, expect.stringContaining('at most 1 webhook')]);
    }
    expect(await webhook('show', account, id)).toMatchObject({ id, beyond_plan: true });
    const { webhooks } = await webhook('list', account);
    const beyond = webhooks.map((one: { beyond_plan?: true }) => one.beyond_plan);
    expect(beyond).toEqual([undefined, true]);
    expect((await run('webhook', 'list', account)).out).toMatch(
      new RegExp(`^${id} {2}active \\(beyond the plan: gets nothing\\) {2}`, 'm'),
    );
    expect((await run('doctor')).out).toContain(`which get nothing: ${id} of ${account}`);
    expect((await webhook('delete', account, id)).removed).toBe(true);
  });

  test('each change is in the audit log in the name of its command, without a secret', async () => {
    const { run, json, webhook, account } = await operator();
    const { id, secret } = await webhook('create', account, URL_OF_SHOP, '--event', 'rate.changed');
    await webhook('pause', account, id);
    await webhook('resume', account, id);
    const { secret: second } = await webhook('rotate', account, id);
    await webhook('delete', account, id);
    const commands = (await json('audit'))
      .filter(({ what }: { what: string }) => what === 'webhook')
      .map(({ command }: { command: string }) => command);
    expect(commands.toSorted()).toEqual(
      ['create', 'delete', 'pause', 'resume', 'rotate'].map((name) => `vesfx webhook ${name}`),
    );
    const { out } = await run('audit', '--json');
    expect([out.includes(secret), out.includes(second)]).toEqual([false, false]);
  });

  test.each([
    [2, ['--threshold', 'much'], '--threshold'],
    [2, ['--threshold', '51'], '--threshold: '],
    [1, ['--market', 'nobody'], 'no market'],
    [2, ['--event', 'rate.moved'], '--event: '],
  ])('exit code %i for %j', async (exitCode, flags, told) => {
    const { run, account } = await operator();
    const { code, err } = await run(
      ...['webhook', 'create', account, URL_OF_SHOP, '--event', 'rate.changed'],
      ...flags,
    );
    expect(code).toBe(exitCode);
    expect(err).toContain(told);
  });

  test('an event is required by the name of its flag', async () => {
    const { run, account } = await operator();
    for (const none of [[], ['--event', '']]) {
      const { code, err } = await run('webhook', 'create', account, URL_OF_SHOP, ...none);
      expect([code, err]).toEqual([2, expect.stringContaining('--event')]);
    }
  });

  test('without VESFX_SECRET it says what is missing', async () => {
    const { run, account } = await operator();
    const other = await operator({ VESFX_SECRET: '' });
    expect((await run('webhook', 'list', account)).code).toBe(0);
    const { code, err } = await other.run('webhook', 'list', other.account);
    expect([code, err.includes('VESFX_SECRET')]).toEqual([2, true]);
  });
});
