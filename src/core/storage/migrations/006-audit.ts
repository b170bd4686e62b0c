import { clusteredTable, type Migration } from '../table.ts';

/** The audit log. */
export const auditLog = {
  name: '006-audit',
  release: '0.3.0',
  tables: {
    /** Who changed what (contract §28). Rows are only added, and removed when they are old. */
    audit: clusteredTable(['at', 'id', 'place'], {
      at: 'bigint not null',
      /** Of the transaction: its number in its process, and a random part. */
      id: 'text not null',
      /** Of the change within the transaction. */
      place: 'integer not null',
      /** `command` or `request`. */
      kind: 'text not null',
      /** The command or the endpoint. */
      via: 'text not null',
      /** `user@host`, `admin` or the id of a key. */
      actor: 'text not null',
      what: 'text not null',
      /** Id of what changed; '' where there is only one. */
      target: 'text not null',
      /** '' for what belongs to no account. */
      account_id: 'text not null',
      /** JSON; null when it was not there before. */
      was: 'text',
      /** JSON; null when it is no longer there. */
      is_now: 'text',
    }),
  },
} as const satisfies Migration;
