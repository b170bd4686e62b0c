// An amount in bolívares, with the rate, its age and its source.
//
//   npm install ../vesfx/vesfx-client-0.5.0.tgz      (docs/client.md says how to make it)
//   VESFX_URL=http://127.0.0.1:8080 VESFX_KEY=vfx_live_… node node.mjs 100 parallel
//
// Node 20 or later; Deno and Bun run it too. The client waits and tries again by itself when the
// service asks it to (429 and 503 with Retry-After).
import { Vesfx, VesfxError } from '@vesfx/client';

const [amount = '100', via] = process.argv.slice(2);
const { VESFX_URL = 'http://127.0.0.1:8080', VESFX_KEY } = process.env;

function ageOf(seconds) {
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

/** What to tell a person. Decide on the code: sentences may change. */
function wordsFor(error) {
  switch (error.code) {
    case 'missing_api_key':
    case 'invalid_api_key':
      return 'Set VESFX_KEY to a key of this service.';
    case 'feature_not_in_plan':
      return `Your plan does not include this: ${error.details?.feature}.`;
    case 'rate_limit_exceeded':
    case 'quota_exceeded':
      return `No more calls for now; try again in ${ageOf(error.retryAfterSec ?? 0)}.`;
    case 'network_error':
    case 'timeout':
      return `The service does not answer: ${error.message}`;
    default:
      return `${error.message} (${error.code})`;
  }
}

try {
  const vesfx = new Vesfx({ baseUrl: VESFX_URL, key: VESFX_KEY });
  const { from, to, ...quote } = await vesfx.convert({ from: 'USD', to: 'VES', amount, via });
  console.log(`${from.amount} ${from.currency} = ${to.amount} ${to.currency}`);
  console.log(`1 ${from.currency} = ${quote.rate} VES, ${quote.market}`);
  if (quote.effective_date) console.log(`value date ${quote.effective_date}`);
  console.log(
    `${ageOf(quote.staleness_sec)} old${quote.stale ? ': STALE, do not rely on it' : ''}`,
  );
} catch (error) {
  if (!(error instanceof VesfxError || error instanceof TypeError)) throw error;
  console.error(error instanceof VesfxError ? wordsFor(error) : error.message);
  process.exitCode = 1;
}
