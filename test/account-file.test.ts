import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyDigest, kindOfKey } from '../src/core/app/access/keys.ts';
import { MAX_NEW_ACCOUNTS } from '../src/core/app/access/new-accounts.ts';
import { csvRows } from '../src/core/cli/csv-rows.ts';
import { openStore } from '../src/core/storage/store.ts';
import { runHere } from './harness/commands.ts';
import { temporaryDir } from './harness/service.ts';

/** `vesfx account create --from`, and what accounts use (contract §28). */

async function site() {
  const folder = await temporaryDir();
  const data = join(folder, 'data');
  const env = { ...process.env, VESFX_DATA: data };
  const vesfx = (...args: readonly string[]) => runHere(args, env);
  const file = (content: string | Uint8Array, name = 'shops.csv') => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const create = (content: string | Uint8Array, ...more: readonly string[]) =>
    vesfx('account', 'create', '--from', file(content), ...more);
  const accounts = async (): Promise<readonly { name: string; plan: string; id: string }[]> => {
    const { code, out } = await vesfx('account', 'list', '--json');
    return code === 0 ? JSON.parse(out) : [];
  };
  return { folder, data, vesfx, file, create, accounts, keysFile: join(folder, 'shops.keys.csv') };
}

const GOOD = 'name,plan,label\nTienda Uno,gratis,caja\n"Dos, C.A.",Escala,\n';

describe('vesfx account create --from (contract §28)', () => {
  test('makes accounts with one key each, and writes the keys only into a file of the owner', async () => {
    const { create, accounts, keysFile, data, folder, vesfx } = await site();
    const { code, out, err } = await create(GOOD);
    expect([code, err]).toEqual([0, '']);
    expect((await accounts()).map(({ name, plan }) => [name, plan]).sort()).toEqual([
      ['Dos, C.A.', 'Escala'],
      ['Tienda Uno', 'Gratis'],
    ]);
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    const [header, ...rows] = csvRows(readFileSync(keysFile, 'utf8')).map(({ cells }) => cells);
    expect(header).toEqual(['account', 'name', 'plan', 'label', 'key_id', 'key']);
    expect(rows.map(([, name, plan, label]) => [name, plan, label])).toEqual([
      ['Tienda Uno', 'Gratis', 'caja'],
      ['Dos, C.A.', 'Escala', ''],
    ]);
    const store = await openStore({ dataDir: data });
    for (const [account = '', , , label = '', id, key = ''] of rows) {
      expect(kindOfKey(key)).toBe('full');
      const holder = await store.findKeyHolder(keyDigest(key));
      expect([holder?.account.id, holder?.key.id, holder?.key.label ?? '']).toEqual([
        account,
        id,
        label,
      ]);
      expect(out).not.toContain(key.slice(9));
      expect((await vesfx('audit')).out).not.toContain(key.slice(9, 20));
    }
    await store.close();
    expect(out).toContain(keysFile);
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'shops.csv', 'shops.keys.csv']);
    const audited = JSON.parse((await vesfx('audit', '--json')).out);
    expect(audited.map(({ what }: { what: string }) => what).sort()).toEqual([
      ...['account', 'account', 'key', 'key'],
    ]);
  });

  test('takes line ends of any system, and leaves out blank lines, also those of a spreadsheet', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { create, accounts } = await site();
      const lines = [
        'name,plan,label',
        '   ',
        'Uno,gratis,caja',
        ',,',
        ' , ,',
        '',
        'Dos,Escala,',
        '',
      ];
      const { code, err } = await create(lines.join(end));
      expect([end, code, err]).toEqual([end, 0, '']);
      expect((await accounts()).map(({ name }) => name).sort()).toEqual(['Dos', 'Uno']);
    }
  });

  test('names the line of a fault whatever ends the lines', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { create } = await site();
      const { code, err } = await create(['name,plan', '', 'Uno,gratis', 'Dos,nada'].join(end));
      expect([end, code]).toEqual([end, 1]);
      expect(err).toContain('line 4: ');
    }
  });

  test('takes a byte order mark, CRLF, columns in another order, and no label; --json and --keys', async () => {
    const { create, folder, accounts, keysFile } = await site();
    const keys = join(folder, 'secret.csv');
    const { code, out } = await create(
      '\uFEFFPlan,Name\r\ninicio,"Una ""buena"""\r\n',
      '--keys',
      keys,
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      accounts: [{ name: 'Una "buena"', plan: 'Inicio', status: 'active', label: null }],
      errors: [],
      keys_file: keys,
    });
    expect(await accounts()).toHaveLength(1);
    expect(existsSync(keysFile)).toBe(false);
    expect(existsSync(keys)).toBe(true);
  });

  test('names every bad line with its reason, and makes nothing', async () => {
    const { vesfx, create, accounts, keysFile } = await site();
    await vesfx('account', 'create', '--name', 'Old', '--plan', 'gratis');
    const { code, err, out } = await create(
      [
        'name,plan,label',
        'Good,gratis,',
        'Bad plan,none,',
        ',gratis,',
        '"two\nlines",gratis,',
        'Good,escala,',
        'Old,gratis,',
        'Short,gratis',
        `Long label,gratis,${'x'.repeat(101)}`,
        `${'n'.repeat(201)},gratis,`,
      ].join('\n'),
    );
    expect([code, out]).toEqual([1, 'Nothing was created.\n']);
    const lines = err.split('\n').filter((line) => line.startsWith('line '));
    expect(lines.map((line) => line.replace(/acc_\w+/, 'ID'))).toEqual([
      'line 3: There is no plan none; the plans are Gratis, Inicio, Esencial, Profesional, Escala.',
      expect.stringMatching(/^line 4: The name must have 1 to 200 characters/),
      expect.stringMatching(/^line 5: The name must have 1 to 200 characters/),
      'line 7: line 2 has the name Good already',
      'line 8: the account ID has the name Old already',
      'line 9: It has 2 columns, and the first line 3.',
      expect.stringMatching(/^line 10: .*label.* 1 to 100 characters/),
      expect.stringMatching(/^line 11: The name must have 1 to 200 characters/),
    ]);
    expect(await accounts()).toHaveLength(1);
    expect(existsSync(keysFile)).toBe(false);
    expect(JSON.parse((await create('name,plan\nA,none\n', '--json')).out)).toEqual({
      accounts: [],
      errors: [{ line: 2, reason: expect.stringContaining('There is no plan none') }],
      keys_file: null,
    });
  });

  test('takes names that a person reads as the same for one, and those of deleted accounts for none', async () => {
    const { create, vesfx, accounts } = await site();
    const made = async (...args: readonly string[]) =>
      JSON.parse((await vesfx('account', 'create', ...args, '--json')).out);
    // One by one, an account may have the name of another one.
    const { id } = await made('--name', 'Caf\u00e9 Uno', '--plan', 'gratis');
    await made('--name', 'Caf\u00e9 Uno', '--plan', 'gratis');
    const { code, err } = await create(
      [
        'name,plan',
        'Dos,gratis',
        ' DOS ,gratis',
        'cafe\u0301\u00a0 uno,gratis',
        'Do s,gratis',
      ].join('\n'),
    );
    expect(code).toBe(1);
    const lines = err.split('\n').filter((line) => line.startsWith('line '));
    expect(lines.map((line) => line.replace(/acc_\w+/, 'ID'))).toEqual([
      'line 3: line 2 has the name Dos already',
      'line 4: the account ID has the name Caf\u00e9 Uno already',
    ]);
    const [, ...others] = (await accounts()).map((one) => one.id);
    for (const one of [id, ...others]) await vesfx('account', 'delete', one);
    expect((await create('name,plan\nDos,gratis\nCaf\u00e9 Uno,gratis\n')).code).toBe(0);
  });

  test.each([
    ['Tienda,gratis,caja\n', 'The first line must name the columns'],
    ['name;plan;label\nTienda;gratis;caja\n', 'separated by commas'],
    ['name,plan,label,more\nTienda,gratis,caja,x\n', 'The first line must name the columns'],
    ['name,plan,name\nTienda,gratis,caja\n', 'The first line must name the columns'],
    ['name,plan\nTi"enda,gratis\n', 'line 2: has a quote that does not surround a cell'],
    ['name,plan\n', 'There are no accounts in the file.'],
    ['', 'The first line must name the columns'],
    [Buffer.from('name,plan\nCompañía,gratis\n', 'latin1'), 'is not UTF-8'],
  ])('refuses what is no such file: %j', async (content, message) => {
    const { create, accounts, keysFile } = await site();
    const { code, err, out } = await create(content);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(await accounts()).toEqual([]);
    expect(existsSync(keysFile)).toBe(false);
  });

  test.each([
    [MAX_NEW_ACCOUNTS, 0],
    [MAX_NEW_ACCOUNTS + 1, 2],
  ])('makes %s accounts of a file: exit code %s', async (count, expected) => {
    const { create, accounts } = await site();
    const lines = Array.from({ length: count }, (_, at) => `Shop ${at},gratis`);
    const { code } = await create(`name,plan\n${lines.join('\n')}\n`);
    expect(code).toBe(expected);
    expect(await accounts()).toHaveLength(expected === 0 ? count : 0);
  });

  test('never overwrites a file, nor writes where a link leads, nor makes accounts without the file', async () => {
    const { create, accounts, folder, keysFile } = await site();
    writeFileSync(keysFile, 'mine');
    symlinkSync(join(folder, 'elsewhere.csv'), join(folder, 'link.csv'));
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    for (const args of [
      [],
      ['--keys', join(folder, 'link.csv')],
      ['--keys', join(folder, 'none', 'keys.csv')],
      ['--keys', join(locked, 'x'.repeat(300))],
    ]) {
      const { code, out } = await create(GOOD, ...args);
      expect([1, 2], args.join(' ')).toContain(code);
      expect(out).toBe('');
    }
    expect(readFileSync(keysFile, 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'elsewhere.csv'))).toBe(false);
    expect(readdirSync(locked)).toEqual([]);
    expect(await accounts()).toEqual([]);
  });

  test('leaves no file of keys when the database refuses, and no accounts', async () => {
    const { create, vesfx, data, keysFile, folder, accounts } = await site();
    await vesfx('account', 'create', '--name', 'Old', '--plan', 'gratis');
    // Another writer has taken away what the command needs last.
    const { DatabaseSync } = await import('node:sqlite');
    const other = new DatabaseSync(join(data, 'vesfx.db'));
    other.exec(
      "create trigger refuse before insert on audit begin select raise(abort, 'no more'); end",
    );
    const { code, err } = await create(GOOD);
    expect(code).toBe(1);
    expect(err).toContain('no more');
    other.exec('drop trigger refuse');
    other.close();
    expect(existsSync(keysFile)).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'shops.csv']);
    expect(await accounts()).toHaveLength(1);
    chmodSync(folder, 0o700);
    expect((await create(GOOD)).code).toBe(0);
  });

  test.each([
    [['--from', 'x.csv', '--name', 'x'], 'not both'],
    [['--keys', 'x.csv', '--name', 'x', '--plan', 'gratis'], '--keys goes with --from'],
    [['--from', ''], '--from must name a file.'],
    [['--from', ' '], '--from must name a file.'],
    [['--from', import.meta.filename, '--keys', ''], '--keys must name a file.'],
    [[], 'Pass --name and --plan, or a file with --from'],
  ])('refuses %j', async (args, message) => {
    const { vesfx, data } = await site();
    const { code, err } = await vesfx('account', 'create', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(existsSync(data)).toBe(false);
  });
});

describe('what accounts use (contract §28)', () => {
  test('is shown by vesfx account show and by account list --usage', async () => {
    const { create, vesfx, accounts, data } = await site();
    await create(GOOD);
    const [shop] = (await accounts()).filter(({ plan }) => plan === 'Gratis');
    const id = shop?.id ?? '';
    const store = await openStore({ dataDir: data });
    const now = Date.now();
    const ask = { accountId: id, window: 'month', limit: 1_000, need: 7, want: 7 } as const;
    await store.takeUnits([ask], now);
    const [key] = (await store.listKeys(id, { now, limit: 1 }))?.keys ?? [];
    await store.noteKeyUse([key?.id ?? ''], Date.parse('2026-11-21T12:03:00Z'));
    await store.close();
    const month = new Date(now).toISOString().slice(0, 7);
    const plans = JSON.parse(
      readFileSync(new URL('../catalog/plans.json', import.meta.url), 'utf8'),
    );
    const units = plans.Gratis.units_per_month;
    const usage = {
      ...{ month, units_used: 7, units_per_month: units },
      ...{ last_used_at: '2026-11-21T12:03:00.000Z', live_keys: 1 },
    };
    expect(JSON.parse((await vesfx('account', 'show', id, '--json')).out)).toMatchObject({
      id,
      ...usage,
    });
    const { out } = await vesfx('account', 'show', id);
    expect(out).toContain(
      `units    7 of ${units} in ${month}\nused     2026-11-21T12:03:00.000Z\nkeys     1 live\n`,
    );
    const list: readonly { id: string }[] = JSON.parse(
      (await vesfx('account', 'list', '--usage', '--json')).out,
    );
    expect(list).toHaveLength(2);
    expect(list.find((one) => one.id === id)).toMatchObject({ name: 'Tienda Uno', ...usage });
    const line = (await vesfx('account', 'list', '--usage')).out
      .split('\n')
      .find((one) => one.startsWith(id));
    expect(line?.split(/ {2,}/)).toEqual([
      id,
      'Gratis',
      'active',
      '7',
      `${units}`,
      '2026-11-21T12:03:00.000Z',
      '1',
      'Tienda Uno',
    ]);
  });

  test('says that a plan without a limit has none, and never that of a faulty catalogue', async () => {
    const { vesfx, folder, file, create } = await site();
    const plans = JSON.parse(
      readFileSync(new URL('../catalog/plans.json', import.meta.url), 'utf8'),
    );
    file(
      JSON.stringify({ ...plans, Escala: { ...plans.Escala, units_per_month: null } }),
      'plans.json',
    );
    const env = { ...process.env, VESFX_CATALOG: folder, VESFX_DATA: join(folder, 'data') };
    await create(GOOD);
    const list = async () =>
      JSON.parse((await runHere(['account', 'list', '--usage', '--json'], env)).out);
    const unitsOf = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => [row['plan'], row['units_per_month']]).sort();
    expect(unitsOf(await list())).toEqual([
      ['Escala', null],
      ['Gratis', plans.Gratis.units_per_month],
    ]);
    file('{', 'plans.json');
    expect(unitsOf(await list())).toEqual([
      ['Escala', undefined],
      ['Gratis', undefined],
    ]);
    expect((await runHere(['account', 'list', '--usage'], env)).out).toContain('unknown');
    expect((await vesfx('account', 'list', '--usage')).code).toBe(0);
  });
});
