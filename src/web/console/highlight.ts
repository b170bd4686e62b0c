import { type Html, html } from '../frame/html.ts';

/** More would make a page of elements: the rest of a long answer stays plain. */
const MAX_COLOURED = 20_000;

/** A comment, a text with the colon of a key, a number or word of JSON, a word of the samples. */
const PARTS =
  /(^#.*$)|("(?:[^"\\\n]|\\.)*")(\s*:)?|('(?:[^'\\\n]|\\.)*')|(?<![\w/.])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|True)(?![\w/])|\b(curl|GET|POST|PUT|PATCH|DELETE|const|await|from|import|try|except|print|echo|urlopen|fetch)\b/gm;

/** Code with its comments, keys, texts, values and words marked. */
export function coloured(code: string): Html {
  const marked = code.slice(0, MAX_COLOURED);
  const parts: Html[] = [];
  let end = 0;
  for (const found of marked.matchAll(PARTS)) {
    const [whole, comment, text, colon, single, value] = found;
    const shown = text === undefined ? whole : text;
    const kind =
      comment !== undefined
        ? 'c'
        : colon !== undefined
          ? 'k'
          : (text ?? single) !== undefined
            ? 'v'
            : value !== undefined
              ? 'n'
              : 'w';
    parts.push(marked.slice(end, found.index), html`<span class=${kind}>${shown}</span>`);
    end = found.index + shown.length;
  }
  return [...parts, code.slice(end)];
}
