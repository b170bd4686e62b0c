import { z } from 'zod';
import { marketInPlan } from '../../../app/access/access.ts';
import {
  CORRECTION_KINDS,
  CORRECTION_REASONS,
  type Correction,
  correctionsSince,
  MAX_CORRECTIONS,
} from '../../../domain/history/corrections.ts';
import { currencyOf } from '../../../domain/markets.ts';
import { shownUnits } from '../../../domain/redenomination.ts';
import { caracasDayOf, type Instant, isoInstant, startOfCaracasDay } from '../../../domain/time.ts';
import type { Call } from '../../routing/call.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import * as shared from '../../routing/schemas.ts';
import { oneOf, optional, rowsOf } from '../fields.ts';

const query = z.object({
  since: shared
    .caracasDayText('First day, in Caracas; 30 days before today by default.')
    .optional(),
});

function correctionView(
  { kind, name, valueDate, was, is, correctedAt, why }: Correction,
  { services, now }: Pick<Call, 'services'> & { readonly now: Instant },
) {
  const day = valueDate ?? caracasDayOf(correctedAt);
  const inItsUnit = (figure: number) =>
    services.redenominations.rebased(figure, shownUnits(day, { on: day }));
  return {
    kind,
    market: services.markets.find(name)?.id,
    currency: kind === 'publication' ? (currencyOf(name) ?? name) : undefined,
    value_date: valueDate,
    was: inItsUnit(was),
    is: is === undefined ? null : inItsUnit(is),
    corrected_at: isoInstant(Math.min(correctedAt, now)),
    why,
  };
}

function marketsFor({ caller, services: { markets, plans } }: Pick<Call, 'caller' | 'services'>) {
  const inPlan = markets.list.filter((market) => marketInPlan(plans, caller.plan, market));
  return inPlan.map(({ id }) => id);
}

export const corrections = endpoint({
  path: '/v1/fx/corrections',
  section: 'decisions 21',
  summary: 'Corrections',
  description: `Figures that were published and no longer hold, newest first: official rates that were replaced or withdrawn, and quotes that were restored. At most ${MAX_CORRECTIONS.toLocaleString('en-US')}.`,
  operation: {
    id: 'listCorrections',
    tag: 'Rates',
    schema: 'Corrections',
    parameters: { since: '2026-11-01' },
    answers: oneExample('A publication that the bank corrected, and a quote that came back', {
      since: '2026-11-01',
      count: 2,
      corrections: [
        {
          kind: 'publication',
          market: 'reference',
          currency: 'USD',
          value_date: '2026-11-20',
          was: 889.5745,
          is: 889.5754,
          corrected_at: '2026-11-19T21:25:00.000Z',
          why: 'insisted',
        },
        {
          kind: 'quote',
          market: 'binance',
          was: 1302.4,
          is: 931.05,
          corrected_at: '2026-11-12T15:04:00.000Z',
          why: 'restored',
        },
      ],
    }),
  },
  scope: 'history',
  query,
  rejectUnknown: true,
  check: ({ input, now }) => void correctionsSince(input.since, now),
  answer: z.object({
    since: shared.day.describe('First day of the list, in Caracas.'),
    count: shared.count,
    corrections: rowsOf('The corrections, newest first.', 'Correction', {
      kind: oneOf(
        CORRECTION_KINDS,
        '`publication`: an official rate, one row for each currency. `quote`: a rate of another market.',
      ),
      market: optional(shared.marketId, 'Id of the market; absent for a currency without one.'),
      currency: optional(shared.currency, 'Currency of the publication; absent for a quote.'),
      value_date: optional(
        shared.day,
        'Value date of the publication, in Caracas; absent for a quote.',
      ),
      was: shared.ves.describe('The figure that no longer holds, in VES.'),
      is: shared.ves
        .nullable()
        .describe('The figure that took its place, in VES; `null` when it was withdrawn.'),
      corrected_at: shared.timestamp.describe(
        'When the service corrected it; of a quote, when it read what corrected it.',
      ),
      why: oneOf(CORRECTION_REASONS, 'Why it no longer holds; new codes may appear.'),
    }),
  }),
  encoding: { root: 'corrections', rows: 'corrections' },
  errors: [],
  maxAgeSec: 60,
  lastModified: ({ since, corrections: [newest] }, { input, now }) =>
    Math.max(
      newest === undefined ? 0 : Date.parse(newest.corrected_at),
      // Without `since` the answer names another day each day.
      input.since === undefined
        ? startOfCaracasDay(caracasDayOf(now))
        : Date.parse(`${since}T04:00:00Z`),
    ),
  memo: ({ since }, _market, { now }) => correctionsSince(since, now),
  async handle(call) {
    const since = correctionsSince(call.input.since, call.now);
    const list = await call.services.store.corrections({
      since: startOfCaracasDay(since),
      markets: marketsFor(call),
      limit: MAX_CORRECTIONS,
    });
    const rows = list.map((correction) => correctionView(correction, call));
    return { since, count: rows.length, corrections: rows };
  },
});
