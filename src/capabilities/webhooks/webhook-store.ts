import { isDeepStrictEqual } from 'node:util';
import { differing } from '../../core/app/audit/change.ts';
import type { Config } from '../../core/config.ts';
import { SECOND_MS } from '../../core/domain/time.ts';
import { type Engine, type Queries, transactionsWithin } from '../../core/storage/engine.ts';
import { requireAccount } from '../../core/storage/queries/accounts.ts';
import { audited } from '../../core/storage/queries/audit/audited.ts';
import type { OpenedStore } from '../../core/storage/store.ts';
import { deliveryLog } from './delivery-log.ts';
import { newestSeq, newsOf, storeNews } from './events.ts';
import { readOccasion, type WebhookRules } from './occasion.ts';
import { newSecret, type Sealer, sealerOf } from './secrets.ts';
import { startRates } from './told-rates.ts';
import {
  type EndpointRow,
  endpointRow,
  endpointsOf,
  newEndpointId,
  webhookOf,
  webhookState,
  wishColumns,
} from './webhook-rows.ts';
import type { WebhookStore } from './webhook-types.ts';

interface StoreParts {
  readonly engine: Engine;
  readonly sealer: Sealer;
  /** Those of now: the catalogue may be read again. */
  readonly rules: () => WebhookRules;
}

/** The endpoints of a process; undefined without `VESFX_SECRET`: then there are none. */
export function openWebhookStore(
  { added }: Pick<Config, 'added'>,
  { engine }: Pick<OpenedStore, 'engine'>,
  rules: () => WebhookRules,
): WebhookStore | undefined {
  const secret = added['VESFX_SECRET'];
  if (secret === undefined) return undefined;
  return webhookStore({ engine, sealer: sealerOf(secret, 'webhook'), rules });
}

/** The endpoints, in transactions that exclude whoever makes messages for them. */
export function webhookStore({ engine, sealer, rules }: StoreParts): WebhookStore {
  const scopeOf = (account: string) => ({ access: true, collecting: true, account });

  /** What happened before the transaction is not told to an endpoint that it makes or revives. */
  async function readUpTo(db: Queries, now: number) {
    const occasion = await readOccasion(transactionsWithin(db), rules(), now);
    const { redenominations } = rules();
    while (await storeNews(db, await newsOf(db, occasion, redenominations), now));
    return { occasion, told_seq: await newestSeq(db) };
  }

  return {
    ...deliveryLog(engine, rules),
    list: (accountId) =>
      engine.read(async (db) => {
        const rows = await endpointsOf(db, accountId).orderBy('created_at').orderBy('id').execute();
        return rows.map(webhookOf);
      }, accountId),
    find: (accountId, id) =>
      engine.read(async (db) => {
        const row = await endpointRow(db, accountId, id);
        return row && webhookOf(row);
      }, accountId),
    create: async (accountId, wish, { max, now }) => {
      const secret = newSecret();
      const refusalIn = async (db: Queries) => {
        const stored = await endpointsOf(db, accountId).execute();
        if (stored.some(({ url }) => url === wish.url)) return 'exists';
        return max !== null && stored.length >= max ? 'full' : undefined;
      };
      const refusal = await engine.read(refusalIn, accountId);
      if (refusal !== undefined) return refusal;
      return audited(engine, scopeOf(accountId), async (db, note) => {
        await requireAccount(db, accountId);
        const refused = await refusalIn(db);
        if (refused !== undefined) return refused;
        const { occasion, told_seq } = await readUpTo(db, now);
        const id = newEndpointId();
        const row: EndpointRow = {
          ...{ id, account_id: accountId, created_at: now },
          ...{ since_seq: told_seq, told_seq },
          ...wishColumns(wish),
          secret: sealer.seal(secret, id),
          ...{ former_secret: null, former_until: null },
          ...{ failing_since: null, last_success_at: null },
        };
        await db.insertInto('webhook_endpoint').values(row).execute();
        const webhook = webhookOf(row);
        await startRates(db, webhook, occasion);
        note({ what: 'webhook', id, accountId, before: null, after: webhookState(webhook) });
        return { webhook, secret };
      });
    },
    replace: async (accountId, id, wish, now) => {
      if ((await engine.read((db) => endpointRow(db, accountId, id), accountId)) === undefined)
        return 'missing';
      return audited(engine, scopeOf(accountId), async (db, note) => {
        const row = await endpointRow(db, accountId, id);
        if (row === undefined) return 'missing';
        const others = await endpointsOf(db, accountId).where('id', '<>', id).execute();
        if (others.some(({ url }) => url === wish.url)) return 'exists';
        const before = webhookOf(row);
        const revives = wish.active && before.status !== 'active';
        const { occasion, told_seq } = await readUpTo(db, now);
        const changed: EndpointRow = {
          ...row,
          ...wishColumns(wish),
          ...(revives && { failing_since: null, told_seq }),
        };
        const after = webhookOf(changed);
        const { id: _, ...columns } = changed;
        if (!isDeepStrictEqual(changed, row)) {
          await db.updateTable('webhook_endpoint').set(columns).where('id', '=', id).execute();
        }
        await startRates(db, after, occasion);
        const difference = differing(webhookState(before), webhookState(after));
        if (difference !== undefined) note({ what: 'webhook', id, accountId, ...difference });
        return after;
      });
    },
    delete: async (accountId, id) => {
      if ((await engine.read((db) => endpointRow(db, accountId, id), accountId)) === undefined)
        return false;
      return audited(engine, scopeOf(accountId), async (db, note) => {
        const row = await endpointRow(db, accountId, id);
        if (row === undefined) return false;
        await db.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
        const before = webhookState(webhookOf(row));
        note({ what: 'webhook', id, accountId, before, after: null });
        return true;
      });
    },
    rotate: async (accountId, id, { graceMs, now }) => {
      if ((await engine.read((db) => endpointRow(db, accountId, id), accountId)) === undefined)
        return 'missing';
      const secret = newSecret();
      return audited(engine, scopeOf(accountId), async (db, note) => {
        const row = await endpointRow(db, accountId, id);
        if (row === undefined) return 'missing';
        const isKept = graceMs > 0 && sealer.open(row.secret, id) !== undefined;
        const former_until = isKept ? now + graceMs : null;
        await db
          .updateTable('webhook_endpoint')
          .set({ secret: sealer.seal(secret, id) })
          .set({ former_secret: isKept ? row.secret : null, former_until })
          .where('id', '=', id)
          .execute();
        const grace_sec = isKept ? graceMs / SECOND_MS : 0;
        const after = { secret: 'rotated', grace_sec };
        note({ what: 'webhook', id, accountId, before: { secret: 'former' }, after });
        return { secret, previousExpiresAt: former_until ?? undefined };
      });
    },
  };
}
