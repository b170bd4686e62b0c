import { z } from 'zod';
import { addCaracasDays, caracasDayOf } from '../../../core/domain/time.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import {
  caracasDay,
  type OfficialRow,
  rowInForce,
  rowOfDay,
  rowsOfRange,
} from '../official-table.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of bcv-api.rafnixg.dev (contract §12): the official dollar. */

const at = addressesWith(refusalWith('detail'));

/** Days of a history without a range. */
const DEFAULT_DAYS = 30;

const view = ({ date, rates }: OfficialRow) => ({ dollar: rates.USD, date });

const range = z.object({ start_date: caracasDay.optional(), end_date: caracasDay.optional() });

/** Newest first. */
async function history(call: ForeignCall, asked: z.output<typeof range>) {
  const { end_date = caracasDayOf(call.now) } = asked;
  const { start_date = addCaracasDays(end_date, -DEFAULT_DAYS) } = asked;
  const rows = await rowsOfRange(call, ['USD'], { from: start_date, to: end_date });
  return { start_date, end_date, rates: rows.map(view).reverse() };
}

export const rafnixgAddresses = [
  ...['/rates', '/rates/'].map((path) =>
    at(path, { official: true, memo: true, handle: (call) => view(rowInForce(call, ['USD'])) }),
  ),
  at('/rates/history', {
    scope: 'history',
    query: range,
    official: true,
    long: true,
    days: ({ start_date: from, end_date: to }: Awaited<ReturnType<typeof history>>) => ({
      from,
      to,
    }),
    handle: (call) => history(call, call.input),
  }),
  at('/rates/:date', {
    query: z.object({ date: caracasDay }),
    official: true,
    day: ({ input }) => input.date,
    handle: async (call) => view(await rowOfDay(call, ['USD'], call.input.date)),
  }),
];
