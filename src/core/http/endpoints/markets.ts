import { z } from 'zod';
import { marketInPlan } from '../../app/access/access.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field } from '../pipeline/said.ts';
import { base, marketId, marketType, staleAfterSec } from '../pipeline/schemas.ts';
import { flag, rowsOf, text, textList } from './fields.ts';

export const listMarkets = endpoint({
  path: '/v1/fx/markets',
  section: '4.4',
  summary: sentence('Market catalogue', 'Catálogo de mercados'),
  description: sentence(
    'Ids, names and aliases of all markets, including those that your plan does not include.',
    'Los ids, nombres y alias de todos los mercados, también de los que su plan no incluye.',
  ),
  operation: {
    id: 'listMarkets',
    tag: 'Rates',
    schema: 'Markets',
    answers: oneExample(
      'The start of the catalogue, and a market of a higher plan',
      'El comienzo del catálogo, y un mercado de un plan superior',
      {
        markets: [
          {
            id: 'reference',
            name: 'BCV, dólar',
            type: 'reference',
            base: 'USD',
            aliases: ['bcv', 'oficial'],
            stale_after_sec: 475200,
            available: true,
            required_plan: null,
          },
          {
            id: 'cash',
            name: 'Efectivo',
            type: 'cash',
            base: 'USD',
            aliases: [],
            stale_after_sec: 86400,
            available: false,
            required_plan: 'Escala',
          },
        ],
      },
    ),
  },
  feature: 'markets',
  scope: 'rates',
  rejectUnknown: true,
  answer: z.object({
    markets: rowsOf(
      'The markets, in the order of the catalogue.',
      'Los mercados, en el orden del catálogo.',
      'Market',
      {
        id: field(
          marketId,
          'Id of the market; answers always use it.',
          'Id del mercado; las respuestas siempre lo usan.',
        ),
        name: text('Name of the market, in Spanish.', 'Nombre del mercado.'),
        type: marketType,
        base,
        aliases: textList(
          'Other names that requests may use for the market.',
          'Otros nombres que las consultas pueden usar para el mercado.',
        ),
        stale_after_sec: staleAfterSec,
        available: flag('Whether your plan includes the market.', 'Si su plan incluye el mercado.'),
        required_plan: field(
          z.string().nullable(),
          'The cheapest plan that includes the market; `null` if every plan does.',
          'El plan más barato que incluye el mercado; `null` si todos lo incluyen.',
        ),
      },
    ),
  }),
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
