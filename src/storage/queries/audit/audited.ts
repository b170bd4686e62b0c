import { randomBytes } from 'node:crypto';
import { currentAuthor } from '../../../app/audit/author.ts';
import { withoutKeys } from '../../../app/audit/change.ts';
import type { Author, Change } from '../../../app/ports/audit.ts';
import type { Engine, LockScope, Queries } from '../../engine.ts';
import type { Tables } from '../../schema.ts';
import { partsOf } from '../upsert.ts';

const ROWS_PER_INSERT = 500;

/** Takes a change that the transaction makes. */
export type Note = (change: Change) => void;

/** What changes accounts without being a command or a request: the demonstration, for example. */
const THE_SERVICE: Author = {
  kind: 'command',
  via: 'vesfx',
  actor: 'vesfx',
  now: () => Date.now(),
};

/** The author of a write that only an operator or an account makes. */
export function authorOfWrite(): Author {
  return currentAuthor() ?? THE_SERVICE;
}

/**
 * Runs a write of what an operator or an account can change, with the changes that it notes: either
 * all is stored, or nothing. The author is the one at the call, not at the turn of the transaction.
 */
export function audited<T>(
  engine: Engine,
  scope: LockScope,
  work: (db: Queries, note: Note) => Promise<T>,
): Promise<T> {
  const author = authorOfWrite();
  return engine.write(scope, async (db) => {
    const changes: Change[] = [];
    const result = await work(db, (change) => changes.push(change));
    await storeChanges(db, author, changes);
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
  const id = randomBytes(8).toString('hex');
  const rows = changes.map((change, place): Tables['audit'] => ({
    ...{ at, id, place, kind, via, actor },
    what: change.what,
    target: withoutKeys(change.id),
    account_id: change.accountId ?? '',
    was: textOf(change.before),
    is_now: textOf(change.after),
  }));
  for (const part of partsOf(rows, ROWS_PER_INSERT)) {
    await db.insertInto('audit').values(part).execute();
  }
}

function textOf(state: Change['before']): string | null {
  return state === null ? null : withoutKeys(JSON.stringify(state));
}
