import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { plansWith } from '../plans.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
import {
  accountWithKey,
  alsoWith,
  anotherKey,
  type DataLocation,
  type Setting,
  serve,
} from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, statusOf } from '../wire.ts';

/** A quick run uses only the first limit. */
const LIMITS = [300, 1, 10, 1_500];
const KEYS = 2;

const UNWRITTEN = changedLine('/storage/queries/usage.ts', '  taken += more;', '');

const quotaOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'quota', 'Several processes race for the last units'),
    promise: 'An account with limit L is admitted exactly L times, over all its keys.',
    control: 'the product with one line changed: it leases units without counting them as taken',
    full: { processes: 4, connections: 64, limits: 4 },
    quick: { processes: 2, connections: 8, limits: 1 },
    shown: ({ processes, connections, limits }) =>
      `${processes} processes x ${connections} connections, limits ${LIMITS.slice(0, limits).join(', ')}`,
    run: async (trial, { processes, connections, limits }, subject) => {
      const place = await emptyDatabase(trial, engine);
      const changed = subject === 'control' ? UNWRITTEN : {};
      for (const limit of LIMITS.slice(0, limits)) {
        const { urls, keys } = await start(trial, { changed, place, limit, processes });
        const clients = urls.map(() => new Client(connections));
        trial.onEnd(() => clients.map((client) => client.close()));
        const counts = { admitted: 0, refused: 0, other: 0 };
        // Every process gets more requests than the limit, so that each reaches it.
        const each = Math.ceil((limit * 1.5 + connections * 2) / processes / connections);
        const lanes = urls.flatMap((url, place) =>
          Array.from({ length: connections }, async (_, lane) => {
            const client = clients[place];
            const key = keys[lane % keys.length] ?? '';
            for (let left = each + 1; left > 0; left -= 1) {
              const status = client && statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
              if (status === 200) counts.admitted += 1;
              else if (status === 429) counts.refused += 1;
              else counts.other += 1;
            }
          }),
        );
        await Promise.all(lanes);
        const told = `${counts.admitted} admitted, ${counts.refused} refused, ${counts.other} other`;
        // A 503 of a busy store means that the call was not admitted and may be retried.
        const isExact = counts.admitted === limit && counts.refused > 0;
        trial.expect(isExact, `limit ${limit}: ${told}`);
        if (subject === 'product') trial.measured(`${limit}: ${told}`);
        trial.progress(`limit ${limit}`);
        if (trial.isSettled) return;
      }
    },
  });

export const quota = quotaOn('SQLite');
export const quotaPg = quotaOn('PostgreSQL');

interface Racing {
  readonly changed: Setting;
  readonly place: DataLocation;
  readonly limit: number;
  readonly processes: number;
}

async function start(
  trial: Trial,
  { changed, place, limit, processes }: Racing,
): Promise<{ readonly urls: readonly string[]; readonly keys: readonly string[] }> {
  const folder = join(trial.dir, `limit-${limit}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'plans.json'),
    plansWith({ units_per_month: limit, requests_per_minute: null }),
  );
  const env = { VESFX_CATALOG: folder };
  const { account, key } = await accountWithKey(place, 'Escala', { env });
  const keys = [key];
  while (keys.length < KEYS) keys.push(await anotherKey(place, account, { env }));
  const all = Array.from({ length: processes }, () =>
    serve(trial, place, alsoWith(changed, { env })),
  );
  const started = await Promise.all(all);
  return { urls: started.map(({ url }) => url), keys };
}
