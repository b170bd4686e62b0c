import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../src/core/app/failures.ts';
import type { Store } from '../src/core/app/ports/store.ts';
import type { ReturnedUnits, UnitsGrant } from '../src/core/app/ports/usage.ts';
import {
  COMES_BACK_RETRY_MS,
  IDLE_MS,
  MIN_BLOCK_UNITS,
} from '../src/core/app/quota/block-limits.ts';
import { Quota, type Reservation } from '../src/core/app/quota/quota.ts';
import type { WindowLimits } from '../src/core/app/quota/windows.ts';
import { ApiError } from '../src/core/domain/errors.ts';
import { type Instant, MINUTE_MS, SECOND_MS, utcMonthOf } from '../src/core/domain/time.ts';
import { openStore } from '../src/core/storage/store.ts';
import { recordedLog } from './harness/service.ts';

/**
 * Several processes, with their transactions, deaths and lost answers in any order, beside a plain
 * counter: never over, and under by exactly what was lost (contract §3).
 */

const ACCOUNT = 'acc-1';
const TURN_OF_MONTH = Date.UTC(2026, 11, 1);

/** What happens to a transaction: `deaf` ones are stored, and nobody learns of it. */
const FATES = ['well', 'away', 'deaf', 'read_only'] as const;
type Fate = (typeof FATES)[number];

type Action =
  | { readonly kind: 'call'; readonly calls: number }
  | { readonly kind: 'refund' }
  | { readonly kind: 'count' }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'fate'; readonly fate: Fate }
  | { readonly kind: 'kill' };

/** What one process does, one after another, while the others do theirs. */
interface Script {
  readonly skewMs: number;
  readonly actions: readonly Action[];
}

/** What all processes share. */
interface World {
  readonly store: Store;
  readonly scheduler: fc.Scheduler;
  readonly limits: WindowLimits;
  now: Instant;
  /** Answered calls, by the month or minute in which they count. */
  readonly answered: Map<Instant, number>;
  /** Units of the month that count as spent and that nobody has. */
  lost: number;
  refusals: number;
  /** Whether one process does all, and nothing fails. */
  readonly isPlain: boolean;
}

class Process {
  readonly quota: Quota;
  readonly #world: World;
  readonly #skewMs: number;
  #fate: Fate = 'well';
  #isDead = false;
  readonly #reservations: Reservation[] = [];
  readonly #calls: Instant[] = [];

  constructor(world: World, skewMs: number) {
    this.#world = world;
    this.#skewMs = skewMs;
    const store = new Proxy(world.store, {
      get: (target, name, receiver) => {
        const asked = Reflect.get(target, name, receiver);
        return (...given: readonly unknown[]) =>
          this.#transact(name, () => asked.apply(target, given), given);
      },
    });
    this.quota = new Quota({ store, clock: { now: () => this.now }, log: recordedLog() });
  }

  get now(): Instant {
    return this.#world.now + this.#skewMs;
  }

  /** The way there and the way back each take until the scheduler says so. */
  async #transact(name: PropertyKey, work: () => Promise<unknown>, given: readonly unknown[]) {
    const { scheduler } = this.#world;
    await scheduler.schedule(Promise.resolve(), `${String(name)} is sent`);
    if (this.#isDead) return never();
    const fate = this.#fate;
    if (fate === 'away') {
      this.#loseReturned(name, given);
      throw new StoreUnavailable('out of reach');
    }
    if (fate === 'read_only') throw new StoreUnavailable('refused', { writeFailure: 'read_only' });
    const result = await work();
    await scheduler.schedule(Promise.resolve(), `${String(name)} is answered`);
    const isHeard = fate === 'well' && !this.#isDead;
    if (isHeard) return result;
    if (name === 'takeUnits') this.#loseGranted(result as readonly UnitsGrant[]);
    if (this.#isDead) return never();
    throw new StoreUnavailable('the answer is lost');
  }

  #loseGranted(grants: readonly UnitsGrant[]): void {
    for (const { openedAt, granted } of grants) if (isMonth(openedAt)) this.#world.lost += granted;
  }

  #loseReturned(name: PropertyKey, given: readonly unknown[]): void {
    if (name !== 'returnUnits') return;
    const [returns] = given as [readonly ReturnedUnits[]];
    for (const { window, units } of returns) if (window === 'month') this.#world.lost += units;
  }

  async run(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      if (this.#isDead) return;
      await this.#act(action);
    }
  }

  async #act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'call':
        await this.call(action.calls);
        break;
      case 'refund':
        await this.#refund();
        break;
      case 'count':
        await this.#count();
        break;
      case 'pass':
        this.#world.now += action.milliseconds;
        await this.tend();
        break;
      case 'fate':
        this.#fate = action.fate;
        break;
      case 'kill':
        this.#die();
        break;
      default:
        action satisfies never;
    }
  }

  tend(): Promise<unknown> {
    return this.quota.tend(this.now).catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#fate = 'well';
    if (!this.#isDead) await this.quota.close();
  }

  async call(calls: number): Promise<number> {
    const { limits, answered } = this.#world;
    const outcomes = await Promise.allSettled(
      Array.from({ length: calls }, async () => {
        const reservation = await this.quota.reserve(ACCOUNT, limits);
        const { month = 0, minute = 0 } = reservation.openedAt;
        const window = limits.minute === undefined ? month : minute;
        answered.set(window, (answered.get(window) ?? 0) + 1);
        expect(answered.get(window)).toBeLessThanOrEqual(limits.minute ?? limits.month ?? 0);
        this.#reservations.push(reservation);
        this.#calls.push(this.now);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled' || outcome.reason instanceof StoreUnavailable) continue;
      if (!(outcome.reason instanceof ApiError)) throw outcome.reason;
      this.#world.refusals += 1;
    }
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  }

  /** A call that fails takes its unit with it, also after its month has ended. */
  async #refund(): Promise<void> {
    const last = this.#reservations.shift();
    if (last === undefined) return;
    const { month = 0 } = last.openedAt;
    this.#world.answered.set(month, (this.#world.answered.get(month) ?? 0) - 1);
    await this.quota.refund(last);
  }

  /** What the account is told is never below what was answered, and the same in one process. */
  async #count(): Promise<void> {
    const { answered, isPlain } = this.#world;
    const ofMonth = () => answered.get(utcMonthOf(this.now).start) ?? 0;
    const before = ofMonth();
    const counted = await this.quota.countedThisMonth(ACCOUNT).catch(() => undefined);
    if (counted === undefined) return;
    expect(counted).toBeGreaterThanOrEqual(Math.min(before, ofMonth()));
    if (isPlain) expect(counted).toBe(ofMonth());
  }

  #die(): void {
    this.#isDead = true;
    const unspent = this.quota.unspentOf(ACCOUNT, this.now);
    const used = this.#calls.filter((at) => Math.abs(this.now - at) < MINUTE_MS).length;
    // What its calls wait for is granted beside the block, and theirs as soon as they are told.
    expect(unspent).toBeLessThanOrEqual(Math.max(MIN_BLOCK_UNITS.month, used));
    this.#world.lost += unspent;
  }
}

const never = () => new Promise<never>(() => undefined);
const isMonth = (openedAt: Instant) => utcMonthOf(openedAt).start === openedAt;

interface Run {
  readonly scheduler: fc.Scheduler;
  readonly start: Instant;
  readonly limits: WindowLimits;
  readonly scripts: readonly Script[];
}

/** Runs the scripts beside each other. @returns the world after the last process has stopped. */
async function runScripts(
  { scheduler, start, limits, scripts }: Run,
  after: (world: World, last: Process) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vesfx-model-'));
  const store = await openStore({ dataDir, waitMs: 20_000 });
  const world: World = {
    ...{ store, scheduler, limits, now: start },
    ...{ answered: new Map(), lost: 0, refusals: 0 },
    isPlain:
      scripts.length === 1 &&
      scripts.every(({ actions }) =>
        actions.every(({ kind }) => kind !== 'fate' && kind !== 'kill'),
      ),
  };
  try {
    const processes = scripts.map(({ skewMs }) => new Process(world, skewMs));
    const ran = processes.map((one, place) => one.run(scripts[place]?.actions ?? []));
    await scheduler.waitFor(Promise.all(ran));
    await scheduler.waitFor(Promise.all(processes.map((one) => one.end())));
    world.now += IDLE_MS + COMES_BACK_RETRY_MS;
    const last = new Process(world, 0);
    await scheduler.waitFor(after(world, last));
    await scheduler.waitFor(last.end());
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** Small, so that runs reach it. */
const LIMIT = 60;
/** Large enough for blocks. */
const LIMIT_WITH_BLOCKS = 5_000;

const call = (max: number) =>
  fc.integer({ min: 1, max }).map((calls): Action => ({ kind: 'call', calls }));
const pass = (max: number) =>
  fc.integer({ min: 1, max }).map((milliseconds): Action => ({ kind: 'pass', milliseconds }));
const count = fc.constant<Action>({ kind: 'count' });
const refund = fc.constant<Action>({ kind: 'refund' });
const kill = fc.constant<Action>({ kind: 'kill' });
const fate = fc.constantFrom(...FATES).map((one): Action => ({ kind: 'fate', fate: one }));

const scripts = (actions: readonly fc.Arbitrary<Action>[], { skewMs = 0, minProcesses = 1 } = {}) =>
  fc.array(
    fc.record({
      skewMs: fc.integer({ min: -skewMs, max: skewMs }),
      actions: fc.array(fc.oneof(...actions), { maxLength: 12, size: 'max' }),
    }),
    { minLength: minProcesses, maxLength: 3 },
  );

/** To make a failure smaller takes many runs, so that on a busy machine the test only timed out. */
const AS_FOUND = { endOnFailure: true };

describe('the units of an account, against a plain counter (contract §3)', () => {
  test('whatever dies or is lost, answers never exceed the plan, and fall short by what was lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        scripts(
          [call(40), call(40), call(9), call(9), count, refund, pass(2 * IDLE_MS), kill, fate],
          {
            skewMs: SECOND_MS,
          },
        ),
        fc.constantFrom(LIMIT, LIMIT_WITH_BLOCKS),
        (scheduler, all, limit) =>
          runScripts(
            { scheduler, start: TURN_OF_MONTH + MINUTE_MS, limits: { month: limit }, scripts: all },
            async (world, last) => {
              const answered = world.answered.get(TURN_OF_MONTH) ?? 0;
              const counted = await last.quota.countedThisMonth(ACCOUNT);
              expect(counted).toBe(answered + world.lost);
              expect(await last.call(limit + 1)).toBe(limit - answered - world.lost);
            },
          ),
      ),
      { ...AS_FOUND, numRuns: 150 },
    );
  });

  test('with clocks that differ, a new month admits exactly its units', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        scripts([call(40), call(9), count, refund, pass(SECOND_MS)], {
          minProcesses: 2,
          skewMs: 2 * SECOND_MS,
        }),
        fc.integer({ min: 0, max: 3 * SECOND_MS }),
        (scheduler, all, before) =>
          runScripts(
            {
              scheduler,
              start: TURN_OF_MONTH - before,
              limits: { month: LIMIT_WITH_BLOCKS },
              scripts: all,
            },
            async (world, last) => {
              for (const at of [TURN_OF_MONTH - 1, TURN_OF_MONTH]) {
                world.now = at;
                const answered = world.answered.get(utcMonthOf(at).start) ?? 0;
                expect(await last.call(LIMIT_WITH_BLOCKS + 1)).toBe(LIMIT_WITH_BLOCKS - answered);
              }
            },
          ),
      ),
      { ...AS_FOUND, numRuns: 150 },
    );
  });

  test('a minute admits its number and no more, in one process exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), scripts([call(40), pass(2 * IDLE_MS)]), (scheduler, all) =>
        runScripts(
          {
            scheduler,
            start: TURN_OF_MONTH,
            limits: { minute: LIMIT, month: 1_000_000 },
            scripts: all,
          },
          async (world, last) => {
            // Nobody is refused while units remain, but for what others have in blocks.
            const full = Math.max(0, ...world.answered.values());
            if (all.length === 1 && world.refusals > 0) expect(full).toBe(LIMIT);
            world.now += MINUTE_MS;
            expect(await last.call(LIMIT + 1)).toBe(LIMIT);
          },
        ),
      ),
      { ...AS_FOUND, numRuns: 60 },
    );
  });
});
