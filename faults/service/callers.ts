import { join } from 'node:path';
import { Agent, cacheStores, interceptors, request } from 'undici';
import { fullMarket } from '../../test/harness/make.ts';
import { changedLine } from '../changed-line.ts';
import { accountWithKey, load, serve } from '../process.ts';
import { scenario } from '../scenario.ts';

const PATHS = [
  '/v1/fx/rates',
  '/v1/fx/rates/reference',
  '/v1/fx/rates/cash',
  '/v1/fx/rates/parallel/history',
  '/v1/fx/markets',
  '/v1/fx/index',
  '/v1/fx/spread',
  '/v1/fx/bcv/currencies',
  '/v1/fx/official',
  '/v1/fx/calendar',
  '/v1/fx/coverage',
] as const;

const CODINGS = ['identity', 'gzip', 'br'] as const;

const UNTOLD = changedLine(
  '/http/pipeline/endpoint-call.ts',
  "'X-API-Key, Accept-Encoding',",
  "'Accept-Encoding',",
);

export const callers = scenario({
  name: 'callers',
  title: 'A cache between several callers',
  promise: 'Each caller gets through it what they get without it: plans, refusals, codings.',
  control: 'it does not tell that answers depend on the key',
  full: { requests: 20_000 },
  quick: { requests: 400 },
  controlled: { requests: 200 },
  shown: ({ requests }) => `${requests.toLocaleString('en-US')} requests, 5 callers`,
  run: async (trial, { requests }, subject) => {
    const data = join(trial.dir, 'data');
    const now = new Date(Date.now() - 1_000).toISOString();
    await load(
      data,
      fullMarket().map((record) => ({
        ...record,
        captured_at: now,
        ...('market' in record && { updated_at: now }),
      })),
    );
    const keys = [
      (await accountWithKey(data, 'Gratis')).key,
      (await accountWithKey(data, 'Esencial')).key,
      (await accountWithKey(data, 'Escala')).key,
      'vfx_live_wrong',
      undefined,
    ];
    const served = await serve(trial, data, subject === 'control' ? UNTOLD : {});
    const agent = new Agent();
    trial.onEnd(() => agent.close());
    // A private cache of a client, shared by all its keys.
    const store = new cacheStores.MemoryCacheStore();
    const cache = agent.compose(interceptors.cache({ store, type: 'private' }));
    const ask = async (path: string, key: string | undefined, coding: string, cached: boolean) => {
      const { statusCode, headers, body } = await request(served.url + path, {
        dispatcher: cached ? cache : agent,
        headers: { 'Accept-Encoding': coding, ...(key !== undefined && { 'X-API-Key': key }) },
      });
      const bytes = Buffer.from(await body.arrayBuffer()).toString('base64');
      return { statusCode, coding: headers['content-encoding'] ?? 'identity', bytes };
    };
    const direct = new Map<string, Awaited<ReturnType<typeof ask>>>();
    let hits = 0;
    for (let sent = 0; sent < requests && !trial.isSettled; sent += 1) {
      const chance = trial.chance.of(`request ${sent}`);
      const path = chance.pick(PATHS);
      const caller = chance.int(0, keys.length - 1);
      const coding = chance.pick(CODINGS);
      const name = `${path} ${caller} ${coding}`;
      const expected = direct.get(name) ?? (await ask(path, keys[caller], coding, false));
      hits += direct.has(name) ? 1 : 0;
      direct.set(name, expected);
      const got = await ask(path, keys[caller], coding, true);
      // A limit depends on the moment, not on the caller.
      const isLimited = got.statusCode === 429 || expected.statusCode === 429;
      const isSame =
        got.statusCode === expected.statusCode &&
        got.coding === expected.coding &&
        (got.statusCode >= 400 || got.bytes === expected.bytes);
      trial.expect(
        isLimited || isSame,
        `${path} for caller ${caller} in ${coding}: ${got.statusCode} in place of ${expected.statusCode}`,
      );
    }
    trial.measured(`${hits} asked again`);
  },
});
