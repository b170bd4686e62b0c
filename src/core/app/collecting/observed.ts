import { hash } from 'node:crypto';
import { middle } from '../../domain/decimal.ts';
import { isSteady } from '../../domain/frozen.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShownPublications, SourceState, StandingFigures } from '../ports/collecting.ts';
import type { Source, SourceRecord } from '../ports/sources.ts';

/** Publications of a page that are remembered, to detect that it shows an older one again. */
// limit: Publications of a page in memory | 10 | forgotten
export const MAX_SHOWN_PUBLICATIONS = 10;

interface Observation {
  readonly source: Pick<Source, 'markets'>;
  readonly records: readonly SourceRecord[];
  readonly readAt: Instant;
}

/** What a successful reading changes in the state of its source. */
export function stateAfter(
  observation: Observation,
  before: SourceState | undefined,
): Pick<SourceState, 'standing' | 'missing' | 'shown'> {
  return {
    standing: standingAt(observation, before?.standing),
    missing: missingAt(observation, before?.missing),
    shown: shownAt(observation, before?.shown),
  };
}

/** Digests of the figures by market. A market that is missing from the reading keeps its entry. */
function standingAt(
  { readAt, records }: Observation,
  before: NonNullable<SourceState['standing']> = {},
): NonNullable<SourceState['standing']> {
  const now = records.flatMap((record) => {
    const { market } = record;
    if (typeof market !== 'string') return [];
    const known = Object.hasOwn(before, market) ? before[market] : undefined;
    return [[market, standingOf(record, readAt, known)] as const];
  });
  return { ...before, ...Object.fromEntries(now) };
}

function standingOf(
  record: SourceRecord,
  readAt: Instant,
  known: StandingFigures | undefined,
): StandingFigures {
  const digest = digestOfContent([record]);
  const since = known?.digest === digest ? known.since : readAt;
  const mid = midOf(record);
  if (mid === undefined) return { since, digest };
  const wasSteady = known?.steady !== undefined && isSteady(mid, known.steady.mid);
  return { since, digest, steady: wasSteady ? known.steady : { since: readAt, mid } };
}

function midOf({ mid, ask, bid }: SourceRecord): number | undefined {
  if (typeof mid === 'number') return mid;
  return typeof ask === 'number' && typeof bid === 'number' ? middle(ask, bid) : undefined;
}

function missingAt(
  { source, records, readAt }: Observation,
  before: NonNullable<SourceState['missing']> = {},
): SourceState['missing'] {
  const there = new Set(records.map(({ market }) => market));
  const sinceOf = (market: string) =>
    (Object.hasOwn(before, market) ? before[market] : undefined) ?? readAt;
  const missing = source.markets
    .filter((market) => !there.has(market))
    .map((market) => [market, sinceOf(market)] as const);
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}

/**
 * The publications that the page has shown, including this one. Undefined unless the reading has
 * exactly one publication, and for archives, whose records have their own `captured_at`.
 */
function shownAt(
  { records, readAt }: Observation,
  before: ShownPublications = { publications: [] },
): ShownPublications | undefined {
  const [record, other] = records.filter(({ kind }) => kind === 'official');
  if (record === undefined || other !== undefined || 'captured_at' in record) return undefined;
  const { value_date: valueDate } = record;
  if (typeof valueDate !== 'string') return undefined;
  const digest = digestOfContent([record]);
  const { publications, backSince = readAt } = before;
  const place = publications.findIndex((one) => one.digest === digest);
  if (place === -1) {
    const all = [...publications, { valueDate, digest }];
    return { publications: all.slice(-MAX_SHOWN_PUBLICATIONS) };
  }
  const isOlder = place < publications.length - 1;
  return { publications, backSince: isOlder ? backSince : undefined };
}

/** Digest of the figures without their times: a new time alone is not a change. */
export function digestOfContent(records: readonly SourceRecord[]): string {
  const contents = records.map(({ updated_at: _, captured_at: __, ...content }) => content);
  return hash('sha256', JSON.stringify(contents));
}
