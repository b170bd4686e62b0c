import type { PageResult } from './pages.ts';
import type { QuoteResult } from './quotes.ts';

function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '-')), ...rows.map(line)].join('\n');
}

export function truthTable(
  truths: readonly (readonly [string, { readings: number; holds: readonly number[] }])[],
): string {
  return table(
    ['Real series', 'Readings', 'Held', 'Longest, minutes'],
    truths.map(([name, { readings, holds }]) => [name, readings, holds.length, holds[0] ?? 0]),
  );
}

/** One row for each fault and number of venues, with the worst duration. */
export function quoteTable(results: readonly QuoteResult[]): string {
  const groups = Map.groupBy(results, ({ fault, venues }) => `${fault.name}|${venues}`);
  return table(
    [
      'Fault, 1 minute to 24 hours',
      'Venues',
      'Tries',
      'Published',
      'Longest, readings',
      'Over 20 % off',
      'Overtaken, readings',
      'Out of band',
      'Index, %',
      'Over 1 %, readings',
      'Outside, readings',
      'Right ones held, readings',
    ],
    [...groups.values()].map((group) => {
      const sum = (of: (one: QuoteResult) => number) =>
        group.reduce((all, one) => all + of(one), 0);
      const most = (of: (one: QuoteResult) => number) => Math.max(...group.map(of));
      const [first] = group;
      return [
        first?.fault.name ?? '',
        first?.venues ?? '',
        sum(({ tries }) => tries),
        sum(({ wrong }) => wrong),
        most(({ wrongReadings }) => wrongReadings),
        sum(({ far }) => far),
        most(({ overtakenReadings }) => overtakenReadings),
        sum(({ outOfBand }) => outOfBand),
        most(({ indexPercent }) => indexPercent).toFixed(2),
        most(({ indexReadings }) => indexReadings),
        most(({ indexOutsideReadings }) => indexOutsideReadings),
        most(({ rightHeldReadings }) => rightHeldReadings),
      ];
    }),
  );
}

export function pageTable(results: readonly PageResult[]): string {
  return table(
    ['Wrong page', 'Tries', 'Published', 'Longest, minutes', 'The right one late, minutes'],
    results.map(({ fault, tries, wrong, wrongMinutes, lateMinutes }) => [
      fault,
      tries,
      wrong,
      wrongMinutes,
      lateMinutes,
    ]),
  );
}
