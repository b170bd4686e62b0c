import { z } from 'zod';
import type { Caller } from '../../app/access/access.ts';
import { marketInPlan } from '../../app/access/access.ts';
import { ApiError } from '../../domain/errors.ts';
import { applyMarkup, MARKUP_KINDS, type MarkupRule } from '../../domain/markup.ts';
import type { Quote } from '../../domain/quotes.ts';
import { isoInstant } from '../../domain/time.ts';
import { rateView } from '../encoding/views.ts';
import { type Call, endpoint } from '../routing/endpoint.ts';
import {
  base,
  day,
  marketId,
  marketText,
  marketType,
  rateNumber,
  seconds,
  timestamp,
} from '../routing/schemas.ts';
import { indexSchema, indexView } from './reference-index.ts';

/** Country of the snapshot (§2.3). */
const COUNTRY = 'VE';
/** Rates change once a minute at most; a cache may be this much behind. */
const MAX_AGE_SEC = 5;

const rateSchema = z.object({
  market: marketId,
  type: marketType,
  base,
  mid: rateNumber,
  ask: rateNumber.optional(),
  bid: rateNumber.optional(),
  updated_at: timestamp,
  effective_date: day.optional(),
  stale_after_sec: seconds,
});

const markupApplied = { kind: z.enum(MARKUP_KINDS), value: z.number() };

const markedRateSchema = rateSchema
  .omit({ base: true, effective_date: true, stale_after_sec: true })
  .extend({
    mid_with_markup: z.number().positive().optional(),
    markup_applied: z.object(markupApplied).optional(),
  })
  .meta({ title: 'Rate with markup' });

const envelope = {
  country: z.string(),
  currency: z.literal('VES'),
  base: z.literal('USD'),
  index: indexSchema.optional(),
  fetched_at: timestamp,
};

const ratesSchema = z.union([
  z.object({ ...envelope, rates: z.array(rateSchema) }).meta({ title: 'Rates' }),
  z
    .object({
      ...envelope,
      rates: z.array(markedRateSchema),
      markup_applied: z.object({ tag: z.string(), ...markupApplied }),
    })
    .meta({ title: 'Rates with markup' }),
]);

function markupRule(caller: Caller, tag: string): MarkupRule {
  const rule = caller.markups.find((one) => one.tag === tag && one.active);
  if (rule === undefined) throw new ApiError('markup_not_found', { field: 'markup' });
  return rule;
}

function markedRateView(quote: Quote, rule: MarkupRule) {
  const { base: _, effective_date: __, stale_after_sec: ___, ...rate } = rateView(quote);
  const marked = applyMarkup(rule, rate);
  if (marked === undefined) return rate;
  return {
    ...rate,
    mid_with_markup: marked,
    markup_applied: { kind: rule.kind, value: rule.value },
  };
}

function snapshotView({ snapshot, origin }: Call) {
  return {
    country: COUNTRY,
    currency: 'VES' as const,
    base: 'USD' as const,
    ...(snapshot.index !== undefined && { index: indexView(snapshot.index, snapshot, origin) }),
    fetched_at: isoInstant(snapshot.fetchedAt),
  };
}

export const rates = endpoint({
  method: 'GET',
  path: '/v1/fx/rates',
  section: '4.1',
  summary: 'All rates',
  description:
    'The quotes of every market in your plan. With markup, a saved rule of your account is applied.',
  cost: 1,
  query: z.object({
    markup: z.string().meta({ description: 'Tag of a saved markup rule.' }).optional(),
  }),
  unknownParameters: 'ignore',
  featureOf: ({ markup }) => (markup === undefined ? undefined : 'markup'),
  answer: ratesSchema,
  // The snapshot's base is not that of every row (§2.3).
  encoding: { root: 'rates', rows: 'rates', unrepeated: ['base'] },
  errors: ['markup_not_found'],
  maxAgeSec: MAX_AGE_SEC,
  memo: ({ markup }) => (markup === undefined ? '' : undefined),
  handle(call) {
    const { snapshot, caller, services } = call;
    const included = snapshot.quotes.filter(({ market }) =>
      marketInPlan(services.plans, caller.plan, market),
    );
    const { markup } = call.input;
    if (markup === undefined) {
      const { index, fetched_at, ...head } = snapshotView(call as Call);
      return { ...head, rates: included.map(rateView), ...(index && { index }), fetched_at };
    }
    const rule = markupRule(caller, markup);
    const { index, fetched_at, ...head } = snapshotView(call as Call);
    return {
      ...head,
      rates: included.map((quote) => markedRateView(quote, rule)),
      ...(index && { index }),
      markup_applied: { tag: rule.tag, kind: rule.kind, value: rule.value },
      fetched_at,
    };
  },
});

export const rateByMarket = endpoint({
  method: 'GET',
  path: '/v1/fx/rates/:market',
  section: '4.2',
  summary: 'Rate by market',
  cost: 1,
  query: z.object({ market: marketText }),
  unknownParameters: 'ignore',
  market: ({ market }) => ({ name: market, field: 'market' }),
  answer: rateSchema,
  encoding: { root: 'rate' },
  errors: ['resource_not_found'],
  maxAgeSec: MAX_AGE_SEC,
  memo: (_, market) => market?.id,
  handle: ({ snapshot, market, marketField }) =>
    rateView(requireQuote(snapshot, market, marketField)),
});

/** @throws ApiError `resource_not_found` when the market has no quote (decisions §2). */
export function requireQuote(
  snapshot: Call['snapshot'],
  market: Call['market'],
  field: string | undefined,
): Quote {
  const quote = snapshot.quoteOf(market);
  if (quote !== undefined) return quote;
  throw new ApiError('resource_not_found', {
    ...(field !== undefined && { field }),
    message: `${market.id} has no quote now.`,
  });
}
