import {
  KEYS_PER_PAGE,
  MAX_GRACE_MS,
  MAX_KEYS_PER_PAGE,
  type NewKey,
} from '../../app/access/accounts.ts';
import { grantOf, keyEnd, keyKind, keyLabel } from '../../app/access/key-request.ts';
import type { ApiKey } from '../../app/ports/accounts.ts';
import { GRANTABLE_SCOPES, scopesOf } from '../../domain/keys.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import { databaseCommand, group, type Result } from '../command.ts';
import { isoTime, textTable, UsageError } from '../output.ts';
import { instantOf, parseDuration } from './moment.ts';

function view(key: ApiKey) {
  const { grant } = key;
  const isPublishable = grant.kind === 'publishable';
  return {
    id: key.id,
    hint: key.hint ?? null,
    kind: grant.kind,
    label: key.label ?? null,
    scopes: scopesOf(grant),
    origins: isPublishable ? grant.origins : [],
    allow_no_origin: isPublishable && grant.allowNoOrigin,
    requests_per_minute: isPublishable ? grant.requestsPerMinute : null,
    created_at: isoInstant(key.createdAt),
    expires_at: isoTime(key.expiresAt) ?? null,
    last_used_at: isoTime(key.lastUsedAt) ?? null,
    revoked_at: isoTime(key.revokedAt) ?? null,
  };
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Instant): string {
  if (revokedAt !== undefined) return `revoked ${isoInstant(revokedAt)}`;
  if (expiresAt === undefined) return 'live';
  return `${expiresAt <= now ? 'expired' : 'live until'} ${isoInstant(expiresAt)}`;
}

function pageLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_KEYS_PER_PAGE) return limit;
  throw new UsageError(`--limit is a number from 1 to ${MAX_KEYS_PER_PAGE}.`);
}

function newKeyResult({ id, key }: NewKey, more: object = {}): Result {
  const text = `id   ${id}\nkey  ${key}\nThe key is shown only now: keep it safe.`;
  return { json: { id, key, ...more }, text };
}

/** `--scope a,b` equals `--scope a b` and `--scope a --scope b`. */
function splitWords(lists: readonly string[] | undefined): readonly string[] | undefined {
  return lists?.flatMap((list) => list.split(',')).filter((word) => word !== '');
}

function reachOf({ grant }: ApiKey): string {
  switch (grant.kind) {
    case 'full':
      return 'everything';
    case 'restricted':
      return grant.scopes.join(' ');
    case 'publishable': {
      const from = [...grant.origins, ...(grant.allowNoOrigin ? ['no origin'] : [])];
      return `${grant.scopes.join(' ')} from ${from.join(', ') || 'its own pages'}`;
    }
    default:
      return grant satisfies never;
  }
}

export const keyCommands = group('key', 'create, list, rotate and revoke keys', [
  databaseCommand({
    name: 'create',
    about: 'create a key; it is shown once',
    arguments: { '<account>': 'id of the account' },
    flags: {
      '--kind <kind>': { about: 'full, restricted to scopes, or publishable', byDefault: 'full' },
      '--label <text>': 'label of the key',
      '--scope <scope...>': `scopes: ${GRANTABLE_SCOPES.join(', ')}`,
      '--origin <origin...>': 'pages that may use a publishable key: https://shop.example',
      '--allow-no-origin': 'allow requests without an Origin, such as those of spreadsheets',
      '--per-minute <number>': 'requests per minute of a publishable key, at most 60',
      '--expires <time>': 'expiry: 2027-06-30, or 2027-06-30T04:00:00Z',
    },
    read({ account, kind, label, scope, origin, allowNoOrigin, perMinute, expires }) {
      const grant = grantOf(keyKind(kind), {
        scopes: splitWords(scope),
        origins: splitWords(origin),
        allowNoOrigin,
        requestsPerMinute: perMinute === undefined ? undefined : Number(perMinute),
      });
      const end = (text: string) => keyEnd(instantOf(text, '--expires'), Date.now());
      const draft = {
        grant,
        label: label === undefined ? undefined : keyLabel(label),
        lastsUntil: expires === undefined ? undefined : end(expires),
      };
      return { account, draft };
    },
    work: async ({ accounts }, { account, draft }) =>
      newKeyResult(await accounts.createKey(account, draft)),
  }),
  databaseCommand({
    name: 'list',
    about: 'list the keys of an account, without their secrets',
    ignoresCatalogue: true,
    arguments: { '<account>': 'id of the account' },
    flags: {
      '--limit <number>': {
        about: 'keys of one page, at most 1000',
        byDefault: `${KEYS_PER_PAGE}`,
      },
      '--after <key-id>': 'the page after that key',
    },
    read: ({ account, limit, after }) => ({ account, page: { limit: pageLimit(limit), after } }),
    async work({ accounts }, { account, page }) {
      const { keys, next } = await accounts.listKeys(account, page);
      const now = Date.now();
      const rows = keys.map((key) => [
        key.id,
        key.grant.kind,
        isoInstant(key.createdAt),
        stateOf(key, now),
        reachOf(key),
        key.label ?? '',
      ]);
      const more = next === undefined ? '' : `\nThere are more: add --after ${next}`;
      const columns = ['ID', 'KIND', 'CREATED', 'STATE', 'GOOD FOR', 'LABEL'];
      const text = textTable(columns, rows, 'The account has no keys.') + more;
      return { json: keys.map(view), text };
    },
  }),
  databaseCommand({
    name: 'revoke',
    about: 'revoke a key at once',
    ignoresCatalogue: true,
    arguments: { '<key-id>': 'id of the key, as "vesfx key list" shows it' },
    async work({ accounts, store }, { keyId }) {
      await accounts.revokeKey(keyId);
      const key = await store.findKey(keyId);
      return { json: key === undefined ? { id: keyId } : view(key), text: `Revoked ${keyId}.` };
    },
  }),
  databaseCommand({
    name: 'rotate',
    about: 'replace a key by a new one',
    arguments: { '<key-id>': 'id of the old key' },
    flags: {
      '--grace <duration>': {
        about: 'how long the old key still works: 90s, 30m, 24h, 7d',
        byDefault: '0s',
      },
    },
    read({ keyId, grace }) {
      const graceMs = parseDuration(grace);
      if (graceMs > MAX_GRACE_MS) throw new UsageError('--grace is at most 720h, which is 30d.');
      return { keyId, graceMs };
    },
    work: async ({ accounts }, { keyId, graceMs }) =>
      newKeyResult(await accounts.rotateKey(keyId, graceMs), { replaces: keyId }),
  }),
]);
