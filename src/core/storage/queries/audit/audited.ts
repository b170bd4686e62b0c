import { randomBytes } from 'node:crypto';
import { currentAuthor } from '../../../app/audit/author.ts';
import { maskKeys } from '../../../app/audit/change.ts';
import type { Author, Change } from '../../../app/ports/audit.ts';
import type { LockScope, Queries, Transactions } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { partsOf } from '../upsert.ts';

const ROWS_PER_INSERT = 500;

/** Transactions of this process so far. */
let transactions = 0;

/** Takes a change that the transaction makes. */
export type Note = (change: Change) => void;

/**
 * Runs a write of what an operator or an account can change, with the changes that it notes: either
 * all is stored, or nothing. The author is the one at the call, not at the turn of the transaction.
 * What the service does by itself has none, and leaves no row.
 */
export function audited<T>(
  engine: Transactions,
  scope: LockScope,
  work: (db: Queries, note: Note) => Promise<T>,
): Promise<T> {
  const author = currentAuthor();
  return engine.write(scope, async (db) => {
    const changes: Change[] = [];
    const result = await work(db, (change) => changes.push(change));
    if (author !== undefined) await storeChanges(db, author, changes);
    return result;
  });
}

/** Adds the rows of the changes of one transaction. */
export async function storeChanges(
  db: Queries,
  { kind, via, actor, now }: Author,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const at = now();
  transactions += 1;
  // Those of one process and instant stay in order; those of two never have the same id.
  const id = `${transactions.toString(36).padStart(8, '0')}${randomBytes(8).toString('hex')}`;
  const rows = changes.map((change, place): Tables['audit'] => ({
    ...{ at, id, place, kind, via, actor },
    what: change.what,
    target: maskKeys(change.id),
    account_id: change.accountId ?? '',
    was: textOf(change.before),
    is_now: textOf(change.after),
  }));
  for (const part of partsOf(rows, ROWS_PER_INSERT)) {
    await db.insertInto('audit').values(part).execute();
  }
}

function textOf(state: Change['before']): string | null {
  return state === null ? null : maskKeys(JSON.stringify(state));
}
