import { figuresOf } from '../../domain/history/month.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { officialHistoryView } from '../past-rates.ts';

/**
 * The days of a month with its close and its average (contract §27).
 * @param code In capitals.
 * @param range Of `monthRange`.
 * @throws ApiError `resource_not_found` when no rate of the currency is stored.
 */
export async function officialMonthView(
  code: string,
  range: Parameters<typeof officialHistoryView>[1],
  parts: Parameters<typeof officialHistoryView>[3],
) {
  const { now, isAdjusted, redenominations } = parts;
  const table = await officialHistoryView(code, range, 'all', parts);
  const unitOf = isAdjusted ? caracasDayOf(now) : undefined;
  const { from: first, to: last, rows, missing, unit_changes } = table;
  return {
    ...{ currency: code, first, last, count: rows.length },
    ...figuresOf({ rows, to: last }, redenominations, unitOf),
    ...(unit_changes && { unit_changes }),
    ...{ rows, missing },
  };
}

export type OfficialMonth = Awaited<ReturnType<typeof officialMonthView>>;
