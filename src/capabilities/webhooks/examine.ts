import type { CapabilityFinding } from '../../core/capability.ts';
import type { Plans } from '../../core/domain/plans.ts';
import type { OpenedStore } from '../../core/storage/store.ts';
import { sealerOf } from './secrets.ts';
import { isOverPlan } from './webhook-types.ts';

const subject = 'webhooks';

// limit: Webhooks that `vesfx doctor` looks at | 10,000 | not looked at
const MAX_EXAMINED = 10_000;
// limit: `vesfx doctor`: webhooks named | 10 | counted
const MAX_NAMED = 10;

/** Whether webhooks are sent, and why not. */
export async function examineWebhooks(
  secret: string | undefined,
  { engine }: Pick<OpenedStore, 'engine'>,
  plans: Plans,
): Promise<readonly CapabilityFinding[]> {
  const rows = await engine.read((db) =>
    db
      .selectFrom('webhook_endpoint as e')
      .innerJoin('account as a', 'a.id', 'e.account_id')
      .select(['e.id', 'e.secret', 'e.account_id', 'a.plan', 'a.former_plan'])
      .orderBy('e.account_id')
      .orderBy('e.created_at')
      .orderBy('e.id')
      .limit(MAX_EXAMINED)
      .execute(),
  );
  const remedy = 'Set VESFX_SECRET in every process as it was when they were made.';
  if (secret === undefined) {
    const message = 'There are no webhooks, and their addresses are 404: VESFX_SECRET is not set.';
    if (rows.length === 0) return [{ level: 'ok', subject, message }];
    const waiting = `Webhooks that get nothing, because VESFX_SECRET is not set: ${rows.length}.`;
    return [{ level: 'warning', subject, message: waiting, remedy }];
  }
  const ofAccount = new Map<string, number>();
  const beyond = rows.filter(({ account_id: account, plan, former_plan: formerPlan }) => {
    const older = ofAccount.get(account) ?? 0;
    ofAccount.set(account, older + 1);
    return isOverPlan(plans.of({ plan, ...(formerPlan !== null && { formerPlan }) }), older);
  });
  const sealer = sealerOf(secret, 'webhook');
  const unread = rows.filter((row) => sealer.open(row.secret, row.id) === undefined).length;
  const findings = [
    ...(beyond.length > 0 ? [beyondPlans(beyond)] : []),
    ...(unread > 0 ? [unreadable(unread, remedy)] : []),
  ];
  if (findings.length > 0) return findings;
  return [{ level: 'ok', subject, message: `Webhooks: ${rows.length}.` }];
}

function beyondPlans(rows: readonly { id: string; account_id: string }[]): CapabilityFinding {
  const named = rows.slice(0, MAX_NAMED).map(({ id, account_id }) => `${id} of ${account_id}`);
  const rest = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : '';
  const message = `Webhooks beyond the plan of their account, which get nothing: ${named.join(', ')}${rest}.`;
  const remedy =
    'Give the account a plan that includes them, or delete those it does not need: vesfx account set-plan, vesfx webhook delete.';
  return { level: 'warning', subject, message, remedy };
}

function unreadable(count: number, remedy: string): CapabilityFinding {
  const message = `Webhooks that get nothing, because their secrets were sealed with another VESFX_SECRET: ${count}.`;
  const or = `${remedy} If it is lost, their accounts rotate them.`;
  return { level: 'warning', subject, message, remedy: or };
}
