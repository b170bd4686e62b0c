import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHolidays } from '../src/core/catalogue/holidays.ts';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import { bankCalendar, daysOf } from '../src/core/domain/calendar.ts';
import { addCaracasDays, caracasDayOf, DAY_MS } from '../src/core/domain/time.ts';
import { LAUNCHER, VesfxProcess } from '../testkit/vesfx-process.ts';
import { MARKETS } from './captures.ts';
import { newAccountKey, startService, vesfx } from './service.ts';

/**
 * Measures a static copy of ten years: the first export, one without news, one with a change, and
 * `vesfx serve --export` while it writes its first copy and after a change. Then the same years from
 * `/v1/fx/official/history`, as they are computed and as they come from the cache.
 *
 *   node bench/static-copy.ts [--years 10]
 */

const CAPTURES_A_DAY = 4;
const LOOK_EVERY_MS = 5;
const HISTORIES = 100;

const at = process.argv.indexOf('--years');
const years = at < 0 ? 10 : Number(process.argv[at + 1]);
const dir = await mkdtemp(join(tmpdir(), 'vesfx-bench-'));
const data = join(dir, 'data');
const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function* records(): Generator<object> {
  const today = caracasDayOf(Date.now());
  const first = addCaracasDays(today, -365 * years);
  for (const [place, date] of daysOf({ from: first, to: today }).entries()) {
    const rate = 700 + (place % 300) / 10;
    const noon = Date.parse(`${date}T16:00:00Z`);
    if (calendar.isBusinessDay(date)) {
      const rates = { USD: rate, EUR: rate + 90, CNY: rate / 7, TRY: rate / 40, RUB: rate / 90 };
      const captured_at = new Date(noon - DAY_MS).toISOString();
      yield { kind: 'official', value_date: date, rates: rounded(rates), captured_at };
    }
    for (let turn = 0; turn < CAPTURES_A_DAY; turn += 1) {
      for (const market of MARKETS) yield quote(market, rate + turn, noon + turn * 1_000);
    }
  }
}

function rounded(rates: Readonly<Record<string, number>>) {
  const all = Object.entries(rates).map(([code, rate]) => [code, Number(rate.toFixed(8))] as const);
  return Object.fromEntries(all);
}

function quote(market: string, mid: number, instant: number) {
  const time = new Date(Math.min(instant, Date.now())).toISOString();
  return { kind: 'quote', market, mid, updated_at: time, captured_at: time };
}

const lines = (list: Iterable<object>) =>
  [...list].map((record) => `${JSON.stringify(record)}\n`).join('');
const importAll = (list: Iterable<object>) =>
  vesfx(['import', '-', '--trust', '--data', data, '--json'], lines(list));

/** Peak memory of a process, in MB. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // A process that has just ended has no memory any more.
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function exported(what: string): Promise<void> {
  const args = [LAUNCHER, 'export', '--static', join(dir, 'copy'), '--data', data, '--json'];
  const running = new VesfxProcess(args, { env: process.env });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(running.pid));
  }, LOOK_EVERY_MS);
  const { code, out, err } = await running.ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(err);
  const { files, bytes, written } = JSON.parse(out);
  const seconds = (running.ageMs / 1_000).toFixed(2);
  const megabytes = (bytes / 1e6).toFixed(2);
  console.log(
    `| ${what} | ${seconds} s | ${Math.round(peak)} MB | ${files} | ${megabytes} MB | ${written} |`,
  );
}

/** The slowest answer of the service until something is so. */
async function until(url: string, isSo: () => Promise<boolean>): Promise<[number, number]> {
  const started = performance.now();
  let slowest = 0;
  while (!(await isSo())) {
    const asked = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - asked);
    await pause(LOOK_EVERY_MS);
  }
  return [performance.now() - started, slowest];
}

async function served(): Promise<void> {
  const copy = join(dir, 'served');
  const args = ['serve', '--no-collect', '--data', data, '--port', '0', '--json', '--export', copy];
  const running = new VesfxProcess([LAUNCHER, ...args], { env: process.env });
  const line = (await running.readyLine(60_000)) ?? '';
  const url: string = JSON.parse(line).listening;
  const text = (path: string) => readFile(join(copy, path), 'utf8').catch(() => '');
  const [firstMs, firstSlowest] = await until(url, async () => (await text('index.json')) !== '');
  const [, quiet] = await until(url, async () => performance.now() % 3_000 < 10);
  await importAll([quote('parallel', 777.125, Date.now())]);
  const isThere = async () => (await text('v1/latest.json')).includes('777.125');
  const [changeMs, changeSlowest] = await until(url, isThere);
  console.log('\n| `serve --export` | after | slowest answer meanwhile |\n| - | - | - |');
  console.log(
    `| the first copy is there | ${(firstMs / 1_000).toFixed(1)} s | ${firstSlowest.toFixed(1)} ms |`,
  );
  console.log(`| nothing to do | | ${quiet.toFixed(1)} ms |`);
  console.log(
    `| a change is there | ${(changeMs / 1_000).toFixed(1)} s | ${changeSlowest.toFixed(1)} ms |`,
  );
  console.log(`| peak memory | ${Math.round(peakOf(running.pid))} MB | |`);
  await running.stop();
}

/** Milliseconds for each range that starts a day later, so that no answer is cached, and for it again. */
async function history(): Promise<void> {
  const key = await newAccountKey(data);
  const service = await startService(data, PACKAGED_CATALOGUE);
  const from = (place: number) => addCaracasDays(caracasDayOf(Date.now()), place - 365 * years + 1);
  const ask = async (place: number) => {
    const asked = performance.now();
    const path = `/v1/fx/official/history?days=all&from=${from(place)}`;
    const response = await fetch(`${service.url}${path}`, {
      headers: { 'X-API-Key': key, 'Accept-Encoding': 'identity' },
    });
    if (response.status !== 200) throw new Error(await response.text());
    await response.arrayBuffer();
    return performance.now() - asked;
  };
  const places = Array.from({ length: HISTORIES }, (_, place) => place);
  const computed: number[] = [];
  const cached: number[] = [];
  for (const place of places) {
    computed.push(await ask(place));
    cached.push(await ask(place));
  }
  console.log('\n| `/v1/fx/official/history` | first | median | best |\n| - | -: | -: | -: |');
  for (const [what, times] of Object.entries({ computed, cached })) {
    const [first = 0] = times;
    const sorted = times.toSorted((a, b) => a - b);
    const [best = 0, median = 0] = [sorted[0], sorted[HISTORIES / 2]];
    console.log(
      `| ${what} | ${[first, median, best].map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`,
    );
  }
  await service.stop();
}

await importAll(records());
console.log(
  '| `export --static` | time | peak memory | files | bytes | written |\n| - | - | - | -: | -: | -: |',
);
await exported('first');
await exported('again, without news');
await importAll([quote('parallel', 750, Date.now())]);
await exported('after one capture');
await served();
await history();
await rm(dir, { recursive: true });
