import { z } from 'zod';
import type { SourceKind } from '../../app/ports/source-kinds.ts';
import type { SourceRecord, UpstreamBody } from '../../app/ports/sources.ts';
import { sidesBelongTogether } from '../../domain/calculations/representative-quote.ts';
import { isoInstant } from '../../domain/time.ts';
import { unexpected } from '../body/excerpt.ts';
import { excerptOf, jsonOf, onlyBody } from '../body/json-body.ts';
import { between, rateOf, timeOf, valueAt } from '../body/json-values.ts';

/** Most venues of an entry. */
// limit: Venues of a CriptoYa entry | 50 | not started
export const MAX_CRIPTOYA_VENUES = 50;

const feed = z.strictObject({
  between,
  /** The aggregator's name of a venue → id of our market. */
  venues: z
    .record(z.string().regex(/^[a-z0-9]{1,64}$/), z.string('must be the id of a market'), {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'must be the name of a venue, 1 to 64 of a-z and 0-9'
          : 'must be an object of venues and the markets they quote',
    })
    .refine((venues) => Object.keys(venues).length > 0, 'must have at least one venue')
    .refine(
      (venues) => Object.keys(venues).length <= MAX_CRIPTOYA_VENUES,
      `must have at most ${MAX_CRIPTOYA_VENUES} venues`,
    )
    .refine(
      (venues) => new Set(Object.values(venues)).size === Object.keys(venues).length,
      'must not have the same market twice',
    ),
});

type Feed = z.output<typeof feed>;

/**
 * CriptoYa, an aggregator: one answer with `ask`, `bid` and `time` (epoch seconds) of each venue.
 * `totalAsk` and `totalBid` include the venue's fee and are ignored, because our rates are without
 * fees (§1). A venue that is missing, or has no valid pair of sides, gives no record, so that one
 * venue does not block the others.
 */
export const criptoya: SourceKind<Feed> = {
  parserVersion: 1,
  feed,
  markets: ({ venues }) => Object.values(venues),
  between: ({ between }) => between,
  async read(fetch, url) {
    return [await fetch({ url, accept: ['application/json'] })];
  },
};

/** @throws SourceFailure `content` when the bodies are not in the source's format. */
export function parseCriptoya(
  bodies: readonly UpstreamBody[],
  { venues }: Feed,
): readonly SourceRecord[] {
  const body = onlyBody(bodies);
  const answer = jsonOf(body);
  const records = Object.entries(venues).flatMap(([venue, market]) => {
    const record = recordOf(market, valueAt(answer, venue));
    return record === undefined ? [] : [record];
  });
  if (records.length > 0) return records;
  const expected = 'ask, bid and time of at least one venue of the catalogue';
  throw unexpected(expected, excerptOf(body));
}

function recordOf(market: string, entry: unknown): SourceRecord | undefined {
  const ask = rateOf(valueAt(entry, 'ask'));
  const bid = rateOf(valueAt(entry, 'bid'));
  const time = timeOf(valueAt(entry, 'time'), 'epoch_s');
  if (ask === undefined || bid === undefined || time === undefined) return undefined;
  if (!sidesBelongTogether(ask, bid)) return undefined;
  return { kind: 'quote', market, ask, bid, updated_at: isoInstant(time) };
}
