import type { Command } from 'commander';
import { KEYS_PER_PAGE, MAX_KEYS_PER_PAGE, type NewKey } from '../../app/access/accounts.ts';
import type { ApiKey } from '../../app/ports/accounts.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import { parseDuration } from '../duration.ts';
import { type CommonFlags, flagsOf, print, table, UsageError } from '../output.ts';
import { withToolbox } from '../toolbox.ts';

/** A key without anything that opens a door. */
function view(key: ApiKey) {
  return {
    id: key.id,
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

/** `vesfx key …`: what callers send in `X-API-Key`. */
export function addKeyCommands(program: Command): void {
  const group = program.command('key').description('create, list, rotate and revoke keys');

  group
    .command('create')
    .description('create a key; it is shown once')
    .argument('<account>', 'id of the account')
    .action(async (account: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        printNewKey(flags, await accounts.createKey(account));
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
        const rows = keys.map((key) => [key.id, isoInstant(key.createdAt), stateOf(key, now)]);
        const more = next === undefined ? '' : `\nThere are more: add --after ${next}`;
        const text = table(['ID', 'CREATED', 'STATE'], rows) + more;
        print(flags, keys.map(view), keys.length === 0 ? 'The account has no keys.' : text);
      });
    });

  group
    .command('revoke')
    .description('refuse a key from now on')
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
    .description('put a new key in the place of an old one')
    .argument('<key-id>', 'id of the old key')
    .option('--grace <duration>', 'how long the old key goes on working: 90s, 30m, 24h, 7d', '0s')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf<{ grace: string }>(command);
      const graceMs = parseDuration(flags.grace);
      await withToolbox(flags, async ({ accounts }) => {
        printNewKey(flags, await accounts.rotateKey(id, graceMs), { replaces: id });
      });
    });
}
