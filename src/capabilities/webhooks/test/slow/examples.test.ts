import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { onPath } from '../../../../../test/harness/on-path.ts';
import { freePort } from '../../../../../test/harness/ports.ts';
import { ROOT } from '../../../../../test/harness/repository.ts';
import { startTestService, temporaryDir } from '../../../../../test/harness/service.ts';
import { SECRET } from '../webhook-site.ts';

/** The examples of receivers, with a service that delivers (contract §24). */

const LONG = { timeout: 60_000 };
const WEBHOOKS = '/v1/account/webhooks';

/** A service that collects from no source, and delivers. Receivers know only the time of now. */
async function serving() {
  const catalogueDir = await temporaryDir();
  await writeFile(join(catalogueDir, 'sources.json'), '[]');
  const service = await startTestService({
    start: Date.now(),
    config: {
      ...{ collect: true, catalogueDir },
      added: { VESFX_SECRET: SECRET, VESFX_ALLOW_LOOPBACK_WEBHOOKS: '1' },
    },
  });
  const key = await service.keyFor('Escala');
  const call = async (method: string, path: string, body?: object) =>
    (await service.call(path, { key, method, ...(body && { body }) })).json;
  return { service, call };
}

/** The folder of a reader: the example, with the clients beside it. */
async function folderWith(...examples: readonly string[]): Promise<string> {
  const folder = await temporaryDir();
  for (const name of examples) {
    await copyFile(join(ROOT, 'examples/webhooks', name), join(folder, name));
  }
  for (const name of ['vesfx.py', 'vesfx.php']) {
    await copyFile(join(ROOT, 'examples', name), join(folder, name));
  }
  const client = join(folder, 'node_modules/@vesfx/client');
  await mkdir(client, { recursive: true });
  await writeFile(join(client, 'package.json'), '{ "exports": "./client.mjs" }');
  const source = pathToFileURL(join(ROOT, 'src/client/vesfx.ts'));
  await writeFile(join(client, 'client.mjs'), `export * from '${source}';\n`);
  return folder;
}

interface Receiver {
  readonly name: string;
  readonly command: string | undefined;
  readonly args: (port: number) => readonly string[];
}

const PYTHON = onPath('python3');
const RECEIVERS: readonly Receiver[] = [
  { name: 'receiver.mjs', command: process.execPath, args: () => ['receiver.mjs'] },
  { name: 'receiver.py', command: PYTHON, args: () => ['-W', 'error', 'receiver.py'] },
  {
    name: 'receiver.php',
    command: onPath('php'),
    args: (port) => ['-d', 'error_reporting=-1', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
];

/** Creates a webhook, and starts its receiver with the secret. */
async function receiving(
  call: Awaited<ReturnType<typeof serving>>['call'],
  command: string,
  {
    cwd,
    args,
    events,
  }: {
    readonly cwd: string;
    readonly args: Receiver['args'];
    readonly events: readonly string[];
  },
) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret } = await call('POST', WEBHOOKS, { url, events });
  const child: ChildProcess = spawn(command, args(port), {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ PORT: String(port), VESFX_WEBHOOK_SECRET: secret, LEDGER: 'ledger.db' },
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  }
  const post = async (init: RequestInit) => (await fetch(url, init)).status;
  await expect.poll(() => post({ method: 'GET' }).catch(() => out), LONG).toBeTypeOf('number');
  return { id, post, out: () => out };
}

describe('contract §24 the examples of receivers', () => {
  test.for(RECEIVERS)(
    '$name takes what the service sends, and refuses what others send',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const { call } = await serving();
      const cwd = await folderWith(name);
      const events = ['official.published'];
      const { id, post, out } = await receiving(call, command, { cwd, args, events });

      const forged = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      };
      expect(await post({ method: 'POST', headers: forged, body: '{}' })).toBe(400);
      expect(await post({ method: 'POST', body: '{}' })).toBe(400);
      expect(await post({ method: 'POST', body: 'x'.repeat(65_537) })).toBe(413);
      expect(await post({ method: 'GET' })).toBeGreaterThanOrEqual(405);

      const { message_id } = await call('POST', `${WEBHOOKS}/${id}/test`);
      const delivery = () => call('GET', `${WEBHOOKS}/${id}/deliveries/${message_id}`);
      await expect.poll(delivery, LONG).toMatchObject({ status: 'delivered', last_status: 204 });
      await expect.poll(out, LONG).toContain(`${message_id} webhook.test`);
    },
  );

  test('ledger.py keeps the rate of a value date once, as it was corrected last', async ({
    skip,
  }) => {
    if (PYTHON === undefined) return skip('there is no Python on this machine');
    const { service, call } = await serving();
    const cwd = await folderWith('receiver.py', 'ledger.py');
    const args = () => ['-W', 'error', 'ledger.py'];
    const events = ['official.published', 'official.corrected'];
    const { id } = await receiving(call, PYTHON, { cwd, args, events });
    const ledger = new DatabaseSync(join(cwd, 'ledger.db'), { readOnly: true });
    onTestFinished(() => ledger.close());
    const rows = () => ledger.prepare('select value_date, currency, rate from official_rate').all();

    const { days } = await call('GET', '/v1/fx/calendar');
    const { date: value_date } = days.find((day: { business_day: boolean }) => day.business_day);
    const published = (dollar: number) =>
      service.push(
        official(
          value_date,
          { USD: dollar },
          {
            captured_at: new Date(service.clock.now()).toISOString(),
          },
        ),
      );
    await published(775.2825);
    const kept = (rate: string) => [{ value_date, currency: 'USD', rate }];
    await expect.poll(rows, LONG).toEqual(kept('775.2825'));

    const deliveries = async (type: string) =>
      (await call('GET', `${WEBHOOKS}/${id}/deliveries`)).deliveries.filter(
        (one: { type: string }) => one.type === type,
      );
    await expect
      .poll(() => deliveries('official.published'), LONG)
      .toMatchObject([{ status: 'delivered' }]);
    const [{ message_id }] = await deliveries('official.published');

    service.clock.advance(1_000);
    await published(775.29);
    await expect.poll(rows, LONG).toEqual(kept('775.29'));

    // The first message once more, after the correction.
    await call('POST', `${WEBHOOKS}/${id}/deliveries/${message_id}/redeliver`);
    await expect
      .poll(() => deliveries('official.published'), LONG)
      .toMatchObject([{ status: 'delivered', attempts_made: 2 }]);
    expect(rows()).toEqual(kept('775.29'));
  });
});
