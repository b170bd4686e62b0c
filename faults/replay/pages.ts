import { areNear } from '../../src/core/domain/judgement/page-judgement.ts';
import { OFFICIAL_RATES } from '../../src/core/domain/markets.ts';
import {
  type CaracasDay,
  caracasDayOf,
  HOUR_MS,
  type Instant,
  isoInstant,
  MINUTE_MS,
  startOfCaracasDay,
} from '../../src/core/domain/time.ts';
import { Desk, type Page, percentBetween } from './desk.ts';
import { PAGE_KINDS, type PageKind, RIGHT_PAGE, raised } from './page-kinds.ts';
import type { SeriesPublication } from './series.ts';
import { emptyRow, Injected, type Outcome, type Plan, type Row, rowOf, Stretch } from './table.ts';

interface PagePlan extends Plan {
  /** The first replaced publication: a fault may show one from a week before. */
  readonly first?: number;
  /** Hours after 17:00; by default the whole night. */
  readonly hours?: readonly number[];
}

/** The page comes out at 17:00; the right one is back at 08:00 of its value date. */
const OUT_MS = 17 * HOUR_MS;
const BACK_MS = 8 * HOUR_MS;
/** Hours after 17:00 at which a wrong page may begin: until 07:00. */
const NIGHT = Array.from({ length: 15 }, (_, hour) => hour);
/** It is read every ten minutes, and from midnight to six every hour. */
const READ_EVERY_MIN = 10;
const WITNESS_EVERY_MS = 30 * MINUTE_MS;
const MORNING_MS = 6 * HOUR_MS;
const WATCHED_AFTER_MS = 4 * HOUR_MS;
/** A page that is right again is in force within this. */
const BACK_WITHIN_MIN = 30;

const FAMILIES: Readonly<Record<PageKind['sort'], string>> = {
  wrong: 'a page like no right one',
  plausible: 'a plausible page',
  true: 'a true move of −25 % to +90 %',
  right: 'a right page',
};

/** What witnesses read all the time: the right page, or figures that are 2 % higher. */
interface Scene {
  readonly voices: string;
  readonly witnesses: readonly ('right' | 'wrong')[];
}

const SCENES: readonly Scene[] = [
  { voices: 'the page', witnesses: [] },
  { voices: 'the page, beside a witness', witnesses: ['right'] },
];

/** The right page beside witnesses of which one is wrong. */
const WITNESS_SCENES: readonly Scene[] = [
  { voices: 'a witness, beside the right page', witnesses: ['wrong'] },
  { voices: 'one witness of two, beside the right page', witnesses: ['wrong', 'right'] },
];

const WITNESS_SOURCES = ['bcv-today', 'bcv-other'] as const;

/** Shows every kind of page at every hour of the night, on weekdays and over weekends. */
export async function replayPages(
  publications: readonly SeriesPublication[],
  plan: PagePlan,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const places = placesIn(publications, plan.first ?? 10);
  const kinds = [
    ...PAGE_KINDS.map((kind) => [kind, SCENES] as const),
    [RIGHT_PAGE, WITNESS_SCENES] as const,
  ];
  const { hours = NIGHT } = plan;
  const tries = plan.tries * hours.length;
  for (const [kind, scenes] of kinds) {
    for (const { voices, witnesses } of scenes) {
      const row = emptyRow(kind.name, voices, { family: FAMILIES[kind.sort] });
      const chance = plan.chance.of(kind.name);
      const tried = await rowOf(row, { ...plan, tries }, (number) => {
        const place = chance.pick(places);
        const hour = hours[number % hours.length] ?? 0;
        // One that is wrong from the first reading on was never seen right.
        const isSeen = chance.next() < 0.5 && hour > 0;
        return tryPage({ kind, publications, place, hour, isSeen, witnesses });
      });
      rows.push(...tried);
    }
  }
  return rows;
}

/** A page that lacks a currency of the one before is held, so a gap in the series is no right page. */
function placesIn(publications: readonly SeriesPublication[], first: number): readonly number[] {
  return publications.flatMap(({ rates, at, valueDate }, place) => {
    const known = Object.keys(publications[place - 1]?.rates ?? {});
    const isWhole = known.every((name) => rates[name] !== undefined);
    const isNear = areNear({ from: caracasDayOf(at), to: valueDate });
    return isWhole && isNear && place >= first && place <= publications.length - 2 ? [place] : [];
  });
}

interface PageTry {
  readonly kind: PageKind;
  readonly publications: readonly SeriesPublication[];
  readonly place: number;
  /** Hours after 17:00 at which the wrong page begins. */
  readonly hour: number;
  /** Whether the right page was read before. */
  readonly isSeen: boolean;
  readonly witnesses: Scene['witnesses'];
}

async function tryPage({
  kind,
  publications,
  place,
  hour,
  isSeen,
  witnesses,
}: PageTry): Promise<Outcome> {
  const series = publications[place];
  if (series === undefined) throw new Error('no such publication');
  const before = publications.slice(Math.max(0, place - 10), place);
  const desk = new Desk();
  for (const page of before) await desk.page(page.at, page, true);
  const changed = kind.change(series, before);
  const hasWitness = witnesses.includes('right');
  const injected = new Injected();
  const isTrue = kind.sort === 'true' || kind.sort === 'right';
  const right = isTrue ? changed : series;
  const pages = new Map([...before, right].map((page) => [page.valueDate, page.rates]));
  const out = startOfCaracasDay(caracasDayOf(series.at)) + OUT_MS;
  const back = startOfCaracasDay(series.valueDate) + BACK_MS;
  const from = out + hour * HOUR_MS;
  const shownAt = (at: Instant): Page => {
    if (isTrue || at >= back) return right;
    if (at >= from) return changed;
    return isSeen ? right : (before.at(-1) ?? right);
  };
  const [inForce, unmarked] = [new Stretch(), new Stretch()];
  const [withheld, late] = [new Stretch(), new Stretch()];
  // Its first reading is ten minutes after that of the page.
  let heard = out - WITNESS_EVERY_MS + READ_EVERY_MIN * MINUTE_MS;
  const ever = { percent: 0, isNext: false, isUnmarked: false };
  for (let at = out; at < back + WATCHED_AFTER_MS; ) {
    const minutes = at - startOfCaracasDay(caracasDayOf(at)) < MORNING_MS ? 60 : READ_EVERY_MIN;
    const page = shownAt(at);
    if (witnesses.length > 0 && at - heard >= WITNESS_EVERY_MS) {
      for (const [index, word] of witnesses.entries()) {
        const shown = word === 'right' ? right : raised(right);
        if (word === 'wrong') injected.add(at, percentBetween(shown, right));
        await desk.witness(at, shown, WITNESS_SOURCES[index]);
      }
      heard = at;
    }
    // A true move is what such a try injects.
    const percentWrong = percentBetween(changed, series);
    const isChanged = percentWrong > 0 || changed.valueDate !== series.valueDate;
    if (page === changed && isChanged) injected.add(at, percentWrong);
    await desk.page(at, page);
    const percent = await percentOff(desk, at, pages);
    inForce.add(percent > 0, minutes);
    unmarked.add(percent > 0 && !(await desk.isContradicted(at)), minutes);
    const isShown = isTrue || at >= back || (isSeen && page === right);
    const stored = await desk.figuresOn(right.valueDate);
    const isLate = isShown && percentBetween(stored, right) > 0;
    withheld.add(isLate, minutes);
    // One that moved far itself waits until 23:00, whatever was shown beside it.
    late.add(isLate && (hasWitness || isTrue || at >= back), minutes);
    ever.percent = Math.max(ever.percent, percent);
    if (kind.sort === 'true' && isLate && !(await desk.isAnnounced(right))) ever.isUnmarked = true;
    ever.isNext ||= !arePagesOf(desk, pages);
    at += minutes * MINUTE_MS;
  }
  const isWrong = kind.sort === 'wrong';
  const misses = [
    isWrong && inForce.longest > 0 && 'in force',
    kind.sort === 'plausible' && hasWitness && unmarked.longest > 0 && 'in force and not in doubt',
    isWrong && ever.isNext && 'published as the next',
    (hasWitness || kind.sort === 'right' || (isSeen && !isTrue)) &&
      late.longest > BACK_WITHIN_MIN &&
      'the right page withheld for too long',
    isTrue && inForce.longest > 0 && 'the rate before in force',
    ever.isUnmarked && 'not announced',
  ].filter((miss) => miss !== false);
  return {
    start: `${isoInstant(from)}${isSeen ? '' : ', the right page not read before'}`,
    minutes: Math.max(0, back - from) / MINUTE_MS,
    publishedMinutes: inForce.longest,
    furthestPercent: ever.percent,
    withheldMinutes: withheld.longest,
    ...{ isUnmarked: ever.isUnmarked, misses, injected, heldBy: desk.store.heldBy },
  };
}

const OFFICIAL = Object.entries(OFFICIAL_RATES).map(([name, market]) => [market, name] as const);

/** How far the rates in force are from the right ones of their value dates, 0 when they are right. */
async function percentOff(
  desk: Desk,
  at: Instant,
  pages: ReadonlyMap<CaracasDay, Page['rates']>,
): Promise<number> {
  const today = caracasDayOf(at);
  const right = [...pages].findLast(([date]) => date <= today)?.[1];
  let most = 0;
  for (const [market, name] of OFFICIAL) {
    const rate = await desk.inForce(at, market);
    if (rate?.effectiveDate === undefined) continue;
    if (pages.get(rate.effectiveDate)?.[name] === rate.mid) continue;
    // A right figure of a wrong date is wrong too.
    most = Math.max(most, 0.01, Math.abs(rate.mid / (right?.[name] ?? rate.mid) - 1) * 100);
  }
  return most;
}

/** Whether the current rates and those to come have only figures of right pages. */
function arePagesOf({ store }: Desk, pages: ReadonlyMap<CaracasDay, Page['rates']>): boolean {
  return OFFICIAL.every(([market, name]) =>
    (store.captures.get(market) ?? []).every(
      ({ effectiveDate, mid }) =>
        effectiveDate === undefined || pages.get(effectiveDate)?.[name] === mid,
    ),
  );
}
