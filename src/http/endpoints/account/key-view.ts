import { z } from 'zod';
import type { Caller } from '../../../app/access/access.ts';
import { KEYS_PER_PAGE } from '../../../app/access/accounts.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { type ApiError, notFound } from '../../../domain/errors.ts';
import { isLive, KEY_KINDS, SCOPES, scopesOf } from '../../../domain/keys.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import type { Call } from '../../routing/call.ts';
import { timestamp } from '../../routing/schemas.ts';
import { flag, listOf, oneOf, text, textList, titled } from '../fields.ts';

/** A key for its account, without the secret (decisions §11). */
export const keySchema = titled('Account key', {
  id: text('Id of the key, which is not secret.'),
  kind: oneOf(KEY_KINDS, 'Kind of key; only a full one may do everything.'),
  label: z.string().nullable().describe('Name that the account gave the key; `null` if none.'),
  scopes: listOf('What the key may do.', z.enum(SCOPES)),
  origins: textList('Origins whose pages may use a publishable key; empty for other kinds.'),
  allow_no_origin: flag(
    'Whether requests without an `Origin` may use a publishable key; `false` for other kinds.',
  ),
  requests_per_minute: z
    .int()
    .nullable()
    .describe('Requests per minute of a publishable key; `null` for other kinds.'),
  current: flag('Whether this request was made with the key.'),
  created_at: timestamp.describe('When the key was created.'),
  expires_at: timestamp.nullable().describe('When the key expires; `null` if it does not.'),
  revoked_at: timestamp.nullable().describe('When the key was revoked; `null` if it was not.'),
});

export const keyList = listOf('Keys of the account, without their secrets.', keySchema);

const isoOrNull = (instant: Instant | undefined) =>
  instant === undefined ? null : isoInstant(instant);

export function keyView(key: ApiKey, caller: Caller) {
  const { grant } = key;
  const isPublishable = grant.kind === 'publishable';
  return {
    id: key.id,
    kind: grant.kind,
    label: key.label ?? null,
    scopes: [...scopesOf(grant)],
    origins: isPublishable ? [...grant.origins] : [],
    allow_no_origin: isPublishable && grant.allowNoOrigin,
    requests_per_minute: isPublishable ? grant.requestsPerMinute : null,
    current: key.id === caller.key.id,
    created_at: isoInstant(key.createdAt),
    expires_at: isoOrNull(key.expiresAt),
    revoked_at: isoOrNull(key.revokedAt),
  };
}

/**
 * A page of the caller's keys, and where the next one begins.
 * @param field The parameter of `after`, for errors.
 */
export async function keyPage(
  { caller, services, now }: Pick<Call, 'caller' | 'services' | 'now'>,
  after: string | undefined,
  field: string,
) {
  const from = { now, limit: KEYS_PER_PAGE, after };
  const page = await services.store.listKeys(caller.account.id, from);
  if (page === undefined) {
    throw notFound('unknown_id', { field, message: 'You have no key with that id.' });
  }
  return { keys: page.keys.map((key) => keyView(key, caller)), next: page.next ?? null };
}

/**
 * An active key of the caller.
 * @throws ApiError `resource_not_found` for every reason, so that ids of other accounts stay
 *   secret.
 */
export async function ownKey(
  { caller, services, now }: Pick<Call, 'caller' | 'services' | 'now'>,
  id: string,
): Promise<ApiKey> {
  const key = await services.store.findKey(id);
  if (key?.accountId === caller.account.id && isLive(key, now)) return key;
  throw noSuchKey();
}

export function noSuchKey(): ApiError {
  return notFound('unknown_id', {
    field: 'id',
    message: 'You have no live key with that id.',
  });
}

/** Example keys: one for a program, one for a page. */
export const EXAMPLE_KEYS = {
  full: {
    id: 'key_3Zk9',
    kind: 'full',
    label: null,
    scopes: SCOPES,
    origins: [],
    allow_no_origin: false,
    requests_per_minute: null,
    current: true,
    created_at: '2026-10-02T14:05:00.000Z',
    expires_at: null,
    revoked_at: null,
  },
  shop: {
    id: 'key_8Tq1',
    kind: 'publishable',
    label: 'Tienda en línea',
    scopes: ['rates', 'official'],
    origins: ['https://tienda.example'],
    allow_no_origin: false,
    requests_per_minute: 60,
    current: false,
    created_at: '2026-11-21T03:00:00.000Z',
    expires_at: '2027-06-30T04:00:00.000Z',
    revoked_at: null,
  },
};
