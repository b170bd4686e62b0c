#!/usr/bin/env node
// Starts vesfx. An older Node must be able to read this file and say which version is needed, so it
// keeps to the language of Node 12: imports without "node:", no "?.", no "??", no top-level await.
// biome-ignore-all lint/style/useNodejsImportProtocol: Node 12 does not know the "node:" prefix.
// biome-ignore-all lint/complexity/useOptionalChain: nor optional chains.
import { spawn } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import module, { createRequire } from 'module';
import { dirname, join } from 'path';
import { fileURLToPath, pathToFileURL } from 'url';
import { setFlagsFromString } from 'v8';

/** The oldest major that has all that is used: `node:sqlite` and type stripping. */
const NEEDED_MAJOR = 24;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Keeps V8 from allocating short-lived objects as old ones. It decides so for good when the first few
 * objects of a kind outlive a collection, which the first requests under load may do; every later
 * request then outlives collections too (docs/performance.md, "Steady memory").
 */
const SHORT_LIVES = '--no-allocation-site-pretenuring';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'src', 'main.ts');
const built = join(here, '..', 'dist', 'src', 'main.js');
const isPackage = !existsSync(source) && existsSync(built);
const main = isPackage ? built : source;

function majorOf(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

/** A clone has a new Node among its development packages, so that two lines work on any machine. */
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

/**
 * Node 24 calls `node:sqlite` experimental on every start, its first releases the TypeScript of a clone
 * too. Operators can do nothing about it.
 */
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (!/^(SQLite|Type Stripping) is an experimental feature/.test(warning)) {
      emitWarning.call(process, warning, ...rest);
    }
  };
}

if (majorOf(process.version) >= NEEDED_MAJOR) {
  silenceExperimentalWarnings();
  // For every command, and first of all: V8 refuses code that was compiled under other flags.
  setFlagsFromString(SHORT_LIVES);
  // Node keeps compiled code here, which makes every start a third shorter. It keeps none where the
  // folder cannot be written.
  module.enableCompileCache(join(here, '..', 'node_modules', '.cache', 'vesfx'));
  import(pathToFileURL(main).href).catch((error) => fail((error && error.stack) || String(error)));
} else {
  const binary = isPackage ? undefined : packagedNode();
  if (binary === undefined) {
    const advice = isPackage ? 'install it' : 'install it, or run "npm ci", which brings it';
    fail(`needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}: ${advice}.`);
  } else {
    runWith(binary);
  }
}
