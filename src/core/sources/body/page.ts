import { type CheerioAPI, load } from 'cheerio/slim';
import { Parser, Tokenizer } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import type { UpstreamBody } from '../../app/ports/sources.ts';
import { textOf } from './body-text.ts';
import { contentFailure, excerpt, unexpected } from './excerpt.ts';

/** Deepest nesting; real pages have 21. Parsing 50,000 levels would take twenty seconds. */
// limit: Page: depth, elements, attributes of a tag | 200, 10,000, 1,000 | `content` | MAX_PAGE_ELEMENTS, MAX_TAG_ATTRIBUTES
export const MAX_PAGE_DEPTH = 200;

/** Most elements; real pages have 1,900. Searching 30,000 dates would take minutes. */
export const MAX_PAGE_ELEMENTS = 10_000;

/** Most attributes of a tag; real ones have nine. 200,000 would take over a minute. */
export const MAX_TAG_ATTRIBUTES = 1_000;

const tooMany = (expected: string) => contentFailure(`${expected}, there were more`);

/** Counts attributes within a tag, because its element is created only at its end. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    super._leaveAttrName();
    const { currentToken: tag } = this;
    if (tag === null || !('attrs' in tag) || tag.attrs.length <= MAX_TAG_ATTRIBUTES) return;
    throw tooMany(`at most ${MAX_TAG_ATTRIBUTES} attributes of a tag`);
  }
}

/**
 * Parses HTML like a browser.
 * @throws SourceFailure `content` when its end tag is missing (it is cut short, or not a page), and
 *   when it is nested too deeply or has too many elements or attributes.
 */
export function pageOf(body: UpstreamBody, maxElements = MAX_PAGE_ELEMENTS): CheerioAPI {
  const text = textOf(body);
  if (!/<\/html\s*>/i.test(text)) {
    const there = text.trim() === '' ? 'nothing' : `"${excerpt(text.trim())}"`;
    throw unexpected('a page with its end', there);
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

/** The title of a page, for messages. */
export function titleOf($: CheerioAPI): string {
  return `a page "${excerpt($('title').first().text().trim())}"`;
}
