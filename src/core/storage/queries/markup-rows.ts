import type { MarkupRule } from '../../domain/markup.ts';
import type { Tables } from '../schema.ts';
import type { Note } from './audit/audited.ts';
import { storedJson } from './record-rows.ts';

export function storedRule(row: Tables['markup']): MarkupRule {
  const { tag, kind, value } = row;
  return { tag, kind, value, markets: storedJson(row.markets), active: row.active === 1 };
}

export function markupRow(
  accountId: string,
  rule: MarkupRule,
): Omit<Tables['markup'], 'created_seq'> {
  return {
    account_id: accountId,
    tag: rule.tag,
    kind: rule.kind,
    value: rule.value,
    markets: JSON.stringify(rule.markets),
    active: rule.active ? 1 : 0,
  };
}

/** Notes a rule that the transaction removed. */
export function noteRemovedRule(note: Note, row: Tables['markup']): void {
  const { tag: id, account_id: accountId } = row;
  note({ what: 'markup', id, accountId, before: { ...storedRule(row) }, after: null });
}
