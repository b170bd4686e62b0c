import type { Store } from '../../../app/ports/store.ts';
import type { Catalogue } from '../../../catalogue/catalogue.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Finding } from './finding.ts';

/** Most accounts whose keys are looked through for a live one. */
const MAX_ACCOUNTS_SEARCHED = 1_000;

/** Whether anyone can call, and whether each account is on a plan that there is. */
export async function examineAccounts(
  store: Store,
  { plans }: Catalogue,
  now: Instant,
): Promise<readonly Finding[]> {
  const subject = 'accounts';
  const accounts = await store.listAccounts();
  if (accounts.length === 0) {
    const remedy = 'Create one: vesfx account create --name NAME --plan PLAN.';
    return [
      { level: 'warning', subject, message: 'There are no accounts: nobody can call.', remedy },
    ];
  }
  const findings: Finding[] = accounts
    .filter(({ plan }) => plans.find(plan) === undefined)
    .map(({ id, plan }) => ({
      level: 'broken',
      subject,
      message: `The account ${id} is on the plan ${plan}, which the catalogue lacks: the service does not start.`,
      remedy: `Add the plan to plans.json, or run: vesfx account set-plan ${id} PLAN.`,
    }));
  if (await hasLiveKey(store, accounts.slice(0, MAX_ACCOUNTS_SEARCHED), now)) {
    findings.push({ level: 'ok', subject, message: `There are ${accounts.length} accounts.` });
  } else {
    const remedy = 'Create one: vesfx key create ACCOUNT.';
    findings.push({ level: 'warning', subject, message: 'No account has a live key.', remedy });
  }
  return findings;
}

async function hasLiveKey(
  store: Store,
  accounts: readonly { readonly id: string }[],
  now: Instant,
): Promise<boolean> {
  for (const { id } of accounts) {
    // Live keys come first.
    const first = (await store.listKeys(id, { now, limit: 1 }))?.keys[0];
    if (first === undefined || first.revokedAt !== undefined) continue;
    if ((first.expiresAt ?? Infinity) > now) return true;
  }
  return false;
}
