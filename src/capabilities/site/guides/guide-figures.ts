import { premiumOf } from '../../../core/domain/calculations/premium.ts';
import { multiply, round, toNumber, withoutExponent } from '../../../core/domain/decimal.ts';
import { applyMarkup } from '../../../core/domain/markup.ts';
import { changeOf } from '../../../core/domain/official.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  caracasTimeOf,
  parseCaracasDay,
  weekdayOf,
} from '../../../core/domain/time.ts';
import { LANGUAGES } from '../../../core/domain/words/language.ts';
import type { SampleEdition } from '../../../core/http/samples/samples.ts';
import { exactText, moneyText } from '../frame/format.ts';
import { CONVERSIONS, DECLARED, type FigureTable, replacer } from './declared-figures.ts';

/**
 * The guides are written with the figures of one night of the demonstration, Friday 20 November 2026, so
 * that their sources read as whole samples. A service puts its own in their place: those of the last week
 * in which each weekday had a rate. A new figure of a guide is added here and to the declared ones; the
 * test of the guides' samples names one that is not.
 */
export interface GuideFigures {
  /** The Friday of the figures. */
  readonly friday: string;
  /** A section with them; undefined when the service has not all that it shows: no section is of both. */
  readonly replaced: (section: string) => string | undefined;
}

// limit: Weeks in which the guides' figures are looked for | 8 | the demonstration's
const MAX_WEEKS = 8;

interface Asked {
  readonly table: FigureTable;
  readonly ask: SampleEdition['ask'];
  /** The day of the service for one of the declared week. */
  readonly dayOf: (declared: string) => CaracasDay;
}

/** The figures of the service; undefined when it has no such week. */
export async function guideFigures(samples: SampleEdition): Promise<GuideFigures | undefined> {
  const { ask, moved, day } = samples;
  for (let back = 0; day !== undefined && back < MAX_WEEKS; back += 1) {
    const dayOf = (declared: string) => addCaracasDays(dayIn(moved(declared)), -7 * back);
    const asked: Asked = { table: new Map(), ask, dayOf };
    if (!(await addOfficial(asked))) continue;
    await addConversions(asked);
    await addParallel(asked);
    await addClose(asked);
    addDays(asked);
    return { friday: dayOf('2026-11-20'), replaced: replacer(asked.table, dayOf) };
  }
  return undefined;
}

function dayIn(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new Error(`${text} is no day`);
  return day;
}

/** A value inside an answer, by its path. */
function at(answer: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
    answer,
  );
}

const numberAt = (answer: unknown, ...path: readonly (string | number)[]) => {
  const value = at(answer, ...path);
  return typeof value === 'number' ? value : undefined;
};

const rowsIn = (answer: unknown, name: string): readonly unknown[] => {
  const rows = at(answer, name);
  return Array.isArray(rows) ? rows : [];
};

/** Sets a figure as JSON and programs write it, and as Spanish prose does. */
function set(table: FigureTable, declared: string, value: number | undefined): void {
  if (value === undefined) return;
  table.set(declared, withoutExponent(value));
  table.set(exactText(Number(declared), 'es'), exactText(value, 'es'));
}

/** The rates of the week. @returns whether each weekday has one, and the day after the week too. */
async function addOfficial({ table, ask, dayOf }: Asked): Promise<boolean> {
  const range = `from=${dayOf('2026-11-13')}&to=${dayOf('2026-11-21')}`;
  const rates = new Map<string, number>();
  for (const currency of ['USD', 'EUR'] as const) {
    const path = `/v1/fx/official/history?days=all&currency=${currency}&${range}`;
    const rows = rowsIn(await ask(path), 'rows');
    for (const [day, declared] of Object.entries(DECLARED[currency])) {
      const row = rows.find((one) => at(one, 'date') === dayOf(day));
      const rate = at(row, 'value_date') === dayOf(day) ? numberAt(row, 'rate') : undefined;
      if (rate === undefined && currency === 'USD') return false;
      set(table, declared, rate);
      if (rate !== undefined) rates.set(declared, rate);
    }
    if (currency === 'EUR') continue;
    const saturday = rows.at(-1);
    const next = at(saturday, 'next_banking_day');
    const rate = numberAt(saturday, 'next_banking_day_rate');
    if (rate === undefined || typeof next !== 'string') return false;
    set(table, '772.5441', rate);
    table.set('2026-11-24', next);
  }
  const change = (one: string, before: string) => {
    const [rate, from] = [rates.get(one), rates.get(before)];
    return rate === undefined || from === undefined ? undefined : changeOf(rate, { from });
  };
  const dollar = change('771.0714', '766.8603');
  set(table, '4.2111', dollar?.amount);
  set(table, '0.5491', dollar?.percent);
  set(table, '0.4943', change('889.45399204', '885.07948384')?.percent);
  return true;
}

/** What the service converts, and the till, which rounds to its notes. */
async function addConversions({ table, ask, dayOf }: Asked): Promise<void> {
  for (const [amount, day, rule, declared] of CONVERSIONS) {
    const path = `/v1/fx/convert?from=USD&to=VES&amount=${amount}&date=${dayOf(day)}&rule=${rule}`;
    set(table, declared, numberAt(await ask(path), 'to', 'amount'));
  }
  const rate = table.get('771.0714') ?? '';
  const cents = toNumber(round(multiply(rate, 1250), 0));
  const change = multiply(rate, 50);
  const given = Math.ceil(toNumber(change) / 500) * 500;
  const cash = Math.floor(cents / 500) * 500;
  table.set('bs: 963839, bsCash: 963500', `bs: ${cents}, bsCash: ${cash}`);
  table.set('bs: 39000', `bs: ${given}`);
  table.set('rounding 446', `rounding ${given - toNumber(round(change, 0))}`);
  const official = await ask('/v1/fx/official');
  const newest = at(official, 'rates', 'USD', 'next', 'value_date') ?? dayOf('2026-11-20');
  // The first Wednesday without a rate.
  let day = addCaracasDays(dayIn(String(newest)), 1);
  while (weekdayOf(day) !== 3) day = addCaracasDays(day, 1);
  table.set('2026-11-25', day);
}

const MARKUP = { tag: 'tienda', kind: 'percent', value: 3.5, markets: [], active: true } as const;

/** The parallel market and a P2P one at the end of the Friday, if they were read on it. */
async function addParallel({ table, ask, dayOf }: Asked): Promise<void> {
  const friday = dayOf('2026-11-20');
  const isOfFriday = (answer: unknown) => {
    const updatedAt = at(answer, 'updated_at');
    return typeof updatedAt === 'string' && caracasDayOf(Date.parse(updatedAt)) === friday;
  };
  const p2p = await ask(`/v1/fx/rates/bingx?date=${friday}`);
  if (isOfFriday(p2p)) {
    set(table, '881.04', numberAt(p2p, 'ask') ?? numberAt(p2p, 'mid'));
    set(table, '880.54', numberAt(p2p, 'bid') ?? numberAt(p2p, 'mid'));
  }
  const answer = await ask(
    `/v1/fx/convert?from=VES&to=USD&amount=5000&via=parallel&date=${friday}`,
  );
  const range = `from=${dayOf('2026-11-16')}&to=${dayOf('2026-11-21')}`;
  const points = rowsIn(await ask(`/v1/fx/rates/parallel/history?${range}`), 'points');
  const rate = numberAt(answer, 'rate');
  if (rate === undefined || points.length === 0 || !isOfFriday(answer)) return;
  const readAt = Date.parse(String(at(answer, 'updated_at')));
  set(table, '867.15', rate);
  set(table, '5.77', numberAt(answer, 'to', 'amount'));
  set(table, '897.5003', applyMarkup(MARKUP, { market: 'parallel', mid: rate }));
  set(table, '897.50025', toNumber(multiply(rate, '1.035')));
  const reference = Number(table.get('771.0714'));
  set(table, '12.46', premiumOf({ reference, compared: rate }).percentage);
  table.set('2026-11-21T02:45:00.000Z', String(at(answer, 'updated_at')));
  table.set('1795229100000', String(readAt));
  table.set('1795229100', String(Math.floor(readAt / 1000)));
  table.set('10:45 PM', clockTime(caracasTimeOf(readAt)));
  const lines = points.map((point) => `${at(point, 'date')} ${at(point, 'rate')}`);
  table.set('2026-11-21 867.15', lines.join('\n'));
}

/** `22:45` as `10:45 PM`. */
function clockTime(time: string): string {
  const hour = Number(time.slice(0, 2));
  const shown = String(hour % 12 || 12).padStart(2, '0');
  return `${shown}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The close of the month before, with a sum in the books that is a little less. */
async function addClose({ table, ask, dayOf }: Asked): Promise<void> {
  const first = dayIn(`${dayOf('2026-11-20').slice(0, 7)}-01`);
  const last = addCaracasDays(first, -1);
  const close = numberAt(await ask(`/v1/fx/official/month?month=${last.slice(0, 7)}`), 'close');
  const path = `/v1/fx/convert?from=USD&to=VES&amount=1250.75&date=${last}`;
  const value = numberAt(await ask(path), 'to', 'amount');
  if (close === undefined || value === undefined) return;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  const books = Math.floor(value / step) * step - step;
  set(table, '737.8816', close);
  for (const language of LANGUAGES) {
    const text = (amount: number) => moneyText(amount, language);
    table.set(text(910_000), text(books));
    table.set(text(922_905.41), text(value));
    table.set(text(12_905.41), text(value - books));
  }
}

/** Days as the guides and the services of before write them. */
function addDays({ table, dayOf }: Asked): void {
  const [year = '', month = '', day = ''] = dayOf('2026-11-20').split('-');
  const named = new Intl.DateTimeFormat('es', { month: 'long', timeZone: 'UTC' });
  const name = named.format(Date.UTC(Number(year), Number(month) - 1));
  const capital = name.slice(0, 1).toUpperCase() + name.slice(1);
  table.set('Noviembre 20, 2026', `${capital} ${Number(day)}, ${year}`);
  table.set('Nov 20, 2026', `${capital.slice(0, 3)} ${Number(day)}, ${year}`);
  table.set('20/11/2026', `${day}/${month}/${year}`);
  table.set('2026.11.20', `${year}.${month}.${day}`);
  for (const [declared, ...names] of [
    ['2026-11-13', 'Friday', 'viernes'],
    ['2026-11-15', 'Sunday', 'domingo'],
    ['2026-11-16', 'Monday', 'lunes'],
  ] as const) {
    for (const weekday of names) {
      const [from, to] = [declared, dayOf(declared)].map((one) => Number(one.slice(8)));
      table.set(`${weekday} ${from}`, `${weekday} ${to}`);
    }
  }
}
