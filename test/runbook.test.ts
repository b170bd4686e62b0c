import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from './harness/commands.ts';
import { temporaryDir } from './harness/service.ts';
import { startUpstream } from './harness/upstream.ts';

/** Compares the runbook with the commands, and its two languages with each other. */

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const PAGES = ['runbook.md', 'runbook.es.md'] as const;

/** The commands to type, from blocks and from the text. */
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
  test('has eleven situations, and the same commands and outputs in both languages', () => {
    const [english, spanish] = PAGES;
    expect(read(english).match(/^## /gm)).toHaveLength(11);
    expect(read(spanish).match(/^## /gm)).toHaveLength(11);
    expect(commandsOf(spanish)).toEqual(commandsOf(english));
    expect(blocksOf(spanish)).toEqual(blocksOf(english));
  });

  test.each(PAGES)('%s needs no key of a customer (contract §28)', (page) => {
    const text = read(page);
    expect(text).not.toMatch(/X-API-Key|\$\{?KEY\b|Authorization:/);
    // What only a customer's key opens.
    expect(text).not.toContain('/v1/account');
    expect(commandsOf(page)).toContain('vesfx account list --usage');
  });

  test('names only existing commands and flags', async () => {
    const typed = [...new Set(PAGES.flatMap(commandsOf))];
    expect(typed.length).toBeGreaterThan(20);
    for (const line of typed) {
      const words = line.split(' ').slice(1);
      // One word for a single command, two for a command of a group.
      const group = (await runHere([words[0] ?? '', '--help'])).out.includes('\nCommands:');
      const { code, out } = await runHere([...words.slice(0, group ? 2 : 1), '--help']);
      expect(code, line).toBe(0);
      expect(out, line).toContain(`Usage: vesfx ${words.slice(0, group ? 2 : 1).join(' ')}`);
      for (const flag of line.match(/--[a-z-]+/g) ?? []) expect(out, line).toContain(flag);
    }
  });
});

interface Shown {
  readonly args: readonly string[];
  readonly lines: readonly string[];
  /** Whether the page says that the command prints more. */
  readonly isShortened: boolean;
}

/** The shown output of each command of a section, in order. */
function shownIn(heading: string): readonly Shown[] {
  const section = read('runbook.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const parts = section.split(/^ *```\w*\n/m);
  return parts.flatMap((block, place) => {
    if (place % 2 === 0 || !block.trimStart().startsWith('$ ')) return [];
    const isShortened = (parts[place + 1] ?? '').trimStart().startsWith('(shortened');
    return block.split(/^ *\$ vesfx /m).flatMap((text) => {
      const [typed = '', ...lines] = text.trim().split('\n');
      if (typed === '') return [];
      const printed = lines.map(plain).filter((line) => line !== '');
      return [{ args: typed.split(' '), lines: printed, isShortened }];
    });
  });
}

/** A printed line without what is another one each time: ids, keys, times, digests, columns. */
function plain(line: string): string {
  return line
    .replaceAll(/(?:acc|key)_\w+/g, 'ID')
    .replaceAll(/vfx_live_\w+/g, 'vfx_live_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d in Caracas/g, 'TIME in Caracas')
    .replaceAll(/\b[0-9a-f]{16}\b/g, 'HELD')
    .replaceAll(/\b(reference)\.\w+\.\w+/g, '$1.FIGURE')
    .replaceAll(/\d+(?= bytes)|(?<=batch +|quotes )\d+/g, 'N')
    .replaceAll(/(?:\/\S+)?\/(\S+\.\w+)/g, '$1')
    .replaceAll(/ +/g, ' ')
    .trim();
}

const record = (kind: string, fields: object) => JSON.stringify({ kind, ...fields });
const officialOf = (valueDate: string, capturedAt: string, USD: number) =>
  record('official', { value_date: valueDate, rates: { USD }, captured_at: capturedAt });
const quoteOf = (mid: number, at: string) =>
  record('quote', { market: 'binance', mid, updated_at: at, captured_at: at });

/** A folder with an account, its key and some figures, on the day of the runbook. */
async function anInstallation() {
  const folder = await temporaryDir();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T08:16:00Z') });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const site = await startUpstream();
  const packaged: { name: string }[] = JSON.parse(
    readFileSync(new URL('../catalog/sources.json', import.meta.url), 'utf8'),
  );
  const catalogue = (name: string, list: readonly object[]) =>
    writeFile(join(folder, name), JSON.stringify(list));
  const sourceOf = (source: string) =>
    packaged.filter(({ name }) => name === source).map((one) => ({ ...one, url: site.url }));
  await catalogue('sources.json', sourceOf('bcv-official'));
  const env = {
    ...process.env,
    VESFX_DATA: join(folder, 'data'),
    VESFX_CATALOG: folder,
    VESFX_ALLOW_LOOPBACK_SOURCES: '1',
  };
  const vesfx = (...args: readonly string[]) => runHere(args, env);
  const take = async (name: string, ...lines: readonly string[]) => {
    await writeFile(join(folder, name), lines.join('\n'));
    return join(folder, name);
  };
  const first = officialOf('2026-11-20', '2026-11-19T20:10:00Z', 890.02);
  await vesfx('import', await take('first.ndjson', first));
  await vesfx('import', await take('quote.ndjson', quoteOf(1180.58, '2026-11-22T08:05:00Z')));
  const account =
    /acc_\w+/.exec(
      (await vesfx('account', 'create', '--name', 'small', '--plan', 'gratis')).out,
    )?.[0] ?? '';
  /** Runs what a section shows, with this installation's ids and files, and compares what is printed. */
  const follow = async (shown: Shown | undefined, ids: Readonly<Record<string, string>> = {}) => {
    if (shown === undefined) throw new Error('the section shows less');
    const args = shown.args.map((word) => {
      if (word.startsWith('acc_')) return account;
      if (word.startsWith('/backups/')) return join(folder, word.replace('/backups/', ''));
      if (word.endsWith('.ndjson')) return join(folder, word);
      return ids[word] ?? word;
    });
    const redirect = args.indexOf('>');
    const { out, err } = await vesfx(...(redirect < 0 ? args : args.slice(0, redirect)));
    const printed = (redirect < 0 ? out + err : err)
      .replaceAll(site.url, 'https://www.bcv.org.ve/')
      .replaceAll(join(folder, 'data'), '/var/lib/vesfx')
      .replaceAll(`${folder}/`, '')
      .split('\n')
      .map(plain)
      .filter((line) => line !== '');
    if (shown.isShortened)
      expect(printed, args.join(' ')).toEqual(expect.arrayContaining([...shown.lines]));
    else expect([args, [...printed].sort()]).toEqual([args, [...shown.lines].sort()]);
    return out;
  };
  /** The central bank's site shows the sample page from now on. */
  const shows = (alter: (page: string) => string = (page) => page) => {
    const page = readFileSync(
      new URL('../src/core/sources/fixtures/bcv-home-2026-11-23.html', import.meta.url),
      'utf8',
    );
    site.answers((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(alter(page));
    });
  };
  return { vesfx, take, follow, account, shows, catalogue, sourceOf };
}

/** The first word of that form. */
function idIn(text: string, form: RegExp): string {
  return form.exec(text)?.[0] ?? '';
}

describe('the outputs in the runbook are real', () => {
  test('when the BCV changed its page', async () => {
    const { vesfx, follow, shows } = await anInstallation();
    shows((page) => page.replace('Fecha Valor:', 'Vigencia:'));
    expect((await vesfx('source', 'run', 'bcv-official')).code).toBe(1);
    const shown = shownIn('The BCV changed its page');
    expect(shown).toHaveLength(5);
    for (const one of shown) await follow(one);
  });

  test('when a publication is missing and its page has a wrong date', async () => {
    const { follow, shows } = await anInstallation();
    shows();
    const [, run, list] = shownIn('A publication is missing');
    await follow(run);
    await follow(list);
  });

  test('when a source is frozen', async () => {
    const { vesfx, take, follow } = await anInstallation();
    const days = Array.from({ length: 13 }, (_, day) => `2026-11-${10 + day}T08:13:53Z`);
    const lines = days.map((at) =>
      record('quote', { market: 'parallel', mid: 1100.5, updated_at: at, captured_at: at }),
    );
    await vesfx('import', await take('same.ndjson', ...lines), '--trust');
    await follow(shownIn('A source is frozen')[0]);
  });

  test('when a rate is wrong', async () => {
    const { vesfx, take, follow } = await anInstallation();
    await vesfx('rate', 'set', 'reference', '1200', '--date', '2026-11-24', '--force');
    await take('right.ndjson', quoteOf(1181, '2026-11-22T08:10:00Z'));
    const shown = shownIn('A rate is wrong');
    expect(shown).toHaveLength(4);
    for (const one of shown) await follow(one);
  });

  test('when a key leaked', async () => {
    const { vesfx, follow, account } = await anInstallation();
    await vesfx('key', 'create', account);
    const [list, revoke, create, rotate] = shownIn('A key leaked');
    const leaked = revoke?.args.at(-1) ?? '';
    const id = idIn(await follow(list), /key_\w+/);
    await follow(revoke, { [leaked]: id });
    const next = idIn(await follow(create), /key_\w+/);
    await follow(rotate, { [leaked]: next });
  });

  test('when a right record is held', async () => {
    const { vesfx, take, follow } = await anInstallation();
    const wrongDate = officialOf('2026-11-23', '2026-11-20T21:10:00Z', 891);
    const jump = quoteOf(2400.5, '2026-11-22T08:10:00Z');
    await vesfx('import', await take('doubtful.ndjson', wrongDate, jump));
    const [list, release, reject] = shownIn('A right record is held');
    const out = await follow(list);
    await follow(release, {
      [release?.args.at(-1) ?? '']: idIn(out, /\w{16}(?=.* bcv\.official)/),
    });
    await follow(reject, { [reject?.args.at(-1) ?? '']: idIn(out, /\w{16}(?=.* binance)/) });
  });

  test('when the bolívar loses zeros', async () => {
    const { vesfx, follow, catalogue, sourceOf } = await anInstallation();
    await catalogue('sources.json', sourceOf('criptoya'));
    const past = { on: '2021-10-01', factor: 1_000_000, name: 'bolívar digital' };
    const reform = { on: '2027-01-04', factor: 1_000, name: 'bolívar nuevo' };
    await catalogue('redenominations.json', [past, reform]);
    const shop = await vesfx('account', 'create', '--name', 'shop', '--plan', 'inicio');
    await vesfx('markup', 'set', idIn(shop.out, /acc_\w+/), 'fee', '--fixed', '5');
    const [dryRun, none] = shownIn('The bolívar loses zeros');
    await follow(dryRun);
    await catalogue('redenominations.json', [past]);
    await follow(none);
  });

  test('when the disk is full, the database damaged, or a caller refused', async () => {
    const { follow } = await anInstallation();
    const [, , prune, alert] = shownIn('The database is away, read-only or full');
    await follow(prune);
    await follow(alert);
    const [, restore, backup] = shownIn('The database is damaged');
    await follow(backup);
    const restored = await follow(restore);
    expect(restored).toContain('accounts 1');
    const calls = shownIn('A caller is refused (429/402)');
    expect(calls).toHaveLength(2);
    for (const one of calls) await follow(one);
  });

  test.each(['A publication is missing', 'No process reads the sources'])(
    'printed by vesfx doctor: %s',
    async (heading) => {
      const { follow } = await anInstallation();
      const [doctor] = shownIn(heading);
      expect(doctor?.args).toEqual(['doctor']);
      await follow(doctor);
    },
  );
});
