import { z } from 'zod';
import { PUBLISHED_CURRENCIES } from '../../../core/domain/bcv.ts';
import {
  type CaracasDay,
  caracasDayOf,
  isoInstant,
  parseCaracasDay,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { NOT_A_DAY, parsed } from '../../../core/http/pipeline/schemas.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { type OfficialRow, rowInForce, rowOfDay, rowsOfDays } from '../official-table.ts';
import { refusalWith } from '../refusals.ts';

/** The addresses of bcv.today (contract §12): all rates that the central bank publishes. */

const at = addressesWith(refusalWith('error'));

function view({ date: effective, rates }: OfficialRow, date: CaracasDay) {
  const updatedAt = isoInstant(startOfCaracasDay(effective));
  return { ...rates, updated_at: updatedAt, effective_date: effective, date };
}

async function history(call: ForeignCall) {
  const rows = await rowsOfDays(call, PUBLISHED_CURRENCIES);
  return rows.map((row) => view(row, row.day));
}

const FILE_END = '.json';
const dayFile = parsed(
  (text) =>
    text.endsWith(FILE_END) ? parseCaracasDay(text.slice(0, -FILE_END.length)) : undefined,
  NOT_A_DAY,
  {},
);

export const bcvtodayAddresses = [
  at('/api/v1/rate.json', {
    official: true,
    handle: (call) => view(rowInForce(call, PUBLISHED_CURRENCIES), caracasDayOf(call.now)),
  }),
  at('/api/v1/history.json', {
    scope: 'history',
    official: true,
    long: true,
    days: ([first]: Awaited<ReturnType<typeof history>>) => first && { from: first.date },
    handle: history,
  }),
  at('/api/v1/history/:day', {
    query: z.object({ day: dayFile }),
    official: true,
    day: ({ input }) => input.day,
    handle: async (call) =>
      view(await rowOfDay(call, PUBLISHED_CURRENCIES, call.input.day), call.input.day),
  }),
];
