import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { beforeAll, onTestFinished } from 'vitest';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { recordsIn } from '../../src/core/app/ingest/ndjson.ts';
import type { Clock } from '../../src/core/app/ports/clock.ts';
import type { Log } from '../../src/core/app/ports/log.ts';
import type { Capability } from '../../src/core/capability.ts';
import { type RunningService, startService } from '../../src/core/compose.ts';
import { type Config, readConfig } from '../../src/core/config.ts';
import type { Instant } from '../../src/core/domain/time.ts';
import type { PostgresAddress } from '../../src/core/storage/postgres/url.ts';
import { readPostgresUrl } from '../../src/core/storage/postgres/url.ts';
import { fillWithEmptyStore } from './empty-store.ts';
import { addressOf, emptyDatabase, emptyForReuse, postgresPort } from './postgres.ts';

/** Saturday noon in UTC, 08:00 in Caracas: every test starts here unless it says otherwise. */
export const START: Instant = Date.parse('2026-11-21T12:00:00.000Z');

export const ADMIN_TOKEN = 'admin-token-of-the-tests';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  set(instant: Instant): void;
  advance(milliseconds: number): void;
}

export function manualClock(start: Instant = START): ManualClock {
  let now = start;
  return {
    now: () => now,
    set: (instant) => {
      now = instant;
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** A logger that records its lines for the test. */
export interface RecordedLog extends Log {
  readonly lines: readonly { level: string; fields: object; message: string }[];
}

export function recordedLog(): RecordedLog {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export interface CallOptions {
  readonly key?: string | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON with its content type, or as it is if it is text. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly json: any;
}

export interface TestService {
  readonly url: string;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly service: RunningService;
  readonly dataDir: string;
  /** A key of a new account on the plan. */
  keyFor(plan: string): Promise<string>;
  /** Ingests records (objects) and waits until they are published. All must be accepted. */
  push(...records: object[]): Promise<void>;
  call(path: string, options?: CallOptions): Promise<Reply>;
}

export interface TestServiceOptions {
  readonly start?: Instant;
  readonly config?: Partial<Config>;
  readonly dataDir?: string;
  /** All of them unless a test says otherwise. */
  readonly capabilities?: readonly Capability[];
}

/** Registers work for the end, by default of the test. */
type AtEnd = (work: () => Promise<void>) => void;

/** A folder that is removed after the test. */
export async function temporaryDir(atEnd: AtEnd = onTestFinished): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vesfx-test-'));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function newDataDir(atEnd: AtEnd): Promise<string> {
  const dataDir = await temporaryDir(atEnd);
  await fillWithEmptyStore(dataDir);
  return dataDir;
}

/** A service with records, a key of a plan, and a function for requests below `/v1/fx/` with it. */
export async function serviceWith(
  records: readonly object[],
  { plan = 'Escala', ...options }: TestServiceOptions & { readonly plan?: string } = {},
) {
  const service = await startTestService(options);
  if (records.length > 0) await service.push(...records);
  const key = await service.keyFor(plan);
  const get = (path: string): Promise<Reply> => service.call(`/v1/fx/${path}`, { key });
  return { service, key, get };
}

/** Status and code of a refusal, and its field if it names one. */
export function fault({ status, json }: Reply): readonly unknown[] {
  return json?.field === undefined ? [status, json?.code] : [status, json.code, json.field];
}

/** Status, code and field of a refusal. */
export function faultOf({ status, json }: Reply) {
  return [status, json?.code, json?.field];
}

/** Whether services of the tests use PostgreSQL, as `npm run test:postgres` asks. */
export const ON_POSTGRES = process.env['VESFX_TEST_ENGINE'] === 'postgres';

/** Databases of the run by data folder: services on one folder share their data. */
const databases = new Map<string, string>();

async function databaseOf(dataDir: string, atEnd: AtEnd): Promise<PostgresAddress> {
  let name = databases.get(dataDir);
  if (name === undefined) {
    const taken = await emptyDatabase();
    name = taken;
    databases.set(dataDir, name);
    atEnd(async () => {
      databases.delete(dataDir);
      await emptyForReuse(taken);
    });
  }
  return readPostgresUrl(addressOf(await postgresPort(), name));
}

/**
 * A real service on a free port with its own empty store and a clock that stands still, stopped
 * when the test ends.
 */
export async function startTestService(
  options: TestServiceOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestService> {
  const clock = manualClock(options.start);
  const log = recordedLog();
  const dataDir = options.dataDir ?? (await newDataDir(atEnd));
  const config: Config = {
    ...readConfig({ data: dataDir, port: '0', collect: false }, {}),
    ...(ON_POSTGRES &&
      options.config?.postgres === undefined && { postgres: await databaseOf(dataDir, atEnd) }),
    adminToken: ADMIN_TOKEN,
    drainMs: 0,
    ...options.config,
  };
  const { capabilities = CAPABILITIES } = options;
  const service = await startService(config, { clock, log, capabilities });
  atEnd(() => service.close());

  return {
    url: service.url,
    clock,
    log,
    service,
    dataDir,
    async keyFor(plan) {
      const account = await service.accounts.create(`${plan} of a test`, plan);
      return (await service.accounts.createKey(account.id)).key;
    },
    async push(...records) {
      const lines = recordsIn(records.map((record) => JSON.stringify(record)));
      const bad: string[] = [];
      await service.ingest.ingest(lines, {
        source: 'test',
        // Trusted, so that tests can choose any rates. Tests of judgement do not use this.
        trust: true,
        tell: ({ bad: one }) => void (one && bad.push(`line ${one.line}: ${one.reason}`)),
      });
      if (bad.length > 0) throw new Error(bad.join('\n'));
      await service.changePoller.poll();
    },
    async call(path, { key, method = 'GET', headers = {}, body } = {}) {
      const isText = typeof body === 'string';
      // Without `fetch`, which takes longer than the service.
      const response = await request(service.url + path, {
        method,
        headers: {
          ...(key !== undefined && { 'X-API-Key': key }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        headers: headersOf(response.headers),
        text,
        json: parseJson(text),
      };
    },
  };
}

/**
 * One service for the tests of a describe block that leave it as it is, because a browser takes longer
 * to load the pages of a new address than to test them. Its limits per minute count through the block.
 */
export function sharedService(
  fill: (service: TestService) => Promise<unknown>,
  options: TestServiceOptions = {},
): () => TestService {
  let service: TestService;
  beforeAll(async () => {
    const endings: (() => Promise<void>)[] = [];
    service = await startTestService(options, (work) => endings.unshift(work));
    await fill(service);
    return async () => {
      for (const end of endings) await end();
    };
  });
  return () => service;
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
