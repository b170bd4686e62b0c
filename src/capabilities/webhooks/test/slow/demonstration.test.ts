import { expect, onTestFinished, test } from 'vitest';
import { temporaryDir } from '../../../../../test/harness/service.ts';
import { LAUNCHER, ownVariables, VesfxProcess } from '../../../../../testkit/vesfx-process.ts';
import { startReceiver, verifies } from '../receiver.ts';

const DEADLINE_MS = 120_000;

test('contract §24 the demonstration sends, though it reads no source', {
  timeout: 2 * DEADLINE_MS,
}, async () => {
  const receiver = await startReceiver();
  const demo = new VesfxProcess([LAUNCHER, 'demo', '--port', '0', '--json'], {
    env: { ...ownVariables(), VESFX_ALLOW_LOOPBACK_WEBHOOKS: '1' },
    cwd: await temporaryDir(),
  });
  onTestFinished(async () => void (await demo.stop()));
  const { listening, keys } = JSON.parse((await demo.readyLine(DEADLINE_MS)) ?? '{}');
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${listening}/v1/account/webhooks${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': keys.Escala, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape.
    return { status: response.status, json: (await response.json()) as any };
  };
  const { json: made } = await post('', {
    ...{ url: receiver.url, events: ['rate.changed'] },
  });
  const { status, json: tested } = await post(`/${made.id}/test`);
  expect(status).toBe(202);
  const told = () => receiver.got.find(({ body }) => body.type === 'webhook.test');
  await expect.poll(() => told()?.id, { timeout: DEADLINE_MS }).toBe(tested.message_id);
  expect(receiver.got.every((one) => verifies(made.secret, one))).toBe(true);
});
