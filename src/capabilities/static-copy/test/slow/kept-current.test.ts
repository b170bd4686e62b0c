import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capture, official } from '../../../../../test/harness/make.ts';
import {
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';

/** A running service that keeps a static copy current. */

const FRIDAY = official('2026-11-20', { USD: 804 }, { captured_at: '2026-11-19T20:10:00.000Z' });
const TUESDAY = official('2026-11-24', { USD: 801 }, { captured_at: '2026-11-20T20:10:00.000Z' });

// biome-ignore lint/suspicious/noExplicitAny: files of every shape.
async function json(dir: string, path: string): Promise<any> {
  const text = await readFile(join(dir, path), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}

const csv = (dir: string, name: string) =>
  readFile(join(dir, `v1/markets/${name}.csv`), 'utf8').catch(() => '');

async function exporting(
  options: { readonly dir?: string; readonly dataDir?: string; readonly start?: string } = {},
) {
  const dir = options.dir ?? join(await temporaryDir(), 'copy');
  const service = await startTestService({
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.start !== undefined && { start: Date.parse(options.start) }),
    config: { added: { '--export': dir } },
  });
  return { service, dir };
}

const writes = ({ log }: TestService) =>
  log.lines.some(({ message }) => message === 'this process writes the static copy');

async function inForce(dir: string): Promise<number | undefined> {
  const { rates = [] } = await json(dir, 'v1/latest.json');
  return rates.find(({ market }: { market: string }) => market === 'reference')?.mid;
}

describe('contract §22 serve --export keeps the copy current', () => {
  test('a change is there, and files without news are left alone', async () => {
    const { service, dir } = await exporting();
    await service.push(FRIDAY, capture(900, '2026-11-21T11:00:00.000Z'));
    await expect.poll(() => inForce(dir)).toBe(804);
    const day = join(dir, 'v1/official/2026-11-20.json');
    const { mtimeMs } = await stat(day);
    await service.push(capture(905, '2026-11-21T11:30:00.000Z'));
    await expect.poll(() => csv(dir, 'parallel/2026')).toContain('2026-11-21,905,');
    expect((await stat(day)).mtimeMs).toBe(mtimeMs);
  });

  test('a rate of a past year that is loaded later is there too, with the days that it is carried to', async () => {
    const { service, dir } = await exporting();
    await service.push(FRIDAY);
    await expect.poll(() => inForce(dir)).toBe(804);
    await service.push(
      official('2025-12-31', { USD: 300 }, { captured_at: '2025-12-30T20:00:00Z' }),
    );
    const first = () => json(dir, 'v1/official/2026-01-01.json');
    await expect
      .poll(async () => (await first()).rates?.USD)
      .toEqual({ rate: 300, value_date: '2025-12-31', next_banking_day_rate: null });
    await expect.poll(() => csv(dir, 'reference/2025')).toContain('2025-12-31,300,');
  });

  test('a day that begins without news is there, and the rate that takes effect with it', async () => {
    const { service, dir } = await exporting({ start: '2026-11-24T03:59:00.000Z' });
    await service.push(FRIDAY, TUESDAY);
    await expect.poll(() => inForce(dir)).toBe(804);
    const generatedAt = async () => (await json(dir, 'index.json')).generated_at;
    await expect.poll(generatedAt).toBe('2026-11-24T03:59:00.000Z');
    service.clock.set(Date.parse('2026-11-24T04:00:00.000Z'));
    await expect.poll(() => inForce(dir)).toBe(801);
    await expect.poll(() => csv(dir, 'reference/2026')).toContain('2026-11-24,801,');
    service.clock.set(Date.parse('2026-11-25T04:00:00.000Z'));
    await expect
      .poll(() => json(dir, 'v1/official/2026-11-25.json'))
      .toEqual({ date: '2026-11-25', business_day: true, missing: true, rates: {} });
    await expect.poll(generatedAt).toBe('2026-11-25T04:00:00.000Z');
  });

  test('of two processes one writes; when it stops, the other does at once', async () => {
    const first = await exporting();
    await first.service.push(FRIDAY);
    await expect.poll(() => inForce(first.dir)).toBe(804);
    const { service: second } = await exporting({
      dir: first.dir,
      dataDir: first.service.dataDir,
    });
    const { store } = first.service.service;
    const { clock } = second;
    expect(
      await store.takeLease('third', clock.now(), clock.now() + 25_000, 'exporter'),
    ).toBeUndefined();
    expect([writes(first.service), writes(second)]).toEqual([true, false]);
    await first.service.service.close();
    await expect.poll(() => writes(second)).toBe(true);
    await second.push(official('2026-11-21', { USD: 806 }));
    await expect.poll(() => inForce(first.dir)).toBe(806);
  });

  test('a disk that fails is told once a minute, and the copy follows when it works again', async () => {
    const { service, dir } = await exporting();
    await service.push(FRIDAY);
    await expect.poll(() => inForce(dir)).toBe(804);
    await rm(dir, { recursive: true });
    await writeFile(dir, 'no folder');
    const told = () =>
      service.log.lines.filter(({ message }) => message.includes('could not be written')).length;
    await expect.poll(told).toBe(1);
    service.clock.advance(6_000);
    const key = await service.keyFor('Gratis');
    expect((await service.call('/v1/fx/rates', { key })).status).toBe(200);
    await rm(dir);
    service.clock.advance(6_000);
    await expect.poll(() => inForce(dir)).toBe(804);
    expect(told()).toBe(1);
    // The index comes last.
    const names = async () => (await readdir(dir)).sort();
    await expect.poll(names).toEqual(['index.html', 'index.json', 'v1']);
  });
});
