import { z } from 'zod';
import { marketInPlan } from '../../app/access/access.ts';
import { quotedBy } from '../../app/views.ts';
import { type RouteEntry, rankRoute } from '../../domain/calculations/route.ts';
import { toNumber } from '../../domain/decimal.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { fault } from '../../domain/errors/value-rules.ts';
import { isoInstant } from '../../domain/time.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field, said } from '../pipeline/said.ts';
import * as shared from '../pipeline/schemas.ts';
import { dollarDirection } from './bulk-convert.ts';
import { figure, listOf, oneOf, text, titled } from './fields.ts';

const DIRECTIONS = ['send', 'receive'] as const;

/** A number beyond the safe integers filters nothing. */
const secondsOf = (digits: string) =>
  /^\d+$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : undefined;

const secondsFault = (given: string) =>
  fault(
    /^-\d+$/.test(given) ? 'out_of_range' : 'not_a_number',
    'must be digits only',
    'debe tener solo dígitos',
  );

const query = z.object({
  ...shared.currencyPair(['USD']),
  amount: shared.amountText,
  direction: oneOf(
    DIRECTIONS,
    '`send` by default; the answer repeats it and nothing else changes.',
    'Por defecto, `send`; la respuesta lo repite y no cambia nada más.',
  ).optional(),
  max_staleness: shared
    .parsed(secondsOf, secondsFault, {
      ...said(
        'Leaves out quotes older than this many seconds; 0, the default, leaves out none.',
        'Deja fuera las cotizaciones con más segundos de edad; 0, el valor por defecto, no deja fuera ninguna.',
      ),
      type: 'integer',
      minimum: 0,
    })
    .optional(),
});

const entrySchema = titled('Route entry', {
  market: shared.marketId,
  type: shared.marketType,
  rate: shared.rateNumber,
  amount: figure(
    'What the conversion yields, in the other currency, with 2 decimals.',
    'Lo que rinde la conversión, en la otra moneda y con 2 decimales.',
    'Monto',
  ),
  updated_at: shared.updatedAt,
  staleness_sec: shared.quoteAge,
});

const answer = z.object({
  from: field(shared.money, 'What is converted.', 'Lo que se convierte.'),
  direction: oneOf(
    DIRECTIONS,
    'The direction in the request; it changes nothing else.',
    'La dirección indicada en la consulta; no cambia nada más.',
  ),
  best: field(entrySchema, 'The market that yields the most.', 'El mercado que más rinde.'),
  alternatives: listOf(
    'The other markets, best first.',
    'Los demás mercados, el mejor primero.',
    entrySchema,
  ),
  skipped: listOf(
    'The markets that are left out; absent when there are none.',
    'Los mercados que no participan; ausente si participan todos.',
    z.object({
      market: shared.marketId,
      reason: text(
        'Why it is left out, in one word; new ones may appear.',
        'Por qué no participa, en una palabra; puede haber nuevas.',
      ),
    }),
  ).optional(),
  fetched_at: shared.fetchedAt,
});

function entryView({ quote, amount, stalenessSec }: RouteEntry) {
  const { market, type, updated_at } = quotedBy(quote);
  return {
    market,
    type,
    rate: quote.mid,
    amount: toNumber(amount),
    updated_at,
    staleness_sec: stalenessSec,
  };
}

function exampleEntry({ market, type, mid, updated_at }: typeof FIGURES.parallel) {
  return { market, type, rate: mid, amount: mid * 100, updated_at, staleness_sec: 120 };
}

export const route = endpoint({
  path: '/v1/fx/route',
  section: '4.7',
  summary: sentence('Compare executable markets', 'Comparar mercados en los que se puede operar'),
  description: sentence(
    'Ranks the markets by what a conversion would yield. It does not consider fees, liquidity or limits.',
    'Ordena los mercados según lo que rendiría una conversión. No considera comisiones, liquidez ni límites.',
  ),
  operation: {
    id: 'compareMarkets',
    tag: 'Conversion',
    schema: 'Route',
    parameters: { from: 'USD', to: 'VES', amount: '100', max_staleness: '900' },
    answers: oneExample(
      '100 USD, with quotes from the last 15 minutes',
      '100 USD, con cotizaciones de los últimos 15 minutos',
      {
        from: { currency: 'USD', amount: 100 },
        direction: 'send',
        best: exampleEntry(FIGURES.firstP2p),
        alternatives: [exampleEntry(FIGURES.secondP2p)],
        skipped: [
          { market: 'reference', reason: 'not_executable' },
          { market: 'eur_reference', reason: 'currency_mismatch' },
          { market: 'parallel', reason: 'not_executable' },
          { market: 'cash', reason: 'stale' },
        ],
        fetched_at: FIGURES.fetchedAt,
      },
    ),
  },
  feature: 'route',
  scope: 'rates',
  restsOnQuotes: true,
  query,
  rejectUnknown: true,
  check: ({ input }) => void dollarDirection(input),
  answer,
  encoding: {
    root: 'route',
    toRows: ({ best, alternatives, skipped: _, ...rest }: z.output<typeof answer>) =>
      [best, ...alternatives].map((entry, position) => ({ rank: position + 1, ...entry, ...rest })),
    rowSchema: z.object({
      rank: z.int().meta({ header: 'Puesto' }),
      ...entrySchema.shape,
      from: shared.money.meta({ header: 'De' }),
      direction: z.string().meta({ header: 'Sentido' }),
      fetched_at: shared.fetchedAt,
    }),
  },
  errors: ['no_route'],
  maxAgeSec: 0,
  // The ages in the answer change every second.
  lastModified: (_, { now }) => now,
  handle({ input, snapshot, caller, services, now, restsOn }) {
    const pair = dollarDirection(input);
    const { best, alternatives, skipped } = rankRoute(services.markets.list, {
      direction: pair,
      amount: input.amount,
      maxStalenessSec: input.max_staleness ?? 0,
      now,
      quoteOf: snapshot.quoteOf,
      inPlan: (market) => marketInPlan(services.plans, caller.plan, market),
    });
    restsOn([best, ...alternatives].map(({ quote }) => quote));
    return {
      from: { currency: pair.from, amount: toNumber(input.amount) },
      direction: input.direction ?? 'send',
      best: entryView(best),
      alternatives: alternatives.map(entryView),
      skipped: skipped.length > 0 ? [...skipped] : undefined,
      fetched_at: isoInstant(snapshot.fetchedAt),
    };
  },
});
