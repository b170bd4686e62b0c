import { recordOf } from '../../../core/app/collecting/workbooks.ts';
import type { SourceFailure } from '../../../core/app/failures.ts';
import type {
  ArchivedWorkbook,
  SourceRecord,
  UpstreamBody,
  WorkbookFault,
} from '../../../core/app/ports/sources.ts';
import type { CaracasDay } from '../../../core/domain/time.ts';
import { contentFailure } from '../../../core/sources/body/excerpt.ts';
import { pageOf } from '../../../core/sources/body/page.ts';
import { dayOf } from './bcv-archive-sheet.ts';
import { archivedWorkbook } from './bcv-archive-workbook.ts';
import { sheetsOf } from './workbook.ts';

/** Most faults that a message names. The others are only counted. */
const NAMED_FAULTS = 3;

/** `2_1_2c23_smc.xls` is the third quarter of 2023; `_smc_60.xls` is a later upload. */
const WORKBOOK_NAME = /\/2_1_2([a-d])(\d{2})_smc(?:_(\d+))?\.xls$/;
const FIRST_MONTHS: Readonly<Record<string, string>> = { a: '1', b: '4', c: '7', d: '10' };
export interface QuarterLink {
  readonly url: string;
  readonly firstDay: CaracasDay;
  /** 0 for the first upload. The greatest one replaces the others. */
  readonly upload: number;
}

/**
 * Reads one page of the list: workbooks on its own host, and the address of the next page.
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
    throw contentFailure('links to workbooks, 2_1_2…_smc.xls, there were none');
  }
  return { quarters, next: addresses('.pagination .next a[href]')[0]?.href };
}

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

/** @throws SourceFailure `content` when the body is not a workbook of the archive. */
export function workbookOf({ bytes }: UpstreamBody): ArchivedWorkbook {
  return archivedWorkbook(sheetsOf(bytes));
}

/**
 * The records of all workbooks. If several have a value date, the first of them counts.
 * @throws SourceFailure `content` for a single fault too, because records cannot report it.
 */
export function parseBcvArchive(bodies: readonly UpstreamBody[]): readonly SourceRecord[] {
  const byDate = new Map<CaracasDay, SourceRecord>();
  for (const body of bodies) {
    const { publications, faults } = workbookOf(body);
    if (faults.length > 0) throw faulty(faults);
    for (const publication of publications) {
      if (byDate.has(publication.valueDate)) continue;
      byDate.set(publication.valueDate, recordOf(publication));
    }
  }
  if (byDate.size === 0) throw contentFailure('a workbook, there was none');
  return [...byDate.values()];
}

function faulty(faults: readonly WorkbookFault[]): SourceFailure {
  const named = faults.slice(0, NAMED_FAULTS).map(({ place, problem }) => `${place}: ${problem}`);
  const rest = faults.length - named.length;
  const others = rest > 0 ? `; and ${rest} more` : '';
  return contentFailure(`sheets without faults; ${named.join('; ')}${others}`);
}
