import type { Account, AccountUse } from '../../../app/ports/accounts.ts';
import type { Toolbox } from '../../../compose.ts';
import { ConfigError, readConfig } from '../../../config.ts';
import type { Plan } from '../../../domain/plans.ts';
import { isoInstant, utcMonthOf } from '../../../domain/time.ts';
import type { Result } from '../../command.ts';
import { type CommonFlags, isoTime, labelledText, textTable } from '../../output.ts';

export const NO_ACCOUNTS = 'There are no accounts yet.';

/** An account, and what it uses. */
interface UsedAccount {
  readonly account: Account;
  readonly use: AccountUse;
  /** Name of the UTC month, `YYYY-MM`. */
  readonly month: string;
  /** Null for any number; undefined when the plan is known nowhere. */
  readonly unitsPerMonth: number | null | undefined;
}

export function view({ id, name, plan, status, createdAt }: Account) {
  return { id, name, plan, status, created_at: isoInstant(createdAt) };
}

/** The plans of the catalogue; none when it has a fault, which must not hide the accounts. */
export async function readablePlans(flags: CommonFlags): Promise<readonly Plan[]> {
  const { loadCatalogue } = await import('../../../catalogue/catalogue.ts');
  try {
    return loadCatalogue(readConfig(flags).catalogueDir).plans.list;
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

/** A plan has the limits with which a service last ran, else those of the catalogue. */
export async function withUses(
  { store }: Pick<Toolbox, 'store'>,
  accounts: readonly Account[],
  plans: readonly Plan[],
): Promise<readonly UsedAccount[]> {
  const now = Date.now();
  const [only] = accounts;
  const wanted = accounts.length === 1 && only !== undefined ? { now, id: only.id } : { now };
  const uses = new Map((await store.accountUses(wanted)).map((use) => [use.accountId, use]));
  const kept = (await store.keptPlans()).map(({ plan }) => plan);
  const planOf = (name: string) => [...kept, ...plans].find((plan) => plan.name === name);
  const month = utcMonthOf(now).name;
  return accounts.flatMap((account) => {
    const use = uses.get(account.id);
    const { unitsPerMonth } = planOf(account.plan) ?? {};
    return use === undefined ? [] : [{ account, use, month, unitsPerMonth }];
  });
}

export function useView({ use, month, unitsPerMonth }: UsedAccount) {
  return {
    month,
    units_used: use.unitsUsed,
    units_per_month: unitsPerMonth,
    last_used_at: isoTime(use.lastUsedAt) ?? null,
    live_keys: use.liveKeys,
  };
}

function planUnits({ unitsPerMonth }: UsedAccount): string {
  if (unitsPerMonth === undefined) return 'unknown';
  return unitsPerMonth === null ? 'no limit' : `${unitsPerMonth}`;
}

export function usageText(used: UsedAccount): string {
  const { use, month } = used;
  const rows = [
    ['units', `${use.unitsUsed} of ${planUnits(used)} in ${month}`],
    ['used', isoTime(use.lastUsedAt) ?? 'never'],
    ['keys', `${use.liveKeys} live`],
  ] as const;
  return labelledText(rows, 9);
}

export function usageList(list: readonly UsedAccount[]): Result {
  const columns = ['ID', 'PLAN', 'STATUS', 'UNITS', 'OF', 'LAST USED', 'KEYS', 'NAME'];
  const rows = list.map((used) => {
    const { id, plan, status, name } = used.account;
    const { unitsUsed, liveKeys, lastUsedAt } = used.use;
    const last = isoTime(lastUsedAt) ?? 'never';
    return [id, plan, status, `${unitsUsed}`, planUnits(used), last, `${liveKeys}`, name];
  });
  return {
    json: list.map((used) => ({ ...view(used.account), ...useView(used) })),
    text: textTable(columns, rows, NO_ACCOUNTS),
  };
}
