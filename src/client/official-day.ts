import type { OfficialOnDay, OfficialRule } from './copy-types.ts';
import { VesfxError } from './errors.ts';
import type { OfficialDay } from './types.ts';

/** The official rate of a day by one of the two rules for days without banks. */

const RULES = ['value_date', 'next_banking_day'] as const satisfies readonly OfficialRule[];

/**
 * The rule that a caller chose, by default `value_date`.
 * @throws VesfxError for anything else, which JavaScript callers can pass: one must never mean the other.
 */
export function requiredRule(rule: unknown = 'value_date'): OfficialRule {
  const known = RULES.find((one) => one === rule);
  if (known !== undefined) return known;
  const message = `rule must be ${RULES.join(' or ')}.`;
  const details = { rule: 'unknown_value' };
  throw new VesfxError('invalid_format', { message, field: 'rule', details });
}

/** The day by a rule; undefined while that rate is not published. */
export function byRule(
  { next_banking_day: day, next_banking_day_rate: nextRate, ...row }: OfficialDay,
  rule: OfficialRule,
): Omit<OfficialOnDay, 'currency' | 'unit_changes'> | undefined {
  if (rule === 'value_date') return row;
  if (day == null || nextRate == null) return undefined;
  const { date, business_day } = row;
  return { date, rate: nextRate, value_date: day, business_day, carried_days: 0 };
}

/** The error about the range of one day that the service was asked for, said of that day. */
export function saidOfDay(error: unknown, date: string): unknown {
  const isOfRange = error instanceof VesfxError && /^(?:from|to)$/.test(error.field ?? '');
  if (!isOfRange) return error;
  const message = error.message.replace(/^(?:from|to)\b/, `date ${date}`);
  return new VesfxError(error.code, { ...error, message, field: 'date', cause: error.cause });
}

export function notPublished(message: string, currency: string, date: string): VesfxError {
  return new VesfxError('rate_not_published', {
    ...{ message, field: 'date', details: { currency, date } },
  });
}
