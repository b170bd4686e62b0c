import { hash } from 'node:crypto';
import type { Snapshot } from '../../core/app/snapshot.ts';
import { rateView } from '../../core/app/views.ts';
import type { BankCalendar } from '../../core/domain/calendar.ts';
import type { Quote } from '../../core/domain/quotes.ts';
import { caracasDayOf, isoInstant } from '../../core/domain/time.ts';
import { officialView } from '../../core/http/endpoints/central-bank/official.ts';
import { indexView } from '../../core/http/endpoints/reference-index.ts';

/** A part of a state: its JSON, and what of it makes it another one. */
interface Part {
  readonly text: string;
  readonly key: string;
}

/** What all states of a snapshot share, each written once. */
export interface SnapshotParts {
  readonly version: string;
  readonly fetchedAt: string;
  /** By market. */
  readonly rows: ReadonlyMap<string, string>;
  /** Ids of the markets with that mark, by the name of the mark in events. */
  readonly marked: Readonly<Record<Mark, readonly string[]>>;
  readonly index: Part | undefined;
  readonly official: Part | undefined;
}

const MARKS = ['in_doubt', 'stale', 'frozen'] as const;
type Mark = (typeof MARKS)[number];

const idsOf = (quotes: readonly Quote[]) => quotes.map(({ market }) => market.id);

export function snapshotParts(
  snapshot: Snapshot,
  { calendar, origin }: { readonly calendar: BankCalendar; readonly origin: string },
): SnapshotParts {
  const now = snapshot.validFrom;
  const index = snapshot.index && indexView(snapshot.index, { snapshot, origin });
  const official =
    snapshot.official.size === 0
      ? undefined
      : officialView({ snapshot, now, services: { calendar } });
  return {
    version: `${snapshot.version}.${caracasDayOf(now).replaceAll('-', '')}`,
    fetchedAt: isoInstant(snapshot.fetchedAt),
    rows: new Map(
      snapshot.quotes.map((quote) => [quote.market.id, JSON.stringify(rateView(quote))]),
    ),
    marked: {
      in_doubt: idsOf(snapshot.inDoubt),
      stale: idsOf(snapshot.stale),
      frozen: idsOf(snapshot.frozen),
    },
    index: index && { text: JSON.stringify(index), key: figuresOf(index) },
    official: official && {
      text: JSON.stringify(official),
      key: JSON.stringify([official.rates, official.in_doubt]),
    },
  };
}

/** A reading that changes no figure makes no event, and processes may have other addresses. */
function figuresOf(index: ReturnType<typeof indexView>): string {
  const { as_of: _, methodology_url: __, ...figures } = index;
  return JSON.stringify(figures);
}

/** What a reader of some markets knows at an instant. Many streams share one, with its bytes. */
export class State {
  readonly #parts: SnapshotParts;
  readonly #rows = new Map<string, string>();
  /** The marks of its rows, as every event has them: what is not named has none. */
  readonly #marks: readonly string[];
  readonly #digest: string;
  #whole: Buffer | undefined;
  readonly #since = new WeakMap<State, Buffer>();

  constructor(parts: SnapshotParts, markets: readonly string[]) {
    this.#parts = parts;
    for (const market of markets) {
      const row = parts.rows.get(market);
      if (row !== undefined) this.#rows.set(market, row);
    }
    this.#marks = MARKS.map((mark) => {
      const ids = parts.marked[mark].filter((id) => this.#rows.has(id));
      return `"${mark}":${JSON.stringify(ids)}`;
    });
    const all = [...this.#rows.values(), ...this.#marks, parts.index?.key, parts.official?.key];
    this.#digest = hash('sha256', JSON.stringify(all), 'base64url').slice(0, 16);
  }

  /** The version orders the events; the digest tells any process whether a reader has this state. */
  get id(): string {
    return `${this.#parts.version}.${this.#digest}`;
  }

  hasId(id: string): boolean {
    return id.endsWith(`.${this.#digest}`);
  }

  isLike(other: State): boolean {
    return this.#digest === other.#digest;
  }

  /** The event of one who knows nothing. */
  get whole(): Buffer {
    this.#whole ??= this.#event('snapshot', [...this.#rows.values()], {
      index: this.#parts.index?.text,
      official: this.#parts.official?.text,
    });
    return this.#whole;
  }

  /** The event that makes one who knows `before` know this. */
  since(before: State): Buffer {
    let event = this.#since.get(before);
    if (event === undefined) {
      event = this.#changes(before);
      this.#since.set(before, event);
    }
    return event;
  }

  #changes(before: State): Buffer {
    const changed = [...this.#rows].filter(([id, row]) => before.#rows.get(id) !== row);
    const { index, official } = this.#parts;
    const removed = [...before.#rows.keys()].filter((id) => !this.#rows.has(id));
    if (index === undefined && before.#parts.index !== undefined) removed.push('index');
    const rows = changed.map(([, row]) => row);
    return this.#event('rates', rows, {
      removed: removed.length === 0 ? undefined : JSON.stringify(removed),
      index: changedText(before.#parts.index, index),
      official: changedText(before.#parts.official, official),
    });
  }

  #event(
    name: string,
    rows: readonly string[],
    more: Readonly<Record<string, string | undefined>>,
  ): Buffer {
    const fields = Object.entries(more).flatMap(([field, text]) =>
      text === undefined ? [] : [`,"${field}":${text}`],
    );
    const data = `{"rates":[${rows.join()}],${this.#marks.join()}${fields.join('')},"fetched_at":"${this.#parts.fetchedAt}"}`;
    return eventOf(name, data, this.id);
  }
}

/** Absent when it is the same. */
function changedText(before: Part | undefined, now: Part | undefined): string | undefined {
  return before?.key === now?.key ? undefined : now?.text;
}

/** @param data One line. */
export function eventOf(name: string, data: string, id?: string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${head}event: ${name}\ndata: ${data}\n\n`);
}
