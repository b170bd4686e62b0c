import { clusteredTable, type Migration, plainTable } from '../table.ts';

/** Webhooks (contract §24): endpoints, events, and the messages to each endpoint with their attempts. */
export const webhookTables = {
  name: '011-webhooks',
  release: '0.4.0',
  tables: {
    webhook_endpoint: plainTable(['id'], {
      id: 'text not null',
      account_id: 'text not null references account (id)',
      url: 'text not null',
      /** JSON list of the types that it asks for. */
      events: 'text not null',
      /** JSON list of the ids of markets; every market when empty. */
      markets: 'text not null',
      threshold_percent: 'double precision not null',
      description: 'text',
      status: 'text not null',
      disabled_reason: 'text',
      /** Since when every attempt has failed. */
      failing_since: 'bigint',
      last_success_at: 'bigint',
      created_at: 'bigint not null',
      /** Sealed, like the next one. */
      secret: 'text not null',
      /** The one before a rotation, which signs too until `former_until`. */
      former_secret: 'text',
      former_until: 'bigint',
      /** The newest event before its creation. */
      since_seq: 'bigint not null',
      /** The newest event of which messages were made for it, or that is older than it. */
      told_seq: 'bigint not null',
    }),
    /** What happened, once for all endpoints. `rate.changed` depends on the endpoint and is not here. */
    webhook_event: plainTable(['seq'], {
      seq: 'bigint not null',
      /** The same occurrence always has the same text. */
      dedupe: 'text not null unique',
      type: 'text not null',
      /** A value date, a market or a source. */
      subject: 'text not null',
      at: 'bigint not null',
      data: 'text not null',
      /** 1 while what began has not ended, which keeps the row. */
      is_open: 'integer not null',
    }),
    /** The rate of a market that an endpoint was last told, at first the one at its creation. */
    webhook_rate: clusteredTable(['endpoint_id', 'market'], {
      endpoint_id: 'text not null references webhook_endpoint (id) on delete cascade',
      market: 'text not null',
      /** In the unit of the day of `told_at`. */
      mid: 'double precision not null',
      updated_at: 'bigint not null',
      told_at: 'bigint not null',
    }),
    webhook_message: plainTable(['id'], {
      /** Begins with the time, so that ids sort by age. */
      id: 'text not null',
      endpoint_id: 'text not null references webhook_endpoint (id) on delete cascade',
      /** Null for what is no row of `webhook_event`. */
      event_seq: 'bigint',
      type: 'text not null',
      /** As in `webhook_event`. */
      subject: 'text not null',
      body: 'text not null',
      status: 'text not null',
      created_at: 'bigint not null',
      attempts_made: 'integer not null',
      /** Its place in the schedule, which a redelivery begins again. */
      failures: 'integer not null',
      next_at: 'bigint not null',
      last_status: 'integer',
      last_error: 'text',
    }),
    webhook_attempt: clusteredTable(['message_id', 'number'], {
      message_id: 'text not null references webhook_message (id) on delete cascade',
      number: 'integer not null',
      at: 'bigint not null',
      /** Null without an answer. */
      status: 'integer',
      error: 'text',
      ms: 'integer not null',
      /** The beginning of the answer. */
      excerpt: 'text not null',
    }),
  },
  statements: () => [
    'create unique index webhook_endpoint_url on webhook_endpoint (account_id, url)',
    'create index webhook_event_subject on webhook_event (type, subject)',
    'create unique index webhook_message_event on webhook_message (endpoint_id, event_seq)',
    'create index webhook_message_age on webhook_message (created_at)',
    "create index webhook_message_due on webhook_message (endpoint_id, next_at) where status = 'pending'",
    'create index webhook_message_list on webhook_message (endpoint_id, id)',
  ],
} as const satisfies Migration;
