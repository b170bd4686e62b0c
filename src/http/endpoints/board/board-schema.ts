import { z } from 'zod';
import { FIGURES } from '../../openapi/example-figures.ts';
import * as shared from '../../routing/schemas.ts';
import { bankTableSchema } from '../bcv.ts';
import {
  fieldGroup,
  figure,
  listOf,
  natural,
  optional,
  present,
  rowsOf,
  text,
  titled,
} from '../fields.ts';
import { inDoubtSchema, officialRatesSchema } from '../official.ts';
import { sinceSchema } from '../rates/changes.ts';
import { detailedRateSchema, inDoubt, rateSchema, unchangedSince } from '../rates/forms.ts';
import { unitChangesField } from '../rates/units.ts';
import { indexSchema, indexSourcesSchema } from '../reference-index.ts';
import { premiumSchema, spreadSide } from '../spread.ts';
import { stateFields } from '../state-view.ts';

const names = {
  name: text('Name of the market, in Spanish.'),
  name_en: text('Name of the market, in English.'),
};

const boardRate = rateSchema
  .extend({
    ...names,
    staleness_sec: shared.quoteAge,
    stale: shared.stale,
    in_doubt: inDoubt,
    unchanged_since: unchangedSince,
    frozen: present('Present when the figures have been the same for too long.'),
    gap_percent: figure(
      'Premium over the official dollar in percent; only in a row of another market in USD.',
    ).optional(),
    source: fieldGroup('Where the rate is from.', {
      name: text('Name of the source.'),
      kind: text(
        '`official`, the kind of a source of the catalogue, or `operator` for a pushed record.',
      ),
    }),
    details: optional(
      detailedRateSchema.pick({
        source: true,
        sources: true,
        observed_at: true,
        held: true,
        evidence: true,
      }),
      'How reliable the rate is; absent while the database does not answer.',
    ),
  })
  .meta({ title: 'Board rate' });

const closes = listOf(
  'The figure at the close of each of the last 30 UTC days that has one, then the current one.',
  z.number(),
);

const trend = titled('Trend', {
  change: fieldGroup('Difference from 24 hours ago; absent when there is no earlier figure.', {
    amount: figure('The difference, in VES.'),
    percent: figure('The difference in percent.'),
  }).optional(),
  closes,
});

/** The answer of `GET /board.json`. */
export const boardSchema = z.object({
  version: text('Changes when anything except an age changes.'),
  as_of: shared.timestamp.describe('When the ages were counted.'),
  fetched_at: shared.fetchedAt,
  state: fieldGroup('How far you can rely on the figures.', stateFields),
  missing: rowsOf(
    'The markets that the reasons are about and that have no rate; absent when there are none.',
    'Missing market',
    { market: shared.marketId, ...names, type: shared.marketType, base: shared.base },
  ).optional(),
  official: officialRatesSchema,
  in_doubt: inDoubtSchema.optional(),
  unit_changes: unitChangesField.unit_changes.describe(
    'The days up to that of the next official rate, or of one in doubt, from which one new bolívar is several old ones: that rate is in the new one; absent when there is none.',
  ),
  p2p: fieldGroup('The P2P median of the index; absent when no P2P quote remains.', {
    median: shared.ves.describe('Median of the P2P markets, in VES per dollar.'),
    count: z.int().positive().describe('How many markets it is the median of.'),
    updated_at: shared.updatedAt.describe('Time of the oldest of their quotes.'),
    stale_count: natural('How many of their quotes are stale.'),
  }).optional(),
  index: optional(indexSchema, 'The weighted index; absent when it cannot be calculated.'),
  index_sources: optional(
    indexSourcesSchema,
    'What of the index is stale or in doubt; absent when nothing is.',
  ),
  gap: fieldGroup(
    'The premium of the parallel rate over the official one; absent without one of them.',
    {
      reference: spreadSide
        .omit({ updated_at: true })
        .meta({ title: 'Premium side' })
        .describe('The official dollar rate.'),
      compared: spreadSide.describe('The parallel rate.'),
      spread: premiumSchema,
    },
  ).optional(),
  trends: fieldGroup('How the figures moved.', {
    parallel: optional(trend, 'The parallel rate; absent without one.'),
    p2p: optional(trend, 'The P2P median; absent without one.'),
    index: optional(trend, 'The index; absent without one.'),
    gap: titled('Premium trend', {
      change: fieldGroup('Difference from 24 hours ago; absent when there is no earlier figure.', {
        amount: figure('The difference, in percentage points.'),
      }).optional(),
      closes,
    })
      .describe('The premium, in percent; absent without one.')
      .optional(),
  }),
  rates: listOf('A row for each market of the cheapest plan that has a quote.', boardRate),
  banks: optional(bankTableSchema, 'The bank table; absent until one is stored.'),
  changes: z
    .record(z.string(), sinceSchema)
    .describe(
      'By market: the rate of 24 hours ago and the change; a market without one is absent.',
    ),
  history_days: natural('How many days back the history of the board reaches; 0 for none.'),
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
