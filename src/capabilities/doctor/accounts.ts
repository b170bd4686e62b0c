import { KEYS_PER_PAGE } from '../../core/app/access/accounts.ts';
import type { Account, ApiKey } from '../../core/app/ports/accounts.ts';
import type { Store } from '../../core/app/ports/store.ts';
import { isLive } from '../../core/domain/keys.ts';
import type { Plans } from '../../core/domain/plans.ts';
import { caracasDayOf, DAY_MS, type Instant } from '../../core/domain/time.ts';
import { type Finding, ok, warning } from './finding.ts';

// limit: `vesfx doctor`: accounts | 1,000, 100 keys each | not checked; `--on` says so
export const MAX_ACCOUNTS_SEARCHED = 1_000;

/** Checks that there are accounts, that each one's plan exists, and that its keys work. */
export async function examineAccounts(
  store: Store,
  allPlans: Plans,
  now: Instant,
): Promise<readonly Finding[]> {
  const subject = 'accounts';
  const accounts = await store.listAccounts();
  if (accounts.length === 0) {
    const remedy = 'Create one: vesfx account create --name NAME --plan PLAN.';
    return [warning(subject, 'There are no accounts: nobody can call.', remedy)];
  }
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

/** A key that ends within this time should already have a successor. */
const ENDS_SOON_DAYS = 14;
/** Most keys named in one finding. The others are counted. */
// limit: `vesfx doctor`: keys named | 10 | counted
export const MAX_KEYS_NAMED = 10;

/** The keys of one account: active ones and those that ended in the last 30 days. */
export interface AccountKeys {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

/** Likely mistakes in the keys of active accounts. */
export function examineKeys(all: readonly AccountKeys[], now: Instant): readonly Finding[] {
  const active = all.filter(({ account }) => account.status === 'active');
  const live = active.flatMap(({ keys }) => keys.filter((key) => isLive(key, now)));
  return [
    ...named(
      live.filter(isOfNoUse).map(({ id, accountId }) => `${id} of ${accountId}`),
      'Publishable keys that neither pages nor spreadsheets may use',
      'Give each an origin, or let it be used without one (allow_no_origin): in the console, or by PATCH /v1/account/keys/ID.',
    ),
    ...named(
      live
        .filter((key) => endsSoon(key, now))
        .map((key) => `${key.id} of ${key.accountId} (${caracasDayOf(key.expiresAt ?? 0)})`),
      `Keys that end within ${ENDS_SOON_DAYS} days`,
      'Give each a later end, or rotate it, before its programs are refused: vesfx key rotate KEY.',
    ),
    ...named(
      active.filter((keys) => isShutOut(keys, now)).map(({ account: { id } }) => id),
      'Accounts whose last key has expired',
      'Make a new one if the account is still in use: vesfx key create ACCOUNT.',
    ),
  ];
}

function isOfNoUse({ grant }: ApiKey): boolean {
  return grant.kind === 'publishable' && grant.origins.length === 0 && !grant.allowNoOrigin;
}

/** Whether its own end is near. A key in its grace period already has a successor. */
function endsSoon({ expiresAt, lastsUntil }: ApiKey, now: Instant): boolean {
  return (
    expiresAt !== undefined &&
    expiresAt === lastsUntil &&
    expiresAt <= now + ENDS_SOON_DAYS * DAY_MS
  );
}

/** Revoking a key is intended; an expiry date may pass unnoticed. */
function isShutOut({ keys }: AccountKeys, now: Instant): boolean {
  const isRevoked = ({ revokedAt }: ApiKey) => revokedAt !== undefined;
  return !keys.every(isRevoked) && !keys.some((key) => isLive(key, now));
}

function named(names: readonly string[], what: string, remedy: string): readonly Finding[] {
  if (names.length === 0) return [];
  const listed = names.slice(0, MAX_KEYS_NAMED).join(', ');
  const rest = names.length > MAX_KEYS_NAMED ? ` and ${names.length - MAX_KEYS_NAMED} more` : '';
  return [warning('keys', `${what}: ${listed}${rest}.`, remedy)];
}
