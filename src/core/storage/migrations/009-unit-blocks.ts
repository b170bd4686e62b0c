import type { Migration } from '../table.ts';

const OF_WINDOW = `l.account_id = usage.account_id and l."window" = usage."window"
  and l.opened_at = usage.opened_at`;

/**
 * Units are taken in blocks, not leased. The reserves of processes that were killed go back, because
 * nobody would take them over. A process of the version before finds out that it has lost its own, as
 * after a long pause. Its tables `holder` and `lease` stay for it.
 */
export const unitBlocks = {
  name: '009-unit-blocks',
  release: '0.3.0',
  columns: {
    usage: {
      /** Units that processes had and did not spend, by their last transactions. */
      spare: 'bigint not null default 0',
      /** When one last took more than its calls waited for. */
      spare_at: 'bigint not null default 0',
    },
  },
  statements: () => [
    `update usage set taken = taken - (select sum(l.units) from lease l where ${OF_WINDOW})
      where exists (select 1 from lease l where ${OF_WINDOW})`,
    'delete from lease',
  ],
} as const satisfies Migration;
