import type { AuditedChange, AuditPlace } from '../../app/ports/audit.ts';
import type { Store } from '../../app/ports/store.ts';
import { isoInstant, startOfCaracasDay } from '../../domain/time.ts';
import { databaseCommand } from '../command.ts';
import { visible } from '../output.ts';
import { dayOfFlag } from './moment.ts';

/** Changes that are in memory at once. */
// limit: Audited changes of a page | 500 | the next page
const CHANGES_PER_PAGE = 500;

const HELP = `
Oldest first: accounts, plans, keys, markups, records that a person gave, held records, sources, and
settings read again at a reload. The actor is the user and host of a command, and "admin" or the id of
the key of a request. Keys and tokens are never in it. A change is kept for 400 days.`;

function view({ at, kind, via, actor, what, id, accountId, before, after }: AuditedChange) {
  return {
    time: isoInstant(at),
    command: kind === 'command' ? via : null,
    endpoint: kind === 'request' ? via : null,
    actor,
    what,
    id: id === '' ? null : id,
    account: accountId ?? null,
    before,
    after,
  };
}

function lineOf({ at, via, actor, what, id, accountId, before, after }: AuditedChange): string {
  const owner = accountId === undefined || accountId === id ? '' : ` of ${accountId}`;
  const state = (fields: object | null) => (fields === null ? 'none' : JSON.stringify(fields));
  const subject = `${what}${id && ` ${id}`}${owner}`;
  return visible(
    `${isoInstant(at)}  ${actor}  ${via}  ${subject}: ${state(before)} -> ${state(after)}`,
  );
}

async function* changesSince(store: Store, since: number): AsyncGenerator<AuditedChange> {
  let after: AuditPlace | undefined;
  do {
    const page = await store.auditPage({ since, after, limit: CHANGES_PER_PAGE });
    yield* page.changes;
    after = page.next;
  } while (after !== undefined);
}

/** Waits while the reader of a pipe is slower. */
async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  const { once } = await import('node:events');
  await once(process.stdout, 'drain');
}

/** `vesfx audit`: who changed what (contract §28). */
export const auditCommand = databaseCommand({
  name: 'audit',
  about: 'show who changed what, oldest change first',
  flags: { '--since <day>': 'first day in Caracas, YYYY-MM-DD; by default all that is kept' },
  help: HELP,
  ignoresCatalogue: true,
  read: ({ since, json }) => ({
    since: since === undefined ? 0 : startOfCaracasDay(dayOfFlag(since, '--since')),
    json: json === true,
  }),
  async work({ store }, { since, json }) {
    let count = 0;
    for await (const change of changesSince(store, since)) {
      const before = count === 0 ? '[' : ',';
      await write(json ? before + JSON.stringify(view(change)) : `${lineOf(change)}\n`);
      count += 1;
    }
    if (json) await write(count === 0 ? '[]\n' : ']\n');
    else if (count === 0) await write('Nothing was changed.\n');
    return undefined;
  },
});
