import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fullMarket } from '../../../../../test/harness/make.ts';
import { onPath } from '../../../../../test/harness/on-path.ts';
import { ROOT } from '../../../../../test/harness/repository.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';

/** Does what `/docs/client` says, in new folders, with no other server than the service. */

const run = promisify(execFile);
/** Where nothing answers: an installer that asks its registry fails. */
const NOBODY = 'http://127.0.0.1:9/';

/** The environment of a reader: without the settings of the npm that runs the tests. */
function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VESFX_|npm_)/.test(name));
  return { ...Object.fromEntries(own), npm_config_registry: NOBODY, ...more };
}

async function serving() {
  const service = await startTestService();
  await service.push(...fullMarket());
  const folder = await temporaryDir();
  const env = environment({
    VESFX_URL: service.url,
    VESFX_KEY: await service.keyFor('Escala'),
    npm_config_cache: join(folder, '.npm'),
  });
  const here = { cwd: folder, env };
  return {
    service,
    folder,
    sh: async (line: string) => (await run('sh', ['-ec', line], here)).stdout,
    out: async (command: string, ...args: readonly string[]) =>
      (await run(command, args, here)).stdout.trim(),
  };
}

/** The line that installs a file, as the page shows it. */
async function lineFor(service: TestService, file: string): Promise<string> {
  const { text } = await service.call('/docs/client.md?lang=en');
  const [, section = ''] = text.split(`[\`/client/${file}\`]`);
  return /```sh install\n(.*)\n```/.exec(section)?.[1] ?? '';
}

/** On every Node of this machine: this one, and the one of its users. */
const NODES = [process.execPath, onPath('node')].filter((path) => path !== undefined);

const CALL = `new Vesfx({ baseUrl: process.env.VESFX_URL, key: process.env.VESFX_KEY })
  .convert({ from: 'USD', to: 'VES', amount: 100 })
  .then(({ to, stale }) => console.log(to.amount, stale))`;

describe('contract §27 one line installs', () => {
  test('the client of npm: it is imported, required and compiled, and comes again by npm ci', async () => {
    const { service, folder, sh, out } = await serving();
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true }');
    const line = await lineFor(service, 'vesfx-client.tgz');
    expect(line).toBe(`npm install ${service.url}/client/vesfx-client.tgz`);
    await sh(line);
    await writeFile(
      join(folder, 'required.cjs'),
      `const { Vesfx } = require('@vesfx/client'); ${CALL};`,
    );
    await writeFile(
      join(folder, 'imported.mjs'),
      `import { Vesfx } from '@vesfx/client'; ${CALL};`,
    );
    for (const node of NODES) {
      expect(await out(node, 'required.cjs'), node).toBe('80050 false');
      expect(await out(node, 'imported.mjs'), node).toBe('80050 false');
    }
    await writeFile(
      join(folder, 'typed.mts'),
      `import { Vesfx } from '@vesfx/client';
       const vesfx = new Vesfx({ baseUrl: '${service.url}', key: 'a key' });
       const amount: number = (await vesfx.convert({ from: 'USD', to: 'VES', amount: 1 })).to.amount;
       // @ts-expect-error: it is a number.
       const wrong: string = amount;
       export { wrong };`,
    );
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--ignoreConfig', '--strict', '--noEmit', '--types', '', '--target', 'es2022'];
    const modules = ['--module', 'nodenext', '--lib', 'es2022,dom'];
    await out(process.execPath, compiler, ...flags, ...modules, 'typed.mts');
    await sh('rm -r node_modules && npm ci');
    expect(await out(process.execPath, 'imported.mjs')).toBe('80050 false');
  });

  test('the client of Python', async ({ skip }) => {
    if (onPath('python3') === undefined) return skip('there is no python3 on this machine');
    const { service, sh } = await serving();
    await sh(await lineFor(service, 'vesfx.py'));
    expect(await sh('python3 vesfx.py 100')).toContain('100 USD = 80050 VES');
  });

  test('the client of PHP', async ({ skip }) => {
    if (onPath('php') === undefined) return skip('there is no php on this machine');
    const { service, sh } = await serving();
    await sh(await lineFor(service, 'vesfx.php'));
    expect(await sh('php vesfx.php 100')).toContain('100 USD = 80050 VES');
  });

  test('the add-on of Odoo, with every file in its place', async ({ skip }) => {
    if (onPath('python3') === undefined) return skip('there is no python3 on this machine');
    const { service, folder, sh } = await serving();
    await sh(await lineFor(service, 'vesfx-odoo.zip'));
    const manifest = await readFile(join(folder, 'vesfx_rates', '__manifest__.py'), 'utf8');
    expect(manifest).toBe(
      await readFile(join(ROOT, 'examples/odoo/vesfx_rates/__manifest__.py'), 'utf8'),
    );
    await sh('python3 -m compileall -q vesfx_rates');
  });
});
