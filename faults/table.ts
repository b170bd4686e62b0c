import { SCENARIOS } from './all.ts';
import type { Finding, Outcome, Scale, Scenario } from './scenario.ts';

/** The table of `faults/RESULTS.md`, from the outcomes of runs. */

const BEGIN = '<!-- results: written by npm run faults -->';
const END = '<!-- end of results -->';

interface RunOf {
  readonly scale: Scale;
  readonly seed: number;
  readonly day: string;
}

const figure = (count: number) => count.toLocaleString('en-US');

function resultOf({ ok, failed, unknown, measures }: Finding): string {
  const verdict = failed === 0 ? 'held' : '**failed**';
  const counts = Object.entries({ ok, failed, unknown })
    .filter(([name, count]) => count > 0 || name === 'ok')
    .map(([name, count]) => `${figure(count)} ${name}`);
  return [`${verdict}: ${counts.join(', ')}`, ...measures].join('; ');
}

/** One row. A broken run has no figures. */
export function rowOf(one: Scenario, outcome: Outcome, { scale, seed, day }: RunOf): string {
  const { product, control, broken } = outcome;
  const result = broken === undefined ? resultOf(product) : '**broken**';
  const seen = control.failed > 0 ? `fails (${figure(control.failed)})` : '**passes**';
  const command = commandOf(one.name, scale, seed);
  return `| ${one.title} | ${one.sizeOf(scale)} | ${result} | ${seen}: ${one.control} | ${day} | \`${command}\` |`;
}

/** What follows `npm run faults --`. */
function commandOf(name: string, scale: Scale, seed?: number): string {
  const size = scale === 'quick' ? ' --quick' : '';
  return `${name}${size}${seed === undefined ? '' : ` --seed ${seed}`}`;
}

function emptyRow(one: Scenario): string {
  return `| ${one.title} | ${one.sizeOf('full')} | not run yet | ${one.control} | | \`${commandOf(one.name, 'full')}\` |`;
}

/** The page with these rows replaced. Rows of other scenarios stay. */
export function withRows(page: string, rows: ReadonlyMap<string, string>): string {
  const [before, rest] = page.split(BEGIN);
  const [old, after] = rest?.split(END) ?? [];
  if (before === undefined || old === undefined || after === undefined) {
    throw new Error(`The page lacks ${BEGIN} or ${END}.`);
  }
  const kept = old.split('\n');
  const lines = SCENARIOS.map(
    (one) =>
      rows.get(one.name) ??
      kept.find((line) => new RegExp(`\`${one.name}[ \`]`).test(line.split(' | ').at(-1) ?? '')) ??
      emptyRow(one),
  );
  const head =
    '| Scenario | Size | Result | Control | Day | `npm run faults --` |\n| - | - | - | - | - | - |';
  return `${before}${BEGIN}\n\n${head}\n${lines.join('\n')}\n\n${END}${after}`;
}
