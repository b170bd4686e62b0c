import { type CheerioAPI, load } from 'cheerio/slim';
import { parse } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { SourceFailure, type UpstreamBody } from '../app/ports.ts';
import { textOf } from './body-text.ts';
import { shown } from './shown.ts';

/**
 * Most elements inside one another; the central bank's pages have 21. The parser's time grows with
 * the square of it: 50,000 would take it twenty seconds.
 */
export const MAX_PAGE_DEPTH = 200;

/**
 * Most elements of a page; the central bank's have 1,900. What is looked for is searched for in all
 * of them, again and again: 30,000 dates would take minutes.
 */
export const MAX_PAGE_ELEMENTS = 10_000;

/**
 * A page of HTML, as a browser would understand it.
 * @throws SourceFailure `content` when it has no end (it was cut short, or is no page), and when it
 * is nested too deep or has too many elements.
 */
export function pageOf(body: UpstreamBody, maxElements = MAX_PAGE_ELEMENTS): CheerioAPI {
  const text = textOf(body);
  if (!/<\/html\s*>/i.test(text)) {
    const there = text.trim() === '' ? 'nothing' : `"${shown(text.trim())}"`;
    throw new SourceFailure('content', `expected a page with its end, there was ${there}`);
  }
  let depth = 0;
  let elements = 0;
  const document = parse<Htmlparser2TreeAdapterMap>(text, {
    treeAdapter: {
      ...adapter,
      createElement(...given) {
        elements += 1;
        if (elements <= maxElements) return adapter.createElement(...given);
        const expected = `at most ${maxElements} elements`;
        throw new SourceFailure('content', `expected ${expected}, there were more`);
      },
      onItemPush() {
        depth += 1;
        if (depth <= MAX_PAGE_DEPTH) return;
        const expected = `at most ${MAX_PAGE_DEPTH} elements inside one another`;
        throw new SourceFailure('content', `expected ${expected}, there were more`);
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
  return load(document);
}

/** What a page calls itself, for messages. */
export function titleOf($: CheerioAPI): string {
  return `a page "${shown($('title').first().text().trim())}"`;
}
