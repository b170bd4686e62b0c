import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Capability } from '../../src/core/capability.ts';
import { openStore } from '../../src/core/storage/store.ts';
import { type Outcome, runHere } from './commands.ts';
import { storeOfficialRate } from './official-rate.ts';
import { temporaryDir } from './service.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Bench {
  readonly folder: string;
  readonly feed: Upstream;
  readonly spare: Upstream;
  vesfx(...args: readonly string[]): Promise<Outcome>;
  /** A file with that content. @returns its path. */
  file(name: string, content: string | Uint8Array): Promise<string>;
}

/** Its one quote. */
export const columns = (market: string) => ({
  quotes: [{ market, mid: 'rate', between: [1, 1_000_000] }],
});

/** A data folder with the official rate, and a catalogue with sources of this machine. */
export async function sourceBench(capabilities: readonly Capability[] = []): Promise<Bench> {
  const folder = await temporaryDir();
  const [feed, spare] = [await startUpstream(), await startUpstream()];
  feed.says({ rate: 900.5 });
  spare.says({ rate: 905 });
  const every = (cron: string) => [{ cron }];
  const entry = { kind: 'json-feed', enabled: true };
  const sources = [
    {
      ...entry,
      name: 'feed',
      url: feed.url,
      origin: 'feed',
      schedule: every('* * * * *'),
      ...columns('parallel'),
    },
    {
      ...entry,
      name: 'spare',
      url: spare.url,
      origin: 'spare',
      schedule: [],
      fallback_for: 'feed',
      ...columns('parallel'),
    },
    {
      ...entry,
      name: 'dormant',
      enabled: false,
      url: spare.url,
      origin: 'spare',
      schedule: every('0 * * * *'),
      ...columns('cash'),
    },
    {
      name: 'seven',
      kind: 'criptoya',
      enabled: false,
      url: feed.url,
      origin: 'feed',
      schedule: every('0 * * * *'),
      venues: { binancep2p: 'binance' },
      between: [1, 1_000_000],
    },
  ];
  await writeFile(join(folder, 'sources.json'), JSON.stringify(sources));
  vi.stubEnv('VESFX_CATALOG', folder);
  vi.stubEnv('VESFX_ALLOW_LOOPBACK_SOURCES', '1');
  vi.stubEnv('VESFX_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const store = await openStore({ dataDir });
  await storeOfficialRate(store, 800);
  await store.close();
  return {
    folder,
    feed,
    spare,
    vesfx: (...args) => runHere(args, process.env, capabilities),
    async file(name, content) {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
  };
}
