import { z } from 'zod';
import { marketInPlan } from '../../app/access/access.ts';
import { endpoint } from '../routing/endpoint.ts';
import { base, marketId, marketType, noQuery, seconds } from '../routing/schemas.ts';

export const markets = endpoint({
  method: 'GET',
  path: '/v1/fx/markets',
  section: '4.4',
  summary: 'Market catalogue',
  feature: 'markets',
  access: 'key',
  scope: 'rates',
  cost: 1,
  query: noQuery,
  unknownParameters: 'reject',
  answer: z.object({
    markets: z.array(
      z
        .object({
          id: marketId,
          name: z.string(),
          type: marketType,
          base,
          aliases: z.array(z.string()),
          stale_after_sec: seconds,
          available: z.boolean(),
          required_plan: z.string().nullable(),
        })
        .meta({ title: 'Market' }),
    ),
  }),
  errors: [],
  maxAgeSec: 300,
  lastModified: (_, { services }) => services.catalogueChangedAt,
  memo: () => '',
  handle: ({ services, caller }) => ({
    markets: services.markets.list.map((market) => ({
      id: market.id,
      name: market.name,
      type: market.type,
      base: market.base,
      aliases: [...market.aliases],
      stale_after_sec: market.staleAfterSec,
      available: marketInPlan(services.plans, caller.plan, market),
      required_plan: market.requiredPlan ?? null,
    })),
  }),
});
