import { type CheerioAPI, load } from 'cheerio/slim';
import { Parser, Tokenizer } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { SourceFailure } from '../../app/failures.ts';
import type { UpstreamBody } from '../../app/ports/sources.ts';
import { textOf } from './body-text.ts';
import { excerpt } from './excerpt.ts';

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
 * Most attributes of a tag; the central bank's pages have nine. The parser compares each with all
 * before it: 200,000 would take it over a minute.
 */
export const MAX_TAG_ATTRIBUTES = 1_000;

function tooMany(expected: string): SourceFailure {
  return new SourceFailure('content', `expected ${expected}, there were more`);
}

/** Counts while the tag is read: its element is only made when all of it was. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    super._leaveAttrName();
    const { currentToken: tag } = this;
    if (tag === null || !('attrs' in tag) || tag.attrs.length <= MAX_TAG_ATTRIBUTES) return;
    throw tooMany(`at most ${MAX_TAG_ATTRIBUTES} attributes of a tag`);
  }
}

/**
 * A page of HTML, as a browser would understand it.
 * @throws SourceFailure `content` when it has no end (it was cut short, or is no page), and when it
 * is nested too deep or has too many elements or attributes.
 */
export function pageOf(body: UpstreamBody, maxElements = MAX_PAGE_ELEMENTS): CheerioAPI {
  const text = textOf(body);
  if (!/<\/html\s*>/i.test(text)) {
    const there = text.trim() === '' ? 'nothing' : `"${excerpt(text.trim())}"`;
    throw new SourceFailure('content', `expected a page with its end, there was ${there}`);
  }
  let depth = 0;
  let elements = 0;
  const parser = new Parser<Htmlparser2TreeAdapterMap>({
    treeAdapter: {
      ...adapter,
      createElement(...given) {
        elements += 1;
        if (elements <= maxElements) return adapter.createElement(...given);
        throw tooMany(`at most ${maxElements} elements`);
      },
      onItemPush() {
        depth += 1;
        if (depth <= MAX_PAGE_DEPTH) return;
        throw tooMany(`at most ${MAX_PAGE_DEPTH} elements inside one another`);
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
  parser.tokenizer = new BoundedTokenizer(parser.options, parser);
  parser.tokenizer.write(text, true);
  return load(parser.document);
}

/** What a page calls itself, for messages. */
export function titleOf($: CheerioAPI): string {
  return `a page "${excerpt($('title').first().text().trim())}"`;
}
