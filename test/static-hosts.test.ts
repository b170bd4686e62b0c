import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Vesfx } from '../src/client/vesfx.ts';
import { freePort } from './harness/ports.ts';
import { read } from './harness/repository.ts';
import { temporaryDir } from './harness/service.ts';

/** The web servers of `deploy/` over a static copy. Without a program its test says so and is skipped. */

const NGINX = '/usr/sbin/nginx';
const CADDY = '/usr/bin/caddy';
const YEAR = new Date().getUTCFullYear();
const DAY = { business_day: true, carried_days: 0 };
const dayOf = (date: string) => ({
  ...{ date, ...DAY },
  rates: { USD: { rate: 10, value_date: date } },
});

const FILES: Readonly<Record<string, object | string>> = {
  'index.html': '<!doctype html><title>Tasas</title>',
  'index.json': { files: Array.from({ length: 200 }, (_, place) => ({ path: `v1/${place}` })) },
  'v1/latest.json': { rates: [], fetched_at: '2026-11-21T12:00:00.000Z' },
  'v1/official/latest.json': { rates: {} },
  'v1/official/2019-11-20.json': dayOf('2019-11-20'),
  'v1/official/2019.csv': 'date,currency,rate\r\n'.repeat(200),
  [`v1/official/${YEAR}-01-05.json`]: dayOf(`${YEAR}-01-05`),
  [`v1/official/${YEAR}.csv`]: 'date\r\n',
  [`v1/official/${YEAR + 1}-01-02.json`]: dayOf(`${YEAR + 1}-01-02`),
  [`v1/official/${YEAR - 1}-12-31.json`]: dayOf(`${YEAR - 1}-12-31`),
  [`v1/markets/parallel/${YEAR}.csv`]: 'date\r\n',
  'v1/markets/parallel/2019.csv': 'date\r\n',
  'v1/.latest.json.tmp': '{}',
};

async function copyFolder(): Promise<string> {
  const folder = join(await temporaryDir(), 'copy');
  for (const [path, body] of Object.entries(FILES)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body));
  }
  return folder;
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const running = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  onTestFinished(async () => {
    running.kill('SIGTERM');
    await once(running, 'exit');
  });
}

const STARTS: Readonly<Record<string, (folder: string, port: number) => Promise<void>>> = {
  async [NGINX](folder, port) {
    const given = read('deploy/copy.nginx.conf');
    const own = given
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('root /srv/rates;', `root ${folder};`);
    const place = await temporaryDir();
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = kinds.map((kind) => `${kind}_temp_path ${place}/${kind};`).join(' ');
    const head = `pid ${place}/pid; error_log ${place}/error; daemon off;`;
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const file = join(place, 'nginx.conf');
    const http = `http { access_log off; ${paths}\n${own}}`;
    await writeFile(file, `${user} ${head}\nevents {}\n${http}`);
    await run(NGINX, ['-p', place, '-c', file]);
  },
  async [CADDY](folder, port) {
    const own = read('deploy/copy.Caddyfile').replace('/srv/rates', folder);
    const place = await temporaryDir();
    const file = join(place, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n}\n${own}`);
    const env = { SITE_ADDRESS: `http://127.0.0.1:${port}`, HOME: place };
    await run(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], env);
  },
};

for (const [program, start] of Object.entries(STARTS)) {
  const isThere = existsSync(program);
  if (!isThere) process.stderr.write(`NOT RUN, for there is no ${program}: a static copy\n`);

  test.skipIf(!isThere)(
    `${program} serves a static copy to pages of every origin, compressed, each file as long as it may be kept`,
    async () => {
      const port = await freePort();
      await start(await copyFolder(), port);
      const address = `http://127.0.0.1:${port}`;
      const headersOf = async (path: string) => {
        const answer = await fetch(`${address}/${path}`);
        await answer.body?.cancel();
        const get = (name: string) => answer.headers.get(name);
        return {
          status: answer.status,
          age: get('Cache-Control'),
          origin: get('Access-Control-Allow-Origin'),
          type: get('Content-Type')?.split(';')[0],
          coding: get('Content-Encoding'),
          etag: get('ETag'),
        };
      };
      await expect
        .poll(() =>
          fetch(address).then(
            (answer) => answer.status,
            () => 0,
          ),
        )
        .toBe(200);
      const kept: Readonly<Record<string, number>> = {
        'index.json': 60,
        '': 60,
        'v1/latest.json': 10,
        'v1/official/latest.json': 10,
        'v1/official/2019-11-20.json': 86_400,
        'v1/markets/parallel/2019.csv': 86_400,
        [`v1/official/${YEAR}-01-05.json`]: 300,
        [`v1/official/${YEAR}.csv`]: 300,
        'v1/official/2019.csv': 300,
        [`v1/official/${YEAR + 1}-01-02.json`]: 300,
        [`v1/official/${YEAR - 1}-12-31.json`]: 300,
        [`v1/markets/parallel/${YEAR}.csv`]: 300,
      };
      for (const [path, seconds] of Object.entries(kept)) {
        const kind = path.endsWith('.csv') ? 'text/csv' : 'application/json';
        expect([path, await headersOf(path)]).toEqual([
          path,
          expect.objectContaining({
            status: 200,
            age: `public, max-age=${seconds}`,
            origin: '*',
            type: path === '' ? 'text/html' : kind,
            etag: expect.any(String),
          }),
        ]);
      }
      for (const path of ['index.json', 'v1/official/2019.csv']) {
        expect((await headersOf(path)).coding).toMatch(/^(?:gzip|zstd)$/);
      }
      for (const path of ['v1/official/2019-11-21.json', 'v1/.latest.json.tmp']) {
        expect([path, await headersOf(path)]).toMatchObject([path, { status: 404, age: null }]);
      }
      expect((await headersOf('v1/official/2019-11-21.json')).origin).toBe('*');

      const vesfx = new Vesfx({ static: address });
      expect(await vesfx.rates()).toMatchObject({ rates: [] });
      expect((await vesfx.officialOn('2019-11-20')).rate).toBe(10);
      const missing = await vesfx.officialOn('2019-11-21').catch((error: unknown) => error);
      expect(missing).toMatchObject({ code: 'resource_not_found' });
    },
  );
}
