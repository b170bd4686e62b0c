import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { onPath } from './harness/on-path.ts';

/** The clients of one file verify messages of webhooks (contract §24). */

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
const RUN_TIMEOUT_MS = 100_000;

const PYTHON = `
import json, os
from vesfx import VesfxError, verify_webhook
out = []
for case in json.loads(os.environ["CASES"]):
    try:
        message = verify_webhook(case["headers"], case["body"].encode(), case["secret"], case["now"])
        out.append({"id": message.id, "type": message.type, "timestamp": message.timestamp, "data": message.data})
    except VesfxError as error:
        out.append({"code": error.code, "field": error.field})
    except ValueError:
        out.append("wrong secret")
print(json.dumps(out, default=float))
`;

const PHP = `
require getenv('CLIENT');
$out = [];
foreach (json_decode(getenv('CASES'), true) as $case) {
    try {
        $out[] = Vesfx::verifyWebhook($case['headers'], $case['body'], $case['secret'], $case['now']);
    } catch (VesfxError $error) {
        $out[] = ['code' => $error->errorCode, 'field' => $error->field];
    } catch (InvalidArgumentException) {
        $out[] = 'wrong secret';
    }
}
echo json_encode($out);
`;

/** Of the reference libraries of Standard Webhooks. */
const VECTOR = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' as string | readonly string[],
  now: 1_614_265_330,
};
type Case = Omit<typeof VECTOR, 'headers'> & { readonly headers: object };

const OTHER_SECRET = `whsec_${Buffer.from('another secret of 32 characters!').toString('base64')}`;

const signatureOf = (body: string, secret: string) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`msg_1.${VECTOR.now}.${body}`);
  return `v1,${mac.digest('base64')}`;
};

function signed(body: string, ...secrets: readonly string[]): Case {
  const headers = {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(VECTOR.now),
    'Webhook-Signature': secrets.map((secret) => signatureOf(body, secret)).join(' '),
  };
  return { ...VECTOR, headers, body };
}

const SECRET = String(VECTOR.secret);
const MESSAGE = {
  type: 'rate.changed',
  timestamp: '2026-11-20T20:31:07.000Z',
  data: { market: 'parallel', rate: { mid: 867.15 }, note: 'Bolívar ñ' },
};
const BODY = JSON.stringify(MESSAGE);
const withHeader = (name: string, value: string | undefined): Case => ({
  ...VECTOR,
  headers: { ...VECTOR.headers, [name]: value },
});
const refused = (field: string | null) => ({ code: 'webhook_not_verified', field });
const told = (id: string, more: object) => ({ id, type: '', timestamp: '', ...more });

const CASES: readonly (readonly [guarantee: string, given: Case, outcome: unknown])[] = [
  [
    'the vector of the specification',
    VECTOR,
    told('msg_p5jXN8AQM9LWM0D4loKWxJek', { data: expect.anything() }),
  ],
  ['a message, header names in any case', signed(BODY, SECRET), told('msg_1', MESSAGE)],
  ['a rotation, with the old secret', signed(BODY, OTHER_SECRET, SECRET), told('msg_1', MESSAGE)],
  [
    'a rotation, with the new secret',
    { ...signed(BODY, OTHER_SECRET, SECRET), secret: OTHER_SECRET },
    told('msg_1', MESSAGE),
  ],
  [
    'one of several secrets',
    { ...signed(BODY, SECRET), secret: [OTHER_SECRET, SECRET] },
    told('msg_1', MESSAGE),
  ],
  ['300 seconds old', { ...signed(BODY, SECRET), now: VECTOR.now + 300 }, told('msg_1', MESSAGE)],
  ['300 seconds ahead', { ...signed(BODY, SECRET), now: VECTOR.now - 300 }, told('msg_1', MESSAGE)],
  ['301 seconds old', { ...VECTOR, now: VECTOR.now + 301 }, refused('webhook-timestamp')],
  ['301 seconds ahead', { ...VECTOR, now: VECTOR.now - 301 }, refused('webhook-timestamp')],
  ['a changed byte', { ...VECTOR, body: `${VECTOR.body} ` }, refused('webhook-signature')],
  ['another id', withHeader('webhook-id', 'msg_1'), refused('webhook-signature')],
  ['another time', withHeader('webhook-timestamp', '1614265331'), refused('webhook-signature')],
  ['another secret', { ...VECTOR, secret: OTHER_SECRET }, refused('webhook-signature')],
  [
    'a signature of another version',
    withHeader('webhook-signature', VECTOR.headers['webhook-signature'].replace('v1', 'v1a')),
    refused('webhook-signature'),
  ],
  [
    'a signature with letters',
    withHeader('webhook-signature', 'v1,ñ'),
    refused('webhook-signature'),
  ],
  ...['soon', '1e9', '-1', '1614265330\n', '9'.repeat(20)].map(
    (time) =>
      [
        `the time ${JSON.stringify(time)}`,
        withHeader('webhook-timestamp', time),
        refused('webhook-timestamp'),
      ] as const,
  ),
  ...Object.keys(VECTOR.headers).map(
    (name) => [`no ${name}`, withHeader(name, undefined), refused(name)] as const,
  ),
  ['no header', { ...VECTOR, headers: {} }, refused('webhook-id')],
  ['no JSON', signed('<x>', SECRET), refused(null)],
  ['no object', signed('1', SECRET), refused(null)],
  ['an empty secret', { ...VECTOR, secret: '' }, 'wrong secret'],
  ['a secret of nothing', { ...VECTOR, secret: 'whsec_' }, 'wrong secret'],
  ['a secret that is none', { ...VECTOR, secret: 'whsec_!' }, 'wrong secret'],
  ['no secrets', { ...VECTOR, secret: [] }, 'wrong secret'],
];

describe('contract §24 the clients of one file', () => {
  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c', PYTHON] },
    { name: 'vesfx.php', command: onPath('php'), args: ['-d', 'error_reporting=-1', '-r', PHP] },
  ])(
    '$name accepts what the service has signed within five minutes, and nothing else',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const env = {
        ...process.env,
        CASES: JSON.stringify(CASES.map(([, given]) => given)),
        CLIENT: `${EXAMPLES}${name}`,
        PYTHONPATH: EXAMPLES,
        PYTHONDONTWRITEBYTECODE: '1',
      };
      const run = promisify(execFile)(command, args, { env, timeout: RUN_TIMEOUT_MS });
      const { stdout, stderr } = await run;
      expect(stderr).toBe('');
      const outcomes = JSON.parse(stdout);
      for (const [place, [guarantee, , outcome]] of CASES.entries()) {
        expect(outcomes[place], guarantee).toEqual(outcome);
      }
    },
  );
});
