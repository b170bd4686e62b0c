import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeb } from '../scripts/deb/build.ts';
import { onPath } from './harness/on-path.ts';
import { MAX_MAKING_MS, theProgram } from './harness/program.ts';
import { temporaryDir } from './harness/service.ts';

/**
 * The package for Debian. `scripts/deb/try.sh` takes it to lintian, and installs, upgrades and removes it in a
 * bare Debian; `scripts/deb/boot.sh` boots one with it.
 */

const { version }: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
let deb = '';
let content = '';

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });

beforeAll(async () => {
  if (onPath('dpkg-deb') === undefined) return;
  const folder = await temporaryDir(afterAll);
  // Compressing takes a minute.
  deb = makeDeb({ program: await theProgram(), arch: process.arch, folder, compression: 'none' });
  content = join(folder, 'content');
  run('dpkg-deb', '-R', deb, content);
}, MAX_MAKING_MS);

describe.skipIf(onPath('dpkg-deb') === undefined)('the package for Debian', () => {
  test('has the program, its units, settings, manual page and completion', () => {
    const listed = run('dpkg-deb', '--contents', deb);
    const files = listed.split('\n').map((line) => line.split(/\s+/).slice(0, 6));
    const modeOf = (path: string) => files.find(([, , , , , name]) => name === `./${path}`)?.[0];
    expect(modeOf('etc/vesfx.env')).toBe('-rw-r-----');
    expect(run('dpkg-deb', '--field', deb, 'Version')).toBe(`${version}\n`);
    const units = join(content, 'usr/lib/systemd/system');
    for (const [unit, started] of [
      ['vesfx.service', 'usr/bin/vesfx'],
      ['vesfx-backup.service', 'usr/bin/vesfx'],
      ['vesfx-dump.service', 'usr/lib/vesfx/vesfx-dump'],
    ] as const) {
      const text = readFileSync(join(units, unit), 'utf8');
      expect(text).toContain(`/${started} `);
      expect(text).not.toContain('/usr/local');
      expect(modeOf(started)).toBe('-rwxr-xr-x');
    }
    expect(readdirSync(units).filter((name) => name.endsWith('.timer'))).toEqual([
      'vesfx-backup.timer',
      'vesfx-dump.timer',
    ]);
    expect(run(join(content, 'usr/lib/vesfx/vesfx'), '--version')).toBe(`${version}\n`);
  });

  test('its manual page names every command, and troff finds no fault in it', () => {
    const page = join(content, 'usr/share/man/man1/vesfx.1.gz');
    const text = run('zcat', page);
    for (const name of ['serve', 'key create', 'source enable', 'export', 'VESFX_PUBLIC_URL']) {
      expect(text).toContain(name);
    }
    if (onPath('groff') === undefined) return;
    const { stderr } = spawnSync('groff', ['-Kutf8', '-man', '-ww', '-Tutf8', '-z'], {
      input: text,
    });
    expect(String(stderr)).toBe('');
  });

  test.each([
    ['', 'serve'],
    ['ke', 'key'],
    ['key cr', 'create'],
    ['key create acc_1 --ki', '--kind'],
    ['--json source sw', undefined],
  ])('its completion goes on after "%s"', (typed, expected) => {
    const file = join(content, 'usr/share/bash-completion/completions/vesfx');
    const script =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
      'source "$0"; COMP_WORDS=(vesfx "${@}"); COMP_CWORD=$#; cd /; _vesfx; echo "${COMPREPLY[*]}"';
    const words = typed === '' ? [''] : typed.split(' ');
    const found = run('bash', '-c', script, file, ...words)
      .trim()
      .split(' ');
    if (expected === undefined) expect(found).toEqual(['']);
    else expect(found).toContain(expected);
  });
});
