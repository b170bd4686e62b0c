import { readdirSync, readFileSync } from 'node:fs';
import { ADMIN_TOKEN, type Served } from '../process.ts';
import type { Client } from '../wire.ts';

const MEGABYTE = 1024 * 1024;
const PAGE_BYTES = 4_096;

/** The resources of a process. */
export interface Holdings {
  readonly descriptors: number;
  readonly timers: number;
  readonly residentMegabytes: number;
}

export async function holdingsOf({ pid, url }: Served, client: Client): Promise<Holdings> {
  // Request this first, so that the client's own connection is open and counted.
  const timers = await timersOf(url, client);
  return {
    descriptors: descriptorsOf(pid),
    timers,
    residentMegabytes: residentMegabytes(pid),
  };
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function residentMegabytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ');
  return (Number(pages) * PAGE_BYTES) / MEGABYTE;
}

/** The number of timers, from the process's own metrics. */
async function timersOf(url: string, client: Client): Promise<number> {
  const reply = await client.send(`${url}/metrics`, {
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  if (reply.kind !== 'answered') return Number.NaN;
  const line = /^vesfx_nodejs_active_resources\{[^}]*type="Timeout"[^}]*\} (\d+)/m;
  return Number(line.exec(reply.text)?.[1] ?? 0);
}
