import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordsIn } from '../src/core/app/ingest/ndjson.ts';
import { startService } from '../src/core/compose.ts';
import { readConfig } from '../src/core/config.ts';
import { openStore } from '../src/core/storage/store.ts';
import { manualClock, recordedLog, temporaryDir } from './harness/service.ts';
import { columns, sourceBench } from './harness/source-bench.ts';

/** `vesfx source …` as an operator runs it, on a catalogue with sources of this machine. */

describe('vesfx source parse', () => {
  test('prints the records of a saved body as NDJSON, without a database', async () => {
    const { vesfx, file } = await sourceBench();
    vi.stubEnv('VESFX_DATA', '/dev/null/nothing');
    const page = await file('saved.json', '{"rate": 901.25}');
    const { code, out } = await vesfx('source', 'parse', 'feed', page);
    expect([code, out]).toEqual([0, '{"kind":"quote","market":"parallel","mid":901.25}\n']);
  });

  test('works for a source that is off, and by a kind with one source', async () => {
    const { vesfx, file } = await sourceBench();
    const page = await file('saved.json', '{"rate": 901.25}');
    expect((await vesfx('source', 'parse', 'dormant', page)).out).toContain('"market":"cash"');
    const venue = { ask: 901, bid: 899, time: 1_795_000_000 };
    const venues = await file('venues.json', JSON.stringify({ binancep2p: venue }));
    const { code, out } = await vesfx('source', 'parse', 'criptoya', venues);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({ market: 'binance', ask: 901, bid: 899 }),
    ]);
  });

  test('says in one sentence why a body cannot be parsed, and exits with 1', async () => {
    const { vesfx, file } = await sourceBench();
    const page = await file('saved.json', '<html>moved</html>');
    const { code, out, err } = await vesfx('source', 'parse', 'feed', page);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: expected JSON, there was a page: .*\n$/);
    const json = await vesfx('source', 'parse', 'feed', page, '--json');
    expect(JSON.parse(json.err).error.message).toContain('expected JSON');
  });

  test('lists the sources if a name is unknown or ambiguous', async () => {
    const { vesfx } = await sourceBench();
    const unknown = await vesfx('source', 'parse', 'nope', '/dev/null');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('There are: feed, spare, dormant, seven.');
    const several = await vesfx('source', 'parse', 'json-feed', '/dev/null');
    expect(several.code).toBe(1);
    expect(several.err).toContain(
      'json-feed is the kind of several sources: feed, spare, dormant.',
    );
    const pushed = await vesfx('source', 'run', 'operator');
    expect([pushed.code, pushed.err]).toEqual([
      2,
      'error: operator stands for pushed records: there is nothing to read.\n',
    ]);
  });

  test('a missing file is reported', async () => {
    const { vesfx, folder } = await sourceBench();
    const { code, err } = await vesfx('source', 'parse', 'feed', join(folder, 'absent'));
    expect(code).toBe(1);
    expect(err).toContain('There is no file');
  });
});

describe('contract §8: vesfx source enable and disable', () => {
  const packaged = () => readFile('catalog/sources.json', 'utf8');
  const withDataAlone = () => vi.stubEnv('VESFX_CATALOG', undefined);

  test('change the value of enabled of that entry, and nothing else in the file', async () => {
    const { vesfx, folder } = await sourceBench();
    const file = join(folder, 'sources.json');
    const before = `\n${JSON.stringify(JSON.parse(await readFile(file, 'utf8')), undefined, '\t ')}\n\n`;
    await writeFile(file, before);
    await chmod(file, 0o640);
    const { code, out, err } = await vesfx('source', 'enable', 'dormant');
    expect([code, out]).toEqual([0, `dormant is on in ${file}.\n`]);
    expect(err).toContain('A running service takes it with SIGHUP');
    const lines = before.split('\n');
    const entry = lines.findIndex((line) => line.includes('"dormant"'));
    const place = lines.findIndex(
      (line, at) => at > entry - 4 && line.includes('"enabled": false'),
    );
    const changed = (await readFile(file, 'utf8')).split('\n');
    expect(changed).toEqual(lines.with(place, (lines[place] ?? '').replace('false', 'true')));
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await vesfx('source', 'disable', 'dormant')).out).toBe(`dormant is off in ${file}.\n`);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(folder)).toEqual(['data', 'sources.json']);
  });

  test('without a catalogue folder, write a copy of the packaged file into the data folder, which then counts', async () => {
    const { vesfx, folder } = await sourceBench();
    withDataAlone();
    const before = await packaged();
    const file = join(folder, 'data', 'catalog', 'sources.json');
    const { code, out, err } = await vesfx('source', 'enable', 'binance');
    expect([code, out]).toEqual([
      0,
      `binance is on in ${file}. It gives binance an origin of its own, independent of criptoya. Its terms: docs/sources.md.\n`,
    ]);
    expect(err).toContain('a copy of the packaged one');
    expect(await packaged()).toBe(before);
    const [lines, changed] = [before.split('\n'), (await readFile(file, 'utf8')).split('\n')];
    expect(changed.filter((line, at) => line !== lines[at])).toEqual(['    "enabled": true,']);
    const { sources } = JSON.parse((await vesfx('source', 'list', '--json')).out);
    expect(sources).toContainEqual(
      expect.objectContaining({ name: 'binance', enabled: true, adds: 'independent_origin' }),
    );
    const again = await vesfx('source', 'enable', 'bcv-today', '--json');
    expect([again.err, JSON.parse(again.out)]).toEqual([
      '',
      { name: 'bcv-today', enabled: true, adds: 'second_voice', changed: true, file },
    ]);
  });

  test('of a source that is so already change nothing, and are no error', async () => {
    const { vesfx, folder } = await sourceBench();
    withDataAlone();
    expect(await vesfx('source', 'disable', 'okx')).toEqual({
      code: 0,
      out: 'okx is off already.\n',
      err: '',
    });
    const { out } = await vesfx('source', 'enable', 'criptoya', '--json');
    expect(JSON.parse(out)).toEqual({ name: 'criptoya', enabled: true, changed: false });
    expect(await readdir(join(folder, 'data'))).not.toContain('catalog');
  });

  test('of an unknown name exit with 2 and say what was meant', async () => {
    const { vesfx } = await sourceBench();
    withDataAlone();
    for (const [name, hint] of [
      ['binanc', 'Did you mean binance?'],
      ['Bybit', 'Did you mean bybit?'],
      ['nobody', 'The sources: vesfx source list.'],
    ] as const) {
      const { code, err } = await vesfx('source', 'enable', name);
      expect([code, err]).toEqual([2, `error: There is no source ${name}. ${hint}\n`]);
    }
  });

  test('that would leave a faulty catalogue exit with 2, name the fault and write nothing', async () => {
    const { vesfx, folder } = await sourceBench();
    const before = await readFile(join(folder, 'sources.json'), 'utf8');
    const { code, err } = await vesfx('source', 'disable', 'feed');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('spare.fallback_for names feed, which is off'),
    ]);
    expect(await readFile(join(folder, 'sources.json'), 'utf8')).toBe(before);
  });

  test('a copy for markets.json of fewer markets keeps sources of the others off', async () => {
    const { vesfx, folder } = await sourceBench();
    withDataAlone();
    const catalog = join(folder, 'data', 'catalog');
    await mkdir(catalog);
    const markets: { id: string }[] = JSON.parse(await readFile('catalog/markets.json', 'utf8'));
    const others = JSON.stringify(markets.filter(({ id }) => id !== 'saldo'));
    await writeFile(join(catalog, 'markets.json'), others);
    expect((await vesfx('source', 'enable', 'binance')).code).toBe(0);
    const { sources } = JSON.parse((await vesfx('source', 'list', '--json')).out);
    const isOn = (name: string) =>
      sources.find((one: { name: string }) => one.name === name).enabled;
    expect(['binance', 'criptoya', 'yadio'].map(isOn)).toEqual([true, false, true]);
  });

  test('on PostgreSQL without a catalogue folder exit with 2 and say what to set', async () => {
    const { vesfx } = await sourceBench();
    withDataAlone();
    vi.stubEnv('VESFX_DATABASE_URL', 'postgres://vesfx@127.0.0.1:1/vesfx');
    vi.stubEnv('VESFX_DATA', undefined);
    const { code, err } = await vesfx('source', 'enable', 'binance');
    expect([code, err]).toEqual([2, expect.stringContaining('VESFX_CATALOG must name a folder')]);
  });
});

describe('vesfx source check', () => {
  test('reads enabled sources and their fallbacks, and stores nothing', async () => {
    const { vesfx, feed, spare, folder } = await sourceBench();
    const { code, out } = await vesfx('source', 'check');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'feed: 1 record',
      '{"kind":"quote","market":"parallel","mid":900.5}',
      'spare: 1 record',
      '{"kind":"quote","market":"parallel","mid":905}',
      '',
    ]);
    expect([feed.asked, spare.asked]).toEqual([1, 1]);
    const store = await openStore({ dataDir: join(folder, 'data') });
    onTestFinished(() => store.close());
    expect(await store.sourceStates()).toEqual([]);
  });

  test('says why a source fails, and exits with 1', async () => {
    const { vesfx, feed } = await sourceBench();
    feed.answers((_request, response) => response.writeHead(503).end());
    const { code, out } = await vesfx('source', 'check', 'feed');
    expect(code).toBe(1);
    expect(out).toMatch(/^feed: failed \(status\): .*503/);
    const json = await vesfx('source', 'check', 'feed', '--json');
    expect(JSON.parse(json.out).sources).toEqual([
      { name: 'feed', ok: false, reason: 'status', message: expect.stringContaining('503') },
    ]);
  });
});

describe('vesfx source run, list and replay', () => {
  test('run ingests the records and reports their number, also for a source that is off', async () => {
    const { vesfx, folder } = await sourceBench();
    const { code, out } = await vesfx('source', 'run', 'dormant');
    expect([code, out]).toEqual([0, 'accepted 1, held 0, refused 0, duplicate 0\n']);
    const store = await openStore({ dataDir: join(folder, 'data') });
    onTestFinished(() => store.close());
    expect((await store.sourceStates()).map(({ source }) => source)).toEqual(['dormant']);
  });

  test('run of a failing source records the failure, says why, and exits with 1', async () => {
    const { vesfx, feed } = await sourceBench();
    feed.says({ error: 'limit' });
    const { code, err } = await vesfx('source', 'run', 'feed');
    expect(code).toBe(1);
    expect(err).toMatch(/^error: feed: expected figures, there was an error/);
    const { out } = await vesfx('source', 'list', '--json');
    expect(JSON.parse(out).sources[0]).toMatchObject({
      name: 'feed',
      state: 'failing',
      consecutive_failures: 1,
      failure: { reason: 'content', message: expect.stringContaining('there was an error') },
    });
  });

  test('list shows every source with its state, schedule and markets', async () => {
    const { vesfx } = await sourceBench();
    await vesfx('source', 'run', 'feed');
    const { code, out } = await vesfx('source', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/feed: ok\. It was last read at .*\n {2}kind +json-feed\n/);
    expect(out).toMatch(/ {2}last success {2}\d{4}-\d\d-\d\d \d\d:\d\d in Caracas\n/);
    expect(out).toContain('spare: standby. It is read only while feed fails.');
    expect(out).toContain('dormant: off. It is switched off in the catalogue.');
    expect(out).toContain('schedule      when feed fails');
    const { sources } = JSON.parse((await vesfx('source', 'list', '--json')).out);
    expect(sources.find(({ name }: { name: string }) => name === 'feed')).toMatchObject({
      name: 'feed',
      enabled: true,
      markets: ['parallel'],
      schedule: [{ cron: '* * * * *', while_expected: false }],
    });
    // Pushed records are shown as a source like the others.
    expect(out).toContain(
      'operator: late. 500 publications are overdue: the newest value date is 1969-12-31.',
    );
    expect(out).toContain('\n  kind          operator');
    expect(sources[0]).toMatchObject({ name: 'operator', enabled: true, state: 'late' });
  });

  test('list puts failing sources first and says what to do', async () => {
    const { vesfx, feed, spare } = await sourceBench();
    await vesfx('source', 'run', 'dormant');
    for (const one of [feed, spare]) {
      one.answers((_request, response) => response.writeHead(503).end());
    }
    for (const name of ['feed', 'spare']) await vesfx('source', 'run', name);
    const { out } = await vesfx('source', 'list');
    expect(out.match(/^\S+(?=: [a-z]+\.)/gm)).toEqual([
      'feed',
      'spare',
      'operator',
      'dormant',
      'seven',
    ]);
    expect(out).toContain('to do         vesfx source check feed says what it answers now');
    const { sources } = JSON.parse((await vesfx('source', 'list', '--json')).out);
    expect(sources[0].to_do).toBe('vesfx source check feed says what it answers now');
  });

  test('body prints the body of a reading unchanged', async () => {
    const { vesfx, feed } = await sourceBench();
    await vesfx('source', 'run', 'feed');
    feed.says({ error: 'limit' });
    await vesfx('source', 'run', 'feed');
    const last = await vesfx('source', 'body', 'feed');
    expect([last.code, last.out]).toEqual([0, '{"error":"limit"}']);
    expect(last.err).toMatch(/^Read at \S+Z from http:\/\/127\.0\.0\.1:\d+\/\.\n$/);
    const told = JSON.parse((await vesfx('source', 'body', 'feed', '--json')).out);
    expect(told).toMatchObject({
      name: 'feed',
      bodies: [{ text: '{"error":"limit"}', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const readAt = Date.parse(told.read_at);
    const before = new Date(readAt - 1).toISOString();
    expect((await vesfx('source', 'body', 'feed', '--at', before)).out).toBe('{"rate":900.5}');
    expect((await vesfx('source', 'body', 'feed', '--at', told.read_at)).out).toBe(last.out);
  });

  test('body reports missing bodies and invalid times', async () => {
    const { vesfx } = await sourceBench();
    await vesfx('source', 'run', 'feed');
    const early = await vesfx('source', 'body', 'feed', '--at', '2020-01-01');
    expect([early.code, early.err]).toEqual([
      1,
      expect.stringMatching(/^error: The first reading that is kept of feed is of \S+Z\.\n$/),
    ]);
    const nothing = await vesfx('source', 'body', 'nope');
    expect([nothing.code, nothing.err]).toEqual([
      1,
      expect.stringContaining('Nothing is kept of nope'),
    ]);
    expect((await vesfx('source', 'body', 'feed', '--at', 'noon')).code).toBe(2);
    expect((await vesfx('source', 'body', 'feed', '--part', '2')).code).toBe(2);
  });

  test("replay compares the current parser's records of kept bodies with the published ones", async () => {
    const { vesfx, feed, folder } = await sourceBench();
    await vesfx('source', 'run', 'feed');
    feed.says({ error: 'limit' });
    await vesfx('source', 'run', 'feed');
    const { code, out } = await vesfx('source', 'replay', 'feed');
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+Z {2}fails: expected figures, there was an error/);
    expect(out).toContain(
      '2 readings: 1 as published, 0 would change, 1 cannot be read, 0 cannot be compared',
    );
    // The same bodies, read for another market than the published one.
    const text = JSON.stringify([
      {
        name: 'feed',
        kind: 'json-feed',
        enabled: true,
        url: feed.url,
        origin: 'feed',
        schedule: [],
        ...columns('cash'),
      },
    ]);
    await writeFile(join(folder, 'sources.json'), text);
    const changed = await vesfx('source', 'replay', 'feed', '--json');
    expect(JSON.parse(changed.out)).toMatchObject({
      readings: { same: 0, changed: 1, failed: 1, uncompared: 0 },
      changed: [{ notes: [expect.stringMatching(/^cash: nothing then, 900\.5 of .* now$/)] }],
    });
  });

  test('a held record of a removed market stays held, and release says why', async () => {
    const { vesfx, feed, folder } = await sourceBench();
    const catalogue = async (market: string) => {
      const base = {
        name: 'feed',
        kind: 'json-feed',
        enabled: true,
        url: feed.url,
        origin: 'feed',
        schedule: [],
      };
      const sources = JSON.stringify([{ ...base, ...columns(market) }]);
      await writeFile(join(folder, 'sources.json'), sources);
    };
    await catalogue('cash');
    await vesfx('source', 'run', 'feed');
    feed.says({ rate: 3_905 });
    expect((await vesfx('source', 'run', 'feed')).out).toContain('held 1');
    const [held] = JSON.parse((await vesfx('held', 'list', '--json')).out);

    const markets: { id: string }[] = JSON.parse(await readFile('catalog/markets.json', 'utf8'));
    const others = JSON.stringify(markets.filter(({ id }) => id !== 'cash'));
    await catalogue('parallel');
    await writeFile(join(folder, 'markets.json'), others);
    const { code, err } = await vesfx('held', 'release', held.id);
    expect([code, err]).toEqual([
      1,
      `error: The record ${held.id} cannot be published any more: market: not in the catalogue.\n`,
    ]);
    expect(JSON.parse((await vesfx('held', 'list', '--json')).out)).toHaveLength(1);
  });

  test('replay refuses a first day that does not exist', async () => {
    const { vesfx } = await sourceBench();
    await vesfx('source', 'run', 'feed');
    const future = await vesfx('source', 'replay', 'feed', '--since', '2999-01-01');
    expect(future.out).toContain('0 readings');
    const { code, err } = await vesfx('source', 'replay', 'feed', '--since', '2026-02-30');
    expect(code).toBe(2);
    expect(err).toContain('--since must be a date');
  });
});

describe('contract §8: figures with one source', () => {
  const ONE_OFFICIAL = 'The official rate has one source';
  const ONE_RELAY = 'criptoya alone brings binance, bybit, okx';

  test('are told in the log of a start without figures, and of no later one', async () => {
    const dataDir = await temporaryDir();
    // Every source is off, so that no test reads one.
    const sources = (await readFile('catalog/sources.json', 'utf8')).replaceAll(
      '"enabled": true',
      '"enabled": false',
    );
    await mkdir(join(dataDir, 'catalog'));
    await writeFile(join(dataDir, 'catalog', 'sources.json'), sources);
    const told = async (records: readonly string[]) => {
      const log = recordedLog();
      const config = { ...readConfig({ data: dataDir, port: '0' }, {}), drainMs: 0 };
      const service = await startService(config, { log, clock: manualClock(), capabilities: [] });
      if (records.length > 0)
        await service.ingest.ingest(recordsIn(records), { source: 'test', trust: true });
      await service.close();
      return log.lines
        .filter(({ message }) => /one source|alone/.test(message))
        .map(({ message }) => message);
    };
    const record = JSON.stringify({ kind: 'quote', market: 'parallel', mid: 900 });
    expect(await told([record])).toEqual([
      expect.stringContaining(ONE_OFFICIAL),
      expect.stringContaining(ONE_RELAY),
    ]);
    expect(await told([])).toEqual([]);
  });
});
