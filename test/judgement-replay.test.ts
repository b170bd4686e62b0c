import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Chance } from '../faults/chance.ts';
import { replayPages } from '../faults/replay/pages.ts';
import { replayQuotes } from '../faults/replay/quotes.ts';
import { feedsOf, readSeries, readTables } from '../faults/replay/series.ts';
import { addOutcome, emptyRow, Injected, missedGoals, neverBegan } from '../faults/replay/table.ts';
import { replayTruth } from '../faults/replay/truth.ts';
import { judging } from './harness/judging.ts';
import { iso, official, quote } from './harness/make.ts';

/**
 * Real figures of the shock of January 2026: one P2P venue about once an hour, and the central bank's
 * publications.
 */
const SHOCK = readTables('test/harness/january-2026');
const [VENUE = []] = SHOCK.venues.values();

describe('real figures (contract §8)', () => {
  test('of the shock of January 2026 are never held, although P2P doubled within five days', async () => {
    const { ingestAll, service, held } = await judging();
    service.clock.set(Date.parse('2026-01-12T00:00:00Z'));
    await service.push(
      ...SHOCK.publications
        .filter(({ valueDate }) => valueDate < '2026-01-12')
        .map(({ at, valueDate, rates }) => official(valueDate, rates, { captured_at: iso(at) })),
    );
    const records = VENUE.map(({ at, ...figures }) =>
      quote('binance', 0, { ...figures, updated_at: iso(at), captured_at: iso(at) }),
    );
    const accepted = VENUE.length;
    expect(accepted).toBeGreaterThan(100);
    expect(await ingestAll(records)).toEqual({ accepted, held: 0, refused: 0, duplicate: 0 });
    expect(await held()).toEqual([]);
  });
});

/** The feeds of the fixtures: five venues and the parallel market, made of its one venue. */
const fixture = () => feedsOf(SHOCK, { chance: new Chance('fixture'), count: 5, lagSec: 60 });

describe('a short replay with faults (contract §8)', () => {
  test('no real figure of five venues is held for more than 15 minutes', async () => {
    const { venues, publications } = fixture();
    const { tries, withheldMinutes } = await replayTruth('five', venues, publications);
    // Read at each change of a figure, and each minute while one is held.
    expect(tries).toBeGreaterThan(1_500);
    expect(withheldMinutes).toBeLessThanOrEqual(15);
  });

  test.each([
    ['in one body', false, /./],
    ['each by itself', true, /^times 1/],
  ])(
    'no fault of quotes is published out of the band, nor are one or two wrong venues believed: read %s',
    async (_, isApart, kinds) => {
      const plan = {
        ...fixture(),
        tries: 1,
        chance: new Chance('cut down'),
        minutes: [15],
        isApart,
      };
      // Those that need hours or days are left to `npm run replay`.
      const isWanted = (kind: string) => kinds.test(kind) && !/move|an hour|two days/.test(kind);
      const rows = await replayQuotes({ ...plan, isWanted });
      expect(rows.length).toBeGreaterThan(40);
      const goals = [
        'published out of the band',
        'the median of the venues outside the right ones',
      ];
      expect(missedGoals(rows, goals)).toBe('');
      expect(neverBegan(rows)).toBe('');
    },
  );

  test('a fault counts what it changed, and a row whose fault never began is named', async () => {
    const none = { start: '', minutes: 5, misses: [], heldBy: new Set<string>() };
    const outcome = { ...none, injected: new Injected() };
    const [begun, never, control] = [
      emptyRow('begun', 'one'),
      emptyRow('never', 'one'),
      emptyRow('control', 'one', { isFaultless: true }),
    ];
    const injected = new Injected();
    injected.add(60_000, 12);
    injected.add(180_000, 7);
    addOutcome(begun, { ...outcome, injected });
    addOutcome(begun, outcome);
    addOutcome(never, outcome);
    addOutcome(never, undefined);
    addOutcome(control, outcome);
    expect(begun).toMatchObject({ tries: 1, unbegun: 1, injected: 2 });
    expect(begun).toMatchObject({ injectedPercent: 12, injectedMinutes: 2 });
    expect(neverBegan([begun, never, control])).toBe('- never, one: 2 tries');
  });

  test('small steps lead away from the truth as far as they say', async () => {
    const isWanted = (kind: string) => kind === 'up by 1 % at each reading';
    const plan = { ...fixture(), tries: 1, chance: new Chance('steps'), minutes: [60], isWanted };
    const rows = await replayQuotes(plan);
    for (const { voices, injected, injectedPercent } of rows) {
      // The parallel market is read every five minutes while its series has no gap, venues every minute.
      const readings = voices.startsWith('the parallel') ? injected : 60;
      expect(readings).toBeGreaterThanOrEqual(8);
      expect(injectedPercent).toBeCloseTo((1.01 ** readings - 1) * 100, 3);
    }
    expect(rows).toHaveLength(7);
  });

  test('a true move is in force within 15 minutes of its second voice, whatever one or two venues show', async () => {
    const isWanted = (kind: string) => /move of .(31|50|200) %|moves by/.test(kind);
    const rows = await replayQuotes({
      ...{ ...fixture(), tries: 1, chance: new Chance('moves'), isWanted },
    });
    expect(rows.length).toBeGreaterThan(20);
    expect(missedGoals(rows)).toBe('');
  });

  test('no kind of page misses a goal, in the evening and in the morning', async () => {
    const { publications } = fixture();
    // The fixture has two currencies.
    const isWanted = (kind: string) => /USD|EUR| 2 %|true/.test(kind) && !/CNY/.test(kind);
    const plan = { tries: 1, chance: new Chance('pages'), first: 5, hours: [2, 14] };
    const rows = await replayPages(publications, { ...plan, isWanted });
    expect(rows.length).toBeGreaterThan(30);
    expect(missedGoals(rows)).toBe('');
  });

  test('nor does one whose figures have only four decimals, if a factor, a swap or an old page shows', async () => {
    const publications = fixture().publications.map((page) => ({
      ...page,
      rates: Object.fromEntries(
        Object.entries(page.rates).map(([name, rate]) => [name, Number(rate.toFixed(4))]),
      ),
    }));
    const isWanted = (kind: string) =>
      /times 10|1,000|without a digit|swapped|up by 4|block|page before, the|week ago, the/.test(
        kind,
      );
    const plan = { tries: 1, chance: new Chance('short'), first: 5, hours: [2, 14], isWanted };
    const rows = (await replayPages(publications, plan)).filter(({ tries }) => tries > 0);
    expect(rows.length).toBeGreaterThan(16);
    expect(missedGoals(rows)).toBe('');
  });

  test('a file of records is read as a series, and a bad line is named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vesfx-series-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'series.ndjson');
    const time = '2026-01-02T12:00:00Z';
    const lines = [
      { kind: 'quote', market: 'binance', ask: 566, bid: 564, captured_at: time },
      { kind: 'official', value_date: '2026-01-02', rates: { USD: 301.3709 }, captured_at: time },
    ].map((line) => JSON.stringify(line));
    writeFileSync(path, lines.join('\n'));
    const { venues, publications } = await readSeries(path);
    expect(venues.get('binance')).toEqual([{ at: Date.parse(time), mid: 565, ask: 566, bid: 564 }]);
    expect(publications).toHaveLength(1);
    writeFileSync(path, `${lines[0]}\n{"kind":"quote"}`);
    await expect(readSeries(path)).rejects.toThrow('line 2');
  });
});
