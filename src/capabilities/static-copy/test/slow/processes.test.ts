import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { official } from '../../../../../test/harness/make.ts';
import { install, type RunningProcess } from '../../../../../test/harness/processes.ts';
import { temporaryDir } from '../../../../../test/harness/service.ts';

/** `vesfx export --static`, and processes with `--export`, as an operator runs them. */

const SERVE = ['serve', '--no-collect', '--port', '0'];
const WRITES = 'this process writes the static copy';

const writers = (processes: readonly RunningProcess[]) =>
  processes.filter(({ log }) => log().includes(WRITES)).length;

async function siteWithFolder() {
  const site = await install({ VESFX_DRAIN_SEC: '0' });
  await site.load([official('2026-11-20', { USD: 804 })]);
  const dir = join(await temporaryDir(), 'copy');
  const mid = async () => {
    const text = await readFile(join(dir, 'v1/official/latest.json'), 'utf8').catch(() => '{}');
    return JSON.parse(text).rates?.USD?.in_force?.rate;
  };
  return { site, dir, mid };
}

describe('vesfx export --static', () => {
  test('writes the copy, tells what it did, and knows markets by their aliases', async () => {
    const { site, dir } = await siteWithFolder();
    const told = await site.json(['export', '--static', dir, '--market', 'bcv']);
    expect(told).toEqual({
      folder: dir,
      files: expect.any(Number),
      bytes: expect.any(Number),
      written: told.files,
      removed: 0,
    });
    expect(await readdir(join(dir, 'v1/markets'))).toEqual(['reference']);
    const again = await site.vesfx(['export', '--static', dir, '--market', 'reference']);
    expect([again.code, again.out]).toEqual([
      0,
      `${dir}: ${told.files} files, ${told.bytes} bytes; nothing changed.\n`,
    ]);
  });

  test('wrong usage exits 2 and writes nothing', async () => {
    const { site, dir } = await siteWithFolder();
    await mkdir(dir);
    await writeFile(join(dir, 'notes.txt'), '');
    const refused = `${dir} holds notes.txt, which is not of an export`;
    for (const [args, message] of [
      [['export', '--static', dir], refused],
      [[...SERVE, '--export', dir], refused],
      [[...SERVE, '--workers', '2', '--export', dir], refused],
      [[...SERVE, '--export', ''], '--export needs the name of a folder.'],
      [['collect', '--export', dir], refused],
      [['export', '--static', join(dir, 'notes.txt')], 'notes.txt is not a folder'],
      [['export', '--static', `${dir}-2`, '--market', 'paralell'], 'Did you mean parallel?'],
      [['export', '--static', ''], '--static needs the name of a folder.'],
      [['export'], '--static'],
    ] as const) {
      const { code, err } = await site.vesfx(args);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(await readdir(dir)).toEqual(['notes.txt']);
  });
});

describe('serve --export and collect --export', () => {
  test('of workers and a collector one writes; killed, it is replaced within about thirty seconds; SIGTERM ends all', async () => {
    const { site, dir, mid } = await siteWithFolder();
    const collector = await site.start(['collect', '--export', dir]);
    await expect.poll(mid).toBe(804);
    const served = await site.start([...SERVE, '--workers', '2', '--export', dir]);
    expect(writers([collector, served])).toBe(1);
    collector.child.kill('SIGKILL');
    await collector.ended;
    await expect.poll(() => writers([served])).toBe(1);
    expect(served.log().split(WRITES)).toHaveLength(2);
    await site.load([official('2026-11-23', { USD: 806 })]);
    await expect.poll(mid).toBe(806);
    served.child.kill('SIGTERM');
    expect(await served.ended).toEqual({ code: 0, signal: null });
    expect((await readdir(dir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
