import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openToolbox } from '../../src/core/compose.ts';
import { changedLines } from '../changed-line.ts';
import { plansWith } from '../plans.ts';
import { accountWithKey, alsoWith, configOf, load, type Setting, serve } from '../process.ts';
import { scenario } from '../scenario.ts';
import { Client, statusOf } from '../wire.ts';

/** The product in which each call of the store settles a step later: a busy account then passes the others. */
const SETTLING_LATER = changedLines([
  {
    file: '/src/core/storage/patience.ts',
    from: 'return this.#isOver ? attempt() : this.#retried(attempt);',
    to: 'return this.#retried(attempt);',
  },
  // Also once the patience of the start has ended, which a busy machine sees sooner than a call.
  {
    file: '/src/core/storage/patience.ts',
    from: 'if (signal === undefined || this.#isOver) return work;',
    to: 'if (signal === undefined) return work;',
  },
]);

/** A call that so many writes have passed is not answered all the same: most wait for ten. */
const MAX_WRITES_BEFORE = 512;

export const writers = scenario({
  name: 'writers',
  title: 'One account writes markup rules over many connections',
  promise: 'The calls of other accounts, the first one of each too, are answered all the same.',
  control: 'each call of the store settles a step later',
  // Measured in writes instead of time, so that the speed of the machine does not matter.
  full: { connections: 128, callers: 100, writesBefore: 64 },
  quick: { connections: 128, callers: 8, writesBefore: 64 },
  controlled: { connections: 128, callers: 5, writesBefore: 64 },
  shown: ({ connections, callers, writesBefore }) =>
    `${connections} connections, ${callers} other accounts, half of them before ${writesBefore} writes more`,
  run: async (trial, { connections, callers, writesBefore }, subject) => {
    const catalogue = join(trial.dir, 'catalogue');
    mkdirSync(catalogue);
    // Without limits per minute, only the queue separates the writers from the others.
    writeFileSync(
      join(catalogue, 'plans.json'),
      plansWith({ requests_per_minute: null, markups_max: null }, 'Escala'),
    );
    const changed = subject === 'control' ? SETTLING_LATER : {};
    const setting = alsoWith({ env: { VESFX_CATALOG: catalogue } }, changed);
    const place = join(trial.dir, 'data');
    const { key: writer } = await accountWithKey(place, 'Escala', setting);
    const keys = await keysOf(place, callers, setting);
    const at = new Date().toISOString();
    await load(place, [{ kind: 'quote', market: 'parallel', mid: 900, updated_at: at }], setting);
    const served = await serve(trial, place, setting);
    const client = new Client(connections + 1);
    trial.onEnd(() => client.close());

    const isOver = new AbortController();
    let written = 0;
    const haveAllWritten = Promise.withResolvers<void>();
    /** The call that is waited for: so many writes pass it. */
    let waiting = { until: Infinity, passed: () => {} };
    const writing = Array.from({ length: connections }, async (_, lane) => {
      const rule = { kind: 'percent', value: 1 };
      const url = `${served.url}/v1/account/markups`;
      const send = (method: string, address: string, body: object) =>
        client.send(address, {
          method,
          key: writer,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
      await send('POST', url, { tag: `rule-${lane}`, ...rule });
      for (let turn = 0; !isOver.signal.aborted; turn += 1) {
        const body = { ...rule, value: (turn % 100) + 1 };
        const status = statusOf(await send('PUT', `${url}/rule-${lane}`, body));
        trial.expect(status === 200, `a rule got ${status}`);
        written += 1;
        if (written === connections) haveAllWritten.resolve();
        if (written === waiting.until) waiting.passed();
      }
    });
    await Promise.race([haveAllWritten.promise, Promise.all(writing)]);
    const took: number[] = [];
    const waited: number[] = [];
    for (const key of keys) {
      const askedAt = performance.now();
      const writtenBefore = written;
      const passed = Promise.withResolvers<void>();
      waiting = { until: written + MAX_WRITES_BEFORE, passed: passed.resolve };
      const asked = client.send(`${served.url}/v1/fx/rates`, { key }).then(statusOf);
      const status = await Promise.race([asked, passed.promise]);
      took.push(performance.now() - askedAt);
      waited.push(written - writtenBefore);
      const told = status ?? `nothing before ${MAX_WRITES_BEFORE} writes more`;
      trial.expect(status === 200, `/v1/fx/rates got ${told}`);
      if (trial.isSettled) break;
    }
    isOver.abort();
    await Promise.all(writing);
    const median = medianOf(took);
    const slowest = Math.max(...took);
    const writes = medianOf(waited);
    trial.expect(writes < writesBefore, `half of the calls waited for ${writes} writes or more`);
    trial.measured(
      `${took.length} first calls, median ${median.toFixed(1)} ms and ${writes} writes, ` +
        `slowest ${slowest.toFixed(1)} ms, beside ${written} writes in all`,
    );
    await served.running.kill();
  },
});

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Creates accounts with one key each. */
async function keysOf(place: string, count: number, setting: Setting): Promise<readonly string[]> {
  const { accounts, store } = await openToolbox(configOf(place, setting));
  try {
    const keys: string[] = [];
    while (keys.length < count) {
      const { id } = await accounts.create(`caller ${keys.length}`, 'Gratis');
      keys.push((await accounts.createKey(id)).key);
    }
    return keys;
  } finally {
    await store.close();
  }
}
