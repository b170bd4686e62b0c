import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from './chance.ts';

/** The size of a run: named numbers, such as `{ cycles: 200 }`. */
export type Size = Readonly<Record<string, number>>;

export type Scale = 'full' | 'quick';

/**
 * One guarantee under one kind of fault. `run` treats the product and the control alike. The
 * control is a variant with a deliberate mistake: a check that accepts the control proves nothing.
 */
export interface ScenarioSpec<S extends Size> {
  readonly name: string;
  /** The title, for people. */
  readonly title: string;
  /** The guarantee. */
  readonly promise: string;
  /** The mistake of the control. */
  readonly control: string;
  readonly full: S;
  readonly quick: S;
  /** Size of the control, if not that of a quick run. */
  readonly controlled?: S;
  shown(size: S): string;
  /** The scenario is long and light, so it may run in parallel with others. */
  readonly beside?: true;
  /** Why it cannot run here. */
  whyNot?(): string | undefined;
  run(trial: Trial, size: S, subject: Subject): Promise<void>;
}

export type Subject = 'product' | 'control';

/** A scenario without its size type. */
export interface Scenario extends Omit<ScenarioSpec<Size>, 'run' | 'shown' | 'full' | 'quick'> {
  sizeOf(scale: Scale): string;
  run(trial: Trial, scale: Scale, subject: Subject): Promise<void>;
}

export function scenario<S extends Size>(spec: ScenarioSpec<S>): Scenario {
  const { full, quick, controlled = quick } = spec;
  return {
    ...spec,
    sizeOf: (scale) => spec.shown(scale === 'full' ? full : quick),
    run: (trial, scale, subject) => {
      const size = scale === 'full' ? full : quick;
      return spec.run(trial, subject === 'control' ? controlled : size, subject);
    },
  };
}

/**
 * How much longer than promised a short run of the product may take: it stands beside other tests, on a
 * machine that may be busy. A full run is exact, and what never happens does not happen later either.
 */
const SLACK_BESIDE_OTHERS = 20;

/** Most failures that are described. All are counted. */
const MAX_TOLD_FAILURES = 5;

/** Unfinished runs, for cleaning up after an interrupt. */
const open = new Set<Trial>();
let interrupted = false;

/** Stops the processes and removes the files of every unfinished run. */
export async function clearAway(): Promise<void> {
  interrupted = true;
  await Promise.all([...open].map((trial) => trial.end()));
}

/** One run of a scenario: its findings, and its clean-up actions. */
export class Trial {
  readonly chance: Chance;
  /** A temporary folder, removed after the run. */
  readonly dir: string;
  readonly #subject: Subject;
  readonly #slack: number;
  readonly #progress: (text: string) => void;
  readonly #failures: string[] = [];
  readonly #measures: string[] = [];
  readonly #endings: (() => unknown)[] = [];
  #ok = 0;
  #unknown = 0;
  #failed = 0;

  constructor({
    seed,
    subject,
    scale = 'full',
    folder = tmpdir(),
    progress = () => undefined,
  }: {
    readonly seed: string;
    readonly subject: Subject;
    readonly scale?: Scale;
    readonly folder?: string | undefined;
    readonly progress?: (text: string) => void;
  }) {
    if (interrupted) throw new Error('The run was interrupted.');
    this.#subject = subject;
    this.#slack = scale === 'quick' && subject === 'product' ? SLACK_BESIDE_OTHERS : 1;
    this.chance = new Chance(seed);
    this.dir = mkdtempSync(join(folder, 'vesfx-faults-'));
    this.#progress = progress;
    open.add(this);
  }

  ok(count = 1): void {
    this.#ok += count;
  }

  /** Counts an unknown outcome: the connection was cut after sending, so either result is right. */
  unknown(count = 1): void {
    this.#unknown += count;
  }

  failed(sentence: string): void {
    this.#failed += 1;
    if (this.#failures.length < MAX_TOLD_FAILURES) this.#failures.push(sentence);
  }

  /** Whether the control has already failed, so that the run can end. */
  get isSettled(): boolean {
    return this.#subject === 'control' && this.#failed > 0;
  }

  /** The longest time for what is promised within `ms`. */
  within(ms: number): number {
    return ms * this.#slack;
  }

  /** Counts a check, and reports it when it fails. */
  expect(holds: boolean, otherwise: string): void {
    if (holds) this.ok();
    else this.failed(otherwise);
  }

  /** Adds a measurement to the table, such as `ready after 812 ms at most`. */
  measured(text: string): void {
    this.#measures.push(text);
  }

  progress(text: string): void {
    this.#progress(text);
  }

  /** Adds an action for the end of the run, also after a failure. The last one added runs first. */
  onEnd(ending: () => unknown): void {
    // Something started during the clean-up must be cleaned up at once.
    if (!open.has(this)) ending();
    this.#endings.push(ending);
  }

  async end(): Promise<Finding> {
    open.delete(this);
    for (const ending of this.#endings.toReversed()) {
      try {
        await ending();
      } catch (error) {
        this.failed(`could not be cleared away: ${String(error)}`);
      }
    }
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
    return {
      ok: this.#ok,
      unknown: this.#unknown,
      failed: this.#failed,
      failures: this.#failures,
      measures: this.#measures,
    };
  }
}

export interface Finding {
  readonly ok: number;
  readonly unknown: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly measures: readonly string[];
}

export interface Outcome {
  readonly product: Finding;
  readonly control: Finding;
  /** The error that broke the run itself, so that it neither passed nor failed. */
  readonly broken: string | undefined;
}

/** Whether the guarantee held and the control failed. */
export function hasHeld({ product, control, broken }: Outcome): boolean {
  return broken === undefined && product.failed === 0 && product.ok > 0 && control.failed > 0;
}

/** Runs a scenario on the product and on its control. */
export async function carryOut(
  one: Scenario,
  { scale, seed, folder, progress, together = false }: CarryOptions,
): Promise<Outcome> {
  const problems: string[] = [];
  const on = async (subject: Subject): Promise<Finding> => {
    const trial = new Trial({
      seed: `${seed}/${one.name}`,
      subject,
      scale,
      folder,
      progress: (text) => progress?.(`${subject}: ${text}`),
    });
    try {
      await one.run(trial, scale, subject);
    } catch (error) {
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      problems.push(`${subject}: ${told}`);
    }
    return trial.end();
  };
  const [product, control] = together
    ? await Promise.all([on('product'), on('control')])
    : [await on('product'), await on('control')];
  return { product, control, broken: problems.length === 0 ? undefined : problems.join('\n') };
}

export interface CarryOptions {
  readonly scale: Scale;
  readonly seed: number;
  /** Folder of the trials, for example on a real disk; by default that of temporary files. */
  readonly folder?: string;
  readonly progress?: (text: string) => void;
  /** Runs both at once, because they mostly wait; their measures then say little. */
  readonly together?: boolean;
}

/** Processes every item, at most `width` at once. */
export async function inTurns<T>(
  items: readonly T[],
  width: number,
  work: (item: T, place: number) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lanes = Array.from({ length: width }, async (_, place) => {
    for (const item of rest) await work(item, place);
  });
  await Promise.all(lanes);
}
