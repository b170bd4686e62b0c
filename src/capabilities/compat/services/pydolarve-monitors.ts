import { z } from 'zod';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../../core/domain/bcv.ts';
import { round, toNumber } from '../../../core/domain/decimal.ts';
import { notFound } from '../../../core/domain/errors.ts';
import type { Base } from '../../../core/domain/markets.ts';
import { changeOf } from '../../../core/domain/official.ts';
import {
  type Instant,
  isoInstant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { once } from '../../../core/http/framework/encoding/made-once.ts';
import {
  type Figure,
  officialFigure,
  p2pFigures,
  parallelFigure,
  required,
  shown,
} from '../figures.ts';
import type { ForeignCall } from '../foreign-endpoint.ts';
import { quoteOfDayBefore } from '../previous-day.ts';

/** The monitors of pydolarve: a rate under a title, with how it changed. */

const TIME_ZONE = 'America/Caracas';

/** Created on first use: each takes milliseconds, and few services enable these addresses. */
const formats = once(() => ({
  date: new Intl.DateTimeFormat('es-VE', { timeZone: TIME_ZONE, dateStyle: 'full' }),
  time: new Intl.DateTimeFormat('es-VE', { timeZone: TIME_ZONE, timeStyle: 'medium' }),
  /** `20/11/2026, 08:30 AM` is built from parts, because locales use different spaces. */
  minute: new Intl.DateTimeFormat('en-US', {
    timeZone: TIME_ZONE,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: true,
  }),
}));

export const formatFields = {
  format_date: z.enum(['default', 'iso', 'timestamp']).optional(),
  rounded_price: z.enum(['true', 'false']).optional(),
};

export type Formats = z.output<z.ZodObject<typeof formatFields>>;

export function monitorTime(instant: Instant, { format_date }: Formats): string | number {
  switch (format_date) {
    case 'timestamp':
      return instant / SECOND_MS;
    case 'iso':
      return isoInstant(instant);
    default: {
      const parts = formats().minute.formatToParts(instant);
      const part = (name: Intl.DateTimeFormatPartTypes) =>
        parts.find(({ type }) => type === name)?.value ?? '';
      const date = `${part('day')}/${part('month')}/${part('year')}`;
      return `${date}, ${part('hour')}:${part('minute')} ${part('dayPeriod')}`;
    }
  }
}

/** A figure under its title, with the one that it is compared with. */
interface Monitor extends Figure {
  readonly title: string;
}

/** Prices are rounded to two decimals only on request, because an official rate must stay exact. */
export function priced(rate: number, { rounded_price }: Formats): number {
  return rounded_price === 'true' ? toNumber(round(rate, 2)) : rate;
}

function monitorView(monitor: Monitor, formats: Formats) {
  const { title, rate, previous = rate, change, updatedAt } = monitor;
  const amount = change?.amount ?? 0;
  return {
    change: priced(amount, formats),
    color: amount > 0 ? 'green' : amount < 0 ? 'red' : 'neutral',
    image: '',
    last_update: monitorTime(updatedAt, formats),
    percent: change?.percent ?? 0,
    price: priced(rate, formats),
    price_old: priced(previous, formats),
    symbol: amount > 0 ? '▲' : amount < 0 ? '▼' : '',
    title,
  };
}

const TITLES: Readonly<Record<PublishedCurrency, string>> = {
  USD: 'Dólar estadounidense',
  EUR: 'Euro',
  CNY: 'Yuan chino',
  TRY: 'Lira turca',
  RUB: 'Rublo ruso',
};

/** The rate in force, compared with the rate of the previous value date. */
const officialMonitor = (call: ForeignCall, currency: PublishedCurrency): readonly Monitor[] =>
  officialFigure(call, currency).map((figure) => ({ ...figure, title: TITLES[currency] }));

export const PARALLEL = 'enparalelovzla';

/** The parallel market or one of P2P by its id, compared with its last rate on the day before. */
async function freeMonitor(call: ForeignCall, name: string): Promise<Monitors> {
  const [figure] =
    name === PARALLEL
      ? parallelFigure(call)
      : p2pFigures(call).filter(({ quote }) => quote.market.id === name);
  if (figure === undefined) return {};
  const previous = (await quoteOfDayBefore(call, figure.quote))?.mid;
  const change = previous === undefined ? undefined : changeOf(figure.rate, { from: previous });
  return { [name]: { ...figure, title: figure.quote.market.name, previous, change } };
}

type Monitors = Readonly<Record<string, Monitor>>;

/** The monitor of that name, if there is one. */
export function monitorOf(monitors: Monitors, name: string): readonly Monitor[] {
  const found = Object.hasOwn(monitors, name) ? monitors[name] : undefined;
  return found === undefined ? [] : [found];
}

function named(name: string, [monitor]: readonly Monitor[]): Monitors {
  return monitor === undefined ? {} : { [name]: monitor };
}

export function currencyMonitors(call: ForeignCall): Monitors {
  const monitors = PUBLISHED_CURRENCIES.map((currency) =>
    named(currency.toLowerCase(), officialMonitor(call, currency)),
  );
  return Object.assign({}, ...monitors);
}

/** The name of a bank as a monitor has it: `Banco de Venezuela` is `banco_de_venezuela`. */
const bankKey = (bank: string) =>
  bank
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z\d]+/g, '_');

/** What a bank charges for a dollar, or pays if that is not published; `Banco` may be left out. */
function bankMonitor({ snapshot: { bankTable } }: ForeignCall, name: string): readonly Monitor[] {
  const asked = name.replace(/^banco_/, '');
  const row = bankTable?.rows.find(({ bank }) => bankKey(bank).replace(/^banco_/, '') === asked);
  const rate = row?.sell ?? row?.buy;
  if (row === undefined || rate === undefined) return [];
  const updatedAt = startOfCaracasDay(row.date);
  return [{ currency: 'USD', rate, updatedAt, title: row.bank, quotes: [] }];
}

/** Pages that are answered as none is: with the official rate and the parallel market. */
const PAGES_AS_NONE = [
  '',
  'criptodolar',
  'alcambio',
  'italcambio',
  'exchangemonitor',
  'dolartoday',
];

const free = async (call: ForeignCall, base: Base, name: string) =>
  base === 'USD' ? freeMonitor(call, name) : {};

/** The monitors of a page. Only pages whose own figures we have are answered. */
export async function pageMonitors(call: ForeignCall, page: string, base: Base): Promise<Monitors> {
  if (page === 'bcv') return currencyMonitors(call);
  const name = PAGES_AS_NONE.includes(page) ? PARALLEL : page;
  if (name !== PARALLEL && call.services.markets.find(name)?.type !== 'p2p') {
    throw notFound('unknown_path', { field: 'page' });
  }
  return { ...named('bcv', officialMonitor(call, base)), ...(await free(call, base, name)) };
}

/**
 * One monitor. The page `bcv` has banks too, which its list leaves out; on any other page every monitor that we
 * have may be asked for.
 */
export async function oneMonitor(
  call: ForeignCall,
  { page = '', monitor }: { readonly page?: string | undefined; readonly monitor: string },
  base: Base,
): Promise<Monitor> {
  const listed = monitorOf(await pageMonitors(call, page, base), monitor);
  if (page === 'bcv') {
    return required([...listed, ...(base === 'USD' ? bankMonitor(call, monitor) : [])], 'monitor');
  }
  const others = { ...currencyMonitors(call), ...(await free(call, base, monitor)) };
  return required([...listed, ...monitorOf(others, monitor)], 'monitor');
}

export const clock = (now: Instant) => ({
  date: formats().date.format(now),
  time: formats().time.format(now),
});

export function monitorsAnswer(monitors: Monitors, call: ForeignCall<Formats>) {
  const named = Object.entries(monitors).map(([name, monitor]) => ({ ...monitor, name }));
  const views = shown(call, named, (one) => [one.name, monitorView(one, call.input)] as const);
  return { datetime: clock(call.now), monitors: Object.fromEntries(views) };
}

export const monitorAnswer = (call: ForeignCall<Formats>, one: Monitor) =>
  required(shown(call, [one], (monitor) => monitorView(monitor, call.input)));
