import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SCENARIOS } from './all.ts';
import {
  carryOut,
  clearAway,
  hasHeld,
  type Outcome,
  type Scale,
  type Scenario,
} from './scenario.ts';
import { rowOf, withRows } from './table.ts';

/**
 * Injects faults and checks whether the guarantees hold:
 *
 *   npm run faults all, in full; writes the table of faults/RESULTS.md
 *   npm run faults -- NAME… [--quick] [--seed N]
 *   npm run faults -- --list
 */

const PAGE = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const USAGE = 'npm run faults -- [NAME…] [--quick] [--seed N] [--list]';

interface Options {
  readonly names: readonly string[];
  readonly scale: Scale;
  readonly seed: number;
  readonly list: boolean;
}

function readOptions(args: readonly string[]): Options {
  const names: string[] = [];
  let scale: Scale = 'full';
  let seed = Math.floor(Math.random() * 1_000_000);
  let list = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--quick') scale = 'quick';
    else if (arg === '--list') list = true;
    else if (arg === '--seed') {
      at += 1;
      seed = Number(args[at]);
    } else names.push(arg);
  }
  const unknown = names.filter((name) => !SCENARIOS.some((one) => one.name === name));
  if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
    const problem =
      unknown.length > 0 ? `There is no ${unknown.join(', ')}.` : 'A seed is a number.';
    process.stderr.write(`${problem}\n${USAGE}\n`);
    process.exit(2);
  }
  return { names, scale, seed, list };
}

function told(one: Scenario, { product, control, broken }: Outcome): string {
  const counts = `${product.ok} ok, ${product.failed} failed, ${product.unknown} unknown`;
  const lines = [`  ${counts}${product.measures.map((text) => `; ${text}`).join('')}`];
  lines.push(...product.failures.map((text) => `  failed: ${text}`));
  const seen = control.failed > 0 ? 'failed, as it must' : 'PASSED: the check has no teeth';
  lines.push(`  control (${one.control}): ${seen}`);
  lines.push(...control.failures.slice(0, 1).map((text) => `    ${text}`));
  if (broken !== undefined) lines.push(`  broken: ${broken}`);
  return lines.join('\n');
}

/** Time between two lines of progress when the output is not a terminal. */
const LINE_EVERY_MS = 30_000;
let lastLineAt = performance.now();

function progress(text: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\x1b[K  ${text}`);
  } else if (performance.now() - lastLineAt > LINE_EVERY_MS) {
    lastLineAt = performance.now();
    process.stderr.write(`  ${text}\n`);
  }
}

const { names, scale, seed, list } = readOptions(process.argv.slice(2));
if (list) {
  for (const one of SCENARIOS)
    console.log(`${one.name.padEnd(10)} ${one.sizeOf('full')}: ${one.title}`);
  process.exit(0);
}
const rows = new Map<string, string>();
let failures = 0;

/** Runs one scenario and reports its outcome. */
async function runOne(one: Scenario, onProgress?: (text: string) => void): Promise<void> {
  const startedAt = performance.now();
  const how = { scale, seed, ...(onProgress !== undefined && { progress: onProgress }) };
  const outcome = await carryOut(one, how);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  console.log(`${one.name}: ${one.sizeOf(scale)}, ${seconds} s\n${told(one, outcome)}`);
  if (!hasHeld(outcome)) failures += 1;
  const day = new Date().toISOString().slice(0, 10);
  rows.set(one.name, rowOf(one, outcome, { scale, seed, day }));
  // Write after each scenario, so that an interrupted run keeps its results.
  if (scale === 'full') writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), rows));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    clearAway().then(
      () => process.exit(1),
      () => process.exit(1),
    );
  });
}
console.log(`seed ${seed}, ${scale} size`);
const chosen = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
const possible = chosen.filter((one) => {
  const why = one.whyNot?.();
  if (why !== undefined) console.log(`${one.name}: skipped, for ${why}`);
  return why === undefined;
});
const beside = Promise.all(possible.filter((one) => one.beside).map((one) => runOne(one)));
for (const one of possible) if (!one.beside) await runOne(one, progress);
await beside;
console.log(failures === 0 ? 'every promise held' : `${failures} did not hold`);
process.exitCode = failures === 0 ? 0 : 1;
