#!/usr/bin/env node
// Starts vesfx on the Node it needs, whatever Node runs this file. That is why it keeps to the
// language of Node 12: imports without "node:", no "?.", no "??", no top-level await.
// biome-ignore-all lint/style/useNodejsImportProtocol: Node 12 does not know the "node:" prefix.
// biome-ignore-all lint/complexity/useOptionalChain: nor optional chains.
import { spawn } from 'child_process';
import { existsSync, readFileSync } from 'fs';
import module, { createRequire } from 'module';
import { dirname, join } from 'path';
import { fileURLToPath, pathToFileURL } from 'url';

const NEEDED_MAJOR = 26;
const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '..', 'src', 'main.ts');
const main = existsSync(source) ? source : join(here, '..', 'dist', 'src', 'main.js');

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
  const binary = packagedNode();
  if (binary === undefined) {
    fail(
      `needs Node ${NEEDED_MAJOR} or later, and this is ${process.version}: ` +
        'run "npm ci" in its folder, which brings it, or install that version.',
    );
  } else {
    runWith(binary);
  }
}
