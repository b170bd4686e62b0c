import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadHolidays } from '../src/core/catalogue/holidays.ts';
import { PACKAGED_CATALOGUE } from '../src/core/config.ts';
import { bankCalendar } from '../src/core/domain/calendar.ts';
import { caracasDayOf, DAY_MS } from '../src/core/domain/time.ts';
import { P2P } from '../test/harness/make.ts';
import { LAUNCHER } from '../testkit/vesfx-process.ts';

export const MARKETS = ['parallel', ...P2P, 'cash'];

const YEAR_MS = 365 * DAY_MS;

const calendar = bankCalendar(loadHolidays(PACKAGED_CATALOGUE));

/** An official rate whose band contains all captures. */
const OFFICIAL = { kind: 'official', rates: { USD: 800, EUR: 920 } };

/**
 * A year of evenly spaced captures up to now, of all markets in turn, as pieces of NDJSON. They
 * follow an official rate, without which judgement would hold them all.
 */
export function* captureLines(captures: number): Generator<string> {
  const end = Date.now();
  const step = (YEAR_MS * MARKETS.length) / captures;
  const rounds = Math.floor(captures / MARKETS.length);
  let before = end - YEAR_MS - DAY_MS;
  while (!calendar.isBusinessDay(caracasDayOf(before))) before -= DAY_MS;
  const day = new Date(before).toISOString();
  yield `${JSON.stringify({ ...OFFICIAL, value_date: caracasDayOf(before), captured_at: day })}\n`;
  for (let round = 0; round < rounds; round += 1) {
    const time = new Date(end - (rounds - round) * step).toISOString();
    let text = '';
    for (const market of MARKETS) {
      const mid = (70_000 + ((round * 7) % 20_000)) / 100;
      text += `{"kind":"quote","market":"${market}","mid":${mid},"updated_at":"${time}","captured_at":"${time}"}\n`;
    }
    yield text;
  }
}

/** Starts `vesfx import` and feeds it. */
export function startImport(data: string, captures: number): ChildProcess {
  const child = spawn(process.execPath, [LAUNCHER, 'import', '-', '--data', data, '--json'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const feed = async () => {
    for (const text of captureLines(captures)) {
      if (!child.stdin.write(text)) await once(child.stdin, 'drain');
    }
    child.stdin.end();
  };
  // A process that is stopped early closes the pipe.
  child.stdin.on('error', () => undefined);
  void feed().catch(() => undefined);
  return child;
}

/** @returns the duration in seconds. */
export async function importCaptures(data: string, captures: number): Promise<number> {
  const started = performance.now();
  const [code] = await once(startImport(data, captures), 'close');
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return (performance.now() - started) / 1000;
}
