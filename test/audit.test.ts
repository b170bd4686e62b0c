import { readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from './harness/commands.ts';
import { temporaryDir } from './harness/service.ts';
import { startUpstream } from './harness/upstream.ts';

/** `vesfx audit`: every command that changes something, as an operator runs it (contract §28). */

/** Commands that change nothing that the log is about, each with why. */
const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  serve: 'it is the service: requests and reloads have rows of their own',
  collect: 'it is the service: nobody decided what it reads',
  'account list': 'it reads',
  'account show': 'it reads',
  'key list': 'it reads',
  'markup list': 'it reads',
  'source list': 'it reads',
  'source check': 'it stores nothing',
  'source replay': 'it stores nothing',
  'source parse': 'it stores nothing',
  'source body': 'it reads',
  'held list': 'it reads',
  audit: 'it reads',
  backup: 'it writes a file of its own',
  init: 'it writes files of its own, before there is a database',
  migrate: 'it changes the form of the database, and no content',
  alive: 'it asks a service whether it answers',
};

/** The commands below one, as its help lists them. */
async function commandsBelow(...group: readonly string[]): Promise<string[]> {
  const { out } = await runHere([...group, '--help'], process.env, []);
  const listed = out.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

/** Those of the core: a capability shows with its own tests what its commands change. */
async function allCommands(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await commandsBelow()) {
    const below = await commandsBelow(name);
    found.push(...(below.length === 0 ? [name] : below.map((one) => `${name} ${one}`)));
  }
  return found;
}

interface Row {
  readonly time: string;
  readonly command: string | null;
  readonly endpoint: string | null;
  readonly actor: string;
  readonly what: string;
  readonly id: string | null;
  readonly account: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

async function anInstallation(dataName = 'data') {
  const folder = await temporaryDir();
  const site = await startUpstream();
  site.says({ rate: 905 });
  const source = (name: string, enabled: boolean) => ({
    ...{ name, kind: 'json-feed', enabled, url: `${site.url}?token=a-secret-of-the-operator` },
    ...{ origin: 'feed', schedule: [{ cron: '* * * * *' }] },
    quotes: [{ market: 'parallel', mid: 'rate', between: [1, 1_000_000] }],
  });
  const data = join(folder, dataName);
  const env = {
    ...process.env,
    VESFX_DATA: data,
    VESFX_CATALOG: folder,
    VESFX_ALLOW_LOOPBACK_SOURCES: '1',
  };
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  file('sources.json', JSON.stringify([source('feed', true), source('spare', false)]));
  const vesfx = async (...args: readonly string[]) => {
    const outcome = await runHere(args, env);
    expect([0, 3], `${args.join(' ')}: ${outcome.err}`).toContain(outcome.code);
    return outcome;
  };
  const json = async (...args: readonly string[]) =>
    JSON.parse((await vesfx(...args, '--json')).out);
  const rows = async (...args: readonly string[]): Promise<readonly Row[]> =>
    json('audit', ...args);
  return { folder, file, vesfx, json, rows, data, env };
}

const lines = (...records: readonly object[]) =>
  records.map((record) => JSON.stringify(record)).join('\n');
const quote = (mid: number, at: string) => ({
  ...{ kind: 'quote', market: 'binance', mid },
  ...{ updated_at: at, captured_at: at },
});

describe('vesfx audit (contract §28)', () => {
  let listed: readonly string[] = [];
  beforeAll(async () => {
    listed = await allCommands();
  });

  test('has a row of every command that changes something, with user and host', async () => {
    const { file, vesfx, json, rows, folder } = await anInstallation();
    const plans = ['gratis', 'escala'];
    const account = (await json('account', 'create', '--name', 'shop', '--plan', 'gratis')).id;
    const key = async () => (await json('key', 'create', account)).id;
    const [rotated, revoked] = [await key(), await key().catch(() => '')];
    await vesfx('account', 'set-plan', account, plans[1] ?? '');
    const more = revoked === '' ? await key() : revoked;
    await vesfx('markup', 'set', account, 'gone', '--percent', '3');
    await vesfx(
      'import',
      file('first.ndjson', lines(quote(900, '2026-11-20T12:00:00Z'))),
      '--trust',
    );
    const doubtful = [2_400, 2_500, 2_600].map((mid, index) =>
      quote(mid, `2026-11-20T12:0${index + 1}:00Z`),
    );
    await vesfx('import', file('doubtful.ndjson', lines(...doubtful)));
    const held: readonly { id: string }[] = await json('held', 'list');
    expect(held.length).toBeGreaterThan(1);
    const old = ['10:00', '11:00'].map((at) => quote(1.5, `2019-11-20T${at}:00Z`));
    await vesfx('import', file('old.ndjson', lines(...old)), '--trust');
    await vesfx('backup', join(folder, 'backup.db'));

    const performed: Readonly<Record<string, readonly [what: string, ...args: string[]]>> = {
      'account create': ['account', '--name', 'other', '--plan', 'gratis'],
      'account set-plan': ['account', account, 'profesional'],
      'account suspend': ['account', account],
      'account resume': ['account', account],
      'key create': ['key', account],
      'key rotate': ['key', rotated],
      'key revoke': ['key', more],
      'markup set': ['markup', account, 'fee', '--fixed', '5'],
      'markup remove': ['markup', account, 'gone'],
      import: [
        'records',
        file('more.ndjson', lines(quote(901, '2026-11-20T12:30:00Z'))),
        '--trust',
      ],
      'rate set': ['records', 'reference', '890.5', '--date', '2026-11-20'],
      'held release': ['held', held[0]?.id ?? ''],
      'held reject': ['held', held[1]?.id ?? ''],
      'source run': ['records', 'feed'],
      'source enable': ['source', 'spare'],
      'source disable': ['source', 'feed'],
      prune: ['database'],
      'account delete': ['account', account],
      restore: ['database', join(folder, 'backup.db')],
    };
    expect(Object.keys({ ...performed, ...CHANGES_NOTHING }).toSorted()).toEqual(
      [...listed].toSorted(),
    );
    for (const [command, [what, ...args]] of Object.entries(performed)) {
      const known = (await rows()).length;
      await vesfx(...command.split(' '), ...args);
      // The log of a restored database is the one it had then, and the row of the restore.
      const found = (await rows()).slice(command === 'restore' ? -1 : known);
      expect(
        found.map(({ command: by }) => by),
        command,
      ).toContain(`vesfx ${command}`);
      expect(
        found.map((row) => row.what),
        command,
      ).toContain(what);
      for (const row of found) {
        expect(row.actor).toBe(`${userInfo().username}@${hostname()}`);
        expect([row.command, row.endpoint]).toEqual([`vesfx ${command}`, null]);
      }
    }
  });

  test('has a row of a restore although the catalogue has a fault', async () => {
    const { file, folder, json, rows, env } = await anInstallation();
    await json('account', 'create', '--name', 'shop', '--plan', 'gratis');
    const backup = join(folder, 'backup.db');
    await json('backup', backup);
    await json('account', 'create', '--name', 'later', '--plan', 'gratis');
    file('plans.json', '{');
    const { code, err } = await runHere(['restore', backup], env);
    expect([code, err]).toEqual([0, '']);
    expect((await rows()).map(({ what, after }) => [what, after])).toEqual([
      ['account', { name: 'shop', plan: 'Gratis', status: 'active' }],
      ['database', { restored_from: backup }],
    ]);
  });

  test('has none of a dry run, nor of a command that fails', async () => {
    const { file, vesfx, json, rows, env } = await anInstallation();
    const { id } = await json('account', 'create', '--name', 'shop', '--plan', 'gratis');
    const before = await rows();
    const good = file('good.ndjson', lines(quote(900, '2026-11-20T12:00:00Z')));
    await vesfx('import', good, '--dry-run');
    await vesfx('rate', 'set', 'reference', '890.5', '--date', '2026-11-20', '--dry-run');
    for (const args of [
      ['account', 'set-plan', id, 'none'],
      ['account', 'delete', 'acc_none'],
      ['key', 'revoke', 'key_none'],
      ['markup', 'remove', id, 'none'],
      ['held', 'release', 'none'],
      ['source', 'enable', 'none'],
      ['import', file('bad.ndjson', `${lines(quote(900, '2026-11-20T12:00:00Z'))}\nbad\n`)],
    ]) {
      expect((await runHere(args, env)).code, args.join(' ')).not.toBe(0);
    }
    expect(await rows()).toEqual(before);
  });

  test('tells before and after: a plan, a source, a rate that replaces another', async () => {
    const { json, vesfx, rows } = await anInstallation();
    const { id } = await json('account', 'create', '--name', 'shop', '--plan', 'gratis');
    await vesfx('account', 'set-plan', id, 'escala');
    await vesfx('source', 'enable', 'spare');
    await vesfx('rate', 'set', 'reference', '890.5', '--date', '2026-11-20');
    await vesfx('rate', 'set', 'reference', '891.5', '--date', '2026-11-20', '--force');
    const usd = (mid: number) => ({ market: 'reference', value_date: '2026-11-20', mid });
    expect((await rows()).slice(1)).toMatchObject([
      { what: 'account', id, account: id, before: { plan: 'Gratis' }, after: { plan: 'Escala' } },
      { what: 'source', id: 'spare', before: { enabled: false }, after: { enabled: true } },
      { what: 'records', id: 'operator', before: null, after: { figures: [usd(890.5)] } },
      {
        before: { figures: [usd(890.5)] },
        after: { trusted: true, corrections: [usd(891.5)], figures: [usd(891.5)] },
      },
    ]);
    const { out } = await vesfx('audit');
    const line = out.split('\n')[1] ?? '';
    expect(line).toContain(`${userInfo().username}@${hostname()}  vesfx account set-plan`);
    expect(line).toContain(`account ${id}: {"plan":"Gratis"} -> {"plan":"Escala"}`);
  });

  test('--since takes a day of Caracas, and refuses a blank one and what is none', async () => {
    const { json, rows, env, vesfx } = await anInstallation();
    expect((await runHere(['audit'], env)).code).toBe(1);
    await json('account', 'create', '--name', 'shop', '--plan', 'gratis');
    const [{ time = '' } = {}] = await rows();
    const dayOf = (at: number) => new Date(at - 4 * 3_600_000).toISOString().slice(0, 10);
    const today = dayOf(Date.parse(time));
    expect(await rows('--since', today)).toHaveLength(1);
    expect(await rows('--since', dayOf(Date.parse(time) + 86_400_000))).toEqual([]);
    expect((await vesfx('audit', '--since', '2100-01-01')).out).toBe('Nothing was changed.\n');
    for (const day of ['', ' ', 'today', '2026-02-30', '2026-1-5', '2026-11-20T00:00:00Z']) {
      const { code, err, out } = await runHere(['audit', '--since', day], env);
      expect([code, out], day).toEqual([2, '']);
      expect(err).toContain('--since must be a date that exists, YYYY-MM-DD.');
    }
  });

  test('prints no key, no token of an address, and nothing that moves the terminal', async () => {
    const { json, vesfx, env, folder, file } = await anInstallation();
    const { id } = await json('account', 'create', '--name', 'shop \u202e', '--plan', 'escala');
    const keys: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const made = await json('key', 'create', id, '--label', keys[0] ?? 'first');
      keys.push(made.key);
    }
    await vesfx('source', 'enable', 'spare');
    // A key in the place of its id.
    await runHere(['key', 'revoke', keys[0] ?? ''], env);
    await vesfx('import', file('q.ndjson', lines(quote(900, '2026-11-20T12:00:00Z'))), '--trust');
    const told = (await vesfx('audit')).out + (await vesfx('audit', '--json')).out;
    const stored = readFileSync(join(folder, 'data', 'vesfx.db'), 'latin1');
    for (const key of keys) {
      expect(told).not.toContain(key.slice(9, 25));
      expect(stored).not.toContain(`"label":"${key}`);
    }
    expect(told).toContain('vfx_live_…');
    expect(told).not.toContain('a-secret-of-the-operator');
    expect((await vesfx('audit')).out).toContain('shop \\u{202e}');
  });
});
