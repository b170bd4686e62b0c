import { ApiError } from '../../domain/errors.ts';
import type { Plans } from '../../domain/plans.ts';
import type { Instant } from '../../domain/time.ts';
import type { Account, ApiKey } from '../ports/accounts.ts';
import { keysMaxOf } from './account-errors.ts';
import { nameAsRead } from './account-names.ts';
import { draftAccount, draftKey } from './accounts.ts';
import { keyLabel } from './key-request.ts';

/** Most accounts that one file makes, in one transaction. */
// limit: Accounts of one file | 1,000 | refused
export const MAX_NEW_ACCOUNTS = 1_000;

/** An account that someone wants, as it was written. */
export interface WantedAccount {
  readonly line: number;
  readonly name: string;
  readonly plan: string;
  /** Of its key; '' for none. */
  readonly label: string;
}

export interface NewAccount {
  readonly account: Account;
  readonly record: ApiKey;
  /** The key itself, which is not stored. */
  readonly key: string;
}

interface BadAccount {
  readonly line: number;
  readonly reason: string;
}

/** Accounts with one key each, or why some cannot be made. */
export function newAccounts(
  wanted: readonly WantedAccount[],
  {
    plans,
    existing,
    now,
  }: { readonly plans: Plans; readonly existing: readonly Account[]; readonly now: Instant },
): { readonly made: readonly NewAccount[]; readonly bad: readonly BadAccount[] } {
  const taken = new Map(
    existing.map(({ name, id }) => [nameAsRead(name), `the account ${id} has the name ${name}`]),
  );
  const made: NewAccount[] = [];
  const bad: BadAccount[] = [];
  for (const { line, name, plan, label } of wanted) {
    try {
      const account = draftAccount(plans, { name, plan, createdAt: now });
      const owner = taken.get(nameAsRead(account.name));
      // A file that is loaded again must not make every account twice.
      if (owner !== undefined) {
        bad.push({ line, reason: `${owner} already` });
        continue;
      }
      taken.set(nameAsRead(account.name), `line ${line} has the name ${account.name}`);
      const draft = { grant: { kind: 'full' }, label: labelOf(label) } as const;
      if (keysMaxOf(plans.of(account), 'full') === 0) {
        bad.push({ line, reason: `${account.plan} has no keys` });
      } else made.push({ account, ...draftKey(account.id, draft, now) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      bad.push({ line, reason: error.message });
    }
  }
  return { made, bad };
}

function labelOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : keyLabel(text);
}
