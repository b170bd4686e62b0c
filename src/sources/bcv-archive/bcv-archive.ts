import { z } from 'zod';
import { recordOf } from '../../app/collecting/backfill.ts';
import { SourceFailure } from '../../app/failures.ts';
import type {
  Archive,
  ArchivedWorkbook,
  ArchiveFile,
  DaySpan,
  Fetch,
  SourceRecord,
  UpstreamBody,
  WorkbookFault,
} from '../../app/ports/sources.ts';
import { type CaracasDay, caracasDayOf, DAY_MS, startOfCaracasDay } from '../../domain/time.ts';
import { pageOf } from '../body/page.ts';
import type { SourceKind } from '../kind.ts';
import { inParserThread } from '../parser/parser-pool.ts';
import { MAX_VALUE_DATE_DAYS } from './bcv-archive-day.ts';
import { dayOf } from './bcv-archive-sheet.ts';
import { archivedWorkbook } from './bcv-archive-workbook.ts';
import { sheetsOf } from './workbook.ts';

/** Grows whenever the same workbook would give other rates. */
const PARSER_VERSION = 1;

/** Most pages of the list that are read, of ten quarters each. */
export const MAX_LIST_PAGES = 20;
/** Faults that a message names; the rest is counted. */
const NAMED_FAULTS = 3;

const WORKBOOK_TYPES = [
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
];

/** `2_1_2c23_smc.xls`: the third quarter of 2023; a later upload has a number, as in `_smc_60.xls`. */
const WORKBOOK_NAME = /\/2_1_2([a-d])(\d{2})_smc(?:_(\d+))?\.xls$/;
const FIRST_MONTHS: Readonly<Record<string, string>> = { a: '1', b: '4', c: '7', d: '10' };
const LONGEST_QUARTER_DAYS = 92;

const feedColumns = z.strictObject({
  /** The workbook of the dollar since 2016; left out when not given. */
  dollar_url: z.url({ protocol: /^https$/, error: 'must be an https address' }).optional(),
});
type ArchiveFeed = z.output<typeof feedColumns>;

/** A workbook of one quarter, as the list of them names it. */
interface QuarterLink {
  readonly url: string;
  /** First day of the quarter. */
  readonly firstDay: CaracasDay;
  /** 0 for the first upload; the greatest one replaces the others. */
  readonly upload: number;
}

/**
 * One page of the list of quarterly workbooks.
 * @returns the workbooks on the page's own host, and the address of the next page if there is one.
 * @throws SourceFailure `content` when the page has no workbook.
 */
export function quartersOn(page: UpstreamBody): {
  readonly quarters: readonly QuarterLink[];
  readonly next: string | undefined;
} {
  const $ = pageOf(page);
  const addresses = (selector: string) =>
    $(selector)
      .toArray()
      .flatMap((link) => addressOn(page.url, $(link).attr('href') ?? ''));
  const quarters = addresses('a[href]').flatMap(quarterAt);
  if (quarters.length === 0) {
    throw new SourceFailure(
      'content',
      'expected links to workbooks, 2_1_2…_smc.xls, there were none',
    );
  }
  return { quarters, next: addresses('.pagination .next a[href]')[0]?.href };
}

/** A link that stays on the page's host, asked for as the page itself was: by https. */
function addressOn(page: string, href: string): readonly URL[] {
  const from = new URL(page);
  const to = URL.parse(href, page);
  const bare = ({ host }: URL) => host.replace(/^www\./, '');
  if (to === null || bare(to) !== bare(from)) return [];
  return [new URL(to.pathname + to.search, from.origin)];
}

function quarterAt({ href, pathname }: URL): readonly QuarterLink[] {
  const [, letter = '', year = '', upload = '0'] = WORKBOOK_NAME.exec(pathname) ?? [];
  const firstDay = dayOf('1', FIRST_MONTHS[letter] ?? '', `20${year}`);
  return firstDay === undefined ? [] : [{ url: href, firstDay, upload: Number(upload) }];
}

/** The workbook of each quarter, oldest first; of several uploads the last. */
async function quartersListed(fetch: Fetch, url: string): Promise<readonly QuarterLink[]> {
  const latest = new Map<CaracasDay, QuarterLink>();
  let page: string | undefined = url;
  for (let count = 0; page !== undefined; count += 1) {
    if (count === MAX_LIST_PAGES) {
      throw new SourceFailure('content', `expected at most ${MAX_LIST_PAGES} pages of workbooks`);
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

/** Value dates follow the operations of a quarter, the last ones after its end. */
function spanOf({ firstDay }: QuarterLink): DaySpan {
  const lastDay =
    startOfCaracasDay(firstDay) + (LONGEST_QUARTER_DAYS + MAX_VALUE_DATE_DAYS) * DAY_MS;
  return { from: firstDay, to: caracasDayOf(lastDay) };
}

/**
 * The spreadsheets of the central bank: all currencies since March 2020, a workbook for each
 * quarter, and the dollar alone since 2016. The latter is listed last: a publication with all
 * currencies comes before one that has the dollar only.
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

/** @throws SourceFailure `content` when the body is no workbook of the archive. */
export function workbookOf({ bytes }: UpstreamBody): ArchivedWorkbook {
  return archivedWorkbook(sheetsOf(bytes));
}

const quartersInThread = inParserThread(import.meta.url, quartersOn);
const workbookInThread = inParserThread(import.meta.url, workbookOf);

/**
 * The same as a source: for looking at what the parser makes of a saved workbook. It has no
 * schedule; `vesfx backfill` loads it. One fault fails a reading, since records cannot tell of it.
 */
export const bcvArchive: SourceKind<ArchiveFeed> = {
  parserVersion: PARSER_VERSION,
  feed: feedColumns,
  markets: () => [],
  archive: bcvWorkbooks,
  async read(fetch, url, feed) {
    const bodies: UpstreamBody[] = [];
    for (const file of await bcvWorkbooks(fetch, url, feed).list()) bodies.push(await file.body());
    return bodies;
  },
  parse(bodies) {
    const byDate = new Map<CaracasDay, SourceRecord>();
    for (const body of bodies) {
      const { publications, faults } = workbookOf(body);
      if (faults.length > 0) throw faulty(faults);
      for (const publication of publications) {
        if (byDate.has(publication.valueDate)) continue;
        byDate.set(publication.valueDate, recordOf(publication));
      }
    }
    if (byDate.size === 0)
      throw new SourceFailure('content', 'expected a workbook, there was none');
    return [...byDate.values()];
  },
};

function faulty(faults: readonly WorkbookFault[]): SourceFailure {
  const named = faults.slice(0, NAMED_FAULTS).map(({ place, problem }) => `${place}: ${problem}`);
  const rest = faults.length - named.length;
  const others = rest > 0 ? `; and ${rest} more` : '';
  return new SourceFailure('content', `expected sheets that hold; ${named.join('; ')}${others}`);
}
