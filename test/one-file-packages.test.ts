import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** The clients of one file, installed by the tools of their languages, without a network. */

const runs = (program: string, ...args: readonly string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Debian's, because its packages bring what pip builds with. */
const PYTHON = '/usr/bin/python3';
const hasPip = runs(PYTHON, '-c', 'import ensurepip, setuptools, wheel');
const hasComposer = runs('composer', '--version', '--no-interaction');

async function copyOfExamples() {
  const folder = await temporaryDir();
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  return folder;
}

test.runIf(hasPip)('pip installs the client in Python from its folder', async () => {
  const folder = await copyOfExamples();
  execFileSync(PYTHON, ['-m', 'venv', '--system-site-packages', 'v'], { cwd: folder });
  const offline = ['--quiet', '--no-index', '--no-build-isolation'];
  execFileSync(join(folder, 'v/bin/pip'), ['install', ...offline, './examples'], { cwd: folder });
  const code = 'import vesfx, importlib.metadata as m; print(vesfx.__file__, m.version("vesfx"))';
  const told = execFileSync(join(folder, 'v/bin/python'), ['-c', code], {
    cwd: join(folder, 'v'),
    encoding: 'utf8',
  });
  expect(told).toMatch(/site-packages\/vesfx\.py 0\.\d+\.\d+/);
});

test.runIf(hasComposer)('Composer installs the client in PHP from its folder', async () => {
  const folder = await copyOfExamples();
  const repositories = [
    { type: 'path', url: './examples', options: { symlink: false } },
    { 'packagist.org': false },
  ];
  const project = { repositories, require: { 'vesfx/client': '*' } };
  writeFileSync(join(folder, 'composer.json'), JSON.stringify(project));
  const env = {
    ...process.env,
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_HOME: join(folder, 'home'),
  };
  execFileSync('composer', ['install', '--no-interaction', '--quiet'], { cwd: folder, env });
  const code = 'require "vendor/autoload.php"; echo (new ReflectionClass("Vesfx"))->getFileName();';
  const told = execFileSync('php', ['-r', code], { cwd: folder, encoding: 'utf8' });
  expect(told).toBe(join(folder, 'vendor/vesfx/client/vesfx.php'));
});

test('both name the version of the package', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(JSON.parse(read('examples/composer.json')).version).toBe(version);
  const python = readFileSync(join(ROOT, 'examples/pyproject.toml'), 'utf8');
  expect(python).toContain(`version = "${version}"`);
});
