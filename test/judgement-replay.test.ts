import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadThresholds } from '../src/catalogue/judgement.ts';
import { PACKAGED_CATALOGUE } from '../src/config.ts';
import {
  confirmedBy,
  doubtAbout,
  isFrozen,
  type Observation,
  type QuoteObservation,
  type Reading,
  type Thresholds,
} from '../src/domain/judgement.ts';
import {
  type CaracasDay,
  HOUR_MS,
  type Instant,
  isoInstant,
  MINUTE_MS,
  parseCaracasDay,
  startOfCaracasDay,
} from '../src/domain/time.ts';

/** The packaged thresholds, on bad values of every size and on the real series. */

const thresholds = loadThresholds(PACKAGED_CATALOGUE);

/** From the first reading that was held to the one with which it was over. */
interface Hold {
  readonly from: Instant;
  readonly minutes: number;
  /** False when the next readings were good again and what was held was passed over. */
  readonly confirmed: boolean;
}

/** Judges the readings of one subject in their order, and keeps what a caller of the rules keeps. */
class Desk {
  readonly holds: Hold[] = [];
  readonly #thresholds: Thresholds;
  #accepted: Reading | undefined;
  #pending: readonly Reading[] = [];
  #heldFrom: Instant | undefined;

  constructor(accepted?: Reading, given: Thresholds = thresholds) {
    this.#accepted = accepted;
    this.#thresholds = given;
  }

  get isSettled(): boolean {
    return this.#pending.length === 0;
  }

  /** @returns what is accepted now: the reading with those it confirms, or nothing. */
  take(reading: Reading): readonly Reading[] {
    const isDoubtful = doubtAbout(reading, this.#accepted, this.#thresholds) !== undefined;
    const confirmed = isDoubtful ? confirmedBy(reading, this.#pending, this.#thresholds) : [];
    if (confirmed === undefined) {
      this.#heldFrom ??= reading.capturedAt;
      this.#pending = [...this.#pending, reading];
      return [];
    }
    this.#accepted = reading;
    this.#pending = this.#pending.filter(
      (held) => held.source !== reading.source && !confirmed.includes(held),
    );
    if (this.#heldFrom !== undefined) {
      const minutes = (reading.capturedAt - this.#heldFrom) / MINUTE_MS;
      this.holds.push({ from: this.#heldFrom, minutes, confirmed: isDoubtful });
      this.#heldFrom = undefined;
    }
    return [...confirmed, reading];
  }
}

function day(text: string): CaracasDay {
  const found = parseCaracasDay(text);
  if (found === undefined) throw new Error(`no day: ${text}`);
  return found;
}

describe('bad values', () => {
  const START = Date.parse('2026-11-20T12:00:00Z');
  const FACTORS = [1e-6, 0.001, 0.1, 0.84, 1.16, 2, 10, 1000];
  const times = (value: number, factor: number) => Number((value * factor).toPrecision(12));
  const publication = (usd: number, eur: number): Observation => ({
    kind: 'publication',
    valueDate: day('2026-11-20'),
    rates: { USD: times(800, usd), EUR: times(900, eur) },
  });
  const quote = (more: Omit<QuoteObservation, 'kind' | 'official'>): Observation => ({
    kind: 'quote',
    official: false,
    ...more,
  });

  const SUBJECTS: readonly (readonly [string, (factor: number) => Observation])[] = [
    ['a publication', (factor) => publication(factor, factor)],
    ['one currency of a publication', (factor) => publication(1, factor)],
    ['an official quote', (factor) => ({ kind: 'quote', official: true, mid: times(800, factor) })],
    ['a quote', (factor) => quote({ mid: times(900, factor) })],
    [
      'a quote with sides',
      (factor) =>
        quote({ mid: times(900, factor), ask: times(901, factor), bid: times(899, factor) }),
    ],
    ['an ask', (factor) => quote({ mid: 900, ask: times(901, factor), bid: 899 })],
    ['a bid', (factor) => quote({ mid: 900, ask: 901, bid: times(899, factor) })],
  ];
  // Within 30%, such as 0.84 and 1.16, other markets than the official ones do move.
  const CASES = SUBJECTS.flatMap(([name, make]) => {
    const isOfficial = name.includes('publication') || name.includes('official');
    return FACTORS.filter((factor) => isOfficial || factor < 0.7 || factor > 1.3).flatMap(
      (factor) => [1, 5].map((every) => ({ name, factor, every, make })),
    );
  });
  type Case = (typeof CASES)[number];

  /** The minute at which the bad value is first accepted, of three hours of readings. */
  function firstAccepted({ factor, every, make }: Case, isBad: (read: number) => boolean) {
    const desk = new Desk();
    const [good, bad] = [make(1), make(factor)];
    for (let read = 0; read * every <= 180; read += 1) {
      const capturedAt = START + read * every * MINUTE_MS;
      const observation = isBad(read) ? bad : good;
      const accepted = desk.take({ source: 'a', capturedAt, observation });
      if (accepted.some((one) => one.observation === bad)) return read * every;
    }
    return undefined;
  }
  /** Cases that do not come out as they should, to be read in a failure. */
  const otherThan = (minute: number | undefined, isBad: (read: number, one: Case) => boolean) =>
    CASES.map((one) => ({ ...one, at: firstAccepted(one, (read) => isBad(read, one)) }))
      .filter(({ at, every }) => at !== (minute === undefined ? undefined : 6 * every + minute))
      .map(({ name, factor, every, at }) => ({ name, factor, every, at }));

  test('of each kind and factor are never accepted when they come once', () => {
    expect(CASES.length).toBe(96);
    expect(otherThan(undefined, (read) => read === 6)).toEqual([]);
  });

  test('are never accepted when they come and go, be it every other time', () => {
    expect(otherThan(undefined, (read) => read % 2 === 1)).toEqual([]);
    expect(otherThan(undefined, (read, { every }) => read % (10 / every) !== 0)).toEqual([]);
  });

  test('are never accepted when they are gone within ten minutes', () => {
    const enough = (every: number) => 6 + 10 / every;
    expect(otherThan(undefined, (read, { every }) => read >= 6 && read < enough(every))).toEqual(
      [],
    );
  });

  test('are accepted when they are real: ten minutes after they were first read', () => {
    expect(otherThan(10, (read) => read >= 6)).toEqual([]);
  });

  test('are accepted at once when a second source has them', () => {
    for (const { make, factor } of CASES) {
      const desk = new Desk();
      const take = (source: string, minute: number, by: number) =>
        desk.take({ source, capturedAt: START + minute * MINUTE_MS, observation: make(by) }).length;
      expect([take('a', 0, 1), take('a', 1, factor), take('b', 2, factor)]).toEqual([1, 0, 2]);
    }
  });
});

const SERIES = '../shared/data/normalised/';

/** The cells of each row; none of those used here has a comma of its own before the last column. */
function rowsOf(name: string): readonly (readonly string[])[] {
  // Suites that are skipped are gone through all the same, to list their tests.
  if (!existsSync(SERIES)) return [];
  const lines = readFileSync(`${SERIES}${name}`, 'utf8').trim().split(/\r?\n/);
  return lines.slice(1).map((line) => line.split(','));
}

type Series = readonly Reading[];

/**
 * Reads a series as its upstream would have shown it: each capture until the next, at fixed times.
 * What is read again once it was accepted changes nothing and is left out.
 */
function replay(series: Series, everyMinutes: number, desk = new Desk()): readonly Hold[] {
  const every = everyMinutes * MINUTE_MS;
  series.forEach((capture, position) => {
    const until = series[position + 1]?.capturedAt ?? capture.capturedAt + HOUR_MS;
    for (let at = Math.ceil(capture.capturedAt / every) * every; at < until; at += every) {
      if (desk.take({ ...capture, capturedAt: at }).length > 0 && desk.isSettled) break;
    }
  });
  expect(desk.isSettled).toBe(true);
  return desk.holds;
}

/** Each capture is one reading, however far apart they are. */
function replayOnce(series: Series): { holds: readonly Hold[]; accepted: Series } {
  const desk = new Desk();
  const accepted = series.flatMap((capture) => desk.take(capture));
  return { holds: desk.holds, accepted };
}

const midOf = ({ observation }: Reading) =>
  observation.kind === 'quote' ? observation.mid : Number.NaN;

interface Stretch {
  readonly from: Instant;
  readonly hours: number;
  readonly isFrozen: boolean;
}

/** How long each value stood: from its first update time to its last. */
function stretches(
  type: 'p2p' | 'parallel' | 'reference',
  updates: readonly { readonly content: string; readonly updatedAt: Instant }[],
): readonly Stretch[] {
  const found: Stretch[] = [];
  let [content, unchangedSince] = ['', 0];
  updates.forEach((update, position) => {
    if (update.content !== content) [content, unchangedSince] = [update.content, update.updatedAt];
    if (updates[position + 1]?.content === content) return;
    const { updatedAt } = update;
    found.push({
      from: unchangedSince,
      hours: (updatedAt - unchangedSince) / HOUR_MS,
      isFrozen: isFrozen(type, { unchangedSince, updatedAt }, thresholds),
    });
  });
  return found;
}

const longest = (found: readonly Stretch[]) => Math.max(...found.map(({ hours }) => hours));

describe.skipIf(!existsSync(SERIES))('a year of P2P captures', () => {
  /** Each collector has its own filters, so each is a market of its own. */
  const collectors = Map.groupBy(
    rowsOf('p2p_intraday.csv').map(([time = '', , mid = '', bid = '', ask = '', source = '']) => {
      // One side alone stands for the middle.
      const sides = mid === '' ? {} : { ask: Number(ask), bid: Number(bid) };
      const observation: Observation = {
        kind: 'quote',
        official: false,
        mid: Number(mid || bid || ask),
        ...sides,
      };
      return { source, capturedAt: Date.parse(time), observation };
    }),
    ({ source }) => source,
  );
  const all: readonly Series[] = [...collectors.values()];

  test('has no reading that is held, in whatever rhythm it is read', () => {
    expect([all.length, all.flat().length]).toEqual([10, 31_651]);
    for (const series of all) {
      expect(replayOnce(series)).toEqual({ holds: [], accepted: series });
      for (const everyMinutes of [1, 5]) expect(replay(series, everyMinutes)).toEqual([]);
    }
  });

  test('has the shock of January 2026 in it', () => {
    const week = all
      .flat()
      .filter(({ capturedAt }) => isoInstant(capturedAt) > '2026-01-02')
      .filter(({ capturedAt }) => isoInstant(capturedAt) < '2026-01-10');
    const asks = week.flatMap(({ observation }) =>
      observation.kind === 'quote' && observation.ask !== undefined ? [observation.ask] : [],
    );
    expect(week.length).toBeGreaterThan(700);
    expect(Math.max(...asks)).toBe(946.89);
    expect(Math.min(...asks)).toBe(522.99);
  });

  test('has a largest step between 24 and 25%, from one capture to the next', () => {
    const holds = (otherMovePercent: number) =>
      all.flatMap((series) =>
        replay(series, 1, new Desk(undefined, { ...thresholds, otherMovePercent })),
      );
    expect(holds(25)).toEqual([]);
    const from = Date.parse('2026-04-12T15:04:00Z');
    expect(holds(24)).toEqual([{ from, minutes: 10, confirmed: true }]);
  });

  test('had it been judged by 10%, would have been held for ten minutes 31 times', () => {
    const holds = all.flatMap((series) =>
      replay(series, 1, new Desk(undefined, { ...thresholds, otherMovePercent: 10 })),
    );
    expect(holds.length).toBe(31);
    expect(holds.filter(({ minutes }) => minutes !== 10)).toEqual([]);
  });

  test('is taken up again within ten minutes after 30 days without a reading', () => {
    const january = (capture: Reading) => isoInstant(capture.capturedAt).startsWith('2026-01-0');
    const holds = all.flatMap((series) =>
      series.flatMap((capture, position) => {
        if (!january(capture)) return [];
        const before = capture.capturedAt - 30 * 24 * HOUR_MS;
        const accepted = series.findLast(({ capturedAt }) => capturedAt <= before);
        const desk = new Desk(accepted);
        return accepted === undefined
          ? []
          : replay(series.slice(position, position + 3), 1, desk).slice(0, 1);
      }),
    );
    expect(holds.length).toBeGreaterThan(100);
    expect(holds.filter(({ minutes }) => minutes !== 10)).toEqual([]);
  });

  test('has no value that is reported frozen: none stood for ten hours', () => {
    const found = all.flatMap((series) =>
      stretches(
        'p2p',
        series.map(({ observation, capturedAt }) => ({
          content: JSON.stringify(observation),
          updatedAt: capturedAt,
        })),
      ),
    );
    expect(longest(found)).toBeCloseTo(9.85, 2);
    expect(found.filter((stretch) => stretch.isFrozen)).toEqual([]);
  });
});

describe.skipIf(!existsSync(SERIES))('the parallel rate', () => {
  const seriesOf = (rows: readonly (readonly [time: string, name: string, rate: string])[]) =>
    Map.groupBy(
      rows.map(([time, source, rate]): Reading => {
        const observation = { kind: 'quote', official: false, mid: Number(rate) } as const;
        return { source, capturedAt: Date.parse(time), observation };
      }),
      ({ source }) => source,
    );
  const intraday = seriesOf(
    rowsOf('parallel_intraday.csv').map(([time = '', source, base, rate = '']) => [
      time,
      `${source} ${base}`,
      rate,
    ]),
  );
  const daily = seriesOf(
    rowsOf('parallel_daily.csv').map(([date, base, source, rate = '']) => [
      `${date}T20:00:00Z`,
      `${source} ${base}`,
      rate,
    ]),
  );
  const OLDEST = 'dolartoday USD';

  test('has no reading that is held from 2024 to 2026, in whatever rhythm it is read', () => {
    const recent = [...daily].filter(([name]) => name !== OLDEST).map(([, series]) => series);
    const all = [...intraday.values(), ...recent];
    expect(all.length).toBe(12);
    for (const series of all) {
      expect(replayOnce(series)).toEqual({ holds: [], accepted: series });
      for (const everyMinutes of [1, 5]) expect(replay(series, everyMinutes)).toEqual([]);
    }
  });

  test('read once a day from 2010 to 2021 loses its slips, and real jumps are two reads late', () => {
    const series = daily.get(OLDEST) ?? [];
    expect(series.length).toBe(3879);
    const { holds, accepted } = replayOnce(series);
    const days = (isConfirmed: boolean) =>
      holds
        .filter(({ confirmed }) => confirmed === isConfirmed)
        .map(({ from }) => isoInstant(from).slice(0, 10));
    expect(days(true)).toEqual(['2019-01-10', '2019-01-14']);
    expect(days(false)).toEqual([
      '2013-02-08',
      '2020-06-09',
      '2020-11-08',
      '2021-04-21',
      '2021-06-09',
    ]);
    // The rate of that day had its decimal point one place off.
    expect(accepted.map(midOf)).not.toContain(22.57010088);
  });

  test('read every 1 or 5 minutes in those years is never held for more than ten minutes', () => {
    for (const everyMinutes of [1, 5]) {
      const holds = replay(daily.get(OLDEST) ?? [], everyMinutes);
      expect(holds.length).toBe(10);
      expect(holds.filter(({ minutes }) => minutes !== 10)).toEqual([]);
    }
  });

  test('is reported frozen at 142.42 for eight weeks and at 109.2 before, and never else', () => {
    const found = stretches(
      'parallel',
      rowsOf('parallel_intraday.csv')
        .filter(([, source, base]) => source === 'dolarapi_paralelo' && base === 'USD')
        .map(([, , , rate = '', , updated = '']) => ({
          content: rate,
          updatedAt: Date.parse(updated),
        })),
    );
    const reported = found.filter((stretch) => stretch.isFrozen);
    // The second is no quiet market either: the official rate rose by 6% meanwhile, and when the
    // parallel one moved again it was by 9% at once.
    expect(reported.map(({ from, hours }) => [isoInstant(from), Math.floor(hours / 24)])).toEqual([
      ['2025-05-02T18:01:14.381Z', 11],
      ['2025-05-27T19:01:15.533Z', 56],
    ]);
    // Carnival of 2025.
    expect(longest(found.filter((stretch) => !stretch.isFrozen))).toBeCloseTo(115, 1);
  });
});

describe.skipIf(!existsSync(SERIES))('official publications', () => {
  interface Row {
    readonly valueDate: CaracasDay;
    readonly currency: string;
    readonly rate: number;
    readonly published: number;
    readonly operationDate: string;
  }
  const rows: readonly Row[] = rowsOf('official_daily.csv').map(
    ([date = '', currency = '', rate, published, , , operationDate = '']) => ({
      valueDate: day(date),
      currency,
      rate: Number(rate),
      published: Number(published),
      operationDate,
    }),
  );
  const byDate = [...Map.groupBy(rows, ({ valueDate }) => valueDate)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  /** In the afternoon of its operation, or of the value date before. */
  const publications = (
    currencies: readonly string[],
    figure: 'rate' | 'published' = 'rate',
  ): Series =>
    byDate.map(([valueDate, ofDate], position) => {
      const operationDate = ofDate.find((row) => row.operationDate !== '')?.operationDate;
      const made = operationDate ?? byDate[position - 1]?.[0] ?? valueDate;
      const rates = Object.fromEntries(
        ofDate
          .filter(({ currency }) => currencies.includes(currency))
          .map((row) => [row.currency, row[figure]]),
      );
      return {
        source: 'bcv',
        capturedAt: Date.parse(`${made}T21:00:00Z`),
        observation: { kind: 'publication', valueDate, rates },
      };
    });
  const MAIN = ['USD', 'EUR'];

  test('of 1,540 value dates are held for ten minutes seven times, and never for good', () => {
    const series = publications(MAIN);
    expect(series.length).toBe(1540);
    for (const everyMinutes of [1, 5]) {
      const holds = replay(series, everyMinutes);
      expect(holds.map(({ from }) => isoInstant(from).slice(0, 10))).toEqual([
        '2020-04-22',
        '2020-04-23',
        '2020-11-20',
        '2020-11-24',
        '2021-01-08',
        '2022-08-24',
        '2022-08-25',
      ]);
      expect(holds.every(({ minutes, confirmed }) => minutes === 10 && confirmed)).toBe(true);
    }
  });

  test('with all five currencies, and their holes, are held for ten minutes 22 times', () => {
    const holds = replay(publications([...MAIN, 'CNY', 'TRY', 'RUB']), 5);
    expect(holds.length).toBe(22);
    expect(holds.every(({ minutes, confirmed }) => minutes === 10 && confirmed)).toBe(true);
  });

  test('read once each are accepted again within six days', () => {
    const { holds } = replayOnce(publications(MAIN));
    expect(holds.length).toBe(4);
    expect(Math.max(...holds.map(({ minutes }) => minutes / 60 / 24))).toBe(6);
  });

  test('pass the redenomination of October 2021, as it was published, in ten minutes', () => {
    const autumn = publications(MAIN, 'published').filter(({ capturedAt }) =>
      /^2021-(?:09|10)/.test(isoInstant(capturedAt)),
    );
    expect(replay(autumn, 5)).toEqual([{ from: expect.any(Number), minutes: 10, confirmed: true }]);
  });

  test('are never reported frozen: the same rate stood for two value dates at most', () => {
    const found = stretches(
      'reference',
      rows
        .filter(({ currency }) => currency === 'USD')
        .toSorted((a, b) => (a.valueDate < b.valueDate ? -1 : 1))
        .map(({ valueDate, rate }) => ({
          content: String(rate),
          updatedAt: startOfCaracasDay(valueDate),
        })),
    );
    expect(longest(found)).toBe(24);
    expect(found.some((stretch) => stretch.isFrozen)).toBe(false);
  });

  test('of banks, 1,474 tables, have none that is held', () => {
    const tables = Map.groupBy(
      rowsOf('bank_table.csv').filter((cells) => cells.at(-1) === 'bcv_export_2025-06-28'),
      ([date = '']) => date,
    );
    const series = [...tables]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, ofDate]): Reading => {
        const observation: Observation = {
          kind: 'bank_table',
          indicatorDate: day(date),
          rows: ofDate.length,
        };
        return { source: 'bcv', capturedAt: Date.parse(`${date}T21:00:00Z`), observation };
      });
    expect(series.length).toBe(1474);
    expect(replayOnce(series)).toEqual({ holds: [], accepted: series });
  });
});
