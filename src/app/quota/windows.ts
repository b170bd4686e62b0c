import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';
import {
  ALLOWANCE_LASTS_MS,
  BLOCK_LASTS_MS,
  MAX_BLOCK_UNITS,
  MIN_ALLOWANCE_UNITS,
  MIN_BLOCK_UNITS,
} from './lease-limits.ts';

/**
 * Windows in the order in which a call is checked against them (decisions §4). `account` is the
 * minute that counts only calls which cost nothing.
 */
export const WINDOWS: readonly UsageWindow[] = ['account', 'minute', 'hour', 'month'];

/** Windows that a process may open while the store is out of reach: they end soon. */
export const OPENED_WITHOUT_STORE: readonly UsageWindow[] = ['account', 'minute'];

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

/** The window of a call that costs nothing (decisions §4 "Free calls"). */
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
  { limit, waitMs, isLeased }: { limit: number; waitMs: number; isLeased: boolean },
): ApiError {
  const noun = WINDOW_NOUN[window];
  return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
    message: isLeased
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

/** How fast a process spends the units of a window, and how many it may therefore hold. */
export class Pace {
  /** When units were last granted, and how many were spent by then. */
  #grantedAt: Instant;
  #spentAtGrant = 0;
  /** Units spent for each millisecond, over the last second or longer that was measured. */
  #measured = 0;
  #measuredAt: Instant;
  #spentAtMeasure = 0;

  constructor(from: Instant) {
    this.#grantedAt = from;
    this.#measuredAt = from;
  }

  /** Units were granted. */
  noteGrant(spent: number, now: Instant): void {
    this.#grantedAt = now;
    this.#spentAtGrant = spent;
  }

  /** Units to lease: about `BLOCK_LASTS_MS` at the rate since the last grant. */
  block(spent: number, now: Instant): number {
    const pace = (spent - this.#spentAtGrant) / Math.max(1, now - this.#grantedAt);
    return Math.max(MIN_BLOCK_UNITS, Math.min(MAX_BLOCK_UNITS, Math.ceil(pace * BLOCK_LASTS_MS)));
  }

  /** Most units of the allowance: what a death may cost the account (decisions §3). */
  allowance(spent: number, perMinute: number | undefined, now: Instant): number {
    const most = perMinute === undefined ? Infinity : perMinute / MINUTE_MS;
    const pace = Math.min(this.#measure(spent, now), most);
    return Math.max(MIN_ALLOWANCE_UNITS, Math.floor(pace * ALLOWANCE_LASTS_MS));
  }

  /** Units spent for each millisecond now. A burst counts over a whole second. */
  #measure(spent: number, now: Instant): number {
    const [elapsed, more] = [now - this.#measuredAt, spent - this.#spentAtMeasure];
    if (elapsed >= 0 && elapsed < SECOND_MS) return Math.max(this.#measured, more / SECOND_MS);
    this.#measured = Math.max(0, more / elapsed);
    this.#measuredAt = now;
    this.#spentAtMeasure = spent;
    return this.#measured;
  }
}
