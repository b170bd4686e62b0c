import { z } from 'zod';
import type { ThreadedKind } from '../../../core/app/ports/source-kinds.ts';
import type {
  Archive,
  ArchiveFile,
  DaySpan,
  Fetch,
  UpstreamBody,
} from '../../../core/app/ports/sources.ts';
import {
  type CaracasDay,
  caracasDayOf,
  DAY_MS,
  startOfCaracasDay,
} from '../../../core/domain/time.ts';
import { contentFailure } from '../../../core/sources/body/excerpt.ts';
import { callsIn, ParserPool } from '../../../core/sources/parser/parser-pool.ts';
import { MAX_VALUE_DATE_DAYS } from './bcv-archive-day.ts';
import type { QuarterLink } from './bcv-archive-parser.ts';

/** Grows with every change that makes the same workbook give other rates. */
const PARSER_VERSION = 1;

/** Most pages of the list that are read. Each has ten quarters. */
// limit: Pages of the list of workbooks | 20 | fails
export const MAX_LIST_PAGES = 20;
const WORKBOOK_TYPES = [
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
];

const LONGEST_QUARTER_DAYS = 92;

const feedColumns = z.strictObject({
  /** The workbook of the dollar since 2016. Optional. */
  dollar_url: z.url({ protocol: /^https$/, error: 'must be an https address' }).optional(),
});
type ArchiveFeed = z.output<typeof feedColumns>;

/** The workbook of each quarter, oldest first. Of several uploads the last counts. */
async function quartersListed(fetch: Fetch, url: string): Promise<readonly QuarterLink[]> {
  const latest = new Map<CaracasDay, QuarterLink>();
  let page: string | undefined = url;
  for (let count = 0; page !== undefined; count += 1) {
    if (count === MAX_LIST_PAGES) {
      throw contentFailure(`at most ${MAX_LIST_PAGES} pages of workbooks`);
    }
    const list = await fetch({ url: page, accept: ['text/html'] });
    const { quarters, next } = await quartersInThread(list);
    for (const quarter of quarters) {
      const known = latest.get(quarter.firstDay);
      if (known !== undefined && known.upload >= quarter.upload) continue;
      latest.set(quarter.firstDay, quarter);
    }
    page = next;
  }
  return [...latest.values()].sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
}

/** Value dates follow the days of operations, so the last ones lie after the end of the quarter. */
function spanOf({ firstDay }: QuarterLink): DaySpan {
  const lastDay =
    startOfCaracasDay(firstDay) + (LONGEST_QUARTER_DAYS + MAX_VALUE_DATE_DAYS) * DAY_MS;
  return { from: firstDay, to: caracasDayOf(lastDay) };
}

/**
 * The spreadsheets of the central bank: a workbook for each quarter with all currencies since March
 * 2020, and one with only the dollar since 2016. The latter is listed last, because a publication
 * with all currencies has priority.
 * @param url The first page of the list of quarterly workbooks.
 */
export function bcvWorkbooks(fetch: Fetch, url: string, feed: ArchiveFeed): Archive {
  const file = (address: string): ArchiveFile => ({
    name: address.slice(address.lastIndexOf('/') + 1),
    body: () => fetch({ url: address, accept: WORKBOOK_TYPES }),
  });
  return {
    parserVersion: PARSER_VERSION,
    async list() {
      const quarters = await quartersListed(fetch, url);
      return [
        ...quarters.map((quarter) => ({ ...file(quarter.url), span: spanOf(quarter) })),
        ...(feed.dollar_url === undefined ? [] : [file(feed.dollar_url)]),
      ];
    },
    read: workbookInThread,
  };
}

// limit: Parser threads of workbooks | 1 | parses wait
const MAX_WORKBOOK_THREADS = 1;

const inWorkbookThread = callsIn<typeof import('./bcv-archive-parser.ts')>(
  new ParserPool({
    thread: 'src/capabilities/backfill/workbooks/workbook-thread.ts',
    threads: MAX_WORKBOOK_THREADS,
  }),
);
const quartersInThread = inWorkbookThread('quartersOn');
const workbookInThread = inWorkbookThread('workbookOf');

/** Runs the parser on a saved workbook. Without a schedule: `vesfx backfill` loads it. */
export const bcvArchive: ThreadedKind<ArchiveFeed> = {
  parserVersion: PARSER_VERSION,
  feed: feedColumns,
  markets: () => [],
  archive: bcvWorkbooks,
  async read(fetch, url, feed) {
    const bodies: UpstreamBody[] = [];
    for (const file of await bcvWorkbooks(fetch, url, feed).list()) bodies.push(await file.body());
    return bodies;
  },
  parse: inWorkbookThread('parseBcvArchive'),
};
