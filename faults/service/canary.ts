import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VesfxProcess } from '../../testkit/vesfx-process.ts';
import { changedLine } from '../changed-line.ts';
import { ADMIN_TOKEN, accountWithKey, alsoWith, begin, serve, vesfx } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, type Reply } from '../wire.ts';

const LOGS_HEADERS = changedLine(
  '/http/framework/server/server.ts',
  'const { headers } = request;',
  "const { headers } = request; this.#parts.log.info({ headers }, 'a request');",
);

export const canary = scenario({
  name: 'canary',
  title: 'Canary keys',
  promise: 'A key is found in no log, no file of the database, no error and nowhere in `/proc`.',
  control: 'it logs the headers of its requests',
  full: { keys: 20 },
  quick: { keys: 1 },
  shown: ({ keys }) => `${keys} keys`,
  run: async (trial, { keys }, subject) => {
    const data = join(trial.dir, 'data');
    const env = { VESFX_LOG_LEVEL: 'debug' };
    const made: { key: string; keyId: string }[] = [];
    while (made.length < keys) made.push(await accountWithKey(data, 'Escala'));
    const changed = subject === 'control' ? LOGS_HEADERS : {};
    const served = await serve(trial, data, alsoWith({ env }, changed));
    const client = new Client(4);
    trial.onEnd(() => client.close());
    const places: SearchedText[] = [];
    for (const { key, keyId } of made) {
      for (const reply of await everywhere(client, served.url, key)) {
        places.push({ name: 'an answer', text: textOf(reply) });
      }
      for (const line of [
        ['revoke', keyId],
        ['revoke', key],
        ['rotate', key],
      ]) {
        const command = begin(trial, ['key', ...line, '--data', data], { env });
        // The operator's command line contains the key; its output must not.
        const { out, err } = await command.ended;
        places.push({ name: `vesfx key ${line[0]}`, text: out + err });
      }
      places.push(...inProc(served.running));
    }
    await vesfx(trial, ['account', 'list', '--data', data]);
    places.push({ name: 'the log while it runs', text: served.running.err }, ...inFolder(data));
    const { out, err } = await served.running.stop();
    places.push({ name: 'the log', text: out + err }, ...inFolder(data));
    for (const { key } of made) search(trial, key, places);
    trial.measured(`${places.length} places`);
  },
});

interface SearchedText {
  readonly name: string;
  readonly text: string;
}

/** Searches for the whole key, or enough of it to guess the rest. */
function search(trial: Trial, key: string, places: readonly SearchedText[]): void {
  const secret = key.slice('vfx_live_'.length);
  for (const { name, text } of places) {
    const isThere = text.includes(secret) || text.includes(secret.slice(0, 16));
    trial.expect(!isThere, `a key is in ${name}`);
  }
}

/** Sends a key in every place where callers put it, correctly or by mistake. */
function everywhere(client: Client, url: string, key: string): Promise<readonly Reply[]> {
  const spoilt = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  const json = { 'Content-Type': 'application/json' };
  const bearer = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  return Promise.all([
    client.send(`${url}/v1/fx/rates`, { key }),
    client.send(`${url}/v1/fx/rates`, { key: spoilt }),
    client.send(`${url}/v1/fx/rates?api_key=${key}`),
    client.send(`${url}/v1/fx/convert?api_key=${key}`, { key }),
    client.send(`${url}/v1/fx/convert?from=${key}&to=VES&amount=1`, { key }),
    client.send(`${url}/v1/fx/rates?format=${key}`, { key }),
    client.send(`${url}/v1/fx/rates?markup=${key}`, { key }),
    client.send(`${url}/v1/fx/rates/${key}`, { key }),
    client.send(`${url}/${key}`),
    client.send(`${url}/v1/fx/rates`, { headers: { Authorization: `Bearer ${key}` } }),
    client.send(`${url}/v1/fx/bulk/convert`, { key, method: 'POST', headers: json, body: key }),
    client.send(`${url}/metrics`, { headers: { Authorization: `Bearer ${key}` } }),
    client.send(`${url}/metrics`, { headers: bearer }),
  ]);
}

function textOf(reply: Reply): string {
  if (reply.kind !== 'answered') return reply.reason;
  return `${JSON.stringify(reply.headers)} ${reply.text}`;
}

function inFolder(data: string): readonly SearchedText[] {
  return readdirSync(data).map((name) => ({
    name,
    text: readFileSync(join(data, name), 'latin1'),
  }));
}

/** Parts of the process that other users of the machine can see, on Linux. */
function inProc({ pid }: VesfxProcess): readonly SearchedText[] {
  if (process.platform !== 'linux') return [];
  return ['cmdline', 'environ', 'comm', 'status'].map((name) => ({
    name: `/proc/…/${name}`,
    text: readFileSync(`/proc/${pid}/${name}`, 'latin1'),
  }));
}
