import { Marked } from 'marked';

/** Gives a heading the same name in every language: `## <a id="index"></a>El índice`. */
const NAMED = /^<a id="([a-z-]+)"><\/a>/;

/** The names by which links reach the headings of a text in Markdown, as common viewers make them. */
export function anchorsOf(markdown: string): readonly string[] {
  return new Marked().lexer(markdown).flatMap((token) => {
    if (token.type !== 'heading') return [];
    const heading: string = token['text'];
    const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
    return [NAMED.exec(heading)?.[1] ?? plain.replaceAll(' ', '-')];
  });
}
