import { z } from 'zod';
import type { SourceKind } from '../../app/ports/source-kinds.ts';
import type { UpstreamBody } from '../../app/ports/sources.ts';
import { inParserThread } from '../parser/parser-pool.ts';

/**
 * Most pages of the table that are read: 200 rows, about seven weeks. On 400 days of the table,
 * three times as many pages would have found 0.7 more banks on average, and the site is slow.
 */
// limit: Pages of the bank table | 8 | not read
export const MAX_BANK_PAGES = 8;

const feed = z.strictObject({});

/**
 * The rates at which each bank bought and sold dollars, in VES: the newest row of every bank. The
 * table is published in pages, newest day first, and as an "export" named `.xls` that contains
 * HTML.
 */
export const bcvBanks: SourceKind<z.output<typeof feed>> = {
  parserVersion: 1,
  feed,
  markets: () => [],
  async read(fetch, url) {
    const bodies: UpstreamBody[] = [];
    for (let page = 0; page < MAX_BANK_PAGES; page += 1) {
      const body = await fetch({
        url: pageAddress(url, page),
        accept: ['text/html', 'application/vnd.ms-excel'],
      });
      bodies.push(body);
      if (!(await hasNextPageInThread(body))) break;
    }
    return bodies;
  },
};

const hasNextPageInThread = inParserThread('hasNextPage');

function pageAddress(url: string, page: number): string {
  if (page === 0) return url;
  const address = new URL(url);
  address.searchParams.set('page', String(page));
  return address.href;
}
