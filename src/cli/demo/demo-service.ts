import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ingest } from '../../app/ingest/ingest.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { startService, systemClock, type Toolbox } from '../../compose.ts';
import type { Config } from '../../config.ts';
import { ApiError } from '../../domain/errors.ts';
import { addUtcDays, type Instant, MINUTE_MS, utcDayOf } from '../../domain/time.ts';
import { makeDataFolder } from '../../storage/sqlite/data-folder.ts';
import { Lifetime } from '../lifetime.ts';
import { createLog } from '../log.ts';
import { type CommonFlags, print } from '../output.ts';
import { databaseOf, withToolboxOf } from '../toolbox.ts';
import {
  bankTableLines,
  DEMO_NOTICE,
  type DemoFigures,
  type DueRecord,
  movedPublications,
  observationsAt,
  observationsBefore,
  readDemoFigures,
  shiftDaysAt,
} from './demo-figures.ts';
import { DEMO_MARKER, isDemoFolder } from './demo-folder.ts';

export { DEMO_NOTICE } from './demo-figures.ts';

/** How often the day's figures are observed again, so that they do not go stale. */
const OBSERVE_EVERY_MS = MINUTE_MS;

const SOURCE = 'demo';

/** What a demonstration remembers from one start to the next. */
const memorySchema = z.object({
  notice: z.string(),
  /** By how many days its publications are moved. */
  shift_days: z.int(),
  /** A key for each plan. They open figures that anyone may have. */
  keys: z.record(z.string(), z.string()),
});
type Memory = z.output<typeof memorySchema>;

/** Loads the figures, serves them until told to stop, and sets the exit code. */
export async function runDemo(flags: CommonFlags, config: Config): Promise<void> {
  const log = createLog(config.logLevel, { demo: true, notice: DEMO_NOTICE.en });
  const lifetime = new Lifetime(log);
  const figures = readDemoFigures();
  const loadedAt = systemClock.now();
  const memory = await prepare(config, figures, loadedAt);
  const service = await startService(config, { log });
  const stopObserving = observe(service.ingest, {
    figures,
    publications: movedPublications(figures, memory.shift_days).filter(({ at }) => at > loadedAt),
    clock: systemClock,
    log,
  });
  log.info({ url: service.url, data: config.dataDir }, 'listening');
  announce(flags, service.url, memory);
  process.exitCode = await lifetime.run(async () => {
    await stopObserving();
    await service.close();
  });
}

/** Fills the folder before the service starts, so that its first answer has everything. */
async function prepare(config: Config, figures: DemoFigures, now: Instant): Promise<Memory> {
  const known = await recall(config);
  const shiftDays = known?.shift_days ?? shiftDaysAt(now);
  const begun: Memory = { notice: DEMO_NOTICE.en, shift_days: shiftDays, keys: {} };
  // Written first, so that a folder with moved figures is never without its mark.
  if (known === undefined) remember(config, begun);
  const fill = async (toolbox: Toolbox) => {
    const due = [...movedPublications(figures, shiftDays), ...observationsBefore(figures, now)];
    const lines = due.filter(({ at }) => at <= now).map(({ line }) => line);
    const all = [...bankTableLines(figures), ...lines, ...observationsAt(figures, now)];
    await ingestAll(toolbox.ingest, all);
    if (known !== undefined && Object.keys(known.keys).length > 0) return known;
    const memory = { ...begun, keys: await createKeys(toolbox) };
    remember(config, memory);
    return memory;
  };
  return withToolboxOf(config, fill, { withoutDatabase: 'create' });
}

/** @throws ApiError when the folder has an installation that is not a demonstration. */
async function recall(config: Config): Promise<Memory | undefined> {
  if (!isDemoFolder(config.dataDir)) {
    if (!(await databaseOf(config)).exists) return undefined;
    const problem = 'holds an installation that is not a demonstration';
    throw new ApiError('already_exists', {
      message: `${config.dataDir} ${problem}: name another folder.`,
    });
  }
  const path = join(config.dataDir, DEMO_MARKER);
  try {
    return memorySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new ApiError('invalid_format', { message: `${path} is damaged: name another folder.` });
  }
}

function remember(config: Config, memory: Memory): void {
  makeDataFolder(config.dataDir);
  const path = join(config.dataDir, DEMO_MARKER);
  writeFileSync(path, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
}

async function createKeys({ accounts, plans }: Toolbox): Promise<Record<string, string>> {
  const keys: Record<string, string> = {};
  for (const plan of plans.list) {
    const account = await accounts.create(`Demo ${plan.name}`, plan.name);
    keys[plan.name] = (await accounts.createKey(account.id)).key;
  }
  return keys;
}

async function ingestAll(ingest: Ingest, lines: readonly string[]): Promise<void> {
  const reasons: string[] = [];
  await ingest.ingest(lines, {
    source: SOURCE,
    onBadLine: ({ reason }) => reasons.push(reason),
  });
  if (reasons.length > 0) throw new Error(`A figure was refused: ${reasons[0]}`);
}

/**
 * Observes the figures of this time of the day again and again, and publishes what the central
 * bank would publish by then.
 * @returns What stops it.
 */
function observe(
  ingest: Ingest,
  {
    figures,
    publications,
    clock,
    log,
  }: {
    readonly figures: DemoFigures;
    /** Those to come, in the order in which they become known. */
    readonly publications: readonly DueRecord[];
    readonly clock: Clock;
    readonly log: Log;
  },
): () => Promise<void> {
  let pending = publications;
  let underWay: Promise<void> | undefined;
  const look = async () => {
    const now = clock.now();
    const due = pending.filter(({ at }) => at <= now).map(({ line }) => line);
    try {
      await ingestAll(ingest, [...due, ...observationsAt(figures, now)]);
      pending = pending.filter(({ at }) => at > now);
    } catch (error) {
      log.error({ err: error }, 'the figures could not be observed again');
    }
  };
  const timer = setInterval(() => {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
  }, OBSERVE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

/** Everything that is needed to try the service, ready to paste. */
function announce(flags: CommonFlags, url: string, { keys }: Memory): void {
  const plans = Object.keys(keys);
  const key = keys[plans.at(-1) ?? ''] ?? '';
  const from = addUtcDays(utcDayOf(Date.now()), -30);
  const requests = [
    '/v1/fx/rates',
    '/v1/fx/convert?from=USD&to=VES&amount=100',
    `/v1/fx/rates/reference/history?from=${from}`,
  ];
  const lines = requests.map((path) => `curl -s -H 'X-API-Key: ${key}' '${url}${path}'`);
  const width = Math.max(...plans.map((plan) => plan.length));
  const text = [
    `vesfx is listening on ${url}`,
    '',
    DEMO_NOTICE.en,
    'The bank table keeps its own date. Where everything comes from: demo/PROVENANCE.md',
    '',
    'A key for each plan:',
    ...plans.map((plan) => `  ${plan.padEnd(width)}  ${keys[plan]}`),
    '',
    'Try:',
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
  const told = { listening: url, pid: process.pid, notice: DEMO_NOTICE.en, keys, try: lines };
  print(flags, told, text);
}
