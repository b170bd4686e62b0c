import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plansWith } from './plans.ts';
import { accountWithKey, serve, serveWrongly, vesfx } from './process.ts';
import { type Subject, scenario, type Trial } from './scenario.ts';
import { Client, statusOf } from './wire.ts';

const LIMITS = [1, 10, 300, 1_500];
const KEYS = 2;

export const quota = scenario({
  name: 'quota',
  title: 'Several processes race for the last units',
  promise: 'An account with limit L is admitted exactly L times, over all its keys.',
  control: 'reads the counter, then writes it',
  full: { processes: 4, connections: 64, limits: 4 },
  quick: { processes: 2, connections: 8, limits: 1 },
  controlled: { processes: 2, connections: 8, limits: 2 },
  shown: ({ processes, connections, limits }) =>
    `${processes} processes x ${connections} connections, limits ${LIMITS.slice(0, limits).join(', ')}`,
  run: async (trial, { processes, connections, limits }, subject) => {
    for (const limit of LIMITS.slice(0, limits)) {
      const { urls, keys } = await start(trial, subject, { limit, processes });
      const clients = urls.map(() => new Client(connections));
      trial.onEnd(() => clients.map((client) => client.close()));
      const counts = { admitted: 0, refused: 0, other: 0 };
      // Every process is asked for more than all there is, so that each meets the limit.
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
      const isExact = counts.admitted === limit && counts.other === 0 && counts.refused > 0;
      trial.expect(isExact, `limit ${limit}: ${told}`);
      if (subject === 'product') trial.measured(`${limit}: ${told}`);
      trial.progress(`limit ${limit}`);
      if (trial.isSettled) return;
    }
  },
});

async function start(
  trial: Trial,
  subject: Subject,
  { limit, processes }: { readonly limit: number; readonly processes: number },
): Promise<{ readonly urls: readonly string[]; readonly keys: readonly string[] }> {
  const folder = join(trial.dir, `limit-${limit}`);
  const data = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  if (subject === 'control') {
    const env = { LIMIT: String(limit) };
    const urls: string[] = [];
    while (urls.length < processes) {
      urls.push((await serveWrongly(trial, 'read-then-write', data, { env })).url);
    }
    return { urls, keys: ['any'] };
  }
  writeFileSync(
    join(folder, 'plans.json'),
    plansWith({ units_per_month: limit, requests_per_minute: null }),
  );
  const env = { VESFX_CATALOG: folder };
  const { account, key } = await accountWithKey(data, 'Escala', { env });
  const keys = [key];
  while (keys.length < KEYS) {
    const made = await vesfx(trial, ['key', 'create', account, '--data', data], { env });
    keys.push(String(made['key']));
  }
  const places = Array.from({ length: processes });
  const started = await Promise.all(places.map(() => serve(trial, data, { env })));
  return { urls: started.map(({ url }) => url), keys };
}
