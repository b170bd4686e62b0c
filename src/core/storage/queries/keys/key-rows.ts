import type { ApiKey } from '../../../app/ports/accounts.ts';
import type { AuditState } from '../../../app/ports/audit.ts';
import {
  type KeyGrant,
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  SCOPES,
  type Scope,
  scopesOf,
} from '../../../domain/keys.ts';
import { type Instant, isoInstant } from '../../../domain/time.ts';
import type { Tables } from '../../schema.ts';
import type { Note } from '../audit/audited.ts';

/** The words of a column such as ` rates official `. */
export function listed(words: string | null): readonly string[] {
  return words === null ? [] : words.split(' ').filter((word) => word !== '');
}

/** Adds a space on both ends, so that a query can match one word. */
function listing(words: readonly string[]): string {
  return words.length === 0 ? '' : ` ${words.join(' ')} `;
}

export function keyOf(row: Tables['api_key']): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    digest: row.digest,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    grant: grantOf(row),
    ...(row.label !== null && { label: row.label }),
    ...(row.lasts_until !== null && { lastsUntil: row.lasts_until }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.hint !== null && { hint: row.hint }),
  };
}

function grantOf(row: Tables['api_key']): KeyGrant {
  const scopes = listed(row.scopes);
  // Ignore scopes of a later version.
  const known: readonly Scope[] = SCOPES.filter((scope) => scopes.includes(scope));
  switch (row.kind) {
    case 'full':
      return { kind: 'full' };
    case 'publishable':
      return {
        kind: 'publishable',
        scopes: known,
        origins: listed(row.origins),
        allowNoOrigin: row.allow_no_origin === 1,
        requestsPerMinute: row.requests_per_minute ?? PUBLISHABLE_REQUESTS_PER_MINUTE,
      };
    default:
      return { kind: 'restricted', scopes: known };
  }
}

export function keyRow(key: ApiKey) {
  return {
    id: key.id,
    account_id: key.accountId,
    digest: key.digest,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
    label: key.label ?? null,
    hint: key.hint ?? null,
    lasts_until: key.lastsUntil ?? null,
    ...grantColumns(key.grant),
  };
}

export function grantColumns(grant: KeyGrant) {
  const isPublishable = grant.kind === 'publishable';
  return {
    kind: grant.kind,
    scopes: grant.kind === 'full' ? null : listing(scopesOf(grant)),
    origins: isPublishable ? listing(grant.origins) : null,
    allow_no_origin: isPublishable && grant.allowNoOrigin ? 1 : 0,
    requests_per_minute: isPublishable ? grant.requestsPerMinute : null,
  };
}

/** A key in the audit log: neither its text, nor a digest or a part of it. */
export function keyState({ grant, label, expiresAt, revokedAt }: ApiKey): AuditState {
  const isPublishable = grant.kind === 'publishable';
  return {
    kind: grant.kind,
    label: label ?? null,
    scopes: grant.kind === 'full' ? null : scopesOf(grant),
    ...(isPublishable && {
      origins: grant.origins,
      allow_no_origin: grant.allowNoOrigin,
      requests_per_minute: grant.requestsPerMinute,
    }),
    expires_at: timeOf(expiresAt),
    revoked_at: timeOf(revokedAt),
  };
}

/** Notes a key that is new in the transaction. */
export function noteNewKey(note: Note, key: ApiKey, more: object = {}): void {
  const { id, accountId } = key;
  note({ what: 'key', id, accountId, before: null, after: { ...keyState(key), ...more } });
}

/** Notes a key that the transaction removed. */
export function noteRemovedKey(note: Note, key: ApiKey): void {
  const { id, accountId } = key;
  note({ what: 'key', id, accountId, before: keyState(key), after: null });
}

function timeOf(at: Instant | undefined): string | null {
  return at === undefined ? null : isoInstant(at);
}
