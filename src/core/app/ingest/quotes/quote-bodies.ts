import type { QuoteBody, QuoteReading } from '../../../domain/judgement/quote-memory.ts';
import type { Between } from '../batch-context.ts';

/**
 * The readings in the order of their times, grouped by moment. A market that was read twice at one
 * moment is in two bodies. Readings of one moment have an order of their own, so that the order of
 * arrival decides nothing.
 */
export function bodiesOf(readings: readonly QuoteReading[]): readonly QuoteBody[] {
  const bodies: QuoteReading[][] = [];
  let markets = new Set<string>();
  for (const reading of readings.toSorted(byTime)) {
    const [first] = bodies.at(-1) ?? [];
    if (first?.at !== reading.at || markets.has(reading.market.id)) {
      bodies.push([]);
      markets = new Set();
    }
    bodies.at(-1)?.push(reading);
    markets.add(reading.market.id);
  }
  return bodies.map((body) => ({ at: body[0]?.at ?? 0, readings: body }));
}

function byTime(a: QuoteReading, b: QuoteReading): number {
  return (
    a.at - b.at ||
    (a.datedAt ?? a.at) - (b.datedAt ?? b.at) ||
    byText(a.source, b.source) ||
    byText(a.market.id, b.market.id) ||
    a.mid - b.mid
  );
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/**
 * The readings of one source with what it showed beside each of them.
 * @param between The range of the source; undefined for records that are pushed.
 */
export function besideEachOther(
  readings: readonly QuoteReading[],
  between: Between | undefined,
): readonly QuoteReading[] {
  if (between === undefined) return readings;
  const isWithin = ({ market, mid }: QuoteReading) => {
    const [low, high] = between(market.id) ?? [];
    return low !== undefined && high !== undefined && mid >= low && mid <= high;
  };
  const bodies = Map.groupBy(readings, ({ at }) => at);
  return readings.map((reading) => {
    const body = bodies.get(reading.at) ?? [];
    if (!body.every(isWithin)) return reading;
    const others = body.filter(
      ({ market }) => market.id !== reading.market.id && market.base === reading.market.base,
    );
    return { ...reading, beside: others.map(({ mid }) => mid) };
  });
}
