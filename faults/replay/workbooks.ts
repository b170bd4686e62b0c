import { HOUR_MS, isoInstant, MINUTE_MS, startOfCaracasDay } from '../../src/core/domain/time.ts';
import { Desk, type Page, percentBetween } from './desk.ts';
import { figure, withFirstDigitTwice } from './faults.ts';
import type { SeriesPublication } from './series.ts';
import { emptyRow, Injected, type Outcome, type Plan, type Row, rowOf } from './table.ts';

/** A damaged workbook. */
interface WorkbookKind {
  readonly name: string;
  /** Each row is like a right one. */
  readonly isPlausible?: true;
  /** @param place The row that is damaged. */
  change(rows: readonly Page[], place: number): readonly Page[];
}

type Cell = (rate: number) => number;

/** One cell of a currency is wrong. */
const cell = (name: string, currency: string, change: Cell): WorkbookKind => ({
  name: `${currency}: ${name}`,
  change: (rows, place) =>
    rows.map((row, index) => {
      const { [currency]: rate } = row.rates;
      if (index !== place || rate === undefined) return row;
      return { ...row, rates: { ...row.rates, [currency]: change(rate) } };
    }),
});

/** The cells of a currency, or all of them, come from another sheet. */
const sheet = (
  name: string,
  of: (rows: readonly Page[], index: number) => object,
): WorkbookKind => ({
  name,
  change: (rows) =>
    rows.map((row, index) => ({ ...row, rates: { ...row.rates, ...of(rows, index) } })),
});

const CELLS: readonly (readonly [string, Cell])[] = [
  ['times 10', (rate) => figure(rate * 10)],
  ['without its decimal point', (rate) => Number(String(rate).replace('.', ''))],
  ['without its first digit', (rate) => Number(String(rate).slice(1))],
  ['the first digit twice', withFirstDigitTwice],
  ['a digit higher', (rate) => Number((rate + 0.01).toFixed(8))],
  ['2 % higher', (rate) => Number((rate * 1.02).toFixed(8))],
];

const NO_DAMAGE: WorkbookKind = { name: 'no damage', change: (rows) => rows };

const WORKBOOK_KINDS: readonly WorkbookKind[] = [
  NO_DAMAGE,
  ...['USD', 'EUR'].flatMap((name) => CELLS.map(([what, change]) => cell(what, name, change))),
  {
    name: 'figures of the row before',
    change: (rows, place) =>
      rows.map((row, index) =>
        index === place ? { ...row, rates: rows[index - 1]?.rates ?? row.rates } : row,
      ),
  },
  sheet('sheets a row too far', (rows, index) => rows[index - 1]?.rates ?? {}),
  {
    name: 'sheets a row too far, the first one missing',
    change: (rows) =>
      rows.slice(1).map((row, index) => ({ ...row, rates: rows[index]?.rates ?? {} })),
    isPlausible: true,
  },
  sheet('the sheet of EUR for USD', (rows, index) => ({ USD: rows[index]?.rates['EUR'] })),
  sheet('the sheet of CNY for EUR', (rows, index) => ({ EUR: rows[index]?.rates['CNY'] })),
];

const ROWS = 20;
const STORED = 10;
const READINGS = 6;
const READ_EVERY_MIN = 20;

/** Reads damaged workbooks of the archive, beside publications that are stored. */
export async function replayWorkbooks(
  publications: readonly SeriesPublication[],
  plan: Plan,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  // A row that lacks a currency of others is held, so a gap in the series is no right workbook.
  const currencies = publications.map(({ rates }) => Object.keys(rates).sort().join());
  const firsts = currencies.flatMap((_, place) => {
    const around = currencies.slice(place - STORED, place + ROWS);
    return place >= STORED && around.length === STORED + ROWS && new Set(around).size === 1
      ? [place]
      : [];
  });
  if (firsts.length === 0) return rows;
  for (const kind of WORKBOOK_KINDS) {
    const row = emptyRow(kind.name, 'a workbook', { isFaultless: kind === NO_DAMAGE });
    const chance = plan.chance.of(`workbook ${kind.name}`);
    const tried = await rowOf(row, plan, () => {
      const first = chance.pick(firsts);
      const archived = publications.slice(first, first + ROWS);
      const place = chance.int(1, ROWS - 1);
      return tryWorkbook(kind, {
        stored: publications.slice(first - STORED, first),
        archived,
        place,
      });
    });
    rows.push(...tried);
  }
  return rows;
}

interface Archive {
  readonly stored: readonly SeriesPublication[];
  readonly archived: readonly SeriesPublication[];
  /** The damaged row. */
  readonly place: number;
}

async function tryWorkbook(
  kind: WorkbookKind,
  { stored, archived, place }: Archive,
): Promise<Outcome> {
  const desk = new Desk();
  for (const page of stored) await desk.page(page.at, page, true);
  const last = archived.at(-1)?.valueDate ?? '';
  const read = startOfCaracasDay(last as Page['valueDate']) + 20 * HOUR_MS;
  const shown = kind.change(archived, place);
  const injected = new Injected();
  const damage = damageOf(shown, archived);
  for (let number = 0; number < READINGS; number += 1) {
    const at = read + number * READ_EVERY_MIN * MINUTE_MS;
    if (damage > 0) injected.add(at, damage);
    await desk.workbook(at, shown);
  }
  let percent = 0;
  let isLate = false;
  for (const [index, right] of archived.entries()) {
    const stored = await desk.figuresOn(right.valueDate);
    const known = Object.entries(right.rates).filter(([name]) => stored.rates[name] !== undefined);
    percent = Math.max(
      percent,
      percentBetween(stored, { ...right, rates: Object.fromEntries(known) }),
    );
    isLate ||= shown[index] === right && known.length < Object.keys(right.rates).length;
  }
  const minutes = (READINGS - 1) * READ_EVERY_MIN;
  const isWrong = percent > 0.0001;
  return {
    start: `${isoInstant(read)}, row ${place} of ${ROWS}`,
    minutes,
    publishedMinutes: isWrong ? minutes : 0,
    furthestPercent: percent,
    withheldMinutes: isLate ? minutes : 0,
    misses: isWrong && !kind.isPlausible ? ['stored'] : [],
    injected,
    heldBy: desk.store.heldBy,
  };
}

/** By how much the most damaged figure of a workbook differs, in percent; 0 without damage. */
function damageOf(shown: readonly Page[], right: readonly SeriesPublication[]): number {
  const apart = right.map((one) => {
    const row = shown.find(({ valueDate }) => valueDate === one.valueDate);
    return row === undefined ? 0 : percentBetween(row, one);
  });
  return Math.max(...apart);
}
