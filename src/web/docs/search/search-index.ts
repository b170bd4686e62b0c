import type { Language } from '../../frame/language.ts';
import type { TextTable } from '../../frame/table.ts';
import { GUIDE_NAMES } from '../../guides/guides.ts';
import { sectionsOf } from '../../text/markdown.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS } from '../docs-addresses.ts';
import { type GuideFacts, guideText } from '../markdown-page.ts';
import type { ReferenceText, ShownOperation } from '../reference.ts';
import { foldedWords, type SearchEntry } from './search.ts';
import { SEARCH_NAMES } from './search-name-texts.ts';

/** Characters of the beginning of a text that a result shows. */
const ABOUT_LENGTH = 110;

/** Whole programs of the recipes: to copy, not to read. */
const COPIED_CODE = /```\w+ (?:recipe|file)[\s\S]*?```/g;

/** A text without the marks of Markdown, code and tables. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/^\|.*$/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^ *(?:-|\d+\.) /gm, '')
    .replaceAll(/[`*>#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function beginning(text: string): string {
  if (text.length <= ABOUT_LENGTH) return text;
  const words = text.slice(0, ABOUT_LENGTH).replace(/\s+\S*$/, '');
  return `${words.replace(/[.,;:]+$/, '')}…`;
}

interface Found extends Pick<SearchEntry, 'title' | 'place' | 'path'> {
  /** The shown text. */
  readonly about: string;
  /** The searched words. */
  readonly text: string;
}

function entry({ title, place, path, about, text }: Found): SearchEntry {
  const words = [...new Set(foldedWords(text))].join(' ');
  return { title, place, path, about: beginning(about), words };
}

function markdownEntries(path: string, markdown: string): readonly SearchEntry[] {
  const sections = sectionsOf(markdown);
  const title = sections[0]?.heading.text ?? '';
  return sections.map(({ heading: { depth, text: heading, anchor }, text }) =>
    entry({
      title: plainText(heading),
      place: title,
      path: depth === 1 ? path : `${path}#${anchor}`,
      about: plainText(text),
      text: text.replaceAll(COPIED_CODE, ''),
    }),
  );
}

const tableText = ({ rows }: TextTable) => rows.flat().join(' ');

function operationEntry(
  shown: ShownOperation,
  { place, page }: { readonly place: string; readonly page: string },
): SearchEntry {
  const { id, title, method, path, about, description, parameters, body, answer, errors } = shown;
  const tables = [parameters, body?.fields, ...(answer?.fields ?? []), errors];
  const call = `${method} ${path}`;
  return entry({
    title,
    place,
    path: `${page}#${id}`,
    about: about === '' ? call : `${call}: ${plainText(about)}`,
    text: [call, description, ...tables.flatMap((one) => one && tableText(one))].join(' '),
  });
}

function rowEntries(table: TextTable, place: string, address: string): readonly SearchEntry[] {
  return table.rows.map((row) => {
    const [name = ''] = row;
    const about = row.at(-1) ?? '';
    return entry({
      title: plainText(name),
      place,
      path: address,
      about: plainText(about),
      text: row.join(' '),
    });
  });
}

/** The index over the guides, the reference and the methodology in one language. */
export function searchIndex(
  given: {
    readonly reference: ReferenceText;
    readonly facts: GuideFacts;
    readonly methodology: string;
  },
  language: Language,
): readonly SearchEntry[] {
  const { texts, ...reference } = given.reference;
  const part = (title: string, path: string, text: string) =>
    entry({ title, place: texts.reference, path, about: plainText(text), text });
  const [errors, limits] = [`${REFERENCE_ERRORS}#errors`, `${REFERENCE_ERRORS}#plans`];
  const entries = [
    ...GUIDE_NAMES.flatMap((name) =>
      markdownEntries(`/docs/${name}`, guideText(name, language, given.facts)),
    ),
    part(texts.start, REFERENCE, reference.about),
    part(texts.plans, limits, `${texts.plansAbout} ${tableText(reference.plans)}`),
    part(texts.errors, errors, texts.errorsAbout),
    ...reference.groups.flatMap(({ tag, name, about, operations }) => [
      entry({ title: name, place: name, path: groupPath(tag), about, text: about }),
      ...operations.map((shown) => operationEntry(shown, { place: name, page: groupPath(tag) })),
    ]),
    ...rowEntries(reference.errors, texts.errors, errors),
    ...rowEntries(reference.headers, texts.headers, `${REFERENCE}#headers`),
    ...markdownEntries('/methodology', given.methodology),
  ];
  return entries.map((one) => {
    const names = SEARCH_NAMES[one.path]?.[language];
    return names === undefined ? one : { ...one, names };
  });
}
