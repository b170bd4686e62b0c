import type { Plan } from '../../domain/plans.ts';
import type { UsageWindow } from '../ports/usage.ts';

/** How many units a plan gives in each window; absent where the window does not apply. */
export type WindowLimits = { readonly [Window in UsageWindow]?: number | undefined };

/** The windows of a call that costs a unit. */
export function limitsOf(plan: Plan, { bulk }: { readonly bulk: boolean }): WindowLimits {
  return {
    minute: plan.requestsPerMinute ?? undefined,
    hour: bulk ? (plan.bulkCallsPerHour ?? undefined) : undefined,
    // Without a limit the units are still counted, for the account to see.
    month: plan.unitsPerMonth ?? Number.MAX_SAFE_INTEGER,
  };
}

/** The window of a call that costs nothing (decisions §4 "Free calls"). */
export function freeLimitsOf(plan: Plan): WindowLimits {
  return { account: plan.requestsPerMinute ?? undefined };
}
