import { ApiError, invalidField } from '../../domain/errors.ts';
import { excessOf, isInGrace, type KeyGrant } from '../../domain/keys.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import type { ApiKey } from '../ports/accounts.ts';

/** A key may not create or change a key with more rights than its own (decisions §11). */

/** @throws ApiError `scope_missing` naming the scope that the maker lacks. */
export function requireWithin(grant: KeyGrant, maker: ApiKey): void {
  const scope = excessOf(grant, maker.grant);
  if (scope === undefined) return;
  throw new ApiError('scope_missing', {
    message:
      scope === 'full'
        ? 'Only a full key makes or changes a full key.'
        : `A key without the scope ${scope} makes and changes none that has it.`,
    details: { scope },
  });
}

/**
 * The end of a new key, which is never later than its maker's.
 * @throws ApiError `invalid_format` for a later end.
 */
export function endWithin(end: Instant | undefined, maker: ApiKey): Instant | undefined {
  const { lastsUntil } = maker;
  if (end === undefined || lastsUntil === undefined || end <= lastsUntil) return end ?? lastsUntil;
  throw invalidField('expires_at', 'must not be later than the expiry of the requesting key');
}

/** @throws ApiError `invalid_format` for an end after the grace period of the key. */
export function requireGraceKept(key: ApiKey, end: Instant = Infinity): void {
  const { expiresAt } = key;
  if (expiresAt === undefined || !isInGrace(key) || end <= expiresAt) return;
  const ends = isoInstant(expiresAt);
  throw invalidField('expires_at', `the key was rotated, and its grace period ends at ${ends}`);
}

/** @throws ApiError `scope_missing` when the key expires later than its maker. */
export function requireNoLongerLife(key: ApiKey, maker: ApiKey): void {
  if ((key.lastsUntil ?? Infinity) <= (maker.lastsUntil ?? Infinity)) return;
  throw new ApiError('scope_missing', {
    message: 'A key cannot rotate one that expires later than itself.',
    details: { scope: 'account.write' },
  });
}
