import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (name: string) =>
  readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');

/** Begins an addition, as the preface of the page says. */
const MARK = /\[\+contract §(\d+)\]/;
const WHOLE_LINE = new RegExp(`^(?:- |\\d+\\. )?${MARK.source}`);
const TO_END_OF_CELL = new RegExp(` ${MARK.source}[^|]*(?= \\|)`, 'g');
const TO_END_OF_LINE = new RegExp(` ${MARK.source}.*$`);

/** Sections 1 to 9 without their additions: the interface as it was asked for. */
function askedFor(page: string): string {
  const sections = page.slice(page.indexOf('\n## 1. ') + 1, page.indexOf('\n## 10. '));
  const lines = sections
    .split('\n')
    .filter((line) => !WHOLE_LINE.test(line))
    .map((line) => line.replace(line.startsWith('|') ? TO_END_OF_CELL : TO_END_OF_LINE, ''));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Of what was asked for. It changes only if somebody asks for something else. */
const ASKED_FOR = '3af50f4819e77b2e27d1fa35d21f3f9b456726deb4fc37f139cf218b735e8b6a';

describe('the page of the interface', () => {
  const page = read('interface.md');

  test('what has no mark is as it was asked for: an addition needs a mark', () => {
    expect(hash('sha256', askedFor(page))).toBe(ASKED_FOR);
    const unmarked = page.replace('## 3. States', 'An addition.\n\n## 3. States');
    expect(hash('sha256', askedFor(unmarked))).not.toBe(ASKED_FOR);
    const marked = page.replace('## 3. States', '[+contract §2] An addition.\n\n## 3. States');
    expect(hash('sha256', askedFor(marked))).toBe(ASKED_FOR);
  });

  test('every mark leads to the section of the contract that it names', () => {
    const numbers = new Set([...page.matchAll(new RegExp(MARK, 'g'))].map(([, one]) => one));
    const links = [...page.matchAll(/^\[\+contract §(\d+)\]: contract\.md#(.+)$/gm)];
    expect(links.map(([, number]) => number).toSorted()).toEqual([...numbers].toSorted());
    expect(numbers.size).toBeGreaterThan(5);
    const anchors = [...read('contract.md').matchAll(/^## (\d+)\. (.+)$/gm)].map(
      ([, number, title = '']) =>
        `${number} ${number}-${title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-')}`,
    );
    for (const [, number, anchor] of links) expect(anchors).toContain(`${number} ${anchor}`);
  });
});
