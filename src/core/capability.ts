import type { Command } from 'commander';
import type { Registry } from 'prom-client';
import type { SourceWatch } from './app/collecting/source-watch.ts';
import type { Refused } from './app/ingest/record.ts';
import type { Clock } from './app/ports/clock.ts';
import type { Lease } from './app/ports/lease.ts';
import type { Log } from './app/ports/log.ts';
import type { ThreadedKind } from './app/ports/source-kinds.ts';
import type { SourceRecord } from './app/ports/sources.ts';
import type { StoreMonitor } from './app/store-monitor.ts';
import { type AddedSetting, type Config, ConfigError } from './config.ts';
import type { BankCalendar } from './domain/calendar.ts';
import type { JudgementRule, Thresholds } from './domain/judgement.ts';
import type { Markets } from './domain/markets.ts';
import type { Plans } from './domain/plans.ts';
import type { Redenominations } from './domain/redenomination.ts';
import type { Instant } from './domain/time.ts';
import type { Endpoint } from './http/pipeline/endpoint.ts';
import type { Serve, Served } from './http/serving/server-parts.ts';
import type { OpenedStore } from './storage/store.ts';

/**
 * What the product does beyond its interface: one folder of `capabilities/`, which can be removed whole
 * with its line in `capabilities.ts`. The core knows this shape, and never a name. A capability
 * imports the core, and no other capability.
 */
export interface Capability {
  /** The name of its folder. */
  readonly name: string;
  /** By variable, or by flag where it has none. */
  readonly settings?: Readonly<Record<`VESFX_${string}` | `--${string}`, AddedSetting>>;
  /** Each adds itself to the program. Their modules load what takes long when they run. */
  commands?(all: readonly Capability[]): readonly ((program: Command) => void)[];
  /** What `vesfx import` reads besides NDJSON. The first that knows a file reads it. */
  readonly readers?: readonly FileReader[];
  /** Kinds of sources by the name in `sources.json`, each loaded when that is read. */
  readonly sourceKinds?: Readonly<Record<string, () => Promise<ThreadedKind>>>;
  /** What `vesfx doctor` says of it, on a sound database. */
  readonly examine?: (
    config: Config,
    store: OpenedStore,
    plans: Plans,
  ) => Promise<readonly CapabilityFinding[]>;
  /** What it does in a process that serves or collects. @throws ConfigError for a setting. */
  readonly open?: (parts: ProcessParts) => Promise<Job>;
}

/** One check. A `warning` has a remedy. */
export interface CapabilityFinding {
  readonly level: 'ok' | 'warning';
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

/** Reads files of one format as records. It loads what takes long when it reads. */
export interface FileReader {
  /** What it reads, for the help. */
  readonly about: string;
  /** Text after the help. */
  readonly help: string;
  /** By the first bytes of a file that is text. */
  recognizes(beginning: Uint8Array): boolean;
  /** @throws Error for a file of which nothing can be read. */
  read(file: AsyncIterable<Buffer>, around: FileSurroundings): Promise<FileRecords>;
}

export interface FileSurroundings {
  readonly markets: Markets;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  readonly now: Instant;
  /** Whose figures they are, where the file does not say: `official`, or a market. */
  readonly as: string | undefined;
}

export interface FileRecord {
  readonly line: number;
  readonly record: SourceRecord | Refused;
}

/** What a file has, all of it or, when a line is bad, what is bad. */
export interface FileRecords {
  /** Read once. */
  readonly records: Iterable<FileRecord>;
  /** How the file was understood, as a document and as a sentence; absent when it was not. */
  readonly readAs?: { readonly json: object; readonly text: string };
  /** What the operator should know about it, in sentences. */
  readonly notes: readonly string[];
}

/** What a process has for its capabilities. */
export interface ProcessParts {
  readonly config: Config;
  readonly store: OpenedStore;
  readonly monitor: StoreMonitor;
  readonly clock: Clock;
  readonly log: Log;
  /** What rests on the catalogue: other parts after it was read again. */
  readonly edition: () => Edition;
  /** The lease to collect, while this process holds it: of several processes one does. */
  readonly lease: () => Lease | undefined;
  /** Tells the same capability in the other workers of this machine. */
  readonly tellPeers: (text: string) => void;
}

export interface Edition {
  readonly store: OpenedStore;
  readonly markets: Markets;
  readonly plans: Plans;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  readonly thresholds: Thresholds;
  readonly judgementRules: readonly JudgementRule[];
  readonly watch: SourceWatch;
}

export interface Job {
  /**
   * What it answers, when the process serves. One with an operation is in the reference, and one with a
   * `refusal` has its own form of errors.
   */
  readonly endpoints?: readonly Endpoint[];
  /** The same with pages, or what rests on the server. Called once: collectors load nothing of it. */
  serve?(): Promise<Serve>;
  /** @returns a function that ends it. */
  start?(): () => Promise<void>;
  /** After the server has answered everything and is closed. */
  close?(): Promise<void>;
  /** Another worker of this machine has told that. */
  toldByPeer?(text: string): void;
  /** Adds its metrics to those of the process. */
  addMetrics?(registry: Registry): Promise<void>;
}

/** As of settings, a program has one list of kinds, which its entry completes before sources are read. */
let addedKinds: NonNullable<Capability['sourceKinds']> = {};

export function addSourceKinds(capabilities: readonly Capability[]): void {
  addedKinds = addedByName(capabilities, ({ sourceKinds }) => sourceKinds);
}

/**
 * What capabilities add under names.
 * @throws ConfigError when two add the same name, of which one would not be heard of.
 */
export function addedByName<Added>(
  capabilities: readonly Capability[],
  addedBy: (capability: Capability) => Readonly<Record<string, Added>> | undefined,
): Readonly<Record<string, Added>> {
  const added = new Map<string, { readonly by: string; readonly what: Added }>();
  for (const capability of capabilities) {
    for (const [name, what] of Object.entries(addedBy(capability) ?? {})) {
      const { by } = added.get(name) ?? {};
      if (by !== undefined) {
        throw new ConfigError(`The capabilities ${by} and ${capability.name} both add ${name}.`);
      }
      added.set(name, { by: capability.name, what });
    }
  }
  return Object.fromEntries([...added].map(([name, { what }]) => [name, what]));
}

export function sourceKindsAdded(): Promise<readonly (readonly [string, ThreadedKind])[]> {
  return Promise.all(
    Object.entries(addedKinds).map(async ([name, load]) => [name, await load()] as const),
  );
}

/** The jobs of all capabilities, by name. */
export async function openJobs(
  capabilities: readonly Capability[],
  parts: Omit<ProcessParts, 'tellPeers'>,
  tellPeers: (capability: string, text: string) => void = () => undefined,
) {
  const jobs = new Map<string, Job>();
  for (const { name, open } of capabilities) {
    const job = await open?.({ ...parts, tellPeers: (text) => tellPeers(name, text) });
    if (job !== undefined) jobs.set(name, job);
  }
  return {
    async serve(): Promise<Serve> {
      const all = [...jobs.values()];
      const loaded = await Promise.all(all.map((job) => job.serve?.()));
      return (parts) => {
        const served: Served[] = [...loaded.flatMap((serve) => serve?.(parts) ?? []), ...all];
        return {
          endpoints: served.flatMap(({ endpoints }) => endpoints ?? []),
          pages: served.flatMap(({ pages }) => pages ?? []),
          notFound: served.find(({ notFound }) => notFound !== undefined)?.notFound,
          handedOut: async () =>
            (await Promise.all(served.map(({ handedOut }) => handedOut?.() ?? []))).flat(),
        };
      };
    },
    start(): () => Promise<void> {
      const ends = [...jobs.values()].flatMap((job) => job.start?.() ?? []);
      return async () => {
        await Promise.all(ends.map((end) => end()));
      };
    },
    async close(): Promise<void> {
      for (const job of jobs.values()) await job.close?.();
    },
    toldByPeer: (capability: string, text: string) => jobs.get(capability)?.toldByPeer?.(text),
    async addMetrics(registry: Registry): Promise<void> {
      for (const job of jobs.values()) await job.addMetrics?.(registry);
    },
  };
}
