import type { Command } from 'commander';
import {
  KEYS_PER_PAGE,
  type KeyDraft,
  MAX_GRACE_MS,
  MAX_KEYS_PER_PAGE,
  type NewKey,
} from '../../app/access/accounts.ts';
import { grantOf, keyEnd, keyKind, keyLabel } from '../../app/access/key-request.ts';
import type { ApiKey } from '../../app/ports/accounts.ts';
import { GRANTABLE_SCOPES, scopesOf } from '../../domain/keys.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import { parseDuration } from '../duration.ts';
import { type CommonFlags, flagsOf, print, table, UsageError } from '../output.ts';
import { withToolbox } from '../toolbox.ts';
import { instantOf } from './moment.ts';

/** A key without its secret and digest. */
function view(key: ApiKey) {
  const { grant } = key;
  const isPublishable = grant.kind === 'publishable';
  return {
    id: key.id,
    kind: grant.kind,
    label: key.label ?? null,
    scopes: scopesOf(grant),
    origins: isPublishable ? grant.origins : [],
    allow_no_origin: isPublishable && grant.allowNoOrigin,
    requests_per_minute: isPublishable ? grant.requestsPerMinute : null,
    created_at: isoInstant(key.createdAt),
    expires_at: key.expiresAt === undefined ? null : isoInstant(key.expiresAt),
    revoked_at: key.revokedAt === undefined ? null : isoInstant(key.revokedAt),
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

function printNewKey(flags: CommonFlags, { id, key }: NewKey, more: object = {}): void {
  const text = `id   ${id}\nkey  ${key}\nThe key is shown only now: keep it safe.`;
  print(flags, { id, key, ...more }, text);
}

interface KeyFlags {
  readonly kind: string;
  readonly label?: string;
  readonly scope?: readonly string[];
  readonly origin?: readonly string[];
  readonly allowNoOrigin?: boolean;
  readonly perMinute?: string;
  readonly expires?: string;
}

/** @throws ApiError naming the field that is wrong. */
function draftOf(flags: KeyFlags, now: Instant): KeyDraft {
  const { kind, label, scope, origin, allowNoOrigin, perMinute, expires } = flags;
  const grant = grantOf(keyKind(kind), {
    scopes: splitWords(scope),
    origins: splitWords(origin),
    allowNoOrigin,
    requestsPerMinute: perMinute === undefined ? undefined : Number(perMinute),
  });
  return {
    grant,
    ...(label !== undefined && { label: keyLabel(label) }),
    ...(expires !== undefined && { lastsUntil: keyEnd(instantOf(expires, '--expires'), now) }),
  };
}

/** `--scope a,b` equals `--scope a b` and `--scope a --scope b`. */
function splitWords(given: readonly string[] | undefined): readonly string[] | undefined {
  return given?.flatMap((words) => words.split(',')).filter((word) => word !== '');
}

/** The scopes and origins of a key, for lists. */
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

export function addKeyCommands(program: Command): void {
  const group = program.command('key').description('create, list, rotate and revoke keys');

  group
    .command('create')
    .description('create a key; it is shown once')
    .argument('<account>', 'id of the account')
    .option('--kind <kind>', 'full, restricted to scopes, or publishable', 'full')
    .option('--label <text>', 'label of the key')
    .option('--scope <scope...>', `scopes: ${GRANTABLE_SCOPES.join(', ')}`)
    .option('--origin <origin...>', 'pages that may use a publishable key: https://shop.example')
    .option('--allow-no-origin', 'allow requests without an Origin, such as those of spreadsheets')
    .option('--per-minute <number>', 'requests per minute of a publishable key, at most 60')
    .option('--expires <time>', 'expiry: 2027-06-30, or 2027-06-30T04:00:00Z')
    .action(async (account: string, _options, command: Command) => {
      const flags = flagsOf<KeyFlags>(command);
      const draft = draftOf(flags, Date.now());
      await withToolbox(flags, async ({ accounts }) => {
        printNewKey(flags, await accounts.createKey(account, draft));
      });
    });

  group
    .command('list')
    .description('list the keys of an account, without their secrets')
    .argument('<account>', 'id of the account')
    .option('--limit <number>', 'keys of one page, at most 1000', `${KEYS_PER_PAGE}`)
    .option('--after <key-id>', 'the page after that key')
    .action(async (account: string, _options, command: Command) => {
      const flags = flagsOf<{ limit: string; after?: string }>(command);
      const limit = pageLimit(flags.limit);
      await withToolbox(flags, async ({ accounts }) => {
        const from = flags.after === undefined ? {} : { after: flags.after };
        const { keys, next } = await accounts.listKeys(account, { limit, ...from });
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
        const text = table(['ID', 'KIND', 'CREATED', 'STATE', 'GOOD FOR', 'LABEL'], rows) + more;
        print(flags, keys.map(view), keys.length === 0 ? 'The account has no keys.' : text);
      });
    });

  group
    .command('revoke')
    .description('revoke a key at once')
    .argument('<key-id>', 'id of the key, as "vesfx key list" shows it')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts, store }) => {
        await accounts.revokeKey(id);
        const key = await store.findKey(id);
        print(flags, key === undefined ? { id } : view(key), `Revoked ${id}.`);
      });
    });

  group
    .command('rotate')
    .description('replace a key by a new one')
    .argument('<key-id>', 'id of the old key')
    .option('--grace <duration>', 'how long the old key still works: 90s, 30m, 24h, 7d', '0s')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf<{ grace: string }>(command);
      const graceMs = parseDuration(flags.grace);
      if (graceMs > MAX_GRACE_MS) throw new UsageError('--grace is at most 720h, which is 30d.');
      await withToolbox(flags, async ({ accounts }) => {
        printNewKey(flags, await accounts.rotateKey(id, graceMs), { replaces: id });
      });
    });
}
