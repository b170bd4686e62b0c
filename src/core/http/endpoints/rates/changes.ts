import { z } from 'zod';
import { marketInPlan } from '../../../app/access/access.ts';
import { type ChangeSince, changesSince } from '../../../app/changes.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import {
  PERIOD_DAYS,
  PERIODS,
  requirePeriodInDepth,
  startOfPeriod,
} from '../../../domain/history/changes.ts';
import { historyDepth } from '../../../domain/history/history.ts';
import type { Quote } from '../../../domain/quotes.ts';
import { unitAt } from '../../../domain/redenomination.ts';
import { DAY_MS, isoInstant } from '../../../domain/time.ts';
import { FIGURES } from '../../openapi/example-figures.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
import { fieldGroup, listOf, oneOf, titled } from '../fields.ts';
import { adjustedField, unitChanges, unitChangesField, unitChangesHeader } from './units.ts';

const query = z.object({
  period: oneOf(
    PERIODS,
    'How far back to compare; `1d` by default.',
    'Cuánto tiempo atrás comparar; por defecto, `1d`.',
  ).optional(),
  markets: shared.marketNames.optional(),
  ...adjustedField,
});

export const sinceSchema = z.object({
  before: fieldGroup(
    'The last capture up to the start of the period; absent when there is none.',
    'La última captura hasta el comienzo del período; ausente si no hay ninguna.',
    {
      rate: shared.rateNumber.meta({ header: 'Tasa anterior (Bs.)' }),
      captured_at: field(
        shared.timestamp,
        'When the service read the compared rate.',
        'Cuándo leyó el servicio la tasa comparada.',
        'Capturada antes (UTC)',
      ),
    },
  ),
  change: shared.rateChange.optional(),
});

const changeSchema = titled('Change', {
  market: shared.marketId,
  rate: shared.rateNumber,
  updated_at: shared.updatedAt,
  before: sinceSchema.shape.before.optional(),
  change: sinceSchema.shape.change,
});

function changeView(quote: Quote, since: ChangeSince | undefined) {
  return {
    market: quote.market.id,
    rate: quote.mid,
    updated_at: isoInstant(quote.updatedAt),
    ...(since !== undefined && sinceView(since)),
  };
}

/** The compared rate and the change. */
export function sinceView({ before, change }: ChangeSince) {
  return {
    before: { rate: before.mid, captured_at: isoInstant(before.capturedAt) },
    change: change && { ...change },
  };
}

export const listChanges = endpoint({
  path: '/v1/fx/changes',
  section: 'contract 10',
  summary: sentence('Changes of rates', 'Variación de las tasas'),
  description: sentence(
    'Compares each current rate with the last one captured by the same time a day, a week, a month, a quarter or a year ago.',
    'Compara cada tasa actual con la última capturada hasta la misma hora de hace un día, una semana, un mes, un trimestre o un año.',
  ),
  operation: {
    id: 'listChanges',
    tag: 'Rates',
    schema: 'Changes',
    parameters: { period: '7d', markets: 'parallel,cash' },
    answers: oneExample('A week of two markets', 'Una semana de dos mercados', {
      period: '7d',
      changes: [
        {
          market: 'parallel',
          rate: 867.15,
          updated_at: FIGURES.parallelAt,
          before: { rate: 855.3, captured_at: '2026-11-14T02:52:30.000Z' },
          change: { amount: 11.85, percent: 1.3855 },
        },
        { market: 'cash', rate: 878.54, updated_at: '2026-11-20T15:00:00.000Z' },
      ],
    }),
  },
  scope: 'rates',
  query,
  markets: ({ markets = [] }) => markets.map((name) => ({ name, field: 'markets' })),
  answer: z.object({
    period: oneOf(
      PERIODS,
      'How far back the comparison goes.',
      'Cuánto tiempo atrás llega la comparación.',
      'Período',
    ),
    ...unitChangesField,
    changes: listOf(
      'A row for each market that has a quote now.',
      'Una fila por mercado con cotización ahora.',
      changeSchema,
    ),
  }),
  encoding: { root: 'changes', rows: 'changes' },
  errors: ['resource_not_found', 'history_out_of_retention'],
  headers: unitChangesHeader,
  maxAgeSec: 5,
  lastModified({ period, changes: rows }, { now, services }) {
    const length = PERIOD_DAYS[period] * DAY_MS;
    return Math.max(
      services.redenominations.newestAt(now),
      ...rows.map(({ updated_at }) => Date.parse(updated_at)),
      // From that instant on it is the compared rate.
      ...rows.map(({ before }) => (before ? Date.parse(before.captured_at) + length : 0)),
    );
  },
  async handle(call) {
    const { input, services, snapshot, caller, now } = call;
    const { period = '1d', markets: names } = input;
    requirePeriodInDepth(period, now, historyDepth(caller.plan, services.plans));
    const chosen = names && new Set(names.map((name) => services.markets.find(name)));
    const quotes = snapshot.quotes.filter(({ market }) =>
      chosen === undefined ? marketInPlan(services.plans, caller.plan, market) : chosen.has(market),
    );
    const byMarket = await changesSince(quotes, period, {
      ...services,
      now,
      isAdjusted: input.adjusted === 'true',
    });
    const compared = [...byMarket.values()].map(({ before }) => unitAt(before.capturedAt));
    const [from = unitAt(now)] = [unitAt(startOfPeriod(period, now)), ...compared].sort();
    return {
      period,
      ...unitChanges({ from, to: unitAt(now) }, call),
      changes: quotes.map((quote) => changeView(quote, byMarket.get(quote.market))),
    };
  },
});
