import { Marked, type Token } from 'marked';
import { codeSpan } from '../frame/html.ts';
import type { Language } from '../frame/language.ts';
import { markupOf } from '../frame/markup.ts';
import type { TextTable } from '../frame/table.ts';
import { type Code, codeBlocks } from './code-block.ts';

/** A phone shows this many columns beside each other. It stacks the rows of wider tables. */
const WIDEST_ON_PHONE = 2;

/** A table in Markdown. Cells have no line breaks. */
export function markdownTable({ columns, rows }: TextTable): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = columns.map(({ kind }) => (kind === 'figure' ? '-:' : '-'));
  return [line(columns.map(({ label }) => label)), line(rule), ...rows.map(line)].join('\n');
}

/** The anchor of a heading, as common viewers of Markdown make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives a heading the same name in every language: `## <a id="index"></a>El índice`. */
const NAMED = /^<a id="([a-z-]+)"><\/a>/;

function namedHeading(written: string): { readonly text: string; readonly anchor: string } {
  const text = written.replace(NAMED, '');
  return { text, anchor: NAMED.exec(written)?.[1] ?? anchorOf(text) };
}

interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

/** The headings of a text, in order. */
export function headingsOf(markdown: string): readonly Heading[] {
  return sectionsOf(markdown).map(({ heading }) => heading);
}

interface Section {
  readonly heading: Heading;
  readonly text: string;
}

/** The sections of a text in order. Text before the first heading is in none. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { heading: Heading; text: string }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = { depth: token['depth'], ...namedHeading(token['text']) };
      sections.push({ heading, text: '' });
      continue;
    }
    const current = sections.at(-1);
    if (current !== undefined) current.text += token.raw;
  }
  return sections;
}

/** Only the first of several blocks of code that stand together stays; it has the code of all. */
function blocksTogether(given: readonly Token[]) {
  const together = new Map<Token, Code[]>();
  let current: Code[] | undefined;
  const tokens = given.filter((token) => {
    if (token.type === 'space') return true;
    if (token.type !== 'code') {
      current = undefined;
      return true;
    }
    const code = { kind: String(token['lang'] ?? '').split(' ')[0] ?? '', text: token['text'] };
    current?.push(code);
    if (current !== undefined) return false;
    current = [code];
    together.set(token, current);
    return true;
  });
  return { tokens, together };
}

/**
 * Markdown as HTML. HTML in the text is escaped, and only links to this site stay; `link` may
 * change them.
 */
export function markdownHtml(
  markdown: string,
  { language, link }: { readonly language: Language; readonly link: (path: string) => string },
): string {
  let section = '';
  const { tokens, together } = blocksTogether(new Marked().lexer(markdown));
  const marked = new Marked({
    renderer: {
      // A cell cannot break a line in another way.
      html: ({ text }) => (text === '<br>' ? text : markupOf(text)),
      heading({ tokens, depth, text: written }) {
        const { text, anchor } = namedHeading(written);
        section = text;
        // The name is two tokens, the opening and the closing tag.
        const words = this.parser.parseInline(text === written ? tokens : tokens.slice(2));
        return `<h${depth} id="${markupOf(anchor)}">${words}</h${depth}>\n`;
      },
      code: (token) => `${markupOf(codeBlocks(together.get(token) ?? [], language))}\n`,
      codespan: ({ text }) => markupOf(codeSpan(text)),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return href.startsWith('/') ? `<a href="${markupOf(link(href))}">${text}</a>` : text;
      },
      image: ({ text }) => markupOf(text),
      table(token) {
        const cell = (one: (typeof token.header)[number], tag: string) => {
          const align = one.align === 'right' ? ' class="figure"' : '';
          const text = wholeName(this.parser.parseInline(one.tokens));
          // A stacked cell sets its column's name beside the whole text.
          const content = tag.startsWith('td ') ? `<span>${text}</span>` : text;
          return `<${tag}${align}>${content}</${tag.split(' ')[0]}>`;
        };
        // Readers compare figures along a row, so such a table scrolls and is not stacked.
        const isOfFigures = token.header.slice(1).every(({ align }) => align === 'right');
        const stacks = token.header.length > WIDEST_ON_PHONE && !isOfFigures;
        const names = token.header.map(({ text }) => markupOf(text.replaceAll(/[`*]/g, '')));
        const named = (column: number) => (stacks ? `td data-label="${names[column]}"` : 'td');
        const head = token.header.map((one) => cell(one, 'th scope="col"')).join('');
        const rows = token.rows.map((row) => {
          const [first, ...others] = row;
          const heading = first === undefined ? '' : cell(first, 'th scope="row"');
          return `<tr>${heading}${others.map((one, before) => cell(one, named(before + 1))).join('')}</tr>\n`;
        });
        const label = markupOf(section);
        return `<div class="scroll prose${stacks ? ' stacks' : ''}" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join('')}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parser(tokens);
}

/** Keeps the number in a name such as `Casa de cambio 1` on the line of the word before it. */
function wholeName(text: string): string {
  return text.replace(/^([\p{L} ]+) (\d+)$/u, '$1\u00a0$2');
}
