import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { iso, quote } from '../../../../../test/harness/make.ts';
import { onPath } from '../../../../../test/harness/on-path.ts';
import { ROOT } from '../../../../../test/harness/repository.ts';
import { startTestService, temporaryDir } from '../../../../../test/harness/service.ts';
import { startUpstream } from '../../../../../test/harness/upstream.ts';

/** The programs of the guide on the stream, as their readers run them. */

const LONG = { timeout: 60_000 };
const PROGRAMS = [
  { name: 'stream.mjs', command: process.execPath, args: [] },
  { name: 'stream.py', command: onPath('python3'), args: ['-W', 'error'] },
  { name: 'stream.php', command: onPath('php'), args: ['-d', 'error_reporting=-1'] },
] as const;

/** Runs one until it ends or the test does. */
async function running({ name, command, args }: (typeof PROGRAMS)[number], env: object) {
  const folder = await temporaryDir();
  const program = await readFile(join(ROOT, 'examples/stream', name), 'utf8');
  // A line that a program holds back must not come because it takes its connection for dead.
  await writeFile(join(folder, name), program.replace(/(timeout\W+)45\b/, '$1600'));
  const client = join(folder, 'node_modules/@vesfx/client');
  await mkdir(client, { recursive: true });
  await writeFile(join(client, 'package.json'), '{ "exports": "./client.mjs" }');
  const source = pathToFileURL(join(ROOT, 'src/client/vesfx.ts'));
  await writeFile(join(client, 'client.mjs'), `export * from '${source}';\n`);
  const child = spawn(command ?? '', [...args, name], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, hasEnded] = ['', false];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  }
  child.on('close', () => {
    hasEnded = true;
  });
  const lines = () => out.split('\n').filter((line) => line.startsWith('{"parallel"'));
  return { lines, ended: () => (hasEnded ? out : '') };
}

describe('contract §23 the programs of the guide', () => {
  test.each(PROGRAMS.filter(({ command }) => command !== undefined))(
    '$name has each state, and ends with the reason when its key is revoked',
    { timeout: 180_000 },
    async (program) => {
      const service = await startTestService();
      await service.push(quote('parallel', 880), quote('binance', 870));
      const account = await service.service.accounts.create('guide', 'Escala');
      const { id, key } = await service.service.accounts.createKey(account.id);
      const { lines, ended } = await running(program, { VESFX_URL: service.url, VESFX_KEY: key });
      await expect.poll(() => lines().at(-1), LONG).toMatch(/880.*870|870.*880/);
      service.clock.advance(1_000);
      const at = iso(service.clock.now());
      await service.push(quote('parallel', 881.5, { updated_at: at, captured_at: at }));
      await expect.poll(() => lines().at(-1), LONG).toMatch(/881\.5.*870/);
      await service.service.accounts.revokeKey(id);
      await expect.poll(ended, LONG).toContain('invalid_api_key');
    },
  );

  test.each(PROGRAMS.filter(({ command }) => command !== undefined))(
    '$name waits as long as a 429 says, and comes again after an end with its last id',
    { timeout: 180_000 },
    async (program) => {
      const upstream = await startUpstream();
      const asked: { readonly at: number; readonly lastId: unknown }[] = [];
      const event = (id: string, type: string, data: object) =>
        `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
      upstream.answers((request, response) => {
        asked.push({ at: performance.now(), lastId: request.headers['last-event-id'] ?? '' });
        const error = { error: true, code: 'rate_limit_exceeded', message: 'All are open.' };
        if (asked.length === 1) {
          response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '2' });
          response.end(JSON.stringify(error));
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const both = [
          { market: 'parallel', mid: 1.5 },
          { market: 'binance', mid: 2.5 },
        ];
        const marks = { in_doubt: [], stale: [], frozen: [] };
        response.write('retry: 3000\n\n: a comment\n\n');
        if (asked.length === 2) {
          response.end(event('1.x', 'snapshot', { rates: both, ...marks, fetched_at: '' }));
          return;
        }
        const removed = { rates: [], ...marks, removed: ['binance'], fetched_at: '' };
        response.write(event('2.x', 'rates', removed));
        const { code, message } = { code: 'quota_exceeded', message: 'Used up.' };
        response.end(`event: error\ndata: ${JSON.stringify({ error: true, code, message })}\n\n`);
      });
      const env = { VESFX_URL: upstream.url, VESFX_KEY: 'vfx_live_guide' };
      const { lines, ended } = await running(program, env);
      await expect.poll(ended, LONG).toContain('quota_exceeded');
      expect(asked.map(({ lastId }) => lastId)).toEqual(['', '', '1.x']);
      const [first, second] = asked;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_990);
      expect(lines().map((line) => JSON.parse(line))).toEqual([
        { parallel: 1.5, binance: 2.5 },
        { parallel: 1.5 },
      ]);
    },
  );
});
