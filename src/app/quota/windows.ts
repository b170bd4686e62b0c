import { ApiError } from '../../domain/errors.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../../domain/time.ts';
import type { UsageWindow } from '../ports/usage.ts';

const WINDOW_NOUN: Readonly<Record<UsageWindow, string>> = {
  minute: 'requests of this minute',
  hour: 'bulk calls of this hour',
  month: 'units of this month',
  account: 'account calls of this minute',
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
  const noun = `${limit} ${WINDOW_NOUN[window]}`;
  return new ApiError(window === 'month' ? 'quota_exceeded' : 'rate_limit_exceeded', {
    message: isLeased
      ? `The last of the ${noun} are set aside by another process of the service.`
      : `The ${noun} are used up.`,
    retryAfterSec: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
    scope: window,
    details: { limit },
  });
}
