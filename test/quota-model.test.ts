import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reservation } from '../src/app/quota/account-meters.ts';
import { EMPTY_KEPT_MS } from '../src/app/quota/lease-limits.ts';
import { QuotaLeases } from '../src/app/quota/quota-leases.ts';
import type { WindowLimits } from '../src/app/quota/window-limits.ts';
import { ApiError } from '../src/domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../src/domain/time.ts';
import { openStore } from '../src/storage/store.ts';
import { recordedLog } from './harness/service.ts';

/**
 * Compares the meter of several processes with a plain counter: never over, never under
 * (decisions §3).
 */

const ACCOUNT = 'acc-1';
const TURN_OF_MONTH = Date.UTC(2026, 11, 1);
/** How often the processes check for recalls; the product does every 200 ms. */
const CARE_EVERY_MS = 5;

/** One process: its clock is ahead of the others' or behind, always by the same. */
interface Process {
  readonly skewMs: number;
  readonly leases: QuotaLeases;
}

interface Real {
  /** True time. */
  now: Instant;
  readonly limits: WindowLimits;
  readonly processes: readonly Process[];
  readonly answered: { readonly by: Process; readonly reservation: Reservation }[];
}

/** The plain counter: units spent, by the start of their window. */
interface Model {
  readonly spent: Map<Instant, number>;
  /** Windows of the calls that were answered, in order. */
  readonly answered: Instant[];
  /** When the current window opened, where it opens with a call. */
  openedAt: Instant | undefined;
}

type Command = fc.AsyncCommand<Model, Real>;

/** The window that a call at `now` counts in. */
type WindowAt = (model: Model, now: Instant) => Instant;

const monthAt: WindowAt = (_model, now) => utcMonthOf(now).start;

const minuteAt: WindowAt = (model, now) => {
  if (model.openedAt === undefined || now >= model.openedAt + MINUTE_MS) model.openedAt = now;
  return model.openedAt;
};

class Calls implements Command {
  readonly #given: { process: number; calls: number; limit: number; windowAt: WindowAt };

  constructor(given: { process: number; calls: number; limit: number; windowAt: WindowAt }) {
    this.#given = given;
  }

  check = () => true;

  async run(model: Model, real: Real): Promise<void> {
    const { calls, limit, windowAt } = this.#given;
    const by = processOf(real, this.#given.process);
    const window = windowAt(model, real.now + by.skewMs);
    const before = model.spent.get(window) ?? 0;
    const expected = Math.min(calls, limit - before);
    const outcomes = await Promise.allSettled(
      Array.from({ length: calls }, async () => by.leases.reserve(ACCOUNT, real.limits)),
    );
    let admitted = 0;
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') {
        admitted += 1;
        real.answered.push({ by, reservation: outcome.value });
        model.answered.push(window);
      } else if (!(outcome.reason instanceof ApiError)) throw outcome.reason;
    }
    expect(admitted).toBe(expected);
    model.spent.set(window, before + admitted);
  }

  toString = () => `process ${this.#given.process} calls ${this.#given.calls} times`;
}

/** A call that was not answered returns its unit, also after its month has ended. */
class Refund implements Command {
  check = ({ answered }: Readonly<Model>) => answered.length > 0;

  async run(model: Model, real: Real): Promise<void> {
    const last = real.answered.pop();
    const window = model.answered.pop();
    if (last === undefined || window === undefined) throw new Error('Nothing was answered.');
    await last.by.leases.refund(last.reservation);
    model.spent.set(window, (model.spent.get(window) ?? 0) - 1);
    // After this time a process requests an empty window again.
    real.now += EMPTY_KEPT_MS;
  }

  toString = () => 'the last call is refunded';
}

class Pass implements Command {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  check = () => true;

  async run(_model: Model, real: Real): Promise<void> {
    real.now += this.#milliseconds;
    for (const { leases, skewMs } of real.processes) await leases.tend(real.now + skewMs);
  }

  toString = () => `${this.#milliseconds} ms pass`;
}

/** The process ends and another takes its place. */
class Release implements Command {
  readonly #process: number;

  constructor(process: number) {
    this.#process = process;
  }

  check = () => true;

  async run(_model: Model, real: Real): Promise<void> {
    await processOf(real, this.#process).leases.release(ACCOUNT);
  }

  toString = () => `process ${this.#process} gives its units back`;
}

function processOf({ processes }: Real, position: number): Process {
  const process = processes[position % processes.length];
  if (process === undefined) throw new Error('There is no process.');
  return process;
}

interface Run {
  readonly start: Instant;
  readonly skews: readonly number[];
  readonly limits: WindowLimits;
  readonly commands: Iterable<Command>;
}

async function runModel({ start, skews, limits, commands }: Run): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vesfx-model-'));
  const stores = await Promise.all(skews.map(() => openStore({ dataDir, waitMs: 20_000 })));
  const real: Real = {
    now: start,
    limits,
    answered: [],
    processes: stores.map((store, position) => {
      const skewMs = skews[position] ?? 0;
      const clock = { now: () => real.now + skewMs };
      const leases = new QuotaLeases({
        store,
        clock,
        log: recordedLog(),
        holder: `process-${position}`,
      });
      return { skewMs, leases };
    }),
  };
  const care = setInterval(() => {
    for (const { leases, skewMs } of real.processes) {
      leases.tend(real.now + skewMs).catch(() => undefined);
    }
  }, CARE_EVERY_MS);
  try {
    const model: Model = { spent: new Map(), answered: [], openedAt: undefined };
    await fc.asyncModelRun(() => ({ model, real }), commands);
  } finally {
    clearInterval(care);
    for (const { leases } of real.processes) await leases.close();
    for (const store of stores) await store.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** Small, so that runs reach it; a block is a sixteenth of what remains. */
const LIMIT = 60;

const commandsOf = (windowAt: WindowAt, refunds: readonly fc.Arbitrary<Command>[]) =>
  fc.commands(
    [
      fc
        .record({ process: fc.nat(2), calls: fc.integer({ min: 1, max: 60 }) })
        .map((given) => new Calls({ ...given, limit: LIMIT, windowAt })),
      fc.integer({ min: 1, max: 2 * SECOND_MS }).map((milliseconds) => new Pass(milliseconds)),
      fc.nat(2).map((process) => new Release(process)),
      ...refunds,
    ],
    { maxCommands: 30, size: 'max' },
  );

describe('the units of an account, against a plain counter (decisions §3)', () => {
  test('with clocks that differ, a new month admits exactly its units', async () => {
    await fc.assert(
      fc.asyncProperty(
        commandsOf(monthAt, [fc.constant(new Refund())]),
        fc.array(fc.integer({ min: -2 * SECOND_MS, max: 2 * SECOND_MS }), {
          minLength: 2,
          maxLength: 3,
        }),
        fc.integer({ min: 0, max: 3 * SECOND_MS }),
        (commands, skews, before) =>
          runModel({
            start: TURN_OF_MONTH - before,
            skews,
            limits: { month: LIMIT },
            commands,
          }),
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  test('a minute admits exactly its number, in one process or many', async () => {
    await fc.assert(
      fc.asyncProperty(
        commandsOf(minuteAt, []),
        fc.integer({ min: 1, max: 3 }),
        (commands, processes) =>
          runModel({
            start: TURN_OF_MONTH,
            skews: Array.from({ length: processes }, () => 0),
            limits: { minute: LIMIT, month: 1_000_000 },
            commands,
          }),
      ),
      { numRuns: 25 },
    );
  }, 120_000);
});
