import { type Instant, MINUTE_MS } from '../../src/core/domain/time.ts';
import { Desk } from './desk.ts';
import type { Figures } from './faults.ts';
import { type Feeds, quoteAt, type SeriesPublication } from './series.ts';
import { emptyRow, type Row } from './table.ts';

/**
 * Replays whole series without faults, each read when one of its figures changes and every minute
 * while one is held. Tries are readings.
 */
export async function replayTruth(
  name: string,
  venues: Feeds['venues'],
  publications: readonly SeriesPublication[],
): Promise<Row> {
  const row = emptyRow('real figures', name, { isFaultless: true });
  const desk = new Desk();
  const times = [...new Set([...venues.values()].flat().map(({ at }) => minuteAfter(at)))];
  times.sort((a, b) => a - b);
  const pages = [...publications];
  const since = new Map<string, Instant>();
  const markedSince = new Map<string, Instant>();
  for (const [place, time] of times.entries()) {
    const next = times[place + 1] ?? Number.POSITIVE_INFINITY;
    for (let at = time; at < next; at += MINUTE_MS) {
      while ((pages[0]?.at ?? next) <= at) {
        const page = pages.shift();
        if (page !== undefined) await desk.page(page.at, page, true);
      }
      const body = new Map<string, Figures>();
      for (const [market, series] of venues) {
        const { at: from, ...figures } = quoteAt(series, at);
        if (from <= at) body.set(market, figures);
      }
      await desk.read(at, 'aggregator', body);
      row.tries += body.size;
      for (const market of body.keys()) {
        if (!desk.isMarked(market, at)) markedSince.delete(market);
        else {
          const first = markedSince.get(market) ?? at;
          if (first === at) row.marked += 1;
          markedSince.set(market, first);
          row.markedMinutes = Math.max(row.markedMinutes, (at - first) / MINUTE_MS);
        }
        const from = since.get(market);
        if (desk.published(market)?.capturedAt !== at) {
          if (from === undefined) since.set(market, at);
        } else if (from !== undefined) {
          row.withheld += 1;
          row.withheldMinutes = Math.max(row.withheldMinutes, (at - from) / MINUTE_MS);
          since.delete(market);
        }
      }
      if (since.size === 0) break;
    }
  }
  return row;
}

function minuteAfter(at: Instant): Instant {
  return Math.ceil(at / MINUTE_MS) * MINUTE_MS;
}
