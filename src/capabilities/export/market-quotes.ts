import { startOfUtcDay, utcDayOf } from '../../core/domain/time.ts';
import type { ExportedQuote, ExportedSpan, ExportStore, PlaceInCaptures } from './export-types.ts';

/**
 * The quotes of a market without value dates, in parts, oldest first: every capture, or the last one
 * of each UTC day.
 */
export async function* marketQuotes(
  store: Pick<ExportStore, 'capturesAfter' | 'closesAfter'>,
  span: ExportedSpan,
  captures: boolean,
): AsyncGenerator<readonly ExportedQuote[]> {
  let place: PlaceInCaptures | undefined;
  do {
    const part = captures
      ? await store.capturesAfter(span, place)
      : await store.closesAfter(span, place);
    if (part.quotes.length > 0) yield part.quotes;
    place = part.next;
  } while (place !== undefined);
}

/**
 * The same for a file to import: the newest quotes stand before the others. An import takes a quote
 * that its source dates before the last one for a late report, which counts from that date. Behind
 * the newest quote of its market every quote counts from its own reading.
 */
export async function* quotesToImport(
  store: Pick<ExportStore, 'capturesAfter' | 'closesAfter' | 'lastCaptureIn'>,
  span: ExportedSpan,
  captures: boolean,
): AsyncGenerator<readonly ExportedQuote[]> {
  const newest = await store.lastCaptureIn(span);
  if (newest === undefined) return;
  const from = captures ? newest : startOfUtcDay(utcDayOf(newest));
  yield* marketQuotes(store, { ...span, start: from }, captures);
  yield* marketQuotes(store, { ...span, end: from }, captures);
}
