import { z } from 'zod';
import { PUBLISHED_CURRENCIES, type PublishedCurrency } from '../../../core/domain/bcv.ts';
import { amountFault, parseAmount } from '../../../core/domain/calculations/convert.ts';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import { notFound } from '../../../core/domain/errors.ts';
import { type Base, PARALLEL_MARKET } from '../../../core/domain/markets.ts';
import {
  addCaracasDays,
  caracasDayOf,
  type Instant,
  parseCaracasDay,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { parsed, upperCase } from '../../../core/http/pipeline/schemas.ts';
import { inBolivares, ofBolivares } from '../converted.ts';
import { marketOfPlan, required } from '../figures.ts';
import { addressesWith, type ForeignCall, spanishRefusal } from '../foreign-endpoint.ts';
import { officialRatesInPlan, seriesWithin } from '../series.ts';
import {
  clock,
  currencyMonitors,
  formatFields,
  monitorAnswer,
  monitorOf,
  monitorsAnswer,
  monitorTime,
  oneMonitor,
  PARALLEL,
  pageMonitors,
  priced,
} from './pydolarve-monitors.ts';

const at = addressesWith(spanishRefusal);

/** The addresses of pydolarve, versions 1 and 2 (contract §12), whose answers are in Spanish. */

const name = z.string().toLowerCase().optional();
const pageFields = { page: name, monitor: name };
const pageQuery = z.object({ ...pageFields, ...formatFields });
type PageInput = z.output<typeof pageQuery>;

/** `20-11-2026`, or as everywhere. */
const dayText = parsed(
  (text) => parseCaracasDay(text.replace(/^(\d\d)[-/](\d\d)[-/](\d{4})$/, '$3-$2-$1')),
  fault(
    'not_a_day',
    'must be a date that exists, DD-MM-YYYY',
    'debe ser una fecha que exista, DD-MM-AAAA',
  ),
  { format: 'date' },
).optional();

const historyQuery = pageQuery.extend({
  start_date: dayText,
  end_date: dayText,
  order: z.enum(['asc', 'desc']).optional(),
});
type HistoryInput = z.output<typeof historyQuery>;

/** Days of a history whose beginning is not given. */
const DAYS_BY_DEFAULT = 30;

function rangeOf({ start_date, end_date }: HistoryInput, now: Instant) {
  const to = end_date ?? caracasDayOf(now);
  return { from: start_date ?? addCaracasDays(to, -DAYS_BY_DEFAULT), to };
}

/** The currency whose official rate a monitor shows. `bcv` names that of the address, as a missing monitor does. */
function currencyOf(monitor: string, base: Base): PublishedCurrency | undefined {
  if (monitor === 'bcv' || monitor === '') return base;
  return PUBLISHED_CURRENCIES.find((currency) => currency.toLowerCase() === monitor);
}

/** The rates of a monitor in a range, oldest first: of value dates, or the last one of each day. */
async function ratesOf(call: ForeignCall<HistoryInput>, base: Base) {
  const { page, monitor = page === PARALLEL ? PARALLEL : '' } = call.input;
  const range = rangeOf(call.input, call.now);
  const currency = currencyOf(monitor, base);
  if (currency !== undefined) return officialRatesInPlan(call, currency, range);
  const market = marketOfPlan(call, monitor === PARALLEL ? PARALLEL_MARKET : monitor);
  const isFree = base === 'USD' && (market?.type === 'p2p' || market?.type === 'parallel');
  if (market === undefined || !isFree) throw notFound('no_data', { field: 'monitor' });
  return seriesWithin(call, market, range);
}

async function historyAnswer(call: ForeignCall<HistoryInput>, base: Base) {
  const { input, now } = call;
  const rates = await ratesOf(call, base);
  // Its clients try the day before when a day has none.
  if (rates.length === 0) throw notFound('no_data');
  const history = rates.map(({ date, rate }) => ({
    price: priced(rate, input),
    last_update: monitorTime(startOfCaracasDay(date), input),
  }));
  return { datetime: clock(now), history: input.order === 'desc' ? history.reverse() : history };
}

const conversionQuery = z.object({
  ...pageFields,
  type: z
    .string()
    .transform(upperCase)
    .pipe(z.enum(['VES', 'USD', 'EUR'])),
  value: parsed(parseAmount, amountFault, {}),
});

/** A bare number: bolívares in the currency of the address, or an amount of it in bolívares. */
async function conversionAnswer(call: ForeignCall<z.output<typeof conversionQuery>>, base: Base) {
  const { type, value, page, monitor = 'bcv' } = call.input;
  const name = page === 'bcv' && monitor === 'bcv' ? base.toLowerCase() : monitor;
  const one = await oneMonitor(call, { page, monitor: name }, base);
  call.restsOn(one.quotes);
  const converted = (type === 'VES' ? ofBolivares : inBolivares)(value, one.rate);
  return { toJSON: () => converted };
}

function currencyAddresses(path: string, base: Base) {
  const page = async (call: ForeignCall<PageInput>) => {
    const { page, monitor } = call.input;
    if (monitor === undefined) {
      return monitorsAnswer(await pageMonitors(call, page ?? '', base), call);
    }
    return monitorAnswer(call, await oneMonitor(call, { page, monitor }, base));
  };
  const common = { official: true, uncached: true } as const;
  return [
    at(path, { query: pageQuery, ...common, handle: page }),
    at(`${path}/page`, { query: pageQuery, ...common, handle: page }),
    at(`${path}/unit/:monitor`, { query: pageQuery, ...common, handle: page }),
    at(`${path}/history`, {
      scope: 'history',
      query: historyQuery,
      ...common,
      long: true,
      days: (_, { input, now }) => rangeOf(input, now),
      handle: (call) => historyAnswer(call, base),
    }),
    at(`${path}/conversion`, {
      query: conversionQuery,
      ...common,
      handle: (call) => conversionAnswer(call, base),
    }),
  ];
}

const ratesAddress = (path: string) =>
  at(path, {
    query: z.object({ currency: z.string().optional(), ...formatFields }),
    official: true,
    uncached: true,
    handle(call) {
      const monitors = currencyMonitors(call);
      const { currency } = call.input;
      if (currency === undefined) return monitorsAnswer(monitors, call);
      return monitorAnswer(call, required(monitorOf(monitors, currency.toLowerCase()), 'currency'));
    },
  });

export const pydolarveAddresses = ['v1', 'v2'].flatMap((version) => [
  ...currencyAddresses(`/api/${version}/dollar`, 'USD'),
  ...currencyAddresses(`/api/${version}/euro`, 'EUR'),
  ratesAddress(`/api/${version}/tipo-cambio`),
]);
