import { z } from 'zod';
import { type Caller, marketInPlan } from '../../../app/access/access.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import {
  type Coverage,
  coverageOfDays,
  coverageOfValueDates,
} from '../../../domain/history/coverage.ts';
import { firstDayInRetention } from '../../../domain/history/history.ts';
import { officialDays } from '../../../domain/history/official-days.ts';
import { firstCaracasDay } from '../../../domain/history/past-dates.ts';
import { isOfficial, type Market } from '../../../domain/markets.ts';
import {
  caracasDayOf,
  type Instant,
  startOfCaracasDay,
  startOfUtcDay,
  utcDayOf,
} from '../../../domain/time.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
import { natural, rowsOf, titled } from '../fields.ts';

const row = {
  market: shared.marketId,
  first_date: field(
    shared.day.nullable(),
    'First day that is stored, as far as your plan reaches; `null` without one.',
    'Primer día guardado, hasta donde llega su plan; `null` si no hay ninguno.',
    'Primer día',
  ),
  last_date: field(
    shared.day.nullable(),
    'Last day that is stored; `null` without one.',
    'Último día guardado; `null` si no hay ninguno.',
    'Último día',
  ),
  days: natural('How many days are stored.', 'Cuántos días están guardados.', 'Días'),
};

const answer = z.object({
  markets: rowsOf(
    'A row for each market with a stored day, and for each market that the request names.',
    'Una fila por cada mercado con un día guardado, y por cada mercado que nombra la consulta.',
    'Coverage',
    {
      ...row,
      missing: rowsOf(
        'The days that are missing up to yesterday, oldest first; of an official market only business days.',
        'Los días que faltan hasta ayer, del más antiguo al más reciente; en un mercado oficial, solo días hábiles.',
        'Missing days',
        {
          from: field(
            shared.day,
            'First missing day, included.',
            'Primer día que falta, incluido.',
          ),
          to: field(shared.day, 'Last missing day, included.', 'Último día que falta, incluido.'),
        },
      ),
    },
  ),
});

function coverageView(market: Market, { firstDate, lastDate, days, missing }: Coverage) {
  return {
    market: market.id,
    first_date: firstDate ?? null,
    last_date: lastDate ?? null,
    days,
    missing: missing.map(({ from, to }) => ({ from, to })),
  };
}

/** The days of a market within the plan of a caller. */
async function coverageOf(
  market: Market,
  { plan }: Caller,
  { services, now }: Pick<Call, 'services'> & { readonly now: Instant },
): Promise<Coverage> {
  const { store } = services;
  if (!isOfficial(market)) {
    const from = firstDayInRetention(utcDayOf(now), plan.historyDays);
    return coverageOfDays(await store.daysWithCaptures(market.id, from), from, now);
  }
  const range = { from: firstCaracasDay(plan.officialDays, now), to: caracasDayOf(now) };
  const stored = await store.officialSeries(market.id, range);
  return coverageOfValueDates(officialDays(stored, range, 'value', services), now);
}

export const coverage = endpoint({
  path: '/v1/fx/coverage',
  section: 'contract 21',
  summary: sentence('Coverage of the history', 'Cobertura del historial'),
  description: sentence(
    'Which days are stored: for each market those that its history has, as far as your plan reaches, and those that it lacks: UTC days with captures, or value dates of official markets.',
    'Qué días están guardados: de cada mercado, los que tiene su historial, hasta donde llega su plan, y los que le faltan: días UTC con capturas o, en los mercados oficiales, fechas valor.',
  ),
  operation: {
    id: 'getCoverage',
    tag: 'Rates',
    schema: 'MarketCoverage',
    parameters: { markets: 'reference,parallel' },
    answers: oneExample(
      'A Friday without a publication, and two days without captures',
      'Un viernes sin publicación, y dos días sin capturas',
      {
        markets: [
          {
            market: 'reference',
            first_date: '2026-10-22',
            last_date: '2026-11-20',
            days: 21,
            missing: [{ from: '2026-11-13', to: '2026-11-13' }],
          },
          {
            market: 'parallel',
            first_date: '2026-11-14',
            last_date: '2026-11-21',
            days: 6,
            missing: [{ from: '2026-11-17', to: '2026-11-18' }],
          },
        ],
      },
      { asked: false },
    ),
  },
  scope: 'history',
  query: z.object({ markets: shared.marketNames.optional() }),
  rejectUnknown: true,
  markets: ({ markets = [] }) => markets.map((name) => ({ name, field: 'markets' })),
  answer,
  encoding: {
    root: 'coverage',
    toRows: ({ markets }: z.output<typeof answer>) =>
      markets.map(({ missing, ...rest }) => ({
        ...rest,
        missing: missing.map(({ from, to }) => `${from}/${to}`),
      })),
    rowSchema: titled('Coverage row', {
      ...row,
      missing: z.array(z.string()).meta({ header: 'Días que faltan' }),
    }),
  },
  errors: ['resource_not_found'],
  maxAgeSec: 60,
  // A day that ends may be missing, and a day that begins moves the depth.
  lastModified: (_, { snapshot, now }) =>
    Math.max(
      snapshot.changedAt,
      startOfUtcDay(utcDayOf(now)),
      startOfCaracasDay(caracasDayOf(now)),
    ),
  memo: ({ markets = [] }, _market, { now }) =>
    `${markets.join()} ${utcDayOf(now)} ${caracasDayOf(now)}`,
  long: true,
  async handle(call) {
    const { input, caller, services } = call;
    const named =
      input.markets && new Set(input.markets.map((name) => services.markets.find(name)));
    const rows: ReturnType<typeof coverageView>[] = [];
    for (const market of services.markets.list) {
      const isWanted = named?.has(market) ?? marketInPlan(services.plans, caller.plan, market);
      const days = isWanted ? await coverageOf(market, caller, call) : undefined;
      if (days === undefined || (named === undefined && days.days === 0)) continue;
      rows.push(coverageView(market, days));
    }
    return { markets: rows };
  },
});
