import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { divide, multiply, RATE_DECIMALS, toNumber } from '../../../core/domain/decimal.ts';
import { ApiError, notFound } from '../../../core/domain/errors.ts';
import { depthOf, reachesDay } from '../../../core/domain/history/past-dates.ts';
import {
  type Base,
  type Market,
  OFFICIAL_RATES,
  PARALLEL_MARKET,
} from '../../../core/domain/markets.ts';
import { type CaracasDay, isoInstant, parseCaracasDay } from '../../../core/domain/time.ts';
import type { Endpoint } from '../../../core/http/pipeline/endpoint.ts';
import {
  type Figure,
  marketOfPlan,
  officialFigure,
  parallelFigure,
  required,
  shown,
} from '../figures.ts';
import { addressesWith, type ForeignCall, spanishRefusal } from '../foreign-endpoint.ts';
import { rateOfDay, seriesOf } from '../series.ts';

const at = addressesWith(spanishRefusal);

/** The addresses of dolarapi for Venezuela (contract §12), whose answers are in Spanish. */

const SOURCES = ['oficial', 'paralelo'] as const;
type Source = (typeof SOURCES)[number];

const RANDOM_BELOW = 10_000;

const NAMES: Readonly<Record<Base, string>> = { USD: 'Dólar', EUR: 'Euro' };

/** Neither side is published; callers read `promedio`. */
const NO_SIDES = { compra: null, venta: null } as const;

/** The rows of a currency. */
function rows(call: ForeignCall, currency: Base, sources: readonly Source[] = SOURCES) {
  const official = sources.includes('oficial') ? officialFigure(call, currency) : [];
  const parallel = currency === 'USD' ? parallelFigure : parallelEuro;
  const free = sources.includes('paralelo') ? parallel(call) : [];
  return shown(
    call,
    [...official, ...free] as readonly Figure[],
    ({ rate, valueDate, updatedAt }) => ({
      moneda: currency,
      fuente: valueDate === undefined ? 'paralelo' : 'oficial',
      nombre: valueDate === undefined ? 'Paralelo' : NAMES[currency],
      ...NO_SIDES,
      promedio: rate,
      fechaActualizacion:
        valueDate === undefined ? isoInstant(updatedAt) : `${valueDate}T00:00:00-04:00`,
    }),
  );
}

/** Nobody publishes the euro of the parallel market: it is the dollar's times the official euro in dollars. */
function parallelEuro(call: ForeignCall) {
  const [dollar] = officialFigure(call, 'USD');
  const [euro] = officialFigure(call, 'EUR');
  const [parallel] = parallelFigure(call);
  if (dollar === undefined || euro?.valueDate !== dollar.valueDate || parallel === undefined)
    return [];
  const over = multiply(parallel.rate, euro.rate);
  const rate = toNumber(divide(over, dollar.rate, RATE_DECIMALS));
  const quotes = [...parallel.quotes, ...dollar.quotes, ...euro.quotes];
  call.derives([`${PARALLEL_MARKET}*${OFFICIAL_RATES.EUR}/${OFFICIAL_RATES.USD}`]);
  return [{ ...parallel, currency: 'EUR', rate, quotes }] satisfies Figure[];
}

const sourceText = z.object({ fuente: z.string() });

function requireSource(text: string): Source {
  return required(SOURCES.filter((source) => source === text));
}

function marketOf(call: ForeignCall, currency: Base, source: Source): Market | undefined {
  if (source === 'oficial') return marketOfPlan(call, OFFICIAL_RATES[currency]);
  return currency === 'USD' ? marketOfPlan(call, PARALLEL_MARKET) : undefined;
}

function requireMarket(call: ForeignCall<{ fuente: string }>, currency: Base) {
  const source = requireSource(call.input.fuente);
  const market = marketOf(call, currency, source);
  if (market === undefined) throw notFound('unknown_market');
  return { market, currency, source };
}

function pointRow(
  { date, rate }: { readonly date: CaracasDay; readonly rate: number },
  currency: Base,
  source: Source,
) {
  return {
    fuente: source,
    ...NO_SIDES,
    promedio: rate,
    fecha: date,
    ...(currency === 'EUR' && { moneda: currency }),
  };
}

/** Empty for an absent market. */
async function sourceSeries(call: ForeignCall, currency: Base, source: Source) {
  const market = marketOf(call, currency, source);
  const points = market === undefined ? [] : await seriesOf(call, market);
  return points.map((point) => pointRow(point, currency, source));
}

/** The series by day; on each day the official rate comes first. */
async function wholeSeries(call: ForeignCall, currency: Base) {
  const rows = [
    ...(await sourceSeries(call, currency, 'oficial')),
    ...(await sourceSeries(call, currency, 'paralelo')),
  ];
  return rows.sort((a, b) => (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0));
}

const firstDay = ([first]: Awaited<ReturnType<typeof sourceSeries>>) =>
  first && { from: first.fecha };

const dayFields = { year: z.string(), month: z.string(), day: z.string() };
const dayText = z.object(dayFields);

function dayAsked({ input }: Pick<ForeignCall<z.output<typeof dayText>>, 'input'>) {
  const { year, month, day } = input;
  return parseCaracasDay(`${year}-${month}-${day}`);
}

function requireDay({ input }: ForeignCall<z.output<typeof dayText>>): CaracasDay {
  const date = dayAsked({ input });
  if (date === undefined) throw notFound('unknown_path');
  return date;
}

async function pastRow(
  call: ForeignCall,
  date: CaracasDay,
  { market, currency, source }: ReturnType<typeof requireMarket>,
) {
  return pointRow(await rateOfDay(call, market, date), currency, source);
}

/** Errors of a day without data, or not known yet. The other source may still have it. */
const ABSENT: ReadonlySet<string> = new Set([
  'resource_not_found',
  'rate_not_published',
  'invalid_format',
]);

async function pastRows(call: ForeignCall, date: CaracasDay, currency: Base) {
  const found: ReturnType<typeof pointRow>[] = [];
  let refused: ApiError | undefined;
  for (const source of SOURCES) {
    const market = marketOf(call, currency, source);
    if (market === undefined) continue;
    try {
      found.push(await pastRow(call, date, { market, currency, source }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!ABSENT.has(error.code) && reachesDay(depthOf(call.plan, market), date, call.now)) {
        throw error;
      }
      refused ??= error;
    }
  }
  if (found.length === 0) throw refused ?? notFound('no_data');
  return found;
}

/** @param hasParallel Whether there is a row of the parallel market. */
function currencyEndpoints(
  noun: 'dolares' | 'euros',
  currency: Base,
  hasParallel: boolean,
): readonly Endpoint[] {
  const history = `/v1/historicos/${noun}`;
  const sources = hasParallel ? SOURCES : (['oficial'] as const);
  return [
    at(`/v1/${noun}`, {
      official: true,
      memo: true,
      handle: (call) => rows(call, currency, sources),
    }),
    at(`/v1/${noun}/oficial`, {
      official: true,
      memo: true,
      handle: (call) => required(rows(call, currency, ['oficial'])),
    }),
    at(`/v1/${noun}/:fuente`, {
      query: sourceText,
      ...(currency === 'EUR' && { official: true as const }),
      handle(call) {
        requireSource(call.input.fuente);
        return required(hasParallel ? rows(call, currency, ['paralelo']) : []);
      },
    }),
    at(history, {
      scope: 'history',
      ignores: ['fecha'],
      official: true,
      long: true,
      days: firstDay,
      handle: (call) => wholeSeries(call, currency),
    }),
    at(`${history}/:fuente`, {
      scope: 'history',
      query: sourceText,
      // A program sends the day, and looks for it in the list.
      ignores: ['fecha'],
      official: true,
      long: true,
      days: firstDay,
      handle: (call) => sourceSeries(call, currency, requireMarket(call, currency).source),
    }),
    at(`${history}/:year/:month/:day`, {
      query: dayText,
      official: true,
      day: dayAsked,
      handle: (call) => pastRows(call, requireDay(call), currency),
    }),
    at(`${history}/:fuente/:year/:month/:day`, {
      query: sourceText.extend(dayFields),
      official: true,
      day: dayAsked,
      handle(call) {
        const asked = requireMarket(call, currency);
        return pastRow(call, requireDay(call), asked);
      },
    }),
  ];
}

/** @param hasDerived Whether there is the parallel euro, which nobody publishes. */
export const dolarapiAddresses = (hasDerived: boolean) => [
  ...currencyEndpoints('dolares', 'USD', true),
  ...currencyEndpoints('euros', 'EUR', hasDerived),
  at('/v1/cotizaciones', {
    official: true,
    memo: true,
    handle: (call) => [...rows(call, 'USD', ['oficial']), ...rows(call, 'EUR', ['oficial'])],
  }),
  at('/v1/estado', {
    uncached: true,
    // The random number shows that no cache answered.
    handle: () => ({ estado: 'Disponible', aleatorio: randomInt(RANDOM_BELOW) }),
  }),
];
