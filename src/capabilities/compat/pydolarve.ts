import { z } from 'zod';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../core/domain/bcv.ts';
import { round, toNumber } from '../../core/domain/decimal.ts';
import { notFound } from '../../core/domain/errors.ts';
import type { Base } from '../../core/domain/markets.ts';
import { changeOf } from '../../core/domain/official.ts';
import { dayOfCapture, shownUnits } from '../../core/domain/redenomination.ts';
import {
  caracasDayOf,
  type Instant,
  isoInstant,
  SECOND_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';
import { once } from '../../core/http/encoding/made-once.ts';
import { type Figure, officialFigure, parallelFigure, required, shown } from './figures.ts';
import { addressesWith, type ForeignCall, spanishRefusal } from './foreign-endpoint.ts';

const at = addressesWith(spanishRefusal);

/** The addresses of pydolarve, versions 1 and 2 (contract §12), whose answers are in Spanish. */

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

const formatFields = {
  format_date: z.enum(['default', 'iso', 'timestamp']).optional(),
  rounded_price: z.enum(['true', 'false']).optional(),
};

type Formats = z.output<z.ZodObject<typeof formatFields>>;

function shownTime(instant: Instant, { format_date }: Formats): string | number {
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
function monitorView(monitor: Monitor, formats: Formats) {
  const { title, rate, previous, change, updatedAt } = monitor;
  const formatted = (rate: number) =>
    formats.rounded_price === 'true' ? toNumber(round(rate, 2)) : rate;
  const amount = change?.amount ?? 0;
  return {
    change: formatted(amount),
    color: amount > 0 ? 'green' : amount < 0 ? 'red' : 'neutral',
    image: '',
    last_update: shownTime(updatedAt, formats),
    percent: change?.percent ?? 0,
    price: formatted(rate),
    price_old: previous === undefined ? null : formatted(previous),
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

/** The parallel market's rate, compared with its last one on the day before. */
async function freeMonitor(call: ForeignCall): Promise<readonly Monitor[]> {
  const [figure] = parallelFigure(call);
  if (figure === undefined) return [];
  const { market } = figure.quote;
  const today = startOfCaracasDay(caracasDayOf(call.now));
  // A rate from before today would be compared with itself.
  const [yesterday] =
    figure.updatedAt < today ? [] : await call.services.store.lastQuotesBefore([market.id], today);
  const { redenominations } = call.services;
  const units = yesterday && shownUnits(dayOfCapture(yesterday), { on: caracasDayOf(call.now) });
  const previous = units && redenominations.rebased(yesterday.mid, units);
  const change = previous === undefined ? undefined : changeOf(figure.rate, { from: previous });
  return [{ ...figure, title: market.name, previous, change }];
}

type Monitors = Readonly<Record<string, Monitor>>;

function named(name: string, [monitor]: readonly Monitor[]): Monitors {
  return monitor === undefined ? {} : { [name]: monitor };
}

function bankMonitors(call: ForeignCall): Monitors {
  const monitors = PUBLISHED_CURRENCIES.map((currency) =>
    named(currency.toLowerCase(), officialMonitor(call, currency)),
  );
  return Object.assign({}, ...monitors);
}

/** The monitors of a page. Only pages whose own figures we have are answered. */
async function pageMonitors(call: ForeignCall, page: string, base: Base): Promise<Monitors> {
  const free = async () => (base === 'USD' ? named('enparalelovzla', await freeMonitor(call)) : {});
  switch (page) {
    case 'bcv':
      return bankMonitors(call);
    case 'criptodolar':
      return { ...named('bcv', officialMonitor(call, base)), ...(await free()) };
    case 'enparalelovzla':
      return free();
    default:
      throw notFound('unknown_path', { field: 'page' });
  }
}

function monitorsAnswer(monitors: Monitors, call: ForeignCall<Formats>) {
  const { now, input } = call;
  const named = Object.entries(monitors).map(([name, monitor]) => ({ ...monitor, name }));
  const views = shown(call, named, (one) => [one.name, monitorView(one, input)] as const);
  return {
    datetime: { date: formats().date.format(now), time: formats().time.format(now) },
    monitors: Object.fromEntries(views),
  };
}

function oneMonitor(monitors: Monitors, name: string, field: string, call: ForeignCall<Formats>) {
  const found = Object.hasOwn(monitors, name) ? monitors[name] : undefined;
  const one = required(found === undefined ? [] : [found], field);
  return required(shown(call, [one], (monitor) => monitorView(monitor, call.input)));
}

const pages = (
  [
    ['/api/v1/dollar', 'USD'],
    ['/api/v1/euro', 'EUR'],
    ['/api/v2/dollar', 'USD'],
    ['/api/v2/euro', 'EUR'],
  ] as const
).map(([path, base]) =>
  at(path, {
    query: z.object({
      page: z.string().optional(),
      monitor: z.string().optional(),
      ...formatFields,
    }),
    official: true,
    uncached: true,
    async handle(call) {
      const { page = 'criptodolar', monitor } = call.input;
      const monitors = await pageMonitors(call, page, base);
      if (monitor === undefined) return monitorsAnswer(monitors, call);
      return oneMonitor(monitors, monitor, 'monitor', call);
    },
  }),
);

export const pydolarveAddresses = [
  ...pages,
  at('/api/v2/tipo-cambio', {
    query: z.object({ currency: z.string().optional(), ...formatFields }),
    official: true,
    uncached: true,
    handle(call) {
      const { currency } = call.input;
      const monitors = bankMonitors(call);
      if (currency === undefined) return monitorsAnswer(monitors, call);
      return oneMonitor(monitors, currency.toLowerCase(), 'currency', call);
    },
  }),
];
