#!/usr/bin/env node
// Starts vesfx on the Node it needs, whatever Node runs this file. That is why it keeps to the
// language of Node 12: imports without "node:", no "?.", no "??", no top-level await.
// biome-ignore-all lint/style/useNodejsImportProtocol: Node 12 does not know the "node:" prefix.
// biome-ignore-all lint/complexity/useOptionalChain: nor optional chains.
import { spawn, spawnSync } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import module, { createRequire } from 'module';
import { dirname, join } from 'path';
import { fileURLToPath, pathToFileURL } from 'url';

const NEEDED_MAJOR = 26;
/** The one that it is tested with. */
const FETCHED_VERSION = '26.10.0';
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'src', 'main.ts');
const built = join(here, '..', 'dist', 'src', 'main.js');
const isPackage = !existsSync(source) && existsSync(built);
const main = isPackage ? built : source;

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** The binary of the npm package "node", when it is installed and new enough. */
function packagedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const version = JSON.parse(readFileSync(manifest, 'utf8')).version;
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    const binary = join(dirname(manifest), 'bin', name);
    return majorOf(version) >= NEEDED_MAJOR && existsSync(binary) ? binary : undefined;
  } catch (_) {
    return undefined;
  }
}

/**
 * The binary as npm's cache has it, fetched the first time. A dependency would weigh 200 MB on all
 * who only import the client, and its `node` would come first in every npm script of theirs.
 */
function fetchedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}@${FETCHED_VERSION}`;
  process.stderr.write(`vesfx: this is Node ${process.version}; npm provides ${name}\n`);
  const told = spawnSync(
    'npm',
    ['exec', '--yes', '--prefer-offline', '--loglevel=error', `--package=${name}`, '--'].concat(
      // Without spaces and quotes: on Windows a shell reads it.
      ['node', '-p', 'process.version+process.execPath'],
    ),
    { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', shell: process.platform === 'win32' },
  );
  const found = /^(v\d+\.\d+\.\d+)(.+)$/m.exec(told.stdout || '');
  return found && majorOf(found[1]) >= NEEDED_MAJOR ? found[2] : undefined;
}

function fail(message) {
  process.stderr.write(`vesfx: ${message}\n`);
  process.exitCode = 1;
}

/** Runs vesfx in a child and ends the way it ends. */
function runWith(binary) {
  // Over the fourth channel the child learns when this process is gone, even by SIGKILL: without
  // it a server would go on unseen.
  const self = fileURLToPath(import.meta.url);
  const child = spawn(binary, [self].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, forward);
  child.on('error', (error) => fail(`cannot run ${binary}: ${error.message}`));
  child.on('exit', (code, signal) => {
    for (const forwarded of FORWARDED_SIGNALS) process.removeListener(forwarded, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code === null ? 1 : code;
  });
}

if (majorOf(process.version) >= NEEDED_MAJOR) {
  // What Node compiles is kept beside what it compiles from: every start is a third shorter. Where
  // nothing can be written there, there is no cache.
  module.enableCompileCache(join(here, '..', 'node_modules', '.cache', 'vesfx'));
  import(pathToFileURL(main).href).catch((error) => fail((error && error.stack) || String(error)));
} else {
  const binary = packagedNode() || (isPackage ? fetchedNode() : undefined);
  if (binary === undefined) {
    const advice = isPackage ? 'run "npm install node" beside it' : 'run "npm ci" in its folder';
    fail(
      `needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}: ` +
        `${advice}, which brings it, or install that version.`,
    );
  } else {
    runWith(binary);
  }
}
