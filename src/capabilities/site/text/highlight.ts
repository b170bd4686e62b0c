import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import xml from 'highlight.js/lib/languages/xml';

/** Colours of code, made on the server. The page gets classes and no script. */

for (const [name, language] of Object.entries({ bash, javascript, json, php, python, xml })) {
  hljs.registerLanguage(name, language);
}

/** The grammars by the kinds of our blocks. Code of another kind keeps one colour. */
const GRAMMARS: Readonly<Record<string, string>> = {
  sh: 'bash',
  js: 'javascript',
  ts: 'javascript',
  json: 'json',
  php: 'php',
  python: 'python',
  html: 'xml',
  xml: 'xml',
};

/** The five classes by the scopes of the library: key, value, number, word, comment. */
const CLASSES: Readonly<Record<string, string>> = {
  attr: 'k',
  attribute: 'k',
  name: 'k',
  property: 'k',
  string: 'v',
  regexp: 'v',
  number: 'n',
  literal: 'n',
  keyword: 'w',
  built_in: 'w',
  title: 'w',
  meta: 'c',
  comment: 'c',
};

/** The code as markup with the five classes. */
export function highlighted(text: string, kind: string): string | undefined {
  const language = GRAMMARS[kind];
  if (language === undefined) return undefined;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  const open: boolean[] = [];
  return value.replaceAll(/<span class="(?:hljs-)?([a-z_]+)[^"]*">|<\/span>/g, (tag, scope) => {
    if (tag === '</span>') return open.pop() ? tag : '';
    const name = CLASSES[scope];
    open.push(name !== undefined);
    return name === undefined ? '' : `<span class="${name}">`;
  });
}
