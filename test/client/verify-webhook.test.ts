import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { VesfxError, verifyWebhook, type WebhookHeaders } from '../../src/client/vesfx.ts';

/** What receivers of webhooks check (contract §24). */

/** Of the reference libraries of Standard Webhooks. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
  now: new Date(1_614_265_330_000),
};
const OTHER_SECRET = `whsec_${Buffer.from('another secret of 32 characters!').toString('base64')}`;

const verified = (
  headers: WebhookHeaders = VECTOR.headers,
  {
    body = VECTOR.body as string | Uint8Array | ArrayBuffer,
    secret = VECTOR.secret as string | readonly string[],
    now = VECTOR.now,
  } = {},
) => verifyWebhook(headers, body, secret, { now });

/** The header at fault. */
async function faultOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VesfxError)) throw error ?? new Error('it was verified');
  expect(error.code).toBe('webhook_not_verified');
  return error.field;
}

/** A request with this body, signed by the reference library. */
function signed(body: string, secrets: readonly string[] = [VECTOR.secret], at = VECTOR.now) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign('msg_1', at, body));
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': signatures.join(' '),
  };
}

describe('contract §24 verifyWebhook', () => {
  test('accepts the vector of the specification, and gives the message with its id', async () => {
    const message = await verified();
    expect(message).toEqual({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', test: 2_432_232_314 });
  });

  test('takes headers and body as fetch, node:http and frameworks give them', async () => {
    const bytes = new TextEncoder().encode(VECTOR.body);
    const upper = Object.entries(VECTOR.headers).map(
      ([name, value]) => [name.toUpperCase(), value] as const,
    );
    for (const headers of [
      new Headers(VECTOR.headers),
      new Map(upper),
      Object.fromEntries(upper),
      Object.fromEntries(upper.map(([name, value]) => [name, [value]])),
    ]) {
      for (const body of [VECTOR.body, bytes, Buffer.from(bytes), bytes.buffer]) {
        expect(await verified(headers, { body })).toMatchObject({ test: 2_432_232_314 });
      }
    }
    // The identifier is part of what is signed, and so is every letter beyond ASCII.
    const spanish = '{"type":"webhook.test","data":{"nota":"Bolívar ñ"}}';
    expect(await verified(signed(spanish), { body: spanish })).toMatchObject({ id: 'msg_1' });
  });

  test('refuses a changed byte of the body, the id, the time and the signature', async () => {
    const { headers, body } = VECTOR;
    expect(await faultOf(verified(headers, { body: `${body} ` }))).toBe('webhook-signature');
    expect(await faultOf(verified(headers, { body: body.replace('4', '5') }))).toBe(
      'webhook-signature',
    );
    for (const [name, value] of [
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJel'],
      ['webhook-timestamp', '1614265331'],
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OF='],
      ['webhook-signature', 'v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
      ['webhook-signature', 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
      ['webhook-signature', 'v1,'],
    ] as const) {
      expect(await faultOf(verified({ ...headers, [name]: value }))).toBe('webhook-signature');
    }
    expect(await faultOf(verified(headers, { secret: OTHER_SECRET }))).toBe('webhook-signature');
  });

  test('refuses what is 301 seconds old or ahead, and takes 300', async () => {
    const later = (sec: number) => new Date(VECTOR.now.getTime() + sec * 1_000);
    for (const sec of [-300, 300, 300.9]) {
      expect(await verified(VECTOR.headers, { now: later(sec) })).toHaveProperty('test');
    }
    for (const sec of [-301, 301]) {
      const refused = verified(VECTOR.headers, { now: later(sec) });
      expect(await faultOf(refused)).toBe('webhook-timestamp');
    }
    // Without `now` the clock of the machine decides.
    const now = verifyWebhook(VECTOR.headers, VECTOR.body, VECTOR.secret);
    expect(await faultOf(now)).toBe('webhook-timestamp');
    const body = '{"type":"webhook.test"}';
    const fresh = signed(body, [VECTOR.secret], new Date(Math.floor(Date.now() / 1_000) * 1_000));
    expect(await verifyWebhook(fresh, body, VECTOR.secret)).toMatchObject({ type: 'webhook.test' });
  });

  test.each(['', 'soon', '1e9', '-1614265330', '1614265330.5', '99999999999999999999'])(
    'refuses the time %j, also when it is signed',
    async (timestamp) => {
      const key = Buffer.from(VECTOR.secret.slice('whsec_'.length), 'base64');
      const mac = createHmac('sha256', key).update(`msg_1.${timestamp}.{}`).digest('base64');
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${mac}`,
      };
      expect(await faultOf(verified(headers, { body: '{}' }))).toBe('webhook-timestamp');
    },
  );

  test('names the header that is missing', async () => {
    for (const name of Object.keys(VECTOR.headers)) {
      const headers = { ...VECTOR.headers, [name]: undefined };
      expect(await faultOf(verified(headers))).toBe(name);
    }
    expect(await faultOf(verified({}))).toBe('webhook-id');
  });

  test('in a rotation the old secret, the new one and both verify', async () => {
    const both = signed('{}', [OTHER_SECRET, VECTOR.secret]);
    for (const secret of [VECTOR.secret, OTHER_SECRET, [OTHER_SECRET, VECTOR.secret]]) {
      expect(await verified(both, { body: '{}', secret })).toEqual({ id: 'msg_1' });
    }
    // Whoever has both takes what only one has signed.
    const secret = [OTHER_SECRET, VECTOR.secret];
    expect(await verified(signed('{}'), { body: '{}', secret })).toEqual({ id: 'msg_1' });
  });

  test.each(['<x>', '', '1', 'null', '"text"'])('refuses %j, though it is signed', async (body) => {
    expect(await faultOf(verified(signed(body), { body }))).toBeUndefined();
  });

  test('what the caller gives wrongly is a TypeError, without the secret', async () => {
    for (const secret of ['', 'whsec_', 'whsec_not base64!', [], [VECTOR.secret, '']]) {
      await expect(verified(VECTOR.headers, { secret })).rejects.toThrow(TypeError);
      await expect(verified(VECTOR.headers, { secret })).rejects.not.toThrow(/base64!/);
    }
    // A framework has parsed it.
    const body = JSON.parse(VECTOR.body);
    await expect(verified(VECTOR.headers, { body })).rejects.toThrow(/not parsed/);
  });
});
