import { type Language, otherThan, type Texts } from '../../../../core/domain/words/language.ts';
import type { TextTable } from '../../frame/table.ts';
import { GUIDE_NAMES } from '../../guides/guides.ts';
import { sectionsOf } from '../../text/markdown.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS } from '../docs-addresses.ts';
import { type GuideFacts, guideText } from '../markdown-page.ts';
import type { ReferenceText, ShownOperation } from '../reference.ts';
import { foldedWords, type SearchEntry } from './search.ts';
import { SEARCH_NAMES, SMALL_WORDS } from './search-name-texts.ts';

/** Whole programs of the recipes: to copy, not to read. */
const COPIED_CODE = /```\w+ (?:recipe|file)[\s\S]*?```/g;

/** The rule below the head of a table. */
const TABLE_RULE = /^\|(?: -+:? \|)+\n/gm;

/** A text without code and the marks of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(TABLE_RULE, '')
    .replaceAll(/ ?\|$/gm, '.')
    .replaceAll(/^\| /gm, '')
    .replaceAll(/ \|(?= )/g, ',')
    .replaceAll('<br>', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^ *(?:-|\d+\.) /gm, '')
    .replaceAll(/[`*>#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

interface Found extends Pick<SearchEntry, 'title' | 'place' | 'path'> {
  /** Markdown, which results show without code. */
  readonly text: string;
  /** What is searched only. */
  readonly more?: string;
}

function entry({ text, more = '', ...found }: Found): SearchEntry {
  const about = plainText(text);
  const all = foldedWords(`${text} ${more}`);
  // The search takes `rate_not_published` apart itself.
  const parts = all.flatMap((word) => (word.includes('_') ? word.split('_') : []));
  const words = new Set(all).difference(new Set([...foldedWords(about), ...parts]));
  return { ...found, about, words: [...words, SMALL_WORDS].join(' ') };
}

function markdownEntries(path: string, markdown: string): readonly SearchEntry[] {
  const sections = sectionsOf(markdown);
  const title = sections[0]?.heading.text ?? '';
  return sections.map(({ heading: { depth, text: heading, anchor }, text }) =>
    entry({
      title: plainText(heading),
      place: title,
      path: depth === 1 ? path : `${path}#${anchor}`,
      text: text.replaceAll(COPIED_CODE, ''),
    }),
  );
}

const tableText = ({ rows }: TextTable) => rows.map((row) => row.join(', ')).join('. ');

function operationEntry(
  shown: ShownOperation,
  { place, page }: { readonly place: string; readonly page: string },
): SearchEntry {
  const { id, title, method, path, description, parameters, body, answer, errors } = shown;
  const tables = [parameters, body?.fields, ...(answer?.fields ?? []), errors];
  const names = tables.flatMap((one) => one?.rows.map(([name]) => name) ?? []);
  return entry({
    title,
    place,
    path: `${page}#${id}`,
    text: `${method} ${path}: ${description}`,
    more: names.join(' '),
  });
}

function rowEntries(table: TextTable, place: string, address: string): readonly SearchEntry[] {
  return table.rows.map(([name = '', ...told]) =>
    entry({ title: plainText(name), place, path: address, text: told.join(': ') }),
  );
}

/** What the index is made of, in one language. */
export interface SearchedTexts {
  readonly reference: ReferenceText;
  readonly facts: GuideFacts;
  readonly methodology: string;
}

/** The same places in the same order in every language. */
function entriesIn(given: SearchedTexts, language: Language): readonly SearchEntry[] {
  const { texts, ...reference } = given.reference;
  const part = (title: string, path: string, text: string) =>
    entry({ title, place: texts.reference, path, text });
  const at = (anchor: string) => `${REFERENCE_ERRORS}#${anchor}`;
  const [errors, rules, limits] = [at('errors'), at('rules'), at('plans')];
  return [
    ...GUIDE_NAMES.flatMap((name) =>
      markdownEntries(`/docs/${name}`, guideText(name, language, given.facts)),
    ),
    part(texts.start, REFERENCE, reference.about),
    part(texts.plans, limits, `${texts.plansAbout} ${tableText(reference.plans)}`),
    part(texts.errors, errors, texts.errorsAbout),
    part(texts.rules, rules, texts.rulesAbout),
    ...reference.groups.flatMap(({ tag, name, about, operations }) => [
      entry({ title: name, place: name, path: groupPath(tag), text: about }),
      ...operations.map((shown) => operationEntry(shown, { place: name, page: groupPath(tag) })),
    ]),
    ...rowEntries(reference.errors, texts.errors, errors),
    ...rowEntries(reference.headers, texts.headers, `${REFERENCE}#headers`),
    ...markdownEntries('/methodology', given.methodology),
  ];
}

/** The index over the guides, the reference and the methodology, which knows the titles of both languages. */
export function searchIndex(
  given: Texts<SearchedTexts>,
  language: Language,
): readonly SearchEntry[] {
  const other = otherThan(language);
  const others = entriesIn(given[other], other);
  return entriesIn(given[language], language).map((one, at) => {
    const path = language === 'es' ? one.path : (others[at]?.path ?? '');
    const names = foldedWords(`${SEARCH_NAMES[path] ?? ''} ${others[at]?.title}`);
    const own = new Set(foldedWords(one.title));
    const added = [...new Set(names).difference(own)];
    return added.length === 0 ? one : { ...one, names: added.join(' ') };
  });
}
