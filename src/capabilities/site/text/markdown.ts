import { Marked, type Token, type Tokens } from 'marked';
import type { Language } from '../../../core/domain/words/language.ts';
import { codeSpan, html } from '../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { type TextTable, table } from '../frame/table.ts';
import { SAMPLE_TEXTS } from '../texts/texts.ts';
import { type Code, codeBlocks } from './code-block.ts';
import { CODE_KINDS, CODE_NAMES, sampleOf } from './samples.ts';

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

/** A text cut before each heading of its second level; together they are the text. */
export function chaptersOf(markdown: string): readonly string[] {
  const chapters = [''];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2) chapters.push('');
    chapters.push(`${chapters.pop()}${token.raw}`);
  }
  return chapters;
}

/** Words, and the blocks of code that follow them and stand together. */
interface Part {
  readonly words: Token[];
  readonly codes: Code[];
}

function partsOf(tokens: readonly Token[]): readonly Part[] {
  const parts: Part[] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const isCode = token.type === 'code';
    let part = parts.at(-1);
    if (part === undefined || (!isCode && part.codes.length > 0)) {
      part = { words: [], codes: [] };
      parts.push(part);
    }
    if (!isCode) part.words.push(token);
    else part.codes.push({ kind: token['lang']?.split(' ')[0] ?? '', text: token['text'] });
  }
  return parts;
}

/** How guides write a request: for curl, with its address or with its query apart. */
const CURL =
  /^curl (?:-G )?-H "X-API-Key: \$VESFX_KEY" \\\n(?: {2}-d '([^']+)' \\\n)? {2}"([^"]+)"$/;

/** A request that stands there for curl alone, in every language, as the reference has it. */
function inEveryLanguage([first, ...others]: readonly Code[], answer: string): readonly Code[][] {
  if (first === undefined) return [];
  const [, query, address] = CURL.exec(first.text) ?? [];
  const isAlone = others.every(({ kind }) => !(kind in CODE_NAMES));
  if (address === undefined || !isAlone) return [[first, ...others]];
  const request = { method: 'GET', url: query === undefined ? address : `${address}?${query}` };
  const [, ...kinds] = CODE_KINDS;
  const programs = kinds.map((kind) => ({ kind, text: sampleOf(kind, request) }));
  return [[first, ...programs], others.map((one) => ({ label: answer, ...one }))];
}

export interface MarkdownOptions {
  readonly language: Language;
  /** May change a link to this site. */
  readonly link: (path: string) => string;
  /** What stands for a table of so many rows until it is opened; undefined if it is open. */
  readonly fold?: ((rows: number) => string | undefined) | undefined;
  /** Other names of the headings in order: those of the other language, for a link that changes it. */
  readonly aliases?: readonly string[];
}

/** Where the source of this program is. */
const PROJECT = 'https://github.com/vesfx/vesfx';

/** Markdown as HTML. HTML in the text is escaped; links to this site and to the project stay. */
export function markdownHtml(
  markdown: string,
  { language, link, fold, aliases = [] }: MarkdownOptions,
): string {
  let section = '';
  const anchors = headingsOf(markdown).map(({ anchor }) => anchor);
  const otherNames = aliases.values();
  const marked = new Marked({
    renderer: {
      // A cell cannot break a line in another way.
      html: ({ text }) => (text === '<br>' ? text : markupOf(text)),
      heading({ tokens, depth, text: written }) {
        const { text, anchor } = namedHeading(written);
        section = text;
        // The name is two tokens, the opening and the closing tag.
        const words = this.parser.parseInline(text === written ? tokens : tokens.slice(2));
        const { value: alias = anchor } = otherNames.next();
        const other = anchors.includes(alias) ? '' : `<span id="${markupOf(alias)}"></span>`;
        return `<h${depth} id="${markupOf(anchor)}">${other}${words}</h${depth}>\n`;
      },
      codespan: ({ text }) => markupOf(codeSpan(text)),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const isOurs = href.startsWith('/');
        if (!isOurs && !href.startsWith(PROJECT)) return text;
        return `<a href="${markupOf(isOurs ? link(href) : href)}">${text}</a>`;
      },
      image: ({ text }) => markupOf(text),
      table({ header, rows }) {
        const columns = header.map(({ text, align }) => ({
          label: text,
          ...(align === 'right' && { kind: 'figure' as const }),
        }));
        const cell = ({ tokens }: Tokens.TableCell) =>
          html`<span dangerouslySetInnerHTML=${{ __html: wholeName(this.parser.parseInline(tokens)) }}></span>`;
        // Readers compare figures along a row, so such a table scrolls and is not stacked.
        const isOfFigures = columns.slice(1).every(({ kind }) => kind === 'figure');
        const stacks = columns.length > WIDEST_ON_PHONE && !isOfFigures;
        const cells = rows.map((one) => one.map(cell));
        const shown = table(section, columns, cells, { stacks });
        const summary = fold?.(rows.length);
        const folded = html`<details><summary>${section}: ${summary}</summary>${shown}</details>`;
        return `${markupOf(summary === undefined ? shown : folded)}\n`;
      },
    },
  });
  return partsOf(marked.lexer(markdown))
    .map(({ words, codes }) => {
      const blocks = inEveryLanguage(codes, SAMPLE_TEXTS[language].answer);
      return marked.parser(words) + markupOf(blocks.map((one) => codeBlocks(one, language)));
    })
    .join('');
}

/** Keeps the number in a name such as `Casa de cambio 1` on the line of the word before it. */
function wholeName(text: string): string {
  return text.replace(/^([\p{L} ]+) (\d+)$/u, '$1\u00a0$2');
}
