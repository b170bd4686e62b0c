import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Vesfx as Client } from '../src/client/vesfx.ts';
import { describeInBrowser } from './harness/browser.ts';
import { listening } from './harness/listening.ts';
import { fullMarket } from './harness/make.ts';
import { onPath } from './harness/on-path.ts';
import { startTestService } from './harness/service.ts';
import { CAN_CHANGE_USER, installUnits } from './harness/units.ts';
import { startUpstream } from './harness/upstream.ts';

/**
 * The results of `npm pack`, installed in a blank project like a new user does: the client with its
 * types, the service, the examples.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** Longest time for packing and installing on a busy machine. */
const INSTALL_TIMEOUT_MS = 100_000;
const COMMAND_TIMEOUT_MS = 100_000;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
}

/** Without the settings of this test run, which npm would take for its own. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:VESFX_|npm_(?!config_(?:cache|registry|userconfig)))/.test(name),
  );
  return { ...Object.fromEntries(own), ...more };
}

function run(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeout = COMMAND_TIMEOUT_MS }: RunOptions,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  execFile(command, [...args], { cwd, env: environment(env), timeout }, (error, out, err) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
    resolve({ code, out, err });
  });
  return promise;
}

/** Runs a command and requires that it succeeds. */
async function succeeds(command: string, args: readonly string[], options: RunOptions) {
  const outcome = await run(command, args, options);
  expect(outcome, `${command} ${args.join(' ')}\n${outcome.out}${outcome.err}`).toMatchObject({
    code: 0,
  });
  return outcome;
}

/** Says loudly that something did not run, since a skipped test is easily passed over. */
function tellAbsent(name: string): void {
  const line = `NOT RUN, for there is no ${name} on this machine`;
  process.stderr.write(`\n${'*'.repeat(line.length)}\n${line}\n${'*'.repeat(line.length)}\n`);
}

/** All that a document shows in TypeScript, as one program. */
function typescriptOf(page: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
}

const project = join(await mkdtemp(join(tmpdir(), 'vesfx-package-')), 'blank');
const installed = join(project, 'node_modules', 'vesfx');
/** What the build makes of the client alone. */
const CLIENT = join(ROOT, 'dist-client');
const clientFolder = join(project, '..', 'client');

/**
 * The lock that npm would write for a project with only these two dependencies: with it npm takes the
 * packages from its cache, where installing this very project put them.
 */
function lockFor(dependencies: Dependencies, manifest: PackageManifest): object {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const kept = Object.entries<{ dev?: boolean; link?: boolean; optional?: boolean }>(
    packages,
  ).filter(
    // Others are the project itself and the generators of its tests, which stand behind a link.
    ([path, entry]) =>
      path.startsWith('node_modules/') && entry.dev !== true && entry.link !== true,
  );
  const { name, version, bin } = manifest;
  return {
    name: 'blank',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'blank', dependencies },
      [`node_modules/${name}`]: {
        ...{ version, bin, resolved: dependencies[name], dependencies: manifest.dependencies },
      },
      'node_modules/@vesfx/client': { version, resolved: dependencies['@vesfx/client'] },
      ...Object.fromEntries(kept),
    },
  };
}

/** Packages of the blank project by name, each with its place. */
type Dependencies = Readonly<Record<string, string>>;

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
}

beforeAll(async () => {
  await mkdir(project);
  await succeeds('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: ROOT,
    timeout: INSTALL_TIMEOUT_MS,
  });
  await mkdir(clientFolder);
  await succeeds('npm', ['pack', '--silent', '--pack-destination', clientFolder], { cwd: CLIENT });
  const [tarball = ''] = readdirSync(project);
  const dependencies = {
    vesfx: `file:${tarball}`,
    '@vesfx/client': `file:../client/${readdirSync(clientFolder)[0]}`,
  };
  const lock = lockFor(dependencies, readManifest());
  await writeFile(join(project, 'package-lock.json'), JSON.stringify(lock));
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name: 'blank', type: 'module', dependencies }),
  );
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await succeeds('npm', ['ci', ...flags], { cwd: project, timeout: INSTALL_TIMEOUT_MS });
});

interface Demonstration {
  readonly url: string;
  readonly key: string;
  readonly stop: () => Promise<unknown>;
}
let started: Promise<Demonstration> | undefined;

/** The demonstration of the installed package, for all tests that want it. */
function demonstrated(): Promise<Demonstration> {
  started ??= demonstrate();
  return started;
}

async function demonstrate(): Promise<Demonstration> {
  // Its own process group, because npx does not pass on every signal.
  const options = { cwd: project, env: environment(), detached: true };
  const served = spawn('npx', ['vesfx', 'demo', '--port', '0', '--json'], options);
  const ended = once(served, 'exit');
  const stop = () => {
    process.kill(-(served.pid ?? 0), 'SIGTERM');
    return ended;
  };
  const [line] = await once(served.stdout, 'data');
  const { listening, keys } = JSON.parse(String(line));
  return { url: listening, key: keys.Escala, stop };
}

afterAll(async () => {
  await (await started)?.stop();
  await rm(join(project, '..'), { recursive: true, force: true });
});

async function readOf(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

describe('the package', () => {
  test('has no tests, TypeScript sources or settings of this repository', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\.|fixtures|tsconfig|(?<!\.d)\.ts$/.test(file))).toEqual(
      [],
    );
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'bin/vesfx.js']));
  });

  test('has at its top what an operator copies: the catalogue, which it serves, and deploy/', () => {
    for (const folder of ['catalog', 'deploy']) {
      expect(readdirSync(join(installed, folder))).toEqual(readdirSync(join(ROOT, folder)));
    }
    expect(existsSync(join(installed, 'dist', 'catalog'))).toBe(false);
  });

  test.skipIf(!CAN_CHANGE_USER)(
    'runs under the unit of systemd, installed by npm or unpacked into /opt',
    async () => {
      // The tests' folder is closed to others, as that of a global installation is not.
      chmodSync(join(project, '..'), 0o755);
      const bin = join(project, 'node_modules', '.bin');
      const byNpm = await installUnits({ opt: '/nonexistent', bin });
      const { url } = await byNpm.start();
      expect((await readOf(`${url}/healthz`)).status).toBe(200);
      expect((await byNpm.asRoot('doctor')).text).toContain('The database is sound.');
      const unpacked = await installUnits({ opt: installed, bin: '/nonexistent' });
      const { version } = readManifest();
      expect(await unpacked.asRoot('--version')).toEqual({ code: 0, text: `${version}\n` });
    },
  );

  test('has every file of the sources, as JavaScript or unchanged', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
      .filter((file) => !/\.test\.ts$|fixtures|^src\/capabilities\/[^/]+\/test\//.test(file))
      .map((file) => file.replace(/\.ts$/, '.js'));
    expect(sources.filter((file) => !existsSync(join(installed, 'dist', file)))).toEqual([]);
  });

  test("has types that hold under strict, and the documents' examples compile for Node and bundlers", async () => {
    await copyFile(join(ROOT, 'test', 'client', 'stranger.ts'), join(project, 'stranger.ts'));
    // The entry of the service's package has the same types.
    const stranger = await readFile(join(project, 'stranger.ts'), 'utf8');
    const own = stranger.replace("'@vesfx/client'", "'vesfx/client'");
    await writeFile(join(project, 'entry.ts'), own);
    const shown = 'declare const process: { env: Record<string, string> };\n';
    await writeFile(join(project, 'shown.ts'), shown + typescriptOf('docs/client.md'));
    await writeFile(join(project, 'first.ts'), shown + typescriptOf('README.md'));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const common = [...strict, '--noEmit', '--target', 'es2022', '--types', ''];
    const files = ['stranger.ts', 'entry.ts', 'shown.ts', 'first.ts'];
    await Promise.all(
      ['nodenext', 'bundler'].map((resolution) => {
        const module = resolution === 'bundler' ? 'esnext' : resolution;
        const how = ['--module', module, '--moduleResolution', resolution];
        return succeeds(process.execPath, [TSC, ...how, ...common, ...files], { cwd: project });
      }),
    );
  });

  test('runs npx vesfx demo, with all pages, their links and scripts', async () => {
    const { url } = await demonstrated();
    const linked = new Set([
      ...['/healthz', '/service-worker.js', '/embed/v1.js'],
      ...['/docs/search.json', '/console/operations.json'],
    ]);
    for (const path of ['/', '/console', '/docs']) {
      const text = await (await fetch(url + path)).text();
      for (const [, link = ''] of text.matchAll(/(?:href|src)="(\/[^"#]*)/g)) {
        // The playground is one page for all its operations.
        if (!link.includes('?try=')) linked.add(link.replaceAll('&amp;', '&'));
      }
    }
    expect(linked.size).toBeGreaterThan(30);
    const answers = [...linked].map(async (path) => {
      const { status, text } = await readOf(url + path);
      // What the build leaves in a module is a syntax error in a script.
      if (path.endsWith('.js')) new Script(text, { filename: path });
      return [path, status];
    });
    expect((await Promise.all(answers)).filter(([, status]) => status !== 200)).toEqual([]);
  });

  test('hands out its client and what else programs install', async () => {
    const { url } = await demonstrated();
    for (const name of ['vesfx-client.tgz', 'vesfx.py', 'vesfx.php', 'vesfx-odoo.zip']) {
      const { status, body } = await fetch(`${url}/client/${name}`);
      await body?.cancel();
      expect(status, name).toBe(200);
    }
    const tarball = Buffer.from(
      await (await fetch(`${url}/client/vesfx-client.tgz`)).arrayBuffer(),
    );
    const [packed = ''] = readdirSync(clientFolder);
    expect(tarball).toEqual(await readFile(join(clientFolder, packed)));
  });

  test('finds its parser thread', async () => {
    const body = join(project, 'body.json');
    await writeFile(body, '{"rate":900.5,"timestamp":1795177800000}');
    const command = join(project, 'node_modules', '.bin', 'vesfx');
    const args = ['source', 'parse', 'yadio', body];
    const { out } = await succeeds(command, args, { cwd: project });
    expect(JSON.parse(out)).toMatchObject({ kind: 'quote', market: 'parallel', mid: 900.5 });
  });

  test('says in one line what to do on an older Node, and downloads nothing', async () => {
    const old = join(project, 'old.cjs');
    await writeFile(old, `Object.defineProperty(process, 'version', { value: 'v20.11.1' });`);
    const launcher = ['--require', old, join(installed, 'bin', 'vesfx.js'), '--version'];
    // Without PATH no npm can download anything.
    const outcome = await run(process.execPath, launcher, { cwd: project, env: { PATH: '' } });
    expect(outcome).toEqual({
      code: 1,
      out: '',
      err: 'vesfx: needs Node 24 or later, and this is v20.11.1: install it.\n',
    });
  });
});

describeInBrowser('the installed pages', (open) => {
  test('work on a first visit as from the sources: colours, converter, chart, console, search, offline', async () => {
    const { url, key } = await demonstrated();
    const { page, expectQuiet } = await open(url, { serviceWorker: true });
    const colours = page.getByRole('button', { name: 'Apariencia' });
    await colours.click();
    expect(await colours.getAttribute('aria-label')).toBe('Apariencia: Claro');
    await page.waitForSelector('#chart .u-over');
    const result = () => page.inputValue('#other');
    const ofOne = await result();
    await page.fill('#amount', '2');
    await expect.poll(result).not.toBe(ofOne);

    await page.goto(`${url}/console`);
    await page.fill('#key', key);
    await page.locator('#sign-in button.main').click();
    await page.locator('#account').waitFor();
    await page.getByRole('link', { name: 'Probar', exact: true }).click();
    await page.locator('#sample').waitFor();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();

    await page.goto(`${url}/docs`);
    await page.getByRole('searchbox').fill('límites');
    await page.locator('#search-found').getByRole('link').first().waitFor();

    await page.goto(url);
    const isKept = () =>
      page.evaluate(async () => {
        const kept = await (await caches.open('vesfx-board')).keys();
        return kept.some(({ url }) => url.includes('/assets/board-') && url.endsWith('.js'));
      });
    await expect.poll(isKept).toBe(true);
    expectQuiet();
    await page.context().setOffline(true);
    await page.goto(url);
    await expect.poll(() => page.innerText('#cut-off')).toContain('Sin conexión');
  });
});

describe('the client package', () => {
  test('has no dependencies, and its types resolve in every way that TypeScript resolves', async () => {
    const [tarball = ''] = readdirSync(clientFolder);
    const bytes = new Uint8Array(await readFile(join(clientFolder, tarball)));
    const checked = await checkPackage(createPackageFromTarballData(bytes));
    expect(checked).toMatchObject({ types: { kind: 'included' }, problems: [] });
    const manifest = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: '@vesfx/client', version: readManifest().version });
    expect(manifest).not.toHaveProperty('dependencies');
  });

  test('has the page about the client, whose links work outside the repository', async () => {
    const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    const repository = 'https://github.com/vesfx/vesfx/blob/main/';
    expect(links).toContain(`${repository}docs/contract.md#4-keys-errors-headers`);
    expect(links).toContain(`${repository}examples/`);
    expect(links.filter((link) => !/^(?:#|https:)/.test(link ?? ''))).toEqual([]);
  });

  test('converts when required and when imported', async () => {
    const { env } = await serving();
    const call = `new Vesfx({ baseUrl: process.env.VESFX_URL, key: process.env.VESFX_KEY })
      .convert({ from: 'USD', to: 'VES', amount: 100 }).then(({ to }) => console.log(to.amount))`;
    const programs = {
      'required.cjs': `const { Vesfx } = require('@vesfx/client'); ${call};`,
      'imported.mjs': `import { Vesfx } from '@vesfx/client'; ${call};`,
      'entry.mjs': `import { Vesfx } from 'vesfx/client'; ${call};`,
    };
    for (const [name, program] of Object.entries(programs)) {
      await writeFile(join(project, name), program);
      const outcome = await run(process.execPath, [name], { cwd: project, env });
      expect(outcome, name).toEqual({ code: 0, out: '80050\n', err: '' });
    }
  });
});

/** A service with a fresh official rate, and a parallel one of four hours ago. */
async function serving(origin?: string) {
  const service = await startTestService({
    config: { corsOrigins: origin === undefined ? [] : [origin] },
  });
  await service.push(...fullMarket());
  service.clock.advance(4 * 3_600_000);
  const key = await service.keyFor('Escala');
  return { service, env: { VESFX_URL: service.url, VESFX_KEY: key } };
}

/** A service that has enough for a second, and then answers. */
async function busyOnce() {
  const upstream = await startUpstream();
  upstream.answers((_request, response) => {
    if (upstream.asked === 1) {
      response.writeHead(429, { 'Retry-After': '1' }).end('{"code":"rate_limit_exceeded"}');
      return;
    }
    const quote = { rate: 2, market: 'parallel', staleness_sec: 59, stale: false };
    const amounts = { from: { currency: 'USD', amount: 1 }, to: { currency: 'VES', amount: 2 } };
    response.writeHead(200).end(JSON.stringify({ ...amounts, ...quote }));
  });
  return { upstream, env: { VESFX_URL: upstream.url, VESFX_KEY: 'a-key' } };
}

/** Each language with how its example is run, and what has to be there. */
const LANGUAGES = [
  { name: 'this Node', command: process.execPath, file: 'node.mjs' },
  { name: 'the Node of this machine', command: onPath('node'), file: 'node.mjs' },
  { name: 'Deno', command: onPath('deno'), before: ['run', '-A'], file: 'node.mjs' },
  { name: 'Bun', command: onPath('bun'), file: 'node.mjs' },
  { name: 'Python', command: onPath('python3'), file: 'vesfx.py' },
  { name: 'PHP', command: onPath('php'), file: 'vesfx.php' },
] as const satisfies readonly {
  readonly command: string | undefined;
  readonly [name: string]: unknown;
}[];

describe('the examples', () => {
  for (const language of LANGUAGES) {
    const { name, command, file } = language;
    if (command === undefined) tellAbsent(`${name}, which examples/${file} needs`);

    test.skipIf(command === undefined)(
      `${file} on ${name}: rate, age, stale mark, errors, another try`,
      async () => {
        if (command === undefined) return;
        const example = join(project, file);
        if (!existsSync(example)) await copyFile(join(installed, 'examples', file), example);
        const flags = 'before' in language ? language.before : [];
        const start = (args: readonly string[], env: NodeJS.ProcessEnv) =>
          run(command, [...flags, file, ...args], { cwd: project, env });

        const [{ env }, busy] = await Promise.all([serving(), busyOnce()]);
        const [fresh, stale, unknown, keyless, nobody, again] = await Promise.all([
          start(['100'], env),
          start(['2.5', 'parallel'], env),
          start(['1', '<nobody>'], env),
          start(['1'], { ...env, VESFX_KEY: 'no-such-key' }),
          start(['1'], { ...env, VESFX_URL: 'http://127.0.0.1:9' }),
          start(['1'], busy.env),
        ]);
        expect(fresh).toMatchObject({ code: 0, err: '' });
        expect(fresh.out.trim().split(/\r?\n/)).toEqual([
          '100 USD = 80050 VES',
          '1 USD = 800.5 VES, reference',
          'value date 2026-11-20',
          '36 h old',
        ]);
        expect(stale.out.trim().split(/\r?\n/)).toEqual([
          '2.5 USD = 2125 VES',
          '1 USD = 850 VES, parallel',
          '4 h old: STALE, do not rely on it',
        ]);
        for (const refused of [unknown, keyless, nobody]) {
          expect(refused).toMatchObject({ code: 1, out: '' });
          expect(refused.err).not.toMatch(/Traceback|\n\s+at |Fatal|Warning/);
        }
        expect(unknown.err).toContain('resource_not_found');
        expect(keyless.err).toMatch(/key/i);
        expect(nobody.err).toContain('does not answer');
        expect(again.out).toContain('0 min old');
        expect(busy.upstream.asked).toBe(2);
      },
    );
  }
});

/** Files of the blank project, as any static server gives them. */
async function serveProject(): Promise<string> {
  const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const text = await readFile(join(project, path), 'utf8').catch(() => undefined);
    const type = types[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': type }).end(text);
  });
  return listening(server);
}

describeInBrowser('the client in a browser', (open) => {
  test('browser.html converts, shows age and staleness, and shows errors as text', async () => {
    await copyFile(join(installed, 'examples', 'browser.html'), join(project, 'browser.html'));
    const origin = await serveProject();
    const { env } = await serving(origin);
    const { page, troubles } = await open(`${origin}/browser.html`);
    await page.fill('[name=url]', env.VESFX_URL);
    await page.fill('[name=key]', env.VESFX_KEY);
    const shown = async (market: string, pattern: RegExp) => {
      await page.fill('[name=via]', market);
      await page.click('button');
      await expect.poll(() => page.textContent('output')).toMatch(pattern);
    };
    await shown('', /^80\.050 VES at 800,5 \(reference\), 36 h old$/);
    await shown('parallel', /4 h old: STALE, do not rely on it$/);
    await shown('<img src=x onerror=alert(1)>', /\(resource_not_found\)$/);
    expect(await page.locator('output img').count()).toBe(0);
    // The service is another host, and the console shows its refusal.
    const own = troubles.filter((line) => !/a request to 127\.0\.0\.1|status of 404/.test(line));
    expect(own).toEqual([]);
  });

  test('reads ETags, headers and errors of another origin, and can be aborted', async () => {
    const client = '/node_modules/@vesfx/client/esm/vesfx.js';
    await writeFile(
      join(project, 'client.html'),
      `<!doctype html><title>Client</title><script type="module">
        import { Vesfx } from '${client}'; window.Vesfx = Vesfx;
      </script>`,
    );
    const origin = await serveProject();
    const { service, env } = await serving(origin);
    const { page } = await open(`${origin}/client.html`);
    const given = { baseUrl: service.url, key: env.VESFX_KEY };
    const outcome = await page.evaluate(async (options) => {
      // The script above put it there.
      const { Vesfx } = window as unknown as { Vesfx: typeof Client };
      const vesfx = new Vesfx(options);
      const first = await vesfx.rates();
      const again = await vesfx.rates();
      const codeOf = (call: Promise<unknown>) => call.catch(({ code }) => code);
      let points = 0;
      for await (const _ of vesfx.history('parallel', { granularity: 'raw' })) points += 1;
      return {
        same: JSON.stringify(first) === JSON.stringify(again),
        points,
        limits: vesfx.limits,
        unknown: await codeOf(vesfx.rate('nobody')),
        aborted: await codeOf(vesfx.rates({ signal: AbortSignal.abort() })),
        elsewhere: await codeOf(new Vesfx({ baseUrl: 'http://127.0.0.1:9' }).status()),
      };
    }, given);
    expect(outcome).toEqual({
      same: true,
      points: 1,
      limits: { month: expect.objectContaining({ remaining: expect.any(Number) }) },
      unknown: 'resource_not_found',
      aborted: 'aborted',
      elsewhere: 'network_error',
    });
  });
});
