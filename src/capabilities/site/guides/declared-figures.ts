import type { CaracasDay } from '../../../core/domain/time.ts';
import { exactText } from '../frame/format.ts';

/** The declared figures of each currency, by their value date. */
export const DECLARED = {
  USD: {
    '2026-11-13': '756.7083',
    '2026-11-16': '757.5406',
    '2026-11-17': '761.2167',
    '2026-11-18': '764.3486',
    '2026-11-19': '766.8603',
    '2026-11-20': '771.0714',
  },
  EUR: { '2026-11-19': '885.07948384', '2026-11-20': '889.45399204' },
} as const;

/** Conversions to bolívares: dollars, the day, the rule and the result. */
export const CONVERSIONS = [
  ['100', '2026-11-20', 'value_date', '77107.14'],
  ['1', '2026-11-20', 'value_date', '771.07'],
  ['25.5', '2026-11-20', 'value_date', '19662.32'],
  ['2.75', '2026-11-20', 'value_date', '2120.45'],
  ['4.5', '2026-11-20', 'value_date', '3469.82'],
  ['12', '2026-11-20', 'value_date', '9252.86'],
  ['100', '2026-11-18', 'value_date', '76434.86'],
  ['100', '2026-11-15', 'value_date', '75670.83'],
  ['80', '2026-11-15', 'value_date', '60536.66'],
  ['100', '2026-11-15', 'next_banking_day', '75754.06'],
  ['80', '2026-11-15', 'next_banking_day', '60603.25'],
] as const;

/** Every figure of the declared night: a section with one that the service has not is the demonstration's. */
const FIGURES = [
  ...Object.values(DECLARED.USD),
  ...Object.values(DECLARED.EUR),
  ...CONVERSIONS.map(([, , , result]) => result),
  // Of the next value date, of changes between days, of the month before.
  ...['772.5441', '4.2111', '0.5491', '0.4943', '737.8816'],
  // Of the parallel market, and of one between persons.
  ...['867.15', '5.77', '897.5003', '897.50025', '12.46', '881.04', '880.54'],
].flatMap((figure) => [figure, exactText(Number(figure), 'es')]);

/** What stands in the sources, and what this service has in its place. */
export type FigureTable = Map<string, string>;

const DAY = String.raw`2026-1[01]-\d\d`;

/** Finds texts where they stand alone, not inside a longer number. */
const alone = (texts: readonly string[], ...patterns: readonly string[]) => {
  const any = [...texts.map((text) => RegExp.escape(text)), ...patterns].join('|');
  return new RegExp(`(?<![\\d.])(?:${any})(?!\\d|\\.\\d)`, 'g');
};

const DECLARED_FIGURE = alone(FIGURES);

/** The figures of the declared night in a text. */
export const declaredIn = (text: string): readonly string[] => text.match(DECLARED_FIGURE) ?? [];

/** Puts the figures and the days of the service into a text; undefined when one of them is missing. */
export function replacer(
  table: FigureTable,
  dayOf: (declared: string) => CaracasDay,
): (text: string) => string | undefined {
  const longest = [...table.keys()].sort((a, b) => b.length - a.length);
  const pattern = alone(longest, DAY);
  return (text) =>
    declaredIn(text).every((figure) => table.has(figure))
      ? text
          .replaceAll(pattern, (found) => table.get(found) ?? dayOf(found))
          .replaceAll(/(?<=^```text\n)( +(?:date|day) [\s\S]*?)(?=\n```$)/gm, aligned)
      : undefined;
}

/** A table as pandas prints it: columns to the right, the numbers of one with as many decimals. */
function aligned(table: string): string {
  const rows = table.split('\n').map((line) => line.trim().split(/ +/));
  const decimals = (cell = '') =>
    /^\d+\.\d+$/.test(cell) ? cell.length - cell.indexOf('.') - 1 : 0;
  const columns = (rows[0] ?? []).map((_, place) => {
    const most = Math.max(...rows.map((row) => decimals(row[place])));
    const cells = rows.map((row) => row[place] ?? '');
    const shown = cells.map((cell) => (/^[\d.]+$/.test(cell) ? padded(cell, most) : cell));
    const width = Math.max(...shown.map((cell) => cell.length));
    return shown.map((cell) => cell.padStart(width));
  });
  return rows.map((_, place) => columns.map((cells) => cells[place]).join(' ')).join('\n');
}

/** With that many decimals, of which the last are zeros. */
const padded = (text: string, decimals: number) => {
  const [whole = '', fraction = ''] = text.split('.');
  return decimals === 0 ? text : `${whole}.${fraction.padEnd(decimals, '0')}`;
};
