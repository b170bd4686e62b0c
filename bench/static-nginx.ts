import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullMarket } from '../test/harness/make.ts';
import { freePort } from '../test/harness/ports.ts';
import { load } from './load.ts';
import { cpuMs, newAccountKey, plansWithoutLimits, startService, vesfx } from './service.ts';

/**
 * Compares a static copy behind nginx with the service, in alternating runs. One process each, 64
 * keep-alive connections. The client shares the machine with them.
 *
 *   node bench/static-nginx.ts [--rounds 5] [--seconds 2]
 */

/** What one address may ask of the board. */
const BOARD_REQUESTS_PER_MINUTE = 300;

const NGINX = '/usr/sbin/nginx';
const CONNECTIONS = 64;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const rounds = option('rounds', 5);
const seconds = option('seconds', 2);

const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
const copy = join(dir, 'copy');
await writeFile(join(dir, 'plans.json'), plansWithoutLimits());
const now = new Date().toISOString();
const records = fullMarket().map((record) =>
  JSON.stringify({ ...record, captured_at: now, ...('market' in record && { updated_at: now }) }),
);
await vesfx(['import', '-', '--data', data], records.join('\n'));
await vesfx(['export', '--static', copy, '--data', data]);
const key = await newAccountKey(data);
const service = await startService(data, dir);

/** The file of `deploy/`, with one process and connections that stay. */
async function startNginx() {
  const port = await freePort();
  const given = await readFile(new URL('../deploy/copy.nginx.conf', import.meta.url), 'utf8');
  const own = given
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('root /srv/rates;', `root ${copy};`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const head = `${user} master_process off; pid ${dir}/pid; error_log ${dir}/error; daemon off;`;
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = kinds.map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ');
  const http = `http { access_log off; sendfile on; keepalive_requests 100000000; ${paths}\n${own}}`;
  await writeFile(join(dir, 'nginx.conf'), `${head}\nevents {}\n${http}`);
  const child = spawn(NGINX, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url,
    process: child,
    kill: () => child.kill('SIGTERM'),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const nginx = await startNginx();
process.on('exit', () => {
  nginx.kill();
  service.process.kill();
});
const sides = [
  {
    name: 'nginx, `v1/latest.json`',
    server: nginx,
    url: `${nginx.url}/v1/latest.json`,
    headers: [],
  },
  {
    name: 'serve, `/v1/fx/rates`',
    server: service,
    url: `${service.url}/v1/fx/rates`,
    headers: [`X-API-Key: ${key}`],
  },
  { name: 'serve, `/board.json`', server: service, url: `${service.url}/board.json`, headers: [] },
];
/**
 * Without a key, the requests of an address are limited: each connection of a run has its own, and
 * ends before the limit.
 */
let runs = 0;
const run = ({ url, headers }: (typeof sides)[number], duration: number) => {
  runs += 1;
  const from = (connection: number) => `127.${runs}.0.${connection + 1}`;
  const most =
    headers.length === 0 && url.startsWith(service.url) ? BOARD_REQUESTS_PER_MINUTE : undefined;
  return load({ url, headers, connections: CONNECTIONS, seconds: duration, from, most });
};
const figures = sides.map((): { perSec: number; cpuUs: number }[] => []);
for (const side of sides) await run(side, 0.5);
for (let round = 0; round < rounds; round += 1) {
  for (const [place, side] of sides.entries()) {
    const before = await cpuMs(side.server);
    const { requests, requestsPerSec: perSec } = await run(side, seconds);
    const cpuUs = (((await cpuMs(side.server)) - before) * 1_000) / requests;
    figures[place]?.push({ perSec, cpuUs });
  }
}
console.log(
  '| | bytes | answers a second | of nginx (min-max) | CPU of an answer | times that of nginx |\n| - | -: | -: | - | -: | -: |',
);
const middleOf = (all: readonly number[]) => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;
const [theirs = []] = figures;
const cpuOf = (all: readonly { readonly cpuUs: number }[]) =>
  middleOf(all.map(({ cpuUs }) => cpuUs));
for (const [place, { name, url, headers }] of sides.entries()) {
  const [field = '', value = ''] = (headers[0] ?? '').split(': ');
  const asked = { 'Accept-Encoding': 'identity', ...(field && { [field]: value }) };
  const { byteLength } = await (await fetch(url, { headers: asked })).arrayBuffer();
  const own = figures[place] ?? [];
  const shares = own.map(({ perSec }, round) => perSec / (theirs[round]?.perSec ?? 1));
  const range = `${Math.min(...shares).toFixed(2)}-${Math.max(...shares).toFixed(2)}`;
  const perSec = Math.round(middleOf(own.map((one) => one.perSec)));
  console.log(
    `| ${name} | ${byteLength} | ${perSec} | ${middleOf(shares).toFixed(2)} (${range}) | ` +
      `${cpuOf(own).toFixed(1)} µs | ${(cpuOf(own) / cpuOf(theirs)).toFixed(1)} |`,
  );
}
await service.stop();
await nginx.stop();
await rm(dir, { recursive: true });
