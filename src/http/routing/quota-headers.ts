import type { Reservation } from '../../app/quota/account-meters.ts';
import type { QuotaLeases } from '../../app/quota/quota-leases.ts';
import type { Plan } from '../../domain/plans.ts';
import { type Instant, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type { RequestContext, RequestFrame } from './request-context.ts';

/** The quota headers of every answer to a known caller (decisions §4). */
export class QuotaHeaders {
  readonly #quotaLeases: QuotaLeases;
  /** `RateLimit-Policy` of this month, by limit. */
  readonly #policies = new Map<number, { readonly endsAt: Instant; readonly line: string }>();

  constructor(quotaLeases: QuotaLeases) {
    this.#quotaLeases = quotaLeases;
  }

  /** @returns names and values alternating; empty for an unknown caller. */
  of(frame: RequestFrame & Partial<Pick<RequestContext, 'endpoint' | 'reservation'>>) {
    const { caller, now, endpoint, reservation } = frame;
    if (caller === undefined) return [];
    const { account, plan } = caller;
    const headers: string[] = [];
    this.#addMonth(headers, account.id, plan, now);
    if (endpoint?.bulk === true) this.#addHour(headers, account.id, plan, reservation, now);
    return headers;
  }

  #addMonth(headers: string[], accountId: string, plan: Plan, now: Instant): void {
    const limit = plan.unitsPerMonth;
    if (limit === null) return;
    const { used, endsAt } = this.#quotaLeases.monthUsage(accountId, now);
    const left = `${Math.max(0, limit - used)}`;
    const reset = `${Math.max(1, Math.ceil((endsAt - now) / SECOND_MS))}`;
    headers.push(
      'X-RateLimit-Limit',
      `${limit}`,
      'X-RateLimit-Remaining',
      left,
      'X-RateLimit-Reset',
      reset,
      'RateLimit-Policy',
      this.#policy(limit, endsAt),
      'RateLimit',
      `"month";r=${left};t=${reset}`,
    );
  }

  /** Concurrent calls each report what was left after their own unit. */
  #addHour(
    headers: string[],
    accountId: string,
    plan: Plan,
    reservation: Reservation | undefined,
    now: Instant,
  ): void {
    const limit = plan.bulkCallsPerHour;
    if (limit === null) return;
    const used = reservation?.hourUsed;
    const left =
      used === undefined
        ? this.#quotaLeases.hourLeft(accountId, limit, now)
        : Math.max(0, limit - used);
    headers.push('X-Bulk-RateLimit-Limit', `${limit}`, 'X-Bulk-RateLimit-Remaining', `${left}`);
  }

  #policy(limit: number, endsAt: Instant): string {
    const known = this.#policies.get(limit);
    if (known?.endsAt === endsAt) return known.line;
    const { start, end } = utcMonthOf(endsAt - 1);
    const line = `"month";q=${limit};w=${(end - start) / SECOND_MS}`;
    this.#policies.set(limit, { endsAt, line });
    return line;
  }
}
