import { ingestOf } from '../../faults/replay/desk.ts';
import type { IngestCounts, IngestOptions } from '../../src/core/app/ingest/batch.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import type { Store } from '../../src/core/app/ports/store.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { day } from '../../testkit/day.ts';
import { iso, official, quote, quotesAt } from './make.ts';
import { START, startTestService } from './service.ts';

export const ACCEPTED = { accepted: 1, held: 0, refused: 0, duplicate: 0 };
export const HELD = { accepted: 0, held: 1, refused: 0, duplicate: 0 };
export const DUPLICATE = { accepted: 0, held: 0, refused: 0, duplicate: 1 };

/** Two readers of one venue, an aggregator that relays it, and independent sources. */
const ORIGINS: Readonly<Record<string, string>> = {
  'first-reader': 'venue',
  'second-reader': 'venue',
  // A witness that relays another one.
  'relay-mirror': 'relay',
};

/** A service on an empty store, and readings of its sources without trust. */
export async function judging() {
  const service = await startTestService();
  const key = await service.keyFor('Escala');
  const { store, changePoller } = service.service;
  const { clock } = service;
  const ingest = ingestOf(store, clock.now, (source) => ORIGINS[source] ?? source);

  async function ingestAll(
    records: readonly object[],
    options: Partial<IngestOptions> = {},
  ): Promise<IngestCounts> {
    const bad: string[] = [];
    const lines = recordsIn(records.map((record) => JSON.stringify(record)));
    const counts = await ingest.ingest(lines, {
      source: 'yadio',
      ...options,
      tell(told) {
        if (told.bad !== undefined) bad.push(told.bad.reason);
        options.tell?.(told);
      },
    });
    if (bad.length > 0) throw new Error(bad.join('; '));
    await changePoller.poll();
    return counts;
  }

  return {
    service,
    store,
    ingest,
    ingestAll,
    /** Reads `mid` of the market, that many minutes after the start. */
    async read(
      mid: number,
      minutes = 0,
      {
        market = 'parallel',
        source = 'yadio',
        ...more
      }: { market?: string; source?: string; updated_at?: string } = {},
    ) {
      const at = START + minutes * MINUTE_MS;
      clock.set(at);
      const record = {
        kind: 'quote',
        market,
        mid,
        updated_at: iso(at),
        captured_at: iso(at),
        ...more,
      };
      return ingestAll([record], { source });
    },
    /** Reads markets together, that many minutes after the start. */
    async readAll(mids: Readonly<Record<string, number>>, minutes: number, source = 'yadio') {
      const at = START + minutes * MINUTE_MS;
      clock.set(at);
      return ingestAll(quotesAt(at, mids), { source });
    },
    /** A publication as a page shows it at that time. */
    async page(time: string, valueDate: string, rates: Parameters<typeof official>[1]) {
      clock.set(Date.parse(time));
      const record = official(valueDate, rates, { captured_at: iso(Date.parse(time)) });
      return ingestAll([record], { source: 'bcv-official', isPage: true });
    },
    mid: async (market = 'parallel') =>
      (await service.call(`/v1/fx/rates/${market}`, { key })).json.mid,
    get: async (path: string) => (await service.call(`/v1/fx/${path}`, { key })).json,
    /** Every captured rate of a market, oldest first. */
    pastRates: async (market = 'parallel'): Promise<readonly number[]> => {
      const path = `/v1/fx/rates/${market}/history?granularity=raw`;
      const { json } = await service.call(path, { key });
      return json.points.map(({ rate }: { rate: number }) => rate);
    },
    held: async () => store.listHeld('held', 100),
    reasons: async () => (await store.listHeld('held', 100)).map(({ reason }) => reason),
  };
}

export const OFFICIAL = official('2026-11-20', { USD: 800, EUR: 920 });

/** The same service with an official rate, and quotes of these markets at 1000, read at the start. */
export async function judgingMarkets(...markets: readonly string[]) {
  const found = await judging();
  await found.service.push(OFFICIAL, ...markets.map((market) => quote(market, 1_000)));
  return found;
}

export const judgingMarket = () => judgingMarkets('parallel');

/** The publications of a value date, oldest reading first. */
export async function publicationsOn(store: Pick<Store, 'listPublications'>, date: string) {
  const on = day(date);
  return (await store.listPublications({ from: on, to: on, limit: 100 })).toReversed();
}
