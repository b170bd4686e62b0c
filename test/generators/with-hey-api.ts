import { createClient } from './hey-api/client/index.js';
import { convert, getBoard, getHistory } from './hey-api/sdk.gen.js';

/** Converts, reads history and the board with the client of @hey-api/openapi-ts, without a cast. */
export async function figures(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, headers: { 'X-API-Key': key } });
  const conversion = await convert({
    client,
    query: { from: 'USD', to: 'VES', amount: 2.5 },
    throwOnError: true,
  });
  const { to, rate, stale, staleness_sec, as_of } = conversion.data;
  const history = await getHistory({
    client,
    path: { market: 'parallel' },
    query: { from: '2026-11-20', to: '2026-11-21' },
    throwOnError: true,
  });
  const points = history.data.points ?? [history.data];
  const board = await getBoard({ client, throwOnError: true });
  const official = board.data.official.USD?.in_force?.rate;
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
