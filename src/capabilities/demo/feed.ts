import { LEASE_MS } from '../../core/app/collecting/collector-lease.ts';
import type { Clock } from '../../core/app/ports/clock.ts';
import type { SourceState } from '../../core/app/ports/collecting.ts';
import type { Lease } from '../../core/app/ports/lease.ts';
import type { Log } from '../../core/app/ports/log.ts';
import type { Source } from '../../core/app/ports/sources.ts';
import { repeat } from '../../core/app/repeat.ts';
import { isCollected } from '../../core/cli/sources.ts';
import type { Toolbox } from '../../core/compose.ts';
import { multiply, round, toNumber } from '../../core/domain/decimal.ts';
import { SHIFTED, SIMULATED } from '../../core/domain/source-health.ts';
import {
  addCaracasDays,
  caracasDayOf,
  DAY_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
  startOfCaracasDay,
} from '../../core/domain/time.ts';
import {
  type DemoCapture,
  type DueRecord,
  dueQuote,
  figureAt,
  movedBankTable,
  movedCaptures,
  movedPublications,
  readDemoFigures,
} from './figures.ts';

/** Each tick gives one P2P venue a new quote; the other markets get one each minute. */
const TICK_MS = 5 * SECOND_MS;
const SLOW_TICK_MS = MINUTE_MS;

/** The failing source, as an example for the status page. */
const FAILING_SOURCE = 'yadio';
const FAILING_SINCE_MS = 40 * MINUTE_MS;
const HISTORY_DAYS = 90;
/** One day in this many has a failed reading. */
const FAILED_DAY_EVERY = 17;

const HELD = { market: 'saldo', factor: 3 } as const;

interface FeedParts extends Pick<Toolbox, 'ingest' | 'store' | 'markets' | 'calendar'> {
  readonly sources: readonly Source[];
  readonly shiftDays: number;
  readonly clock: Clock;
}

/** Creates the past of a demonstration, and its new figures. */
export class DemoFeed {
  readonly #parts: FeedParts;
  readonly #figures = readDemoFigures();
  readonly #publications: ReturnType<typeof movedPublications>;
  /** The sources of the catalogue that a service would read. */
  readonly #readSources: readonly Source[];
  #publishedUntil = 0;
  #ticks = 0;
  #slowTickAt = 0;
  #lease: Lease | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#publications = movedPublications(this.#figures, parts);
    this.#readSources = parts.sources.filter(isCollected);
  }

  /** That of the process that collects, in whose place the demonstration stands. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** Stores everything up to now. Storing a figure again has no effect. */
  async fill(): Promise<void> {
    const { shiftDays, clock } = this.#parts;
    const now = clock.now();
    await this.#publish(now);
    for (const [market, simulated] of this.#figures.simulated) {
      const real = this.#figures.real.get(market) ?? [];
      const realFrom = real[0]?.at ?? Number.POSITIVE_INFINITY;
      const before = simulated.filter(({ at }) => at < realFrom);
      await this.#ingest(SIMULATED, due(movedCaptures(market, before, shiftDays), now));
      await this.#ingest(SHIFTED, due(movedCaptures(market, real, shiftDays), now));
    }
    await this.#quote(this.#markets(), now);
    await this.#holdOne(now);
    await this.#savePastOfSources(now);
  }

  /** Publishes due records, and new quotes of one venue, or of all markets once a minute. */
  async tick(): Promise<void> {
    const { clock, markets } = this.#parts;
    const now = clock.now();
    await this.#publish(now);
    const venues = this.#markets().filter((id) => markets.find(id)?.type === 'p2p');
    const isSlow = now - this.#slowTickAt >= SLOW_TICK_MS;
    const next = venues[this.#ticks % venues.length];
    this.#ticks += 1;
    if (isSlow || next === undefined) {
      this.#slowTickAt = now;
      await this.#quote(this.#markets(), now);
      await this.#saveSources(this.#readSources, now);
    } else {
      await this.#quote([next], now);
      const readers = this.#readSources.filter(
        (source) => source.name !== FAILING_SOURCE && source.markets.includes(next),
      );
      await this.#saveSources(readers, now);
    }
  }

  async #publish(now: Instant): Promise<void> {
    const published = due(this.#publications, now);
    const fresh = published.filter(({ at }) => at > this.#publishedUntil);
    const newest = fresh.at(-1);
    if (newest === undefined) return;
    await this.#ingest(SHIFTED, fresh);
    await this.#ingest(SIMULATED, [movedBankTable(this.#figures, published)]);
    this.#publishedUntil = newest.at;
  }

  #markets(): readonly string[] {
    return [...this.#figures.simulated.keys()];
  }

  #quote(markets: readonly string[], now: Instant): Promise<void> {
    const quotes = markets.map((market) => dueQuote(market, this.#figureOf(market, now)));
    return this.#ingest(SIMULATED, quotes);
  }

  #figureOf(market: string, at: Instant): DemoCapture {
    const series = this.#figures.simulated.get(market) ?? [];
    return { ...figureAt(series, at - this.#parts.shiftDays * DAY_MS), at };
  }

  /** Adds a quote that judgement holds, for the held list and the status page. A restart adds no other. */
  async #holdOne(now: Instant): Promise<void> {
    const held = await this.#parts.store.countHeld();
    if (held.size > 0) return;
    const { at, mid } = this.#figureOf(HELD.market, now);
    const tooHigh = { at, mid: toNumber(round(multiply(mid, HELD.factor), 2)) };
    await this.#ingest(SIMULATED, [dueQuote(HELD.market, tooHigh)], { trust: false });
  }

  async #ingest(
    source: string,
    records: readonly DueRecord[],
    { trust = true } = {},
  ): Promise<void> {
    const reasons: string[] = [];
    const items = records.map(({ record }) => record);
    await this.#parts.ingest.ingest(items, {
      source,
      trust,
      tell: ({ bad }) => void (bad && reasons.push(bad.reason)),
    });
    if (reasons.length > 0) throw new Error(`A figure was refused: ${reasons[0]}`);
  }

  /** One good reading a day, so that the status page has its history. A few days had a failed one too. */
  async #savePastOfSources(now: Instant): Promise<void> {
    const { store } = this.#parts;
    const today = caracasDayOf(now);
    const days = await store.sourceDays(addCaracasDays(today, -HISTORY_DAYS));
    if (days.length > 0) return;
    for (const [index, { name }] of this.#readSources.entries()) {
      for (let ago = HISTORY_DAYS - 1; ago > 0; ago -= 1) {
        const at = startOfCaracasDay(addCaracasDays(today, -ago)) + DAY_MS / 2;
        const hasFailed = (ago + index * 5) % FAILED_DAY_EVERY === 0;
        if (hasFailed) await store.saveSourceState(failedState(name, at - MINUTE_MS, 1));
        await store.saveSourceState(goodState(name, at));
      }
    }
    await store.saveSourceState(goodState(FAILING_SOURCE, now - FAILING_SINCE_MS));
    await this.#saveSources(this.#readSources, now);
  }

  async #saveSources(sources: readonly Source[], now: Instant): Promise<void> {
    const { store } = this.#parts;
    // Nothing else reads here, so the demonstration stands as the process that collects.
    this.#lease = await store.takeLease('demo', now, now + LEASE_MS);
    const states = await store.sourceStates();
    for (const { name, markets } of sources) {
      // Without markets it reads the central bank, which changes with each publication only.
      const lastChangeAt = markets.length === 0 ? this.#publishedUntil : now;
      const last = states.find(({ source }) => source === name);
      const state =
        name === FAILING_SOURCE
          ? failedAgain(last, now)
          : { ...goodState(name, now), lastChangeAt };
      await store.saveSourceState({ ...state, nextRunAt: now + SLOW_TICK_MS });
    }
  }
}

function due<Due extends DueRecord>(records: readonly Due[], now: Instant): Due[] {
  return records.filter(({ at }) => at <= now);
}

function goodState(source: string, at: Instant): SourceState {
  return { source, lastAttemptAt: at, lastSuccessAt: at, lastChangeAt: at, consecutiveFailures: 0 };
}

/** The failing source after one more failed reading. It has failed since the same instant. */
function failedAgain(last: SourceState | undefined, now: Instant): SourceState {
  if (last?.failure === undefined) {
    return failedState(FAILING_SOURCE, now, FAILING_SINCE_MS / MINUTE_MS);
  }
  return { ...last, lastAttemptAt: now, consecutiveFailures: last.consecutiveFailures + 1 };
}

function failedState(source: string, at: Instant, failures: number): SourceState {
  return {
    source,
    lastAttemptAt: at,
    lastSuccessAt: at - FAILING_SINCE_MS,
    lastChangeAt: at - FAILING_SINCE_MS,
    consecutiveFailures: failures,
    failingSince: at - FAILING_SINCE_MS,
    failure: { reason: 'unreachable', message: 'simulated: the connection was refused' },
  };
}

/** Ticks regularly until the returned function is called. */
export function keepMoving(feed: DemoFeed, log: Log): () => Promise<void> {
  return repeat(TICK_MS, () =>
    feed
      .tick()
      .catch((error: unknown) =>
        log.error({ err: error }, 'the demonstration could not publish new figures'),
      ),
  );
}
