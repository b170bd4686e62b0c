import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listening } from './harness/listening.ts';
import { official } from './harness/make.ts';
import { onPath } from './harness/on-path.ts';
import { ROOT } from './harness/repository.ts';
import { startTestService, temporaryDir } from './harness/service.ts';

/** The invoices in PHP, on a real service whose answers a test may change. */

const php = onPath('php');

/** Does each step in a process of its own, and prints what came of it. */
const PROGRAM = `
require getenv('FILE');
$invoices = new VesfxInvoices(new PDO('sqlite:' . getenv('DB')), getenv('URL'), getenv('KEY'));
[$method, $given] = json_decode(getenv('STEP'));
try { $said = $invoices->$method(...$given); }
catch (VesfxRefused $refused) { $said = $refused->reason; }
catch (InvalidArgumentException $error) { $said = 'invalid'; }
echo json_encode($said);
`;

type Alter = (path: string, body: Record<string, unknown>) => object;

async function shop() {
  const service = await startTestService();
  await service.push(
    official('2026-11-19', { USD: 790.25 }, { captured_at: '2026-11-18T21:10:00Z' }),
    official('2026-11-20', { USD: 800.5 }, { captured_at: '2026-11-19T21:10:00Z' }),
    official('2026-11-24', { USD: 801 }, { captured_at: '2026-11-20T21:10:00Z' }),
  );
  const KEY = await service.keyFor('Gratis');
  const state: { alter: Alter; lost: number; busy: number; asked: number } = {
    ...{ alter: (_path, body) => body, lost: 0, busy: 0, asked: 0 },
  };
  const server = createServer(async ({ url = '/', headers }, response) => {
    state.asked += 1;
    if (state.lost-- > 0) return response.destroy();
    if (state.busy-- > 0) return response.writeHead(503, { 'Retry-After': '0' }).end('{}');
    const { status, text } = await service.call(url, { key: `${headers['x-api-key']}` });
    return response.writeHead(status).end(JSON.stringify(state.alter(url, JSON.parse(text))));
  });
  const address = await listening(server);
  const DB = join(await temporaryDir(), 'invoices.db');
  async function step(method: string, ...given: unknown[]) {
    const FILE = join(ROOT, 'examples', 'vesfx-invoice.php');
    const env = {
      ...process.env,
      FILE,
      DB,
      KEY,
      URL: address,
      STEP: JSON.stringify([method, given]),
    };
    const args = ['-d', 'error_reporting=-1', '-d', 'display_errors=1', '-r', PROGRAM];
    return JSON.parse((await promisify(execFile)(php ?? 'php', args, { env })).stdout);
  }
  return { step, state, service, KEY };
}

describe.skipIf(php === undefined)('the invoices in PHP', () => {
  test('an invoice is stored with its rate, value date, rule and evidence, and is proved later', async () => {
    const { step, service, KEY } = await shop();
    const { json } = await service.call('/v1/fx/rates/reference?details=true', { key: KEY });
    const row = await step('issue', 'A-1', '125.55', '2026-11-20');
    expect(row).toEqual({
      number: 'A-1',
      usd: '125.55',
      ves: '100502.78',
      rate: '800.5',
      day: '2026-11-20',
      rule: 'value_date',
      value_date: '2026-11-20',
      market: 'reference',
      evidence: json.evidence,
      read_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(await step('agrees', 'A-1')).toBe(true);
    expect(await step('find', 'A-1')).toEqual(row);
    expect(await step('find', 'A-2')).toBe(null);
  });

  test('a Saturday has the rate of the rule that is given', async () => {
    const { step } = await shop();
    expect(await step('issue', 'A-1', '10', '2026-11-21')).toMatchObject({ rate: '800.5' });
    expect(await step('issue', 'A-2', '10', '2026-11-21', 'next_banking_day')).toMatchObject({
      ...{ rate: '801', value_date: '2026-11-24', evidence: null },
    });
  });

  test('an issued number keeps its row, and is not issued with other words', async () => {
    const { step, state } = await shop();
    const row = await step('issue', 'A-1', '10.00', '2026-11-20');
    state.alter = (_path, body) => ({ ...body, rate: 900, to: { currency: 'VES', amount: 9_000 } });
    expect(await step('issue', 'A-1', '10.00', '2026-11-20')).toEqual(row);
    expect(await step('agrees', 'A-1')).toBe(false);
    expect(await step('issue', 'A-1', '10.01', '2026-11-20')).toBe('invalid');
    expect(await step('issue', 'A-1', '10.00', '2026-11-19')).toBe('invalid');
  });

  test.each(['', ' ', '\u00a0'])(
    'an invoice without a number, %j, is not issued',
    async (number) => {
      const { step, state } = await shop();
      expect(await step('issue', number, '10.00', '2026-11-20')).toBe('invalid');
      expect(await step('find', number)).toBe(null);
      expect(state.asked).toBe(0);
    },
  );

  test('two that issue the same number at once store one row', async () => {
    const { step } = await shop();
    await step('find', 'A-1');
    const [one, other] = await Promise.all([
      step('issue', 'A-1', '10.00', '2026-11-20'),
      step('issue', 'A-1', '10.00', '2026-11-20'),
    ]);
    expect(one).toEqual(other);
  });

  const detailed =
    (more: object): Alter =>
    (path, body) =>
      path.includes('details=true') ? { ...body, ...more } : body;

  test.each([
    ['stale', '2026-11-20', detailed({ stale: true })],
    [
      'in_doubt',
      '2026-11-20',
      (path: string, body: object) =>
        path.startsWith('/v1/fx/official')
          ? {
              ...body,
              in_doubt: [{ currency: 'USD', value_date: '2026-11-20', rate: 800.5, reasons: [] }],
            }
          : body,
    ],
    ['rate_not_published', '2026-11-25', detailed({})],
    ['invalid_format', '2026-11-31', detailed({})],
    ['history_out_of_retention', '2020-01-02', detailed({})],
  ] as const)('%s on %s: no invoice is stored', async (reason, day, alter) => {
    const { step, state } = await shop();
    state.alter = alter;
    expect(await step('issue', 'A-1', '10.00', day)).toBe(reason);
    expect(await step('find', 'A-1')).toBe(null);
  });

  test.each(['0', '0.00', '-1', '1.005', '1e3', '', '1,50'])(
    'the amount %j is refused',
    async (usd) => {
      const { step, state } = await shop();
      expect(await step('issue', 'A-1', usd, '2026-11-20')).toBe('invalid');
      expect(state.asked).toBe(0);
    },
  );

  test('it asks again when the service is busy, four times at most, and a refusal is not repeated', async () => {
    const { step, state } = await shop();
    state.busy = 3;
    expect(await step('issue', 'A-1', '10.00', '2026-11-20')).toMatchObject({ rate: '800.5' });
    Object.assign(state, { busy: 99, asked: 0 });
    expect(await step('issue', 'A-2', '10.00', '2026-11-20')).toBe('unexpected_answer');
    expect(state.asked).toBe(4);
    Object.assign(state, { busy: 0, asked: 0 });
    expect(await step('issue', 'A-3', '10.00', '2026-11-25')).toBe('rate_not_published');
    expect(state.asked).toBe(1);
  });

  test('it asks again after a lost connection', async () => {
    const { step, state } = await shop();
    state.lost = 1;
    expect(await step('issue', 'A-1', '10.00', '2026-11-20')).toMatchObject({ rate: '800.5' });
  });
});
