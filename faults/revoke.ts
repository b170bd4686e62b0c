import { startService } from '../src/compose.ts';
import { type EngineName, emptyPlace, onEngine } from './postgres.ts';
import { configOf, serve, serveWrongly } from './process.ts';
import { inTurns, scenario, type Trial } from './scenario.ts';
import { Client, pause, statusOf } from './wire.ts';

const HERE_WITHIN_MS = 1_000;
const ELSEWHERE_WITHIN_MS = 5_000;
const AT_ONCE = 4;
const BETWEEN_MS = 5;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

const revokeOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'revoke', 'Revocations, and how late they are seen'),
    promise: 'A revoked key is refused within 1 s where it was revoked, and within 5 s elsewhere.',
    control: 'remembers for good that a key was right',
    full: { revocations: 200, slack: 1 },
    quick: { revocations: 1, slack: 2 },
    controlled: { revocations: 1, slack: 1 },
    shown: ({ revocations }) => `${revocations} revocations, 2 processes`,
    run: async (trial, { revocations, slack }, subject) => {
      const client = new Client(16);
      trial.onEnd(() => client.close());
      const items = Array.from({ length: revocations }, (_, index) => index);
      if (subject === 'control') {
        const { url } = await serveWrongly(trial, 'kept-keys', trial.dir);
        await client.send(`${url}/v1/fx/rates`, { key: 'a-key' });
        await client.send(`${url}/revoke`, { method: 'POST', body: 'a-key' });
        await refusedAfter(trial, client, { url, key: 'a-key', withinMs: HERE_WITHIN_MS });
        return;
      }
      // One service runs in this process, for a revocation is made within a process.
      const place = await emptyPlace(trial, engine);
      const here = await startService(configOf(place), { log: SILENT });
      trial.onEnd(() => here.close());
      const elsewhere = await serve(trial, place);
      const lags = { here: 0, elsewhere: 0 };
      await inTurns(items, AT_ONCE, async (turn) => {
        const account = await here.accounts.create(`account ${turn}`, 'Escala');
        const { id, key } = await here.accounts.createKey(account.id);
        for (const url of [here.url, elsewhere.url]) {
          const status = statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
          trial.expect(status === 200, `a good key gets ${status}`);
        }
        await here.accounts.revokeKey(id);
        const [lagHere, lagElsewhere] = await Promise.all([
          refusedAfter(trial, client, { url: here.url, key, withinMs: HERE_WITHIN_MS * slack }),
          refusedAfter(trial, client, {
            url: elsewhere.url,
            key,
            withinMs: ELSEWHERE_WITHIN_MS * slack,
          }),
        ]);
        lags.here = Math.max(lags.here, lagHere);
        lags.elsewhere = Math.max(lags.elsewhere, lagElsewhere);
        trial.progress(`${turn + 1} of ${revocations}`);
      });
      trial.measured(
        `seen after ${Math.round(lags.here)} ms at most, elsewhere ${Math.round(lags.elsewhere)} ms`,
      );
      await elsewhere.running.stop();
    },
  });

export const revoke = revokeOn('SQLite');
export const revokePg = revokeOn('PostgreSQL');

/** Asks until the key is refused. @returns how long that took. */
async function refusedAfter(
  trial: Trial,
  client: Client,
  { url, key, withinMs }: { readonly url: string; readonly key: string; readonly withinMs: number },
): Promise<number> {
  const since = performance.now();
  for (;;) {
    const status = statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
    const lag = performance.now() - since;
    // After many wrong keys from one address in a minute they are refused by their number.
    if (status === 401 || status === 429) {
      trial.ok();
      return lag;
    }
    if (lag > withinMs) {
      trial.failed(`a revoked key still gets ${status} after ${Math.round(lag)} ms`);
      return lag;
    }
    await pause(BETWEEN_MS);
  }
}
