import { request } from 'node:http';
import { join } from 'node:path';
import { changedLine } from '../changed-line.ts';
import { withoutLimits } from '../plans.ts';
import { accountWithKey, alsoWith, load, type Served, serve } from '../process.ts';
import { inTurns, scenario, type Trial } from '../scenario.ts';
import { Client, pause, type Reply, statusOf } from '../wire.ts';

const CONNECTIONS = 24;
const SLOW_REQUESTS = 4;
/** Concurrent services, because most of a stop is waiting. */
const AT_ONCE = 2;
const ENDS_WITHIN_MS = 10_000;
/** A signal takes a moment to reach a busy process. */
const NOTICED_WITHIN_MS = 100;
/** Pause between two requests to `/readyz`. */
const READY_PROBE_MS = 5;

const QUOTE = { kind: 'official', value_date: '2026-01-05', rates: { USD: 300 } };

const CUTS_OFF = changedLine(
  '/http/framework/server/closing.ts',
  'if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));',
  'server.closeAllConnections();',
);

export const sigterm = scenario({
  name: 'sigterm',
  title: 'SIGTERM under load',
  promise:
    'No accepted request is reset or cut, the process ends with 0 within 10 s, and `/readyz` is ' +
    'never 200 again.',
  control: 'it closes all connections in place of draining them',
  full: { stops: 100 },
  quick: { stops: 1 },
  shown: ({ stops }) => `${stops} stops`,
  run: async (trial, { stops }, subject) => {
    const data = join(trial.dir, 'data');
    const { key } = await accountWithKey(data, 'Escala');
    await load(data, [QUOTE]);
    // Without limits every request gets a 200.
    const setting = alsoWith(withoutLimits(trial), subject === 'control' ? CUTS_OFF : {});
    let slowest = 0;
    const items = Array.from({ length: stops }, (_, index) => index);
    await inTurns(items, AT_ONCE, async (stop) => {
      if (trial.isSettled) return;
      const chance = trial.chance.of(`stop ${stop}`);
      const served = await serve(trial, data, setting);
      const load = new Load(served, key);
      const slow = await slowRequests(trial, served, key);
      await load.warm;
      await pause(chance.int(0, 300));
      const startedAt = performance.now();
      load.stoppedAt = startedAt;
      served.running.signal('SIGTERM');
      // While the port is still open, or after it was closed.
      await pause(chance.pick([chance.int(0, 300), chance.int(1_200, 2_500)]));
      await slow.finish();
      const { code, signal } = await served.running.ended;
      const tookMs = performance.now() - startedAt;
      slowest = Math.max(slowest, tookMs);
      await load.over;
      load.judge(trial);
      trial.expect(code === 0, `ended with ${code ?? signal}`);
      trial.expect(
        tookMs <= trial.within(ENDS_WITHIN_MS),
        `ended only after ${Math.round(tookMs)} ms`,
      );
      trial.progress(`${stop + 1} of ${stops} stops`);
    });
    trial.measured(`ended after ${Math.round(slowest)} ms at most`);
  },
});

interface SentRequest {
  readonly reply: Reply;
  /** When it was sent, relative to the stop signal; negative before it. */
  readonly sentMs: number;
}

/** Sequential requests on many connections until the server is gone. */
class Load {
  stoppedAt = Number.POSITIVE_INFINITY;
  /** Resolves when every connection has had an answer. */
  readonly warm: Promise<void>;
  readonly over: Promise<void>;
  readonly #client = new Client(CONNECTIONS);
  readonly #asked: SentRequest[] = [];
  readonly #probed: SentRequest[] = [];

  constructor({ url }: Served, key: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.warm = promise;
    let cold = CONNECTIONS;
    const onFirst = () => {
      cold -= 1;
      if (cold === 0) resolve();
    };
    const lanes = Array.from({ length: CONNECTIONS }, () =>
      this.#lane(`${url}/v1/fx/rates`, key, onFirst),
    );
    this.over = Promise.all([...lanes, this.#probe(`${url}/readyz`)]).then(() =>
      this.#client.close(),
    );
  }

  async #lane(url: string, key: string, onFirst: () => void): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const sentAt = performance.now();
      const reply = await this.#client.send(url, { key });
      this.#asked.push({ reply, sentMs: sentAt - this.stoppedAt });
      if (turn === 0) onFirst();
      if (reply.kind !== 'answered') return;
    }
  }

  async #probe(url: string): Promise<void> {
    const client = new Client(1);
    for (;;) {
      const sentAt = performance.now();
      const reply = await client.send(url);
      this.#probed.push({ reply, sentMs: sentAt - this.stoppedAt });
      if (reply.kind !== 'answered') break;
      await pause(READY_PROBE_MS);
    }
    client.close();
  }

  judge(trial: Trial): void {
    for (const { reply, sentMs } of this.#asked) {
      if (reply.kind === 'answered') {
        trial.expect(statusOf(reply) === 200, `a request was answered ${statusOf(reply)}`);
      } else if (reply.kind === 'unknown') {
        // A request sent after the signal may have met a closing connection.
        if (sentMs < 0)
          trial.failed(`a request that was sent before the stop ended with ${reply.reason}`);
        else if (reply.reason === 'ECONNRESET') trial.unknown();
        else trial.failed(`an answer was cut: ${reply.reason}`);
      }
    }
    // One after another: after the first refusal there is no other answer.
    const refused = this.#probed.findIndex(({ reply }) => statusOf(reply) !== 200);
    const late = this.#probed.filter(
      ({ sentMs }, turn) => turn > refused || sentMs > trial.within(NOTICED_WITHIN_MS),
    );
    const isReady = late.some(({ reply }) => statusOf(reply) === 200);
    trial.expect(!isReady, '/readyz was 200 after the stop began');
  }
}

/**
 * Requests of which the server has the headers and half of the body at the stop signal. The rest
 * comes later, and each must be answered.
 */
async function slowRequests(trial: Trial, { url }: Served, key: string) {
  const body = JSON.stringify({ from: 'USD', to: 'VES', amounts: [1, 2, 3] });
  const head = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const headers = { ...head, 'Content-Length': String(body.length) };
  const asked = Array.from({ length: SLOW_REQUESTS }, () => {
    const one = request(`${url}/v1/fx/bulk/convert`, { method: 'POST', headers, agent: false });
    const answered = new Promise<number | string>((resolve) => {
      one.on('response', (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', (error) => resolve(error.message));
      });
      one.on('error', (error) => resolve(error.message));
    });
    one.write(body.slice(0, 10));
    return { one, answered };
  });
  // Connections are accepted in order: once a later one is answered, these are accepted.
  const later = new Client(1);
  for (let turn = 0; turn < 2; turn += 1) await later.send(`${url}/readyz`);
  later.close();
  return {
    async finish() {
      for (const { one, answered } of asked) {
        one.end(body.slice(10));
        const result = await answered;
        trial.expect(result === 200, `a request half sent before the stop ended with ${result}`);
      }
    },
  };
}
