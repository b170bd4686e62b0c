import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';

/**
 * Windows in the order in which a call is checked against them (contract §4). `account` is the
 * minute that counts only calls which cost nothing.
 */
export const WINDOWS: readonly UsageWindow[] = ['account', 'minute', 'hour', 'month'];

/** Whether a process counts the window alone while the store is out of reach: it ends soon. */
export function isMinute(window: UsageWindow): boolean {
  return window === 'minute' || window === 'account';
}

/** Units of a plan in each window; absent where the window does not apply. */
export type WindowLimits = { readonly [Window in UsageWindow]?: number | undefined };

/** The windows of a call that costs a unit. */
export function limitsOf(plan: Plan, { bulk }: { readonly bulk: boolean }): WindowLimits {
  return {
    minute: plan.requestsPerMinute ?? undefined,
    hour: bulk ? (plan.bulkCallsPerHour ?? undefined) : undefined,
    // Units without a limit are still counted, so that the account can see them.
    month: plan.unitsPerMonth ?? Number.MAX_SAFE_INTEGER,
  };
}

/** The window of a call that costs nothing (contract §4 "Free calls"). */
export function freeLimitsOf(plan: Plan): WindowLimits {
  return { account: plan.requestsPerMinute ?? undefined };
}

const WINDOW_NOUN: Readonly<Record<UsageWindow, Sentence>> = {
  minute: sentence('requests of this minute', 'consultas de este minuto'),
  hour: sentence('bulk calls of this hour', 'consultas en lote de esta hora'),
  month: sentence('units of this month', 'unidades de este mes'),
  account: sentence('account calls of this minute', 'consultas de la cuenta de este minuto'),
};

/** When a window ends. */
export function closingOf(window: UsageWindow, openedAt: Instant): Instant {
  switch (window) {
    case 'minute':
    case 'account':
      return openedAt + MINUTE_MS;
    case 'hour':
      return openedAt + HOUR_MS;
    case 'month':
      return utcMonthOf(openedAt).end;
    default:
      return window satisfies never;
  }
}

/** The refusal of a call in a window, of which `waitMs` says when it may be repeated. */
export function refusalOf(
  window: UsageWindow,
  { limit, waitMs, mayComeBack }: { limit: number; waitMs: number; mayComeBack: boolean },
): ApiError {
  const noun = WINDOW_NOUN[window];
  return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
    message: mayComeBack
      ? sentence(
          `The last of the ${limit} ${noun.en} are set aside by another process of the service.`,
          `Otro proceso del servicio tiene apartadas las últimas de las ${limit} ${noun.es}.`,
        )
      : sentence(`The ${limit} ${noun.en} are used up.`, `Se agotaron las ${limit} ${noun.es}.`),
    retryAfterSec: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
    scope: window,
    details: { limit },
  });
}
