import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT, runQuietly } from '../compile.ts';
import { assetsOf, licencesOf } from './assets.ts';

/*
 * `npm run build:binary [-- --arch arm64]`: makes `dist/vesfx-linux-x64`, the service in one file with
 * Node within, for machines that have none. See docs/adr/0025-program-of-one-file.md.
 */

/** Those that the registry has a package of Node for. */
const ARCHITECTURES = ['x64', 'arm64'];

/** See bin/vesfx.js, which sets it for the package. */
const V8_FLAGS = ['--no-allocation-site-pretenuring'];

interface Node {
  readonly binary: string;
  readonly licence: string;
}

/** Node for the architecture, of the version that runs this, without its symbols. */
function nodeFor(arch: string): Node {
  const name = `node-linux-${arch}`;
  const version = process.versions.node;
  const folder = join(ROOT, 'node_modules', '.cache', `${name}-${version}`);
  const node = {
    binary: join(folder, 'package/bin/node'),
    licence: join(folder, 'package/LICENSE'),
  };
  if (existsSync(node.binary)) return node;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  // Not offline, which `npm exec --offline` leaves in the environment of what it runs.
  const flags = ['--silent', '--no-offline', '--prefer-offline', '--pack-destination', work];
  runQuietly('npm', ['pack', `${name}@${version}`, ...flags]);
  const wanted = ['package/bin/node', 'package/LICENSE'];
  runQuietly('tar', ['-xzf', join(work, `${name}-${version}.tgz`), '-C', work, ...wanted]);
  strip(arch, join(work, 'package/bin/node'));
  rmSync(join(work, `${name}-${version}.tgz`));
  runQuietly('mv', ['-T', work, folder]);
  return node;
}

/** Takes a fifth off the size. Symbols only serve those who debug Node itself. */
function strip(arch: string, file: string): void {
  const command = arch === process.arch ? 'strip' : `${GNU[arch]}-linux-gnu-strip`;
  try {
    runQuietly(command, [file]);
  } catch {
    console.warn(`vesfx: there is no ${command}, so the program is larger than it must be`);
  }
}

const GNU: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

interface Program {
  readonly main: string;
  readonly output: string;
  readonly node: Node;
  readonly assets: Readonly<Record<string, string>>;
}

function write({ main, output, node, assets }: Program): void {
  const settings = `${output}.json`;
  writeFileSync(
    settings,
    JSON.stringify({
      ...{ main, output, assets, executable: node.binary, execArgv: V8_FLAGS },
      disableExperimentalSEAWarning: true,
    }),
  );
  runQuietly(process.execPath, ['--build-sea', settings]);
  rmSync(settings);
}

/** Starts the demonstration and ends it: what V8 has compiled by then is what starts need. */
async function runOnce(program: string, folder: string): Promise<void> {
  const served = spawn(program, ['demo', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(served.stdout, 'data');
  served.kill('SIGTERM');
  await once(served, 'exit');
}

interface Made {
  readonly arch: string;
  /** Where it is written, with the licences of all that is within. */
  readonly folder: string;
}

/** @returns the path of the program. */
export async function makeProgram({ arch, folder }: Made): Promise<string> {
  if (process.platform !== 'linux' || !ARCHITECTURES.includes(arch)) {
    throw new Error(`The program is made on Linux, for one of ${ARCHITECTURES.join(', ')}.`);
  }
  const work = mkdtempSync(join(tmpdir(), 'vesfx-program-'));
  try {
    const node = nodeFor(arch);
    const main = join(import.meta.dirname, 'main.cjs');
    const { assets, packages } = await assetsOf(join(work, 'bundles'));
    // Only the processor for which it is made can compile for it.
    if (arch === process.arch) {
      const compiled = join(work, 'program.cache');
      const first = join(work, 'first.cjs');
      const atEnd = `require('node:fs').writeFileSync(${JSON.stringify(compiled)}, script.createCachedData())`;
      writeFileSync(first, `${readFileSync(main, 'utf8')}process.on('exit', () => ${atEnd});\n`);
      write({ main: first, output: join(work, 'first'), node, assets });
      await runOnce(join(work, 'first'), work);
      assets['program.cache'] = compiled;
    }
    mkdirSync(folder, { recursive: true });
    const program = join(folder, `vesfx-linux-${arch}`);
    write({ main, output: join(work, 'program'), node, assets });
    runQuietly('mv', [join(work, 'program'), program]);
    const licences = licencesOf(packages, readFileSync(node.licence, 'utf8'));
    writeFileSync(join(folder, 'vesfx-licences.txt'), licences);
    return program;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
  await import('../prepare.ts');
  console.log(await makeProgram({ arch: values.arch, folder: join(ROOT, 'dist') }));
}
