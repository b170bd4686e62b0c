import { sentence } from '../../domain/errors/sentence.ts';
import { fault } from '../../domain/errors/value-rules.ts';
import { ApiError, invalidField } from '../../domain/errors.ts';
import { excessOf, isInGrace, type KeyGrant } from '../../domain/keys.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import type { ApiKey } from '../ports/accounts.ts';

const AFTER_OWN_KEY = fault(
  'after_own_key',
  'must not be later than the expiry of the requesting key',
  'no puede ser posterior al vencimiento de la clave de la consulta',
);

/** A key may not create or change a key with more rights than its own (contract §11). */

/** @throws ApiError `scope_missing` naming the scope that the maker lacks. */
export function requireWithin(grant: KeyGrant, maker: ApiKey): void {
  const scope = excessOf(grant, maker.grant);
  if (scope === undefined) return;
  throw new ApiError('scope_missing', {
    message:
      scope === 'full'
        ? sentence(
            'Only a full key makes or changes a full key.',
            'Solo una clave completa crea o cambia una clave completa.',
          )
        : sentence(
            `A key without the scope ${scope} makes and changes none that has it.`,
            `Una clave sin el permiso ${scope} no crea ni cambia una que lo tenga.`,
          ),
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
  throw invalidField('expires_at', AFTER_OWN_KEY);
}

/** @throws ApiError `invalid_format` for an end after the grace period of the key. */
export function requireGraceKept(key: ApiKey, end: Instant = Infinity): void {
  const { expiresAt } = key;
  if (expiresAt === undefined || !isInGrace(key) || end <= expiresAt) return;
  const ends = isoInstant(expiresAt);
  throw invalidField(
    'expires_at',
    fault(
      'after_grace',
      `the key was rotated, and its grace period ends at ${ends}`,
      `la clave fue rotada, y su plazo de gracia termina el ${ends}`,
    ),
  );
}

/** @throws ApiError `scope_missing` when the key expires later than its maker. */
export function requireNoLongerLife(key: ApiKey, maker: ApiKey): void {
  if ((key.lastsUntil ?? Infinity) <= (maker.lastsUntil ?? Infinity)) return;
  throw new ApiError('scope_missing', {
    message: sentence(
      'A key cannot rotate one that expires later than itself.',
      'Una clave no puede rotar otra que vence después que ella.',
    ),
    details: { scope: 'account.write' },
  });
}
