import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { pastRate } from '../../core/app/past-rates.ts';
import { ApiError, notFound } from '../../core/domain/errors.ts';
import {
  depthOf,
  pastDepth,
  reachesDay,
  requireDayInDepth,
  requireKnownDay,
} from '../../core/domain/history/past-dates.ts';
import {
  type Base,
  type Market,
  OFFICIAL_RATES,
  PARALLEL_MARKET,
} from '../../core/domain/markets.ts';
import {
  type CaracasDay,
  caracasDayOf,
  isoInstant,
  parseCaracasDay,
} from '../../core/domain/time.ts';
import { lastValueDateOf } from '../../core/http/endpoints/rates/past-date.ts';
import type { Endpoint } from '../../core/http/routing/endpoint.ts';
import {
  type ForeignCall,
  foreignEndpoint,
  marketOfPlan,
  officialOf,
  officialQuotes,
  parallelQuote,
  spanishRefusal,
} from './foreign-endpoint.ts';
import { firstOfficialDay, freeSeries, officialSeries } from './series.ts';

/** The addresses of dolarapi for Venezuela (contract §12), whose answers are in Spanish. */

const SOURCES = ['oficial', 'paralelo'] as const;
type Source = (typeof SOURCES)[number];

const RANDOM_BELOW = 10_000;

const NAMES: Readonly<Record<Base, string>> = { USD: 'Dólar', EUR: 'Euro' };

/** Neither side is published; callers read `promedio`. */
const NO_SIDES = { compra: null, venta: null } as const;

function officialRow(call: ForeignCall, currency: Base) {
  const rate = officialOf(call, currency)?.inForce;
  if (rate === undefined) return [];
  call.restsOn(officialQuotes(call, currency));
  return [
    {
      moneda: currency,
      fuente: 'oficial',
      nombre: NAMES[currency],
      ...NO_SIDES,
      promedio: rate.rate,
      fechaActualizacion: `${rate.valueDate}T00:00:00-04:00`,
    },
  ];
}

/** There is no published euro rate of the parallel market. */
function freeRow(call: ForeignCall, currency: Base) {
  const quote = currency === 'USD' ? parallelQuote(call) : undefined;
  if (quote === undefined) return [];
  call.restsOn([quote]);
  return [
    {
      moneda: currency,
      fuente: 'paralelo',
      nombre: 'Paralelo',
      ...NO_SIDES,
      promedio: quote.mid,
      fechaActualizacion: isoInstant(quote.updatedAt),
    },
  ];
}

/** The only item of a list that may be empty. */
function required<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw notFound('no_quote');
  return item;
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

/** A series over the plan's history, oldest first; empty for an absent market. */
async function seriesOf(call: ForeignCall, currency: Base, source: Source) {
  const market = marketOf(call, currency, source);
  if (market === undefined) return [];
  const points =
    source === 'oficial'
      ? await officialSeries(call, market.id, {
          from: firstOfficialDay(call, market),
          to: caracasDayOf(call.now),
        })
      : await freeSeries(call, market);
  return points.map((point) => pointRow(point, currency, source));
}

/** The series by day; on each day the official rate comes first. */
async function wholeSeries(call: ForeignCall, currency: Base) {
  const rows = [
    ...(await seriesOf(call, currency, 'oficial')),
    ...(await seriesOf(call, currency, 'paralelo')),
  ];
  return rows.sort((a, b) => (a.fecha < b.fecha ? -1 : a.fecha > b.fecha ? 1 : 0));
}

const firstDay = ([first]: Awaited<ReturnType<typeof seriesOf>>) => first && { from: first.fecha };

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

/**
 * The rate of a past day in Caracas, or the last one before it, with its own day: the value date of
 * the official rate in force, and the day on which a rate of the parallel market was captured.
 * @throws ApiError when the day is not known yet or before the plan's history, or its official rate is
 *   missing.
 */
async function pastRow(
  call: ForeignCall,
  date: CaracasDay,
  { market, currency, source }: ReturnType<typeof requireMarket>,
) {
  const { services, plan, now, snapshot } = call;
  const lastValueDate = lastValueDateOf(market, snapshot);
  requireKnownDay({ field: 'date', day: date }, { now, lastValueDate });
  requireDayInDepth(pastDepth(plan, services.plans, [market]), date, now);
  const pastDate = { date, rule: 'value_date' } as const;
  const { quote, asOf } = await pastRate(market, pastDate, { ...services, now });
  const shownDate = asOf.official?.valueDate ?? caracasDayOf(asOf.capturedAt);
  return pointRow({ date: shownDate, rate: quote.mid }, currency, source);
}

/** Errors of a day without data, or not known yet. The other source may still have it. */
const ABSENT: ReadonlySet<string> = new Set([
  'resource_not_found',
  'rate_not_published',
  'invalid_format',
]);

async function pastRows(call: ForeignCall, date: CaracasDay, currency: Base) {
  const rows: ReturnType<typeof pointRow>[] = [];
  let refused: ApiError | undefined;
  for (const source of SOURCES) {
    const market = marketOf(call, currency, source);
    if (market === undefined) continue;
    try {
      rows.push(await pastRow(call, date, { market, currency, source }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!ABSENT.has(error.code) && reachesDay(depthOf(call.plan, market), date, call.now)) {
        throw error;
      }
      refused ??= error;
    }
  }
  if (rows.length === 0) throw refused ?? notFound('no_data');
  return rows;
}

function currencyEndpoints(noun: 'dolares' | 'euros', currency: Base): readonly Endpoint[] {
  const history = `/v1/historicos/${noun}`;
  return [
    foreignEndpoint(spanishRefusal, {
      path: `/v1/${noun}`,
      official: true,
      memo: true,
      handle: (call) => [...officialRow(call, currency), ...freeRow(call, currency)],
    }),
    foreignEndpoint(spanishRefusal, {
      path: `/v1/${noun}/oficial`,
      official: true,
      memo: true,
      handle: (call) => required(officialRow(call, currency)),
    }),
    foreignEndpoint(spanishRefusal, {
      path: `/v1/${noun}/:fuente`,
      query: sourceText,
      handle(call) {
        requireSource(call.input.fuente);
        return required(freeRow(call, currency));
      },
    }),
    foreignEndpoint(spanishRefusal, {
      path: history,
      scope: 'history',
      official: true,
      long: true,
      days: firstDay,
      handle: (call) => wholeSeries(call, currency),
    }),
    foreignEndpoint(spanishRefusal, {
      path: `${history}/:fuente`,
      scope: 'history',
      query: sourceText,
      official: true,
      long: true,
      days: firstDay,
      handle: (call) => seriesOf(call, currency, requireMarket(call, currency).source),
    }),
    foreignEndpoint(spanishRefusal, {
      path: `${history}/:year/:month/:day`,
      query: dayText,
      official: true,
      day: dayAsked,
      handle: (call) => pastRows(call, requireDay(call), currency),
    }),
    foreignEndpoint(spanishRefusal, {
      path: `${history}/:fuente/:year/:month/:day`,
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

export const dolarapiAddresses = [
  ...currencyEndpoints('dolares', 'USD'),
  ...currencyEndpoints('euros', 'EUR'),
  foreignEndpoint(spanishRefusal, {
    path: '/v1/cotizaciones',
    official: true,
    memo: true,
    handle: (call) => [...officialRow(call, 'USD'), ...officialRow(call, 'EUR')],
  }),
  foreignEndpoint(spanishRefusal, {
    path: '/v1/estado',
    uncached: true,
    // The random number shows that no cache answered.
    handle: () => ({ estado: 'Disponible', aleatorio: randomInt(RANDOM_BELOW) }),
  }),
];
