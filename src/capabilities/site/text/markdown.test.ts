import { describe, expect, test } from 'vitest';
import { markdownHtml } from './markdown.ts';

const written = (markdown: string) =>
  markdownHtml(markdown, { language: 'es', link: (path) => path });

test('code in a sentence breaks between its words, never at the hyphen of a short one', () => {
  expect(written('`rate set 8.5 --date 2026-11-24`')).toContain(
    '<p><code>rate set 8.5 <span class="one">--date</span> <span class="one">2026-11-24</span></code></p>\n',
  );
  expect(written('`X-RateLimit-Scope`')).toContain('<span class="one">X-RateLimit-Scope</span>');
  // A long one would not fit a phone.
  for (const text of ['vesfx.example', 'X-RateLimit-Scopes', 'a-very-long-name-of-a-file.json']) {
    expect(written(`\`${text}\``)).toContain(`<p><code>${text}</code></p>\n`);
  }
  expect(written('`<a-b>`')).toContain('<p><code><span class="one">&lt;a-b></span></code></p>\n');
});

test('HTML is shown as text, except a break in a cell', () => {
  expect(written('a <b>c</b>')).toContain('<p>a &lt;b>c&lt;/b></p>\n');
  expect(written('| A | B |\n| - | - |\n| a | b<br>c |')).toContain('<td><span>b<br>c</span></td>');
});

test('a name in a table never breaks before its number', () => {
  const table = written('| Name | Is |\n| - | - |\n| Casa de cambio 1 | 2 of 10 |');
  expect(table).toContain('>Casa de cambio\u00a01<');
  expect(table).toContain('>2 of 10<');
});

test('code is shown whole, except a file of more than a hundred lines', () => {
  const block = (lines: number) => written(`\`\`\`text\n${'a\n'.repeat(lines)}\`\`\``);
  expect(block(100)).not.toContain('<pre class="long"');
  expect(block(101)).toContain('<pre class="long"');
});

test('blocks of code that follow each other stand together, after the words before them', () => {
  const code = (number: number) => `\`\`\`text\ncode ${number}\n\`\`\``;
  const page = written(`# title\n\n${code(1)}\n\n${code(2)}\n\ntwo\n\n${code(3)}`);
  expect(page.match(/(?<=>)(?:title|code \d|two)(?=<)/g)).toEqual([
    ...['title', 'code 1', 'code 2', 'two', 'code 3'],
  ]);
  expect(page.match(/<div class="code dark"/g)).toHaveLength(2);
});

describe('a request of a guide', () => {
  const fenced = (kind: string, text: string) => `\`\`\`${kind}\n${text}\n\`\`\``;
  const curl = 'curl -H "X-API-Key: $VESFX_KEY" \\\n  "http://h/v1/fx/rates?date=2026-11-20"';
  const kindsIn = (page: string) => [...page.matchAll(/data-code="(\w+)"/g)].map(([, one]) => one);

  test('that is written for curl stands in every language, and its answer below once', () => {
    const page = written(`${fenced('sh', curl)}\n\n${fenced('json', '{ "rate": 1 }')}`);
    expect(kindsIn(page)).toEqual(['sh', 'js', 'python', 'php']);
    expect(page.split('http://h/v1/fx/rates?date=2026-11-20')).toHaveLength(5);
    expect(page.split('data-label="Respuesta con datos de muestra"')).toHaveLength(2);
  });

  test('keeps its query when that stands on a line of its own', () => {
    const apart = `curl -G -H "X-API-Key: $VESFX_KEY" \\\n  -d 'a=1&b=2' \\\n  "http://h/v1"`;
    // That of curl has it apart.
    expect(written(fenced('sh', apart)).split('http://h/v1?a=1&amp;b=2')).toHaveLength(4);
  });

  test('that has other languages of its own, or does more, stays as it is', () => {
    const own = written(`${fenced('sh', curl)}\n\n${fenced('js', 'fetch(1)')}`);
    expect(kindsIn(own)).toEqual(['sh', 'js']);
    expect(kindsIn(written(fenced('sh', `${curl} | jq .rate`)))).toEqual([]);
  });
});
