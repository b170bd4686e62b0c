import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Documents of operators and shops in two languages say the same. */

const PAIRS = ['operating', 'runbook', 'recipes'] as const;
const read = (file: string) => readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8');

interface Part {
  readonly depth: number;
  readonly heading: string;
  readonly text: string;
}

/** A document by its headings; code is not searched for them. */
function partsOf(document: string): readonly Part[] {
  const parts: { depth: number; heading: string; text: string }[] = [];
  let inCode = false;
  for (const line of document.split('\n')) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    const [, marks, heading = ''] = inCode ? [] : (/^(#+) (.*)$/.exec(line) ?? []);
    if (marks !== undefined) parts.push({ depth: marks.length, heading, text: '' });
    else if (parts.length > 0) (parts.at(-1) as { text: string }).text += `${line}\n`;
  }
  return parts;
}

/** Blocks of code without the comments of a shell, which are words. */
function codeBlocks(text: string): readonly string[] {
  return [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(([, kind = '', code = '']) =>
    kind === 'sh' ? code.replaceAll(/ *# .*$/gm, '') : code,
  );
}

/** Texts between backticks outside of blocks: commands, flags, variables, fields. */
function inlineCode(text: string): ReadonlySet<string> {
  const words = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  return new Set(
    [...words.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' ')),
  );
}

describe.each(PAIRS)('docs/%s.md and its Spanish version', (name) => {
  const english = partsOf(read(`${name}.md`));
  const spanish = partsOf(read(`${name}.es.md`));

  test('have the same sections, tables and lists, in the same order', () => {
    const shape = ({ depth, text }: Part) => ({
      depth,
      rows: text.match(/^\|/gm)?.length ?? 0,
      items: text.match(/^ *(?:\d+\.|-) /gm)?.length ?? 0,
    });
    expect(spanish.map(shape)).toEqual(english.map(shape));
  });

  test('have the same code in each section', () => {
    for (const [position, { heading, text }] of english.entries()) {
      const other = spanish[position]?.text ?? '';
      expect([heading, codeBlocks(other)]).toEqual([heading, codeBlocks(text)]);
    }
  });

  test('link to each other', () => {
    expect(read(`${name}.md`)).toContain(`(${name}.es.md)`);
    expect(read(`${name}.es.md`)).toContain(`(${name}.md)`);
  });
});

test('both versions of the operating page name the same commands, flags, variables and fields', () => {
  const english = partsOf(read('operating.md'));
  const spanish = partsOf(read('operating.es.md'));
  for (const [position, { heading, text }] of english.entries()) {
    const own = inlineCode(text);
    const other = inlineCode(spanish[position]?.text ?? '');
    const missing = [...own].filter((code) => !other.has(code));
    const invented = [...other].filter((code) => !own.has(code));
    expect([heading, missing, invented]).toEqual([heading, [], []]);
  }
});
