import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runHere } from './harness/commands.ts';

/** Compares the runbook with the commands, and its two languages with each other. */

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const PAGES = ['runbook.md', 'runbook.es.md'] as const;

/** What is typed, from blocks and from the text. */
function commandsOf(page: string): string[] {
  return [...read(page).matchAll(/(?:\$ |`|^ *)(vesfx [a-z][^\n`#>]*)/gm)].map(([, typed = '']) =>
    typed.replaceAll(/ +/g, ' ').trim(),
  );
}

/** The blocks with what is printed, which is the same in both languages. */
function blocksOf(page: string): string[] {
  return [...read(page).matchAll(/```(?:text|json)\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}

describe('the runbook', () => {
  test('has ten situations, and the same commands and outputs in both languages', () => {
    const [english, spanish] = PAGES;
    expect(read(english).match(/^## /gm)).toHaveLength(10);
    expect(read(spanish).match(/^## /gm)).toHaveLength(10);
    expect(commandsOf(spanish)).toEqual(commandsOf(english));
    expect(blocksOf(spanish)).toEqual(blocksOf(english));
  });

  test('names only commands and flags that there are', async () => {
    const typed = [...new Set(PAGES.flatMap(commandsOf))];
    expect(typed.length).toBeGreaterThan(20);
    for (const line of typed) {
      const words = line.split(' ').slice(1);
      // One word for what stands alone, two for what stands in a group.
      const group = (await runHere([words[0] ?? '', '--help'])).out.includes('\nCommands:');
      const { code, out } = await runHere([...words.slice(0, group ? 2 : 1), '--help']);
      expect(code, line).toBe(0);
      expect(out, line).toContain(`Usage: vesfx ${words.slice(0, group ? 2 : 1).join(' ')}`);
      for (const flag of line.match(/--[a-z-]+/g) ?? []) expect(out, line).toContain(flag);
    }
  });
});
