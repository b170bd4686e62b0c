import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedLine } from '../changed-line.ts';
import { alsoWith, serve, serveProgram } from '../process.ts';
import { scenario, type Trial } from '../scenario.ts';
import { Client, objectOf, pause, statusOf } from '../wire.ts';

/** The product with its parsers called on the main thread. */
const ON_THE_MAIN_THREAD = changedLine(
  '/src/core/sources/parser/parser-pool.ts',
  'pool.run({ name, args }) as',
  "import('../parsers.ts').then((parsers) => parsers[name](...args)) as",
);

const IDLE_SERVER = fileURLToPath(new URL('./idle-server.ts', import.meta.url));

/**
 * Share of answers that may be late beyond those of an idle server. The idle server is scheduled
 * sooner, and the parsers use two cores for seconds at a lower priority.
 */
const LATE_SHARE = 0.002;
/** Pause between two requests to `/healthz`. */
const LOOK_EVERY_MS = 10;
/** Pause between two requests to `/v1/status`. */
const STATUS_EVERY_MS = 500;
/** Every parse ends within this time: 5 s each, two at a time, on a busy machine. */
const OVER_WITHIN_MS = 120_000;

export const bodies = scenario({
  name: 'bodies',
  title: 'Hostile bodies of every source',
  promise: '`/healthz` answers at once, hostile sources are told as failing, a good one is read.',
  control: 'it parses on the main thread',
  full: { sources: 12, withinMs: 50 },
  // Other tests may keep the machine busy; the control's answers take seconds.
  quick: { sources: 3, withinMs: 500 },
  shown: ({ sources, withinMs }) => `${sources} sources, answers within ${withinMs} ms`,
  run: async (trial, { sources, withinMs }, subject) => {
    const site = await startSite(trial);
    const catalogue = join(trial.dir, 'catalogue');
    mkdirSync(catalogue);
    const entries = Array.from({ length: sources }, (_, number) => hostileEntry(site, number));
    writeFileSync(join(catalogue, 'sources.json'), JSON.stringify([...entries, goodEntry(site)]));
    const changed = subject === 'control' ? ON_THE_MAIN_THREAD : {};
    const env = { VESFX_CATALOG: catalogue, VESFX_ALLOW_LOOPBACK_SOURCES: '1' };
    const served = await serve(trial, join(trial.dir, 'data'), {
      ...alsoWith({ env }, changed),
      args: [],
    });
    // It gets requests at the same instants, to measure delays of the machine alone.
    const idle = await serveProgram(trial, [IDLE_SERVER]);
    const client = new Client(2);
    trial.onEnd(() => client.close());
    const took: number[] = [];
    const idleTook: number[] = [];
    let isOver = false;
    // Continuously, also while waiting for `/v1/status`: a parser on the main thread would delay
    // both.
    const looks = async () => {
      while (!isOver && !trial.isSettled) {
        const [own, other] = await Promise.all([
          timed(client, `${served.url}/healthz`),
          timed(client, `${idle.url}/`),
        ]);
        took.push(own.ms);
        idleTook.push(other.ms);
        trial.expect(own.status === 200, `/healthz answers ${own.status}`);
        await pause(LOOK_EVERY_MS);
      }
    };
    const looking = looks();
    const states = await finalStates(trial, served.url);
    isOver = true;
    await looking;
    for (const [name, state] of states) {
      const expected = name === 'good' ? 'ok' : 'failing';
      trial.expect(state === expected, `${name} is ${state} instead of ${expected}`);
    }
    const lateIn = (list: readonly number[]) => list.filter((ms) => ms > withinMs).length;
    const [late, idleLate] = [lateIn(took), lateIn(idleTook)];
    trial.expect(
      late <= idleLate + took.length * LATE_SHARE,
      `${late} of ${took.length} answers took over ${withinMs} ms, ${idleLate} of an idle server`,
    );
    trial.measured(
      `${late} of ${took.length} answers late, slowest ${Math.max(...took).toFixed(1)} ms; ` +
        `of an idle server ${idleLate}, ${Math.max(...idleTook).toFixed(1)} ms`,
    );
    await served.running.kill();
  },
});

/** The final state of every source, once all were read. */
async function finalStates(trial: Trial, url: string): Promise<Map<string, string>> {
  const client = new Client(1);
  trial.onEnd(() => client.close());
  const limit = performance.now() + OVER_WITHIN_MS;
  let states = new Map<string, string>();
  while (!trial.isSettled && performance.now() < limit) {
    const status = await client.send(`${url}/v1/status`);
    // The control may take longer than a client waits.
    if (status.kind === 'answered') states = statesIn(objectOf(status));
    const read = [...states.values()].filter((state) => state !== 'waiting');
    trial.progress(`${read.length} read`);
    if (read.length > 0 && read.length === states.size) break;
    await pause(STATUS_EVERY_MS);
  }
  return states;
}

async function timed(client: Client, url: string) {
  const askedAt = performance.now();
  const status = statusOf(await client.send(url));
  return { status, ms: performance.now() - askedAt };
}

/** The state of every source that is read, by name. */
function statesIn(status: Readonly<Record<string, unknown>>): Map<string, string> {
  const { sources } = status;
  if (!Array.isArray(sources)) return new Map();
  const rows = sources as readonly { readonly name: string; readonly state: string }[];
  return new Map(
    rows.filter(({ name }) => name !== 'operator').map(({ name, state }) => [name, state]),
  );
}

const hostileEntry = (site: string, number: number) => {
  const kind = number % 3 === 1 ? 'bcv-banks' : 'bcv-official';
  const path = number % 3 === 2 ? 'noise' : kind;
  const schedule = [{ cron: '* * * * *' }];
  const name = `hostile-${number}`;
  return { name, kind, origin: name, enabled: true, url: `${site}${path}`, schedule };
};

const goodEntry = (site: string) => ({
  name: 'good',
  kind: 'json-feed',
  origin: 'good',
  enabled: true,
  url: `${site}good`,
  schedule: [{ cron: '* * * * *' }],
  quotes: [{ market: 'parallel', mid: 'rate', between: [1, 1_000_000] }],
});

const DATE = '<span class="date-display-single">Lunes, 23 Noviembre 2026</span>';
const HEADINGS = '<th>Fecha</th><th>Banco</th><th>Compra</th><th>Venta</th>';

/** Bodies within every size limit. Without a deadline each takes a parser most of a minute. */
const BODIES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/bcv-official': [
    'text/html',
    // For each date the parser reads the whole surrounding text.
    `<html><div>Fecha Valor: ${'x'.repeat(1_400_000)}${DATE.repeat(8_000)}</div></html>`,
  ],
  '/bcv-banks': [
    'text/html',
    // For each outer table the parser reads all tables inside it.
    `<html>${'<table><tr><td>'.repeat(45)}${`<table><tr>${HEADINGS}</tr></table>`.repeat(14_000)}</html>`,
  ],
  // It is incompressible, so storing it is expensive.
  '/noise': ['text/html', `<html>${randomBytes(1_400_000).toString('base64')}</html>`],
  '/good': ['application/json', '{"rate":900.5}'],
};

async function startSite(trial: Trial): Promise<string> {
  const server = createServer((request, response) => {
    const [type, text] = BODIES[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'Content-Type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  trial.onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://127.0.0.1:${port}/`;
}
