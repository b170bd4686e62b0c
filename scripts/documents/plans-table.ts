import { code, type Table } from './table.ts';

/** The table of plans in docs/contract.md. */

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return value === null ? 'no limit' : Number(value).toLocaleString('en-US');
}

/** @param file `plans.json`, whose cells are named as in answers. */
export function plansTable(
  file: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Table {
  const names = Object.keys(file);
  const cells = Object.keys(Object.values(file)[0] ?? {});
  const rows = cells.map((cell) => [
    code(cell),
    ...names.map((name) => cellText(file[name]?.[cell])),
  ]);
  return { head: ['', ...names], rows };
}
