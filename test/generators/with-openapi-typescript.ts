import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.js';

/** Converts, reads history and the board with types of openapi-typescript, without a cast. */
export async function figures(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  const conversion = await client.GET('/v1/fx/convert', {
    params: { query: { from: 'USD', to: 'VES', amount: 2.5 } },
  });
  if (conversion.error !== undefined) throw new Error(conversion.error.code);
  const { to, rate, stale, staleness_sec, as_of } = conversion.data;
  const history = await client.GET('/v1/fx/rates/{market}/history', {
    params: { path: { market: 'parallel' }, query: { from: '2026-11-20', to: '2026-11-21' } },
  });
  if (history.error !== undefined) throw new Error(history.error.code);
  const points = history.data.points ?? [history.data];
  const board = await client.GET('/board.json');
  const official = board.data?.official.USD?.in_force?.rate;
  return {
    amount: to.amount,
    rate,
    stale,
    staleness_sec,
    as_of,
    points: points.map((point) => point.rate),
    official,
  };
}
