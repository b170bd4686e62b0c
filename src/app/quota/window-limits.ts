import type { Plan } from '../../domain/plans.ts';
import type { UsageWindow } from '../ports/usage.ts';

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
