import { type Html, html } from '../../../core/http/framework/encoding/html.ts';

/** More would make a page of elements: the rest of a long answer stays plain. */
// limit: Coloured code | 20,000 characters | one colour
const MAX_COLOURED = 20_000;

/** Comments, keys of JSON, texts, numbers and words of JSON, and words of the samples, by their classes. */
const PARTS =
  /(?<c>^#.*$)|(?<k>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<v>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<![\w/.])(?<n>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|True)(?![\w/])|\b(?<w>curl|GET|POST|PUT|PATCH|DELETE|const|await|from|import|try|except|print|echo|urlopen|fetch)\b/gm;

/** Code with its comments, keys, texts, values and words marked. */
export function coloured(code: string): Html {
  const marked = code.slice(0, MAX_COLOURED);
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: shown, index, groups = {} } of marked.matchAll(PARTS)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    parts.push(marked.slice(end, index), html`<span class=${kind}>${shown}</span>`);
    end = index + shown.length;
  }
  return [...parts, code.slice(end)];
}
