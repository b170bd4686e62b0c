import { z } from 'zod';
import { FIGURES } from '../../openapi/example-figures.ts';
import {
  base,
  fetchedAt,
  marketId,
  marketType,
  quoteAge,
  stale,
  timestamp,
  updatedAt,
  ves,
} from '../../routing/schemas.ts';
import { bankTableSchema } from '../bcv.ts';
import { officialRatesSchema } from '../official.ts';
import { sinceSchema } from '../rates/changes.ts';
import { detailedRateSchema, rateSchema } from '../rates/forms.ts';
import { indexSchema } from '../reference-index.ts';
import { premiumSchema, spreadSide } from '../spread.ts';
import { stateFields } from '../state-view.ts';

const names = {
  name: z.string().describe('Name of the market, in Spanish.'),
  name_en: z.string().describe('Name of the market, in English.'),
};

const boardRate = rateSchema
  .extend({
    ...names,
    staleness_sec: quoteAge,
    stale,
    gap_percent: z
      .number()
      .describe(
        'Premium over the official dollar in percent; only in a row of another market in USD.',
      )
      .optional(),
    source: z
      .object({
        name: z.string().describe('Name of the source.'),
        kind: z
          .string()
          .describe(
            '`official`, the kind of a source of the catalogue, or `operator` for a pushed record.',
          ),
      })
      .describe('Where the rate is from.'),
    details: detailedRateSchema
      .pick({ source: true, sources: true, observed_at: true, held: true, evidence: true })
      .describe('How reliable the rate is; absent while the database does not answer.')
      .optional(),
  })
  .meta({ title: 'Board rate' });

const closes = z
  .array(z.number())
  .describe(
    'The figure at the close of each of the last 30 UTC days that has one, then the current one.',
  );

const trend = z
  .object({
    change: z
      .object({
        amount: z.number().describe('The difference, in VES.'),
        percent: z.number().describe('The difference in percent.'),
      })
      .describe('Difference from 24 hours ago; absent when there is no earlier figure.')
      .optional(),
    closes,
  })
  .meta({ title: 'Trend' });

/** The answer of `GET /board.json`. */
export const boardSchema = z.object({
  version: z.string().describe('Changes when anything except an age changes.'),
  as_of: timestamp.describe('When the ages were counted.'),
  fetched_at: fetchedAt,
  state: z.object(stateFields).describe('How far you can rely on the figures.'),
  missing: z
    .array(
      z
        .object({ market: marketId, ...names, type: marketType, base })
        .meta({ title: 'Missing market' }),
    )
    .describe(
      'The markets that the reasons are about and that have no rate; absent when there are none.',
    )
    .optional(),
  official: officialRatesSchema,
  p2p: z
    .object({
      median: ves.describe('Median of the P2P markets, in VES per dollar.'),
      count: z.int().positive().describe('How many markets it is the median of.'),
      updated_at: updatedAt.describe('Time of the oldest of their quotes.'),
      stale_count: z.int().nonnegative().describe('How many of their quotes are stale.'),
    })
    .describe('The P2P median of the index; absent when no P2P quote remains.')
    .optional(),
  index: indexSchema
    .describe('The weighted index; absent when it cannot be calculated.')
    .optional(),
  gap: z
    .object({
      reference: spreadSide
        .omit({ updated_at: true })
        .meta({ title: 'Premium side' })
        .describe('The official dollar rate.'),
      compared: spreadSide.describe('The parallel rate.'),
      spread: premiumSchema,
    })
    .describe('The premium of the parallel rate over the official one; absent without one of them.')
    .optional(),
  trends: z
    .object({
      parallel: trend.describe('The parallel rate; absent without one.').optional(),
      p2p: trend.describe('The P2P median; absent without one.').optional(),
      index: trend.describe('The index; absent without one.').optional(),
      gap: z
        .object({
          change: z
            .object({ amount: z.number().describe('The difference, in percentage points.') })
            .describe('Difference from 24 hours ago; absent when there is no earlier figure.')
            .optional(),
          closes,
        })
        .meta({ title: 'Premium trend' })
        .describe('The premium, in percent; absent without one.')
        .optional(),
    })
    .describe('How the figures moved.'),
  rates: z
    .array(boardRate)
    .describe('A row for each market of the cheapest plan that has a quote.'),
  banks: bankTableSchema.describe('The bank table; absent until one is stored.').optional(),
  changes: z
    .record(z.string(), sinceSchema)
    .describe(
      'By market: the rate of 24 hours ago and the change; a market without one is absent.',
    ),
  history_days: z
    .int()
    .nonnegative()
    .describe('How many days back the history of the board reaches; 0 for none.'),
});

const named = {
  reference: ['BCV, dólar', 'BCV, dollar'],
  parallel: ['Dólar paralelo', 'Parallel dollar'],
};

function exampleRate(market: keyof typeof named, more: object) {
  const [name, name_en] = named[market];
  return { ...FIGURES[market], name, name_en, stale: false, ...more };
}

const premium = { absolute: 50.6746, percentage: 5.7, direction: 'higher' };

/** The example of the reference, of the same night as the others. */
export const BOARD_EXAMPLE = {
  version: 'j-mwqcvpc0-0-1prrgy7',
  as_of: '2026-11-21T03:00:00.000Z',
  fetched_at: FIGURES.fetchedAt,
  state: { status: 'ok', reasons: [] },
  official: {
    USD: {
      in_force: {
        rate: FIGURES.reference.mid,
        value_date: '2026-11-20',
        effective_at: FIGURES.officialAt,
        change: { amount: 4.2111, percent: 0.4756 },
      },
    },
  },
  p2p: { median: 930.625, count: 2, updated_at: FIGURES.firstP2p.updated_at, stale_count: 0 },
  index: FIGURES.index,
  gap: {
    reference: { market: 'reference', value: FIGURES.reference.mid },
    compared: { market: 'parallel', value: 940.25, updated_at: FIGURES.parallelAt },
    spread: premium,
  },
  trends: {
    parallel: { change: { amount: 2.1, percent: 0.2238 }, closes: [938.15, 940.25] },
    gap: { change: { amount: -0.12 }, closes: [5.82, 5.7] },
  },
  rates: [
    exampleRate('reference', {
      staleness_sec: 82800,
      source: { name: 'Banco Central de Venezuela', kind: 'official' },
    }),
    exampleRate('parallel', {
      staleness_sec: 900,
      gap_percent: premium.percentage,
      source: { name: 'yadio', kind: 'json-feed' },
    }),
  ],
  changes: {
    parallel: {
      before: { rate: 938.15, captured_at: '2026-11-20T02:58:04.000Z' },
      change: { amount: 2.1, percent: 0.2238 },
    },
  },
  history_days: 365,
};
