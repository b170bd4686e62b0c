import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { demoKey } from '../src/core/app/access/keys.ts';
import { DATABASE_FILE, openStore } from '../src/core/storage/store.ts';
import { VesfxProcess } from '../testkit/vesfx-process.ts';
import { BARE, inEmptyFolder, MAX_MAKING_MS, theProgram } from './harness/program.ts';
import { temporaryDir } from './harness/service.ts';

/**
 * The program of one file. `VESFX_TEST_PROGRAM=dist/vesfx-linux-x64 npx vitest run test/processes` holds
 * it to what holds of any process: signals, reloads, workers, supervision.
 */

/** A start on a busy machine. */
const READY_MS = 100_000;

let program = '';
beforeAll(async () => {
  program = await theProgram();
}, MAX_MAKING_MS);

/** Starts it with `--json` in an empty folder. @returns the document of its ready line. */
async function started(...args: readonly string[]) {
  const folder = await temporaryDir();
  const running = new VesfxProcess([...args, '--json'], {
    env: { ...BARE, TMPDIR: folder, VESFX_DRAIN_SEC: '0' },
    ...{ cwd: folder, program },
  });
  onTestFinished(async () => {
    await running.kill();
  });
  const line = await running.readyLine(READY_MS);
  return { running, folder, ready: JSON.parse(line ?? running.err) };
}

describe('the program of one file, in an empty folder without Node and network', () => {
  test('knows its version and commands', async () => {
    const manifest: { readonly version: string } = JSON.parse(
      execFileSync('cat', ['package.json'], { encoding: 'utf8' }),
    );
    const outcome = await inEmptyFolder(
      'vesfx --version; vesfx help >help; ls; vesfx serv || echo $?',
    );
    expect(outcome).toEqual({
      code: 0,
      out: `${manifest.version}\nhelp\n2\n`,
      err: "error: Unknown command 'serv' (Did you mean serve?)\n",
    });
  });

  test('creates, loads, converts, exports, backs up, restores and examines a database', async () => {
    const { code, out } = await inEmptyFolder(`{
      printf 'date,usd\\n2026-11-26,250.5\\n' >rates.csv
      vesfx import rates.csv --as official
      vesfx export rates.parquet; vesfx export rates.sqlite; vesfx export --static copy
      vesfx backup copy.db --verify; vesfx restore copy.db --data other
      vesfx doctor || true
      vesfx init catalog; VESFX_CATALOG=catalog vesfx source list
      } >said 2>&1 || cat said
      vesfx convert 2 USD VES --date 2026-11-26 --data other; ls`);
    const files = ['catalog', 'copy', 'copy.db', 'data', 'other', 'rates.csv', 'rates.parquet'];
    expect([code, out.split('\n')]).toEqual([
      0,
      ['2 USD = 501 VES', expect.any(String), ...files, 'rates.sqlite', 'said', ''],
    ]);
  });

  test('parses a page of a source in a thread, and refuses what is none', async () => {
    const { code, out, err } = await inEmptyFolder(`
      printf '{"rate":900.5,"timestamp":1795177800000}' >good; printf '<html>' >bad
      vesfx source parse yadio good; vesfx source parse yadio bad || echo $?`);
    expect([code, JSON.parse(out.split('\n')[0] ?? '')]).toMatchObject([0, { mid: 900.5 }]);
    expect(out).toMatch(/\n1\n$/);
    expect(err).toMatch(/^error: expected JSON, there was a page: <html>\n$/);
  });

  test('demo has every page, file, script and picture', async () => {
    const { running, ready } = await started('demo', '--port', '0');
    const read = async (path: string) => {
      const answer = await fetch(ready.listening + path);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const linked = new Set(['/embed/v1.js', '/docs/search.json', '/icon.png', '/openapi.json']);
    for (const path of ['/', '/console', '/docs', '/docs/client', '/methodology']) {
      for (const [, link = ''] of (await read(path)).bytes
        .toString()
        .matchAll(/(?:href|src|content)="(?:http:\/\/127[^/"]*)?(\/[^"#]*)/g)) {
        if (!link.includes('?try=')) linked.add(link.replaceAll('&amp;', '&'));
      }
    }
    expect(linked.size).toBeGreaterThan(50);
    const answers = await Promise.all(
      [...linked].map(async (path) => [path, (await read(path)).status]),
    );
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    const picture = [...linked].find((path) => path.includes('picture.png')) ?? '';
    expect((await read(picture)).bytes.subarray(1, 4).toString()).toBe('PNG');
    for (const name of [
      'vesfx-client.tgz',
      'vesfx.py',
      'vesfx-odoo.zip',
      'vesfx-woocommerce.zip',
    ]) {
      expect((await read(`/client/${name}`)).status, name).toBe(200);
    }
    const headers = { 'X-API-Key': demoKey('Gratis') };
    expect((await fetch(`${ready.listening}/v1/fx/rates`, { headers })).status).toBe(200);
    expect(await running.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('serve --workers 2 runs three processes of it, which SIGTERM ends', async () => {
    const args = ['serve', '--no-collect', '--port', '0', '--workers', '2'];
    const { running, ready } = await started(...args);
    expect(ready).toMatchObject({ workers: 2, pid: running.pid });
    const pids = execFileSync('pgrep', ['-P', `${running.pid}`], { encoding: 'utf8' });
    const commands = pids
      .trim()
      .split('\n')
      .map((pid) =>
        execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' }).split('\0'),
      );
    expect(commands.map(([file, ...rest]) => [file, ...rest.slice(0, args.length)])).toEqual(
      Array(2).fill([program, ...args]),
    );
    running.signal('SIGHUP');
    await expect.poll(() => running.err.match(/were read again/g)?.length).toBe(2);
    expect((await fetch(`${ready.listening}/readyz`)).status).toBe(200);
    expect(await running.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('collect runs, and ends by SIGINT', async () => {
    const { running } = await started('collect');
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0, signal: null });
  });
});

describe('the program of one file says in one sentence, and loses nothing', () => {
  test.runIf(process.getuid?.() === 0)('that a disk is full or cannot be written', async () => {
    const { out, err } = await inEmptyFolder(`
      mkdir full fixed
      unshare --mount sh -eu <<'END'
        mount -t tmpfs -o size=20k tmpfs full; mount -t tmpfs -o ro tmpfs fixed
        for place in full fixed; do
          ${program} account create --name one --plan Gratis --data $place/data || echo $?
          ${program} init $place/catalog || echo $?
          ls -R $place
        done
END`);
    expect(out).toEqual(
      expect.stringMatching(/^1\n1\nfull:\ndata\n\nfull\/data:\n(?:vesfx\.db.*\n)*1\n1\nfixed:\n$/),
    );
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^error: The database cannot be .*\.$/),
      'error: The disk is full.',
      expect.stringMatching(/^error: .*read-only.*\.$/),
      expect.stringMatching(/^error: .*read-only.*\.$/),
    ]);
  });

  test('that a database is of a newer version, and that a catalogue has a mistake', async () => {
    const folder = await temporaryDir();
    const data = join(folder, 'data');
    await (await openStore({ dataDir: data })).close();
    const file = join(data, DATABASE_FILE);
    const database = new DatabaseSync(file);
    database.exec("insert into migration values ('999-next')");
    database.close();
    const before = execFileSync('sha256sum', [file], { encoding: 'utf8' });
    mkdirSync(join(folder, 'catalog'));
    writeFileSync(join(folder, 'catalog', 'plans.json'), '[{"name":1}');
    const serve = ['serve', '--no-collect', '--port', '0'];
    const ended = (env: NodeJS.ProcessEnv) =>
      new VesfxProcess([...serve, '--data', data], {
        env: { ...BARE, ...env },
        cwd: folder,
        program,
      }).ended;
    const [newer, mistake] = [await ended({}), await ended({ VESFX_CATALOG: 'catalog' })];
    expect([newer.code, newer.err]).toEqual([1, expect.stringMatching(/^error: .*newer.*\.\n$/)]);
    expect([mistake.code, mistake.err]).toEqual([
      2,
      expect.stringMatching(/^error: catalog\/plans\.json:1: not JSON.*\n$/),
    ]);
    expect(execFileSync('sha256sum', [file], { encoding: 'utf8' })).toBe(before);
  });
});
