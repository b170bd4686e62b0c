import { isOfficial, type Markets } from '../../domain/markets.ts';
import type { Instant } from '../../domain/time.ts';
import { type InputRecord, parseRecord, Refused } from './record.ts';
import { captureTimeOf } from './record-entry.ts';

/** Most quotes judged together. A larger body is judged in parts. */
const MAX_BODY_QUOTES = 100;

/** A line of NDJSON, numbered from 1, with its record or the reason for its refusal. */
export interface Line {
  readonly number: number;
  readonly text: string;
  readonly record: InputRecord | Refused;
}

/**
 * Groups NDJSON lines into bodies: consecutive quotes of different markets that were read at the
 * same time. Every other line is its own body. Empty lines are skipped.
 */
export async function* bodiesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  { markets, receivedAt }: { readonly markets: Markets; readonly receivedAt: Instant },
): AsyncGenerator<readonly Line[]> {
  let body: Line[] = [];
  let readAt: Instant | undefined;
  let seen = new Set<string>();
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    const record = parsed(text);
    const market = marketOf(record, markets);
    const at =
      market === undefined || record instanceof Refused
        ? undefined
        : captureTimeOf(record, { receivedAt });
    const joins =
      market !== undefined && at === readAt && !seen.has(market) && body.length < MAX_BODY_QUOTES;
    if (!joins && body.length > 0) {
      yield body;
      body = [];
      seen = new Set();
    }
    body.push({ number, text, record });
    readAt = at;
    if (market !== undefined) seen.add(market);
  }
  if (body.length > 0) yield body;
}

function parsed(text: string): InputRecord | Refused {
  try {
    return parseRecord(text);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

/** The market of a quote without a value date; undefined for every other record. */
function marketOf(record: InputRecord | Refused, markets: Markets): string | undefined {
  if (record instanceof Refused || record.kind !== 'quote') return undefined;
  const market = markets.find(record.market);
  return market === undefined || isOfficial(market) ? undefined : market.id;
}
