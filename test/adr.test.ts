import { describe, expect, test } from 'vitest';
import { filesUnder, read } from './harness/repository.ts';

const pages = filesUnder('docs/adr', '.md').toSorted();

describe('the pages of choices', () => {
  test('keep their numbers, stand by date, and say choice, reason, cost and how to leave', () => {
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThanOrEqual(60);
    // A page that nobody questions any more goes, and its number with it.
    const numbers = pages.map((page) => /^docs\/adr\/(\d{4})-/.exec(page)?.[1] ?? '');
    expect(new Set(numbers).size).toBe(pages.length);
    const dates = pages.map((page, index) => {
      const parts = read(page).split('\n\n');
      expect(parts[0], page).toMatch(new RegExp(`^# ${Number(numbers[index])}\\. `));
      const said = parts.slice(2).map((part) => /^\*\*([^*]+)\.\*\* /.exec(part)?.[1]);
      expect(said, page).toEqual(['Choice', 'Reason', 'Cost', 'To leave']);
      return parts[1] ?? '';
    });
    expect(dates).toEqual(dates.toSorted());
    expect(dates.filter((date) => !/^\d{4}-\d\d-\d\d$/.test(date))).toEqual([]);
  });

  test('name only files of the project', () => {
    const known = ['src', 'catalog', 'scripts', 'test', 'deploy', 'docs']
      .flatMap((folder) => filesUnder(folder, ''))
      .map((file) => `/${file}`);
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+\.(?:ts|sh|json|md))`/g)].map(([, file = '']) => file),
    );
    expect(named.length).toBeGreaterThan(20);
    // Files that a service writes for others.
    const written = ['index.json'];
    const dead = named.filter((name) => !known.some((file) => file.endsWith(`/${name}`)));
    expect(dead.filter((name) => !written.includes(name))).toEqual([]);
  });
});
