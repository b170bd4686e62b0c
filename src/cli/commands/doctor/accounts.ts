import { KEYS_PER_PAGE } from '../../../app/access/accounts.ts';
import type { Account } from '../../../app/ports/accounts.ts';
import type { Store } from '../../../app/ports/store.ts';
import type { Catalogue } from '../../../catalogue/catalogue.ts';
import { isLive } from '../../../domain/keys.ts';
import { type Plans, plans } from '../../../domain/plans.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Finding, ok, warning } from './finding.ts';
import { type AccountKeys, examineKeys } from './keys.ts';

const MAX_ACCOUNTS_SEARCHED = 1_000;

/** Checks that there are accounts, that each one's plan exists, and that its keys work. */
export async function examineAccounts(
  store: Store,
  { plans: { list } }: Catalogue,
  now: Instant,
): Promise<readonly Finding[]> {
  const subject = 'accounts';
  const accounts = await store.listAccounts();
  if (accounts.length === 0) {
    const remedy = 'Create one: vesfx account create --name NAME --plan PLAN.';
    return [warning(subject, 'There are no accounts: nobody can call.', remedy)];
  }
  const allPlans = plans(list, await store.keptPlans());
  const findings: Finding[] = accounts
    .filter(({ plan }) => allPlans.find(plan) === undefined)
    .map((account) =>
      warning(
        subject,
        `The account ${account.id} is on the plan ${account.plan}, which the catalogue lacks. It has the limits of ${limitsOf(allPlans, account)}.`,
        `Add the plan to plans.json, or run: vesfx account set-plan ${account.id} PLAN.`,
      ),
    );
  const searched = await keysOf(store, accounts.slice(0, MAX_ACCOUNTS_SEARCHED), now);
  if (searched.some(({ keys }) => keys.some((key) => isLive(key, now)))) {
    const count = accounts.length;
    findings.push(
      ok(subject, count === 1 ? 'There is one account.' : `There are ${count} accounts.`),
    );
  } else {
    const remedy = 'Create one: vesfx key create ACCOUNT.';
    findings.push(warning(subject, 'No account has a live key.', remedy));
  }
  return [...findings, ...examineKeys(searched, now)];
}

function limitsOf(allPlans: Plans, account: Account): string {
  const { name } = allPlans.of(account);
  return name === account.plan ? `${name} as they were` : name;
}

/** The first page of each account's keys. Active keys come first. */
async function keysOf(
  store: Store,
  accounts: readonly Account[],
  now: Instant,
): Promise<readonly AccountKeys[]> {
  const accountKeys: AccountKeys[] = [];
  for (const account of accounts) {
    const page = await store.listKeys(account.id, { now, limit: KEYS_PER_PAGE });
    accountKeys.push({ account, keys: page?.keys ?? [] });
  }
  return accountKeys;
}
