import { openToolbox } from '../../src/core/compose.ts';
import { changedLine } from '../changed-line.ts';
import { type EngineName, emptyDatabase, onEngine } from '../postgres.ts';
import { configOf, type DataLocation, serve } from '../process.ts';
import { inTurns, scenario, type Trial } from '../scenario.ts';
import { Client, pause, statusOf } from '../wire.ts';

const HERE_WITHIN_MS = 1_000;
const ELSEWHERE_WITHIN_MS = 5_000;
const AT_ONCE = 4;
const BETWEEN_MS = 5;

const NEVER_FORGETS = changedLine(
  '/app/access/access.ts',
  'if (changed.has(caller.account.id)) this.#callers.delete(presented);',
  '',
);

const revokeOn = (engine: EngineName) =>
  scenario({
    ...onEngine(engine, 'revoke', 'Revocations, and how late they are seen'),
    promise: 'A revoked key is refused within 1 s where it was revoked, and within 5 s elsewhere.',
    control: 'it never forgets that a key was right',
    full: { revocations: 200 },
    quick: { revocations: 1 },
    shown: ({ revocations }) => `${revocations} revocations, 2 processes`,
    run: async (trial, { revocations }, subject) => {
      const client = new Client(16);
      trial.onEnd(() => client.close());
      const place = await emptyDatabase(trial, engine);
      const accounts = await accountsOf(place, revocations);
      const changed = subject === 'control' ? NEVER_FORGETS : {};
      const [here, elsewhere] = await Promise.all([
        serve(trial, place, changed),
        serve(trial, place, changed),
      ]);
      const lags = { here: 0, elsewhere: 0 };
      await inTurns([...accounts.entries()], AT_ONCE, async ([turn, { id, key, own }]) => {
        for (const { url } of [here, elsewhere]) {
          const status = statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
          trial.expect(status === 200, `a good key gets ${status}`);
        }
        const asked = { method: 'DELETE', key: own };
        const status = statusOf(await client.send(`${here.url}/v1/account/keys/${id}`, asked));
        trial.expect(status === 204, `a revocation gets ${status}`);
        const [lagHere, lagElsewhere] = await Promise.all([
          refusedAfter(trial, client, {
            url: here.url,
            key,
            withinMs: trial.within(HERE_WITHIN_MS),
          }),
          refusedAfter(trial, client, {
            url: elsewhere.url,
            key,
            withinMs: trial.within(ELSEWHERE_WITHIN_MS),
          }),
        ]);
        lags.here = Math.max(lags.here, lagHere);
        lags.elsewhere = Math.max(lags.elsewhere, lagElsewhere);
        trial.progress(`${turn + 1} of ${revocations}`);
      });
      trial.measured(
        `seen after ${Math.round(lags.here)} ms at most, elsewhere ${Math.round(lags.elsewhere)} ms`,
      );
      await Promise.all([here.running.stop(), elsewhere.running.stop()]);
    },
  });

export const revoke = revokeOn('SQLite');
export const revokePg = revokeOn('PostgreSQL');

/** Creates accounts, each with a key to revoke and another key to do it. */
async function accountsOf(place: DataLocation, count: number) {
  const { accounts, store } = await openToolbox(configOf(place));
  try {
    const made: { readonly id: string; readonly key: string; readonly own: string }[] = [];
    while (made.length < count) {
      const account = await accounts.create(`account ${made.length}`, 'Escala');
      const { id, key } = await accounts.createKey(account.id);
      made.push({ id, key, own: (await accounts.createKey(account.id)).key });
    }
    return made;
  } finally {
    await store.close();
  }
}

/**
 * Sends requests until the key is refused.
 * @returns how long that took.
 */
async function refusedAfter(
  trial: Trial,
  client: Client,
  { url, key, withinMs }: { readonly url: string; readonly key: string; readonly withinMs: number },
): Promise<number> {
  const since = performance.now();
  for (;;) {
    const status = statusOf(await client.send(`${url}/v1/fx/rates`, { key }));
    const lag = performance.now() - since;
    // Many wrong keys from one address in a minute give 429.
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
