import { clusteredTable, type Migration } from '../table.ts';

/** What is remembered of the published quotes of each market; of older ones since when they are unchanged. */
export const quoteStates = {
  name: '007-quote-state',
  release: '0.3.0',
  tables: {
    /** What is remembered of the published quotes of each market without value dates (contract §8). */
    quote_state: clusteredTable(['market'], {
      market: 'text not null',
      /** When the current figures were first read. */
      unchanged_since: 'bigint not null',
      /** The last figure that a second voice supported, and when; null without any. */
      supported_mid: 'double precision',
      supported_at: 'bigint',
      /** When a figure that drifted too far was read last; null when the current one did not. */
      drifted_at: 'bigint',
      /** JSON of the step of its origin that no other has followed; null without one. */
      step: 'text',
    }),
  },
  statements: () => [
    `
    with
      newest(number, id, at) as (
        select m.number, m.id, (
          select l.captured_at from capture l
          where l.market = m.number
          order by l.captured_at desc limit 1
        )
        from market m
      ),
      latest(number, id, at, mid, ask, bid) as (
        select n.number, n.id, n.at, c.mid, c.ask, c.bid
        from newest n
        cross join capture c
        where c.market = n.number and c.captured_at = n.at
        and c.updated_at = (
          select max(l.updated_at) from capture l
          where l.market = n.number and l.captured_at = n.at
        )
      ),
      changed(number, id, at, before) as (
        select number, id, at, (
          select c.captured_at from capture c
          where c.market = number and (c.mid <> latest.mid or c.ask <> latest.ask or c.bid <> latest.bid)
          order by c.captured_at desc limit 1
        )
        from latest
      )
    insert into quote_state (market, unchanged_since)
    select id, min(coalesce((
      select c.captured_at from capture c
      where c.market = number and c.captured_at > coalesce(before, -9000000000000000)
      order by c.captured_at limit 1
    ), at))
    from changed
    group by id`,
  ],
} as const satisfies Migration;
