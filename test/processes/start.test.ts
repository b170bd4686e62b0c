import { describe, expect, test } from 'vitest';
import { install } from '../harness/processes.ts';

/** Messages of `vesfx serve` at its start, with real processes. */

const SERVE = ['serve', '--no-collect', '--port', '0'];
const WARNING =
  'links in answers (methodology_url) have the listening address: set VESFX_PUBLIC_URL';

test('a service uses the whole compile cache of a command', async () => {
  const { start, json } = await install();
  // At its end it writes what it compiled.
  await json(['account', 'create', '--name', 'x', '--plan', 'Gratis']);
  const { log } = await start(SERVE, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
  // The service may be ready before all that it wrote is read here.
  await expect.poll(log).toMatch(/code cache for ESM \S+\/src\/core\/compose\.ts was accepted/);
  expect(log()).not.toContain('was rejected');
});

describe('vesfx serve warns of links that have the listening address', () => {
  test.each([
    { listens: 'on this machine only', env: {}, args: [], warnings: 0 },
    { listens: 'beyond it', env: { VESFX_HOST: '0.0.0.0' }, args: [], warnings: 1 },
    {
      listens: 'beyond it, in several processes',
      env: { VESFX_HOST: '0.0.0.0' },
      args: ['--workers', '2'],
      warnings: 1,
    },
  ])('$warnings times when listening $listens', async ({ env, args, warnings }) => {
    const { start } = await install(env);
    const { log } = await start([...SERVE, ...args]);
    const lines = log().trim().split('\n');
    const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === WARNING);
    expect(told).toEqual(Array(warnings).fill(expect.objectContaining({ level: 40 })));
  });
});
