import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret, sealerOf, signedHeaders } from '../secrets.ts';

describe('signatures of webhooks (contract §24)', () => {
  test('are those of the vector of the specification', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    expect(signedHeaders(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('of either secret verify, and of no other one', () => {
    const [now, former, other] = [newSecret(), newSecret(), newSecret()];
    const body = '{"type":"webhook.test"}';
    const headers = signedHeaders({ id: 'msg_1', at: Date.now(), body }, [now, former]);
    for (const secret of [now, former])
      expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'webhook.test' });
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
    expect(() => new Webhook(now).verify(`${body} `, headers)).toThrow();
  });
});

describe('sealed secrets (contract §24)', () => {
  const sealer = sealerOf('a secret that is long enough for it', 'webhook');
  const sealed = sealer.seal('whsec_text', 'whe_1');

  test('open with the same secret, for the same owner and purpose only', () => {
    const other = sealerOf('a secret that is long enough for it', 'receipt');
    const changed = sealerOf('another secret that is long enough', 'webhook');
    expect(sealer.open(sealed, 'whe_1')).toBe('whsec_text');
    expect(sealer.open(sealed, 'whe_2')).toBeUndefined();
    expect(other.open(sealed, 'whe_1')).toBeUndefined();
    expect(changed.open(sealed, 'whe_1')).toBeUndefined();
  });

  test('that were cut or changed do not open, and throw nothing', () => {
    for (const text of [
      '',
      'x',
      sealed.slice(0, 20),
      sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    ])
      expect(sealer.open(text, 'whe_1')).toBeUndefined();
  });

  test('are never twice the same', () => {
    expect(sealer.seal('whsec_text', 'whe_1')).not.toBe(sealed);
  });
});
