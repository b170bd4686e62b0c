import { hash } from 'node:crypto';
import { type Snapshot, SnapshotHolder } from '../../core/app/snapshot.ts';
import { rateView, staleAtView } from '../../core/app/views.ts';
import { BANK_NOTICE, UNIT_NOTICE } from '../../core/domain/bcv.ts';
import { type BankCalendar, daysOfYear } from '../../core/domain/calendar.ts';
import { valueDatesFor } from '../../core/domain/history/official-days.ts';
import type { CatalogueRules } from '../../core/domain/judgement.ts';
import type { Market } from '../../core/domain/markets.ts';
import {
  captureUnit,
  laterDay,
  type Redenominations,
  unitAtEndOf,
} from '../../core/domain/redenomination.ts';
import {
  addCaracasDays,
  type CaracasDay,
  caracasDayOf,
  daysBetween,
  type Instant,
  isoInstant,
  utcDayOf,
  yearOf,
} from '../../core/domain/time.ts';
import { officialView } from '../../core/http/endpoints/central-bank/official.ts';
import { pointView } from '../../core/http/endpoints/rates/history.ts';
import { indexSourcesView, indexView } from '../../core/http/endpoints/reference-index.ts';
import { csvPieces } from '../../core/http/framework/encoding/csv.ts';
import type { OpenedStore } from '../../core/storage/store.ts';
import { copyPage } from './copy-page.ts';
import { LATEST_PATH, marketYearPath, OFFICIAL_PATH, PAGE_PATH } from './copy-paths.ts';
import type { CopyContent, CopyFile, CopyPart, OfficialYear } from './copy-types.ts';
import { officialYear } from './official-files.ts';
import { storedYears } from './stored-years.ts';

/** Most days of official rates, back from the last one: a hundred years. */
// limit: Days: official rates, to the next value date | 36,525, 31 | left out | MAX_COPY_DAYS_AHEAD
export const MAX_COPY_DAYS = 36_525;
/** Most days that the next value date may be ahead. */
export const MAX_COPY_DAYS_AHEAD = 31;

/** Whose figures they are, and in which unit. */
const NOTICE = {
  es: `${BANK_NOTICE.es} ${UNIT_NOTICE.es}`,
  en: `${BANK_NOTICE.en} ${UNIT_NOTICE.en}`,
};

const POINT_COLUMNS = ['date', 'rate', 'updated_at', 'captured_at', 'unit_since'].map((name) => ({
  name,
  path: [name],
}));

export interface CopyContentParts extends Pick<CatalogueRules, 'markets' | 'thresholds'> {
  readonly store: OpenedStore;
  readonly calendar: BankCalendar;
  readonly redenominations: Redenominations;
  /** The markets of the copy, in catalogue order. */
  readonly chosen: readonly Market[];
  readonly publicUrl: string | undefined;
}

/** The parts that rest on stored figures of the past, and of what they were made. */
interface KnownParts {
  readonly of: string;
  readonly parts: readonly CopyPart[];
}

/** The bodies of the static copy: those of the endpoints, as files. */
export class EndpointFiles implements CopyContent {
  readonly notice = `${NOTICE.es} ${NOTICE.en}`;
  readonly #parts: CopyContentParts;
  #snapshots: SnapshotHolder | undefined;
  #seen: number | undefined;
  #past: KnownParts | undefined;

  constructor(parts: CopyContentParts) {
    this.#parts = parts;
  }

  async partsAt(now: Instant) {
    const snapshot = await this.#snapshotAt(now);
    const latest = part('latest', latestFiles(snapshot, now, this.#parts));
    return {
      fetchedAt: snapshot.fetchedAt,
      parts: [latest, ...(await this.#pastParts(snapshot, now))],
    };
  }

  async #snapshotAt(now: Instant): Promise<Snapshot> {
    const { store } = this.#parts;
    // Read the version before the records: a change in between is then read again.
    const { records: version } = await store.versions();
    if (this.#snapshots === undefined || version !== this.#seen) {
      const records = await store.currentRecords(caracasDayOf(now));
      this.#snapshots ??= new SnapshotHolder(this.#parts, records, now);
      this.#snapshots.publish(records, now);
      this.#seen = version;
    }
    return this.#snapshots.at(now);
  }

  /** A snapshot ends when a day begins in Caracas, and earlier when anything in it changes. */
  async #pastParts(snapshot: Snapshot, now: Instant): Promise<readonly CopyPart[]> {
    const of = `${snapshot.version} ${snapshot.validFrom} ${yearOf(now)}`;
    if (this.#past?.of === of) return this.#past.parts;
    const official = await this.#officialParts(snapshot, now);
    const markets: CopyPart[] = [];
    const years = new Map<string, readonly number[]>();
    for (const market of this.#parts.chosen) {
      const parts = await this.#marketParts(market, now, of);
      markets.push(...parts.map(({ part }) => part));
      years.set(
        market.id,
        parts.map(({ year }) => year),
      );
    }
    const page = copyPage({
      notice: NOTICE,
      hasOfficial: snapshot.official.size > 0,
      officialYears: official.map(({ year }) => year),
      markets: this.#parts.chosen.map(({ id, name, nameEn }) => ({
        ...{ id, name, nameEn },
        years: years.get(id) ?? [],
      })),
    });
    const parts = [
      part('page', [{ path: PAGE_PATH, text: page }]),
      ...official.map(({ part }) => part),
      ...markets,
    ];
    this.#past = { of, parts };
    return parts;
  }

  async #officialParts(snapshot: Snapshot, now: Instant) {
    const stored = await storedYears(this.#parts.store.engine).officialYears();
    const first = stored.map((one) => one.first).sort()[0];
    if (first === undefined) return [];
    const to = lastDayOf(snapshot, caracasDayOf(now));
    const earliest = addCaracasDays(to, -MAX_COPY_DAYS);
    const begin = laterDay(first, earliest);
    const names = [...new Set(stored.map(({ name }) => name))];
    const parts: { readonly year: number; readonly part: CopyPart }[] = [];
    for (let year = Number(begin.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
      const whole = daysOfYear(year);
      const range = {
        from: laterDay(begin, whole.from),
        to: to < whole.to ? to : whole.to,
      };
      // A rate is carried into the next year, and over years without any; the days without banks at
      // the end of a year have the first rate of the next.
      const last = valueDatesFor(range, this.#parts.calendar).to;
      const unitAt = this.#parts.redenominations.newestAt(now);
      const key = `${range.from} ${range.to} ${unitAt} ${digestUpTo(stored, last)}`;
      const files = () => officialYear(year, { names, range }, { ...this.#parts, now });
      parts.push({ year, part: { name: `official ${year}`, key, files } });
    }
    return parts;
  }

  /** The running year is made again with each change, because it has what is not captured yet. */
  async #marketParts(market: Market, now: Instant, of: string) {
    const { engine } = this.#parts.store;
    const stored = await storedYears(engine).captureYears(market.id, now + 1);
    return stored.map(({ year, digest }) => {
      const key = year < yearOf(now) ? digest : of;
      const files = () => this.#marketYear(market, year, now);
      return { year, part: { name: `${market.id} ${year}`, key, files } };
    });
  }

  async *#marketYear(market: Market, year: number, now: Instant): AsyncGenerator<CopyFile> {
    const { store, redenominations } = this.#parts;
    const [start, end] = [Date.UTC(year, 0), Math.min(Date.UTC(year + 1, 0), now + 1)];
    const captures = await store.lastCaptureOfEachDay(market.id, start, end);
    const points = captures.map((capture) => {
      const from = captureUnit(capture, market);
      const to = unitAtEndOf(utcDayOf(capture.capturedAt), now);
      const point = pointView(redenominations.rebasedSides(capture, { from, to }), now);
      return { ...point, unit_since: redenominations.since(to) };
    });
    if (points.length === 0) return;
    const text = [...csvPieces(points, POINT_COLUMNS)].join('');
    yield { path: marketYearPath(market.id, year), text };
  }
}

/** A part whose files are made already. */
function part(name: string, files: readonly CopyFile[]): CopyPart {
  return { name, key: hash('sha256', JSON.stringify(files)), files: () => files };
}

function latestFiles(snapshot: Snapshot, now: Instant, parts: CopyContentParts): CopyFile[] {
  const { chosen, publicUrl } = parts;
  const call = { snapshot, now, services: parts, origin: publicUrl ?? '' };
  const official = snapshot.official.size > 0 ? officialView(call) : undefined;
  const { methodology_url, ...index } = snapshot.index ? indexView(snapshot.index, call) : {};
  const latest = {
    rates: snapshot.quotes
      .filter(({ market }) => chosen.includes(market))
      .map((quote) => ({
        ...rateView(quote),
        stale_at: staleAtView(quote),
        in_doubt: quote.inDoubt,
      })),
    index: snapshot.index && { ...index, ...(publicUrl !== undefined && { methodology_url }) },
    index_sources: snapshot.index && indexSourcesView(snapshot.index),
    official,
    fetched_at: isoInstant(snapshot.fetchedAt),
  };
  return [
    { path: LATEST_PATH, text: JSON.stringify(latest) },
    ...(official === undefined ? [] : [{ path: OFFICIAL_PATH, text: JSON.stringify(official) }]),
  ];
}

/** The next value date, or today. */
function lastDayOf(snapshot: Snapshot, today: CaracasDay): CaracasDay {
  const next = [...snapshot.official.values()].flatMap((rates) => rates.next?.valueDate ?? []);
  const near = next.filter((day) => daysBetween({ from: today, to: day }) <= MAX_COPY_DAYS_AHEAD);
  return near.sort().at(-1) ?? today;
}

function digestUpTo(stored: readonly OfficialYear[], last: CaracasDay): string {
  const lines = stored.filter(({ year }) => year <= Number(last.slice(0, 4)));
  return hash('sha256', JSON.stringify(lines));
}
