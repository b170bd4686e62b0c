import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeyDraft } from '../../core/app/access/accounts.ts';
import { minuteOf } from '../../core/app/access/key-uses.ts';
import { demoKey } from '../../core/app/access/keys.ts';
import type { Capability } from '../../core/capability.ts';
import { DEMO_MARKER, isDemoFolder } from '../../core/cli/demo-folder.ts';
import { Lifetime } from '../../core/cli/lifetime.ts';
import { createLog } from '../../core/cli/log.ts';
import { CommandError, type CommonFlags, print } from '../../core/cli/output.ts';
import { databaseExists, withToolbox } from '../../core/cli/toolbox.ts';
import { readSources, startService, systemClock, type Toolbox } from '../../core/compose.ts';
import { type Config, isOwnMachine, version } from '../../core/config.ts';
import type { Plan } from '../../core/domain/plans.ts';
import { addUtcDays, DAY_MS, utcDayOf } from '../../core/domain/time.ts';
import { IS_PROGRAM, productPlace } from '../../core/product-files.ts';
import { makeDataFolder } from '../../core/storage/sqlite/data-folder.ts';
import { DemoFeed, keepMoving } from './feed.ts';
import { DEMO_NOTICE, shiftDaysAt } from './figures.ts';
import { demoUsage } from './usage.ts';

export { DEMO_NOTICE } from './figures.ts';

const PROVENANCE = 'demo/PROVENANCE.md';
/** Where to read it: the program of one file has no folder. */
const provenance = () =>
  IS_PROGRAM
    ? `https://github.com/vesfx/vesfx/blob/v${version()}/${PROVENANCE}`
    : productPlace(PROVENANCE);

/** The contents of the marker file, kept between starts. */
const memorySchema = z.object({
  notice: z.string(),
  /** Days by which its publications are moved. */
  shift_days: z.int(),
  /** A key for each plan. The figures are public, and the keys are those of every demonstration. */
  keys: z.record(z.string(), z.string()),
});
type Memory = z.output<typeof memorySchema>;

/** Loads the figures, serves them until stopped, and sets the exit code. */
export async function runDemo(
  flags: CommonFlags,
  config: Config,
  capabilities: readonly Capability[],
): Promise<void> {
  const log = createLog(config.logLevel, { demo: true, notice: DEMO_NOTICE.en });
  const lifetime = new Lifetime(log);
  const memory = await prepare(config);
  let feed: DemoFeed | undefined;
  const service = await startService(config, { log, capabilities, lease: () => feed?.lease });
  feed = await feedOf(service, config, memory);
  const stopMoving = keepMoving(feed, log);
  announce(flags, service.url, memory, config.host);
  process.exitCode = await lifetime.run(async () => {
    await stopMoving();
    await service.close();
  });
}

/** Fills the folder before the service starts, so that its first answer is complete. */
async function prepare(config: Config): Promise<Memory> {
  const kept = await recall(config);
  const begun: Memory = kept ?? {
    notice: DEMO_NOTICE.en,
    shift_days: shiftDaysAt(systemClock.now()),
    keys: {},
  };
  // Write the marker first, so that a folder with moved figures always has it.
  if (kept === undefined) remember(config, begun);
  const work = async (toolbox: Toolbox) => {
    await (await feedOf(toolbox, config, begun)).fill();
    if (Object.keys(begun.keys).length > 0) return begun;
    const memory = { ...begun, keys: await createKeys(toolbox) };
    remember(config, memory);
    return memory;
  };
  return withToolbox(config, work, 'create');
}

async function feedOf(toolbox: Toolbox, config: Config, { shift_days }: Memory) {
  return new DemoFeed({
    ...toolbox,
    sources: await readSources(config, toolbox.markets),
    shiftDays: shift_days,
    clock: systemClock,
  });
}

async function recall(config: Config): Promise<Memory | undefined> {
  if (!isDemoFolder(config.dataDir)) {
    if (!(await databaseExists(config))) return undefined;
    const problem = 'holds an installation that is not a demonstration';
    throw new CommandError('already_exists', `${config.dataDir} ${problem}: name another folder.`);
  }
  const path = join(config.dataDir, DEMO_MARKER);
  try {
    return memorySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandError('invalid_format', `${path} is damaged: name another folder.`);
  }
}

function remember(config: Config, memory: Memory): void {
  makeDataFolder(config.dataDir);
  const path = join(config.dataDir, DEMO_MARKER);
  writeFileSync(path, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
}

/** Keys that only show what a list of keys looks like: nobody is told them. */
const OTHER_KEYS: readonly KeyDraft[] = [
  {
    grant: { kind: 'restricted', scopes: ['rates', 'official'] },
    label: 'Hoja de precios',
  },
  {
    grant: {
      kind: 'publishable',
      scopes: ['rates', 'official'],
      origins: ['https://tienda.example'],
      allowNoOrigin: false,
      requestsPerMinute: 60,
    },
    label: 'Tienda en línea',
  },
];
/** Where a visitor can still make some. */
const OTHERS_FROM = 5;

async function createKeys({ accounts, plans, store }: Toolbox): Promise<Record<string, string>> {
  const made: { readonly plan: Plan; readonly accountId: string; readonly id: string }[] = [];
  const keys: Record<string, string> = {};
  for (const plan of plans.list) {
    const account = await accounts.create(`Demo ${plan.name}`, plan.name);
    const shown = { key: demoKey(plan.name), label: 'Demostración' };
    const draft = { grant: { kind: 'full' }, ...shown } as const;
    const { id, key } = await accounts.createKey(account.id, draft);
    made.push({ plan, accountId: account.id, id });
    keys[plan.name] = key;
  }
  // The oldest key of an account is the one that all visitors use.
  for (const { plan, accountId, id } of made) {
    const keyIds = [id];
    const isRoomy = (plan.keysMax ?? OTHERS_FROM) >= OTHERS_FROM;
    for (const draft of isRoomy ? OTHER_KEYS : []) {
      keyIds.push((await accounts.createKey(accountId, draft)).id);
    }
    await showUse(store, { accountId, keyIds, unitsPerMonth: plan.unitsPerMonth });
  }
  return keys;
}

/** A month of simulated calls: the console of an account that never called anything shows little. */
async function showUse(
  store: Toolbox['store'],
  account: Parameters<typeof demoUsage>[0],
): Promise<void> {
  const now = systemClock.now();
  const { days, unitsOfMonth } = demoUsage(account, now);
  await store.addUsageDays(days);
  await store.noteKeyUse(account.keyIds, minuteOf(now - DAY_MS));
  if (unitsOfMonth === 0) return;
  const spent = { need: unitsOfMonth, want: unitsOfMonth };
  const limit = account.unitsPerMonth ?? Number.MAX_SAFE_INTEGER;
  await store.takeUnits([{ accountId: account.accountId, window: 'month', limit, ...spent }], now);
}

function announce(flags: CommonFlags, url: string, { keys }: Memory, host: string): void {
  const plans = Object.keys(keys);
  const key = keys[plans.at(-1) ?? ''] ?? '';
  const from = addUtcDays(utcDayOf(systemClock.now()), -30);
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
    `Where every figure comes from: ${provenance()}`,
    '',
    'A key for each plan:',
    ...(isOwnMachine(host)
      ? []
      : [`  (everyone knows them, and ${host} is open to other machines)`]),
    ...plans.map((plan) => `  ${plan.padEnd(width)}  ${keys[plan]}`),
    '',
    'Try:',
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
  const result = { listening: url, pid: process.pid, notice: DEMO_NOTICE.en, keys, try: lines };
  print(flags, result, text);
}
