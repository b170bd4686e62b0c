import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../src/core/storage/schema.ts';
import { filesUnder, read } from './harness/repository.ts';

/**
 * The version is what an operator compares before an upgrade: a release with another schema or other
 * answers must not go by the number of an older one.
 */

const manifest: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const { version } = manifest;

/** The sections of the changelog, newest first, each with its first word. */
const sections = read('CHANGELOG.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ name: /^\S+/.exec(text)?.[0] ?? '', text }));
const released = sections.filter(({ name }) => name !== 'Unreleased');

/** Versions compare as numbers: 0.10.0 is newer than 0.9.0. */
function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

describe('the version in package.json', () => {
  test('versions compare as numbers', () => {
    expect(isNewer('0.10.0', '0.9.0')).toBe(true);
    expect(isNewer('0.9.0', '0.9.0')).toBe(false);
    expect(isNewer('0.9.0', '0.10.0')).toBe(false);
  });

  test('has reached the newest section of the changelog, which has a date', () => {
    const [newest] = released;
    expect(isNewer(newest?.name ?? '', version)).toBe(false);
    expect(newest?.text).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d\n/);
    expect(sections.findIndex(({ name }) => name === 'Unreleased')).toBeLessThanOrEqual(0);
    const names = released.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => (isNewer(a, b) ? -1 : 1)));
  });

  test('is that of the lockfile', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
  });

  test('its lockfile says where each package lies: in the public registry, or here', () => {
    const { packages }: { packages: Record<string, { resolved?: string; version?: string }> } =
      JSON.parse(read('package-lock.json'));
    const others = Object.entries(packages).filter(
      ([place, { resolved = '' }]) =>
        place.includes('node_modules/') &&
        resolved !== 'test/generators' &&
        !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(others.map(([place]) => place)).toEqual([]);
  });

  test('has reached the release that each migration names, and no migration is of an earlier one', () => {
    const releases = MIGRATIONS.map(({ release }) => release);
    expect(releases.filter((release) => isNewer(release, version))).toEqual([]);
    expect(releases).toEqual(releases.toSorted((a, b) => (isNewer(a, b) ? 1 : -1)));
  });

  test('each migration after the first is named in the section of its release', () => {
    const untold = MIGRATIONS.slice(1).filter(({ name, release }) => {
      const own = sections.find((one) => one.name === release);
      const section = own ?? (release === version ? sections[0] : undefined);
      return !section?.text.includes(`Migration \`${name}\``);
    });
    expect(untold.map(({ name }) => name)).toEqual([]);
  });

  test('is that of every package that the documents and examples name', () => {
    const documents = [
      ...[...filesUnder('docs', '.md'), ...filesUnder('src/capabilities', '.md')],
      ...[...filesUnder('examples', '.mjs'), 'README.md', 'README.es.md'],
    ];
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/vesfx[-_](?:client-)?(\d+\.\d+\.\d+)(?:\.tgz|_amd64\.deb)/g)].map(
        ([, of = '']) => of,
      ),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((of) => of !== version)).toEqual([]);
  });
});
