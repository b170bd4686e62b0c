import { connect } from 'node:net';
import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { descriptorsOf } from '../data/leftovers.ts';
import { ADMIN_TOKEN, accountWithKey, serve } from '../process.ts';
import { inTurns, scenario } from '../scenario.ts';
import { pause } from '../wire.ts';

const LANES = 100;
// A hundred cold requests at once take 0.8 s on a busy machine. The control never answers.
const ANSWERED_WITHIN_MS = 8_000;
const GONE_WITHIN_MS = 2_000;
const STOPPED_WITHIN_MS = 5_000;

const REQUESTS = [
  ['POST', '/v1/fx/bulk/convert', 400],
  ['POST', '/v1/account/markups', 400],
  ['PUT', '/v1/account/markups/a', 400],
  ['POST', '/v1/account/keys/none/rotate', 404],
  ['POST', '/v1/admin/records', 400],
] as const;

const WAITS = changedLine(
  '/http/framework/routing/body.ts',
  "if (hasNoBody(headers)) return '';",
  'if (hasNoBody(headers)) return new Promise(() => undefined);',
);

export const bodiless = scenario({
  name: 'bodiless',
  title: 'A thousand POSTs without a body',
  promise: 'Each is answered at once, no descriptor is left, and a stop does not wait for them.',
  control: 'it waits for a body that never comes',
  full: { requests: 1_000 },
  quick: { requests: 200 },
  controlled: { requests: 20 },
  shown: ({ requests }) => `${requests.toLocaleString('en-US')} requests`,
  whyNot: () => (process.platform === 'linux' ? undefined : 'it reads descriptors in /proc'),
  run: async (trial, { requests }, subject) => {
    const data = join(trial.dir, 'data');
    const { key } = await accountWithKey(data, 'Escala');
    const served = await serve(trial, data, subject === 'control' ? WAITS : {});
    const before = descriptorsOf(served.pid);
    const all = Array.from({ length: requests }, (_, index) => index);
    await inTurns(all, LANES, async (index) => {
      const [method, path, expected] = REQUESTS[index % REQUESTS.length] ?? REQUESTS[0];
      const status = await ask(served.url, trial.within(ANSWERED_WITHIN_MS), [
        `${method} ${path} HTTP/1.1`,
        'Host: faults',
        `X-API-Key: ${key}`,
        `Authorization: Bearer ${ADMIN_TOKEN}`,
        'Content-Type: application/json',
      ]);
      // The account has a limit per minute. A 429 is also an answer.
      const isRight = status === expected || status === 429;
      trial.expect(isRight, `${method} ${path} without a body: ${status || 'no answer'}`);
    });
    if (trial.isSettled) return;
    const until = performance.now() + trial.within(GONE_WITHIN_MS);
    while (descriptorsOf(served.pid) > before && performance.now() < until) await pause(50);
    const left = descriptorsOf(served.pid) - before;
    trial.expect(left <= 0, `${left} descriptors are left`);
    const since = performance.now();
    const { code } = await served.running.stop();
    const took = performance.now() - since;
    // One that waits in vain is ended by force.
    const isAtOnce = code === 0 && took < trial.within(STOPPED_WITHIN_MS);
    trial.expect(isAtOnce, `the stop took ${took.toFixed(0)} ms and ended with ${code}`);
  },
});

/** @returns the status, or 0 without an answer in time; then the client closes its side. */
function ask(url: string, withinMs: number, lines: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const done = (status: number) => {
      resolve(status);
      socket.end();
    };
    socket.setTimeout(withinMs, () => done(0));
    socket.once('data', (bytes) => done(Number(/^HTTP\/1\.1 (\d+)/.exec(String(bytes))?.[1])));
    socket.on('error', () => done(0));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}
