import { describe, expect, test } from 'vitest';
import { fullMarket } from '../../../../../test/harness/make.ts';
import { addressOf, createDatabase, postgresPort } from '../../../../../test/harness/postgres.ts';
import { install, smallPlan } from '../../../../../test/harness/processes.ts';
import {
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  PUBLISHABLE_SCOPES,
} from '../../../../core/domain/keys.ts';

/** The addresses of other services with several processes behind them, on each database. */

const UNITS = 24;
const AT_ONCE = 12;

/** An address of each service, and what its error for a month that is used up looks like. */
const ADDRESSES = [
  ['/v1/dolares/oficial', ['error']],
  ['/api/v1/dollar?page=bcv', ['error']],
  ['/api/USDT/VES', ['error']],
  ['/v1/latest?base=USD&symbols=VES', ['message']],
  ['/v2/rates?base=USD', ['message', 'status']],
] as const;

const DATABASES = [
  { name: 'SQLite', setting: async () => ({}) },
  {
    name: 'PostgreSQL',
    setting: async () => ({
      VESFX_DATABASE_URL: addressOf(await postgresPort(), await createDatabase()),
    }),
  },
];

describe.each(DATABASES)('the addresses of other services on $name', ({ setting }) => {
  test('answer equally from every worker, and cost exactly one unit per answer (contract §12)', async () => {
    const site = await install({
      VESFX_COMPAT: 'dolarapi,pydolarve,criptoya,frankfurter',
      VESFX_CATALOG: await smallPlan(UNITS),
      ...(await setting()),
    });
    await site.load(fullMarket());
    const key = await site.keyFor('Gratis', {
      kind: 'publishable',
      scopes: PUBLISHABLE_SCOPES,
      origins: [],
      allowNoOrigin: true,
      requestsPerMinute: PUBLISHABLE_REQUESTS_PER_MINUTE,
    });
    const served = await site.start(['serve', '--no-collect', '--port', '0', '--workers', '2']);

    const bodies = new Map<string, Set<string>>();
    const tally = new Map<number, number>();
    const ask = async ([path, refusal]: (typeof ADDRESSES)[number]) => {
      const headers = { Connection: 'close' };
      const address = `${served.ready.listening}/k/${key}${path}`;
      const answer = await fetch(address, { headers });
      const text = await answer.text();
      tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
      if (answer.status !== 200) {
        expect(Object.keys(JSON.parse(text)).sort()).toEqual(refusal);
        return;
      }
      // Some of the answers contain the current time.
      const shown = text.replace(/"time":"[^"]*"/, '');
      bodies.set(path, (bodies.get(path) ?? new Set()).add(shown));
    };
    // A store that is busy for too long gives 503, and that unit is not spent.
    for (let sent = 0; (tally.get(429) ?? 0) < AT_ONCE; sent += AT_ONCE) {
      const asked = Array.from({ length: AT_ONCE }, (_, index) => sent + index);
      await Promise.all(
        asked.map((number) => ask(ADDRESSES[number % ADDRESSES.length] ?? ADDRESSES[0])),
      );
    }
    expect(tally.get(200)).toBe(UNITS);
    expect(ADDRESSES.map(([path]) => [path, bodies.get(path)?.size])).toEqual(
      ADDRESSES.map(([path]) => [path, 1]),
    );
    expect([...(bodies.get('/v1/dolares/oficial') ?? [])][0]).toContain('"promedio":800.5');
  });
});
