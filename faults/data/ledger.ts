import { DAY_MS } from '../../src/core/domain/time.ts';
import type { Chance } from '../chance.ts';
import type { Trial } from '../scenario.ts';
import { type Client, objectOf, push, statusOf } from '../wire.ts';

/** Most points in a history, so that one answer has a writer's whole day. */
const MAX_POINTS = 5_000;
const MAX_BATCH = 40;

export const WRITERS = ['parallel', 'binance', 'bingx', 'bitget'] as const;

/** A batch, with its outcome as known to the sender. */
interface Batch {
  readonly times: readonly string[];
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
}

interface Day {
  readonly market: string;
  readonly day: string;
  readonly batches: Batch[];
  points: number;
}

/** The pushed batches with their outcomes, to compare with the stored data. */
export class Ledger {
  readonly #days = new Map<string, Day>();

  /** Writers push batches, one after another, until `isOver` or no answer comes. */
  async write(
    client: Client,
    {
      url,
      cycle,
      chance,
      isOver,
    }: {
      readonly url: string;
      readonly cycle: number;
      readonly chance: Chance;
      readonly isOver: () => boolean;
    },
  ): Promise<void> {
    const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - (1 + (cycle % 300)) * DAY_MS;
    await Promise.all(
      WRITERS.map(async (market) => {
        const day = this.#day(market, new Date(start).toISOString().slice(0, 10));
        const own = chance.of(market);
        while (!isOver() && day.points + MAX_BATCH <= MAX_POINTS) {
          const times: string[] = [];
          for (let left = own.int(1, MAX_BATCH); left > 0; left -= 1) {
            times.push(new Date(start + day.points * 17).toISOString());
            day.points += 1;
          }
          const records = times.map((at) => ({
            ...{ kind: 'quote', market, mid: 900, updated_at: at, captured_at: at },
          }));
          const reply = await push(client, url, records);
          const unsure = reply.kind === 'unknown' || statusOf(reply) >= 500;
          const outcome = statusOf(reply) === 200 ? 'acknowledged' : unsure ? 'unknown' : 'refused';
          day.batches.push({ times, outcome });
          if (outcome !== 'acknowledged') return;
        }
      }),
    );
  }

  /** Checks every batch: it must be stored completely or not at all. */
  async check(trial: Trial, client: Client, url: string, key: string): Promise<void> {
    for (const { market, day, batches } of this.#days.values()) {
      const query = `granularity=raw&from=${day}&to=${day}`;
      const answer = objectOf(
        await client.send(`${url}/v1/fx/rates/${market}/history?${query}`, { key }),
      );
      const stored = storedTimes(answer['points']);
      for (const batch of batches) judge(trial, `${market} of ${day}`, batch, stored);
    }
  }

  /** Removes checked batches, so that the next check covers only later ones. */
  clear(): void {
    this.#days.clear();
  }

  /** Adds the batches of another ledger. */
  add(other: Ledger): void {
    for (const [name, day] of other.#days) this.#days.set(name, day);
  }

  #day(market: string, day: string): Day {
    const name = `${market} ${day}`;
    const known = this.#days.get(name) ?? { market, day, batches: [], points: 0 };
    this.#days.set(name, known);
    return known;
  }
}

function storedTimes(points: unknown): ReadonlySet<string> {
  if (!Array.isArray(points)) throw new Error('A history has no points.');
  return new Set(points.map((point: { captured_at: string }) => point.captured_at));
}

function judge(trial: Trial, where: string, batch: Batch, stored: ReadonlySet<string>): void {
  const { times, outcome } = batch;
  const there = times.filter((at) => stored.has(at)).length;
  const told = `a batch of ${times.length} in ${where} was ${outcome}`;
  if (there > 0 && there < times.length) trial.failed(`${told}, and ${there} of it are stored`);
  else if (outcome === 'acknowledged' && there === 0) trial.failed(`${told}, and is lost`);
  else if (outcome === 'refused' && there > 0) trial.failed(`${told}, and is stored`);
  else if (outcome === 'unknown') trial.unknown();
  else trial.ok();
}
