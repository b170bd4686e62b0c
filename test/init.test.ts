import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from './harness/commands.ts';
import { temporaryDir } from './harness/service.ts';

/** `vesfx init`: the files that an operator edits. */

const packaged = readdirSync('catalog').sort();
const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

describe('vesfx init', () => {
  test('writes the catalogue as packaged to a new folder or one without these files, and vesfx takes it', async () => {
    const top = await temporaryDir();
    mkdirSync(join(top, 'old'));
    writeFileSync(join(top, 'old', 'notes.txt'), 'mine');
    for (const name of ['new', 'old']) {
      const folder = join(top, name);
      const { code, out, err } = await runHere(['init', folder]);
      expect([code, out]).toEqual([
        0,
        `${packaged.map((file) => join(folder, file)).join('\n')}\n`,
      ]);
      expect(err).toBe(`vesfx reads them when VESFX_CATALOG is ${folder}.\n`);
    }
    expect(filesOf(join(top, 'new'))).toEqual(filesOf('catalog'));
    expect(readFileSync(join(top, 'old', 'notes.txt'), 'utf8')).toBe('mine');
    const env = { ...process.env, VESFX_CATALOG: join(top, 'new') };
    const body = join(top, 'body.json');
    writeFileSync(body, '{"rate":900.5,"timestamp":1795177800000}');
    const parsed = await runHere(['source', 'parse', 'yadio', body], env);
    expect(JSON.parse(parsed.out)).toMatchObject({ market: 'parallel', mid: 900.5 });
  });

  test('--json names folder and files', async () => {
    const folder = join(await temporaryDir(), 'catalog');
    const { out, err } = await runHere(['init', folder, '--json']);
    expect([JSON.parse(out), err]).toEqual([{ folder, files: packaged }, '']);
  });

  test.each([
    ['a file', (path: string) => writeFileSync(path, '{}')],
    ['a link that leads nowhere', (path: string) => symlinkSync('/nonexistent/plans.json', path)],
  ])('never writes over %s, and then writes nothing', async (_, make) => {
    const folder = await temporaryDir();
    make(join(folder, 'plans.json'));
    const outcome = await runHere(['init', folder]);
    expect(outcome).toEqual({
      code: 1,
      out: '',
      err: `error: ${join(folder, 'plans.json')} exists already: nothing was written.\n`,
    });
    expect(readdirSync(folder)).toEqual(['plans.json']);
    rmSync(join(folder, 'plans.json'));
    expect((await runHere(['init', folder])).code).toBe(0);
  });

  test('says in one sentence that there is no folder for it, or a file in its place', async () => {
    const top = await temporaryDir();
    expect(await runHere(['init', join(top, 'a', 'b')])).toEqual({
      code: 2,
      out: '',
      err: `error: There is no folder ${join(top, 'a')}.\n`,
    });
    writeFileSync(join(top, 'file'), '');
    const outcome = await runHere(['init', join(top, 'file')]);
    expect(outcome).toMatchObject({ code: 1, err: expect.stringMatching(/ is not a folder\.\n$/) });
  });
});
