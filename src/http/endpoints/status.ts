import { z } from 'zod';
import { isLeased } from '../../app/collecting/collector-lease.ts';
import { HEALTH_DAYS, VALUE_DATE_DAYS } from '../../app/collecting/source-facts.ts';
import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import { type ServiceState, serviceState } from '../../app/service-state.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import type { DatabaseCondition } from '../../app/store-monitor.ts';
import {
  SOURCE_ADDITIONS,
  SOURCE_CONDITIONS,
  type SourceHealth,
} from '../../domain/source-health.ts';
import { type Instant, isoInstant, SECOND_MS } from '../../domain/time.ts';
import { CONTENT_TYPES } from '../encoding/formats.ts';
import { WrittenBody } from '../encoding/written-answer.ts';
import { writtenEndpoint } from '../routing/endpoint.ts';
import { oneExample } from '../routing/operation.ts';
import { day, timestamp } from '../routing/schemas.ts';
import {
  flag,
  listOf,
  natural,
  oneOf,
  optional,
  present,
  text,
  textList,
  titled,
} from './fields.ts';
import { knownOf, silentStore, stateFields, stateView } from './state-view.ts';

/** Longest time that a cache may keep an answer. The health is read once a second. */
export const STATUS_MAX_AGE_SEC = 5;

const dayView = titled('Source day', {
  date: day.describe('The day, in Caracas.'),
  successes: natural('Readings that gave records.'),
  failures: natural('Readings that failed.'),
  changes: natural('Readings with figures other than the previous one.'),
});

const sourceView = titled('Source status', {
  name: text('Name of the source.'),
  kind: text('Kind of source, which decides how it is read.'),
  enabled: flag('Whether the source is switched on.'),
  role: oneOf(
    ['witness'],
    'A witness publishes nothing: its official rates only confirm or contradict. Absent for other sources.',
  ).optional(),
  adds: oneOf(
    SOURCE_ADDITIONS,
    'What the source adds while it is on: a second voice for the official rate, or an origin of its market that is independent of the aggregator. Absent for other sources.',
  ).optional(),
  markets: textList(
    'Ids of the markets that the source quotes; empty for the tables of the central bank.',
  ),
  stands_in_for: text(
    'The source that this one replaces when that one fails; absent for a main source.',
  ).optional(),
  state: oneOf(SOURCE_CONDITIONS, 'State of the source, in one word.'),
  why: text('The state in one sentence, for people.'),
  failure: text(
    'Why the last reading failed, in one word; absent when it did not. New ones may appear.',
  ).optional(),
  last_success: optional(
    timestamp,
    'When the source was last read without an error; absent before the first time.',
  ),
  last_change: optional(
    timestamp,
    'When its figures last changed; a new time alone does not count. Absent until they change.',
  ),
  consecutive_failures: natural('Readings that failed since the last good one.'),
  publications_missed: natural(
    'Overdue publications of the central bank, by its calendar; only for the source of its official rates, or for `operator` while none is on.',
  ).optional(),
  value_dates_missing: listOf(
    `Value dates of the last ${VALUE_DATE_DAYS} days that are not stored; only with \`publications_missed\`.`,
    day,
  ).optional(),
  missing_markets: textList(
    'Its markets without a new quote for 30 minutes; absent when there are none.',
  ).optional(),
  page_went_back: present('Present when its page shows an earlier publication again.'),
  next_run: optional(timestamp, 'When the source is read next; absent when no reading is due.'),
  held: natural('How many doubtful records of the source are held and not published.'),
  days: listOf(
    `Those of the last ${HEALTH_DAYS} days on which the source was read, oldest first.`,
    dayView,
  ),
});

const statusView = z.object({
  ...stateFields,
  checked_at: timestamp.describe('When this state was determined.'),
  database: oneOf(
    ['ok', 'unavailable'],
    'Whether the database responds; while it does not, the rest is the last known state.',
  ),
  fetched_at: optional(
    timestamp,
    'When the service last received figures; absent before the first time.',
  ),
  collecting: flag('Whether a process reads the sources.'),
  clock_stepped: optional(
    timestamp,
    'When the clock of the answering machine was set by more than a minute; absent an hour after it.',
  ),
  sources: listOf('The sources, in the order of the catalogue.', sourceView),
});

const optionalTime = (instant: Instant | undefined) =>
  instant === undefined ? undefined : isoInstant(instant);

function viewOf(source: SourceHealth): z.output<typeof sourceView> {
  const { valueDatesMissing, missingMarkets } = source;
  return {
    name: source.name,
    kind: source.kind,
    enabled: source.enabled,
    role: source.role,
    adds: source.adds,
    markets: [...source.markets],
    stands_in_for: source.fallbackFor,
    state: source.condition,
    why: source.why,
    failure: source.failure,
    last_success: optionalTime(source.lastSuccessAt),
    last_change: optionalTime(source.lastChangeAt),
    consecutive_failures: source.consecutiveFailures,
    publications_missed: source.publicationsMissed,
    value_dates_missing: valueDatesMissing && [...valueDatesMissing],
    missing_markets: missingMarkets && [...missingMarkets],
    page_went_back: source.pageWentBack ? true : undefined,
    next_run: optionalTime(source.nextRunAt),
    held: source.held,
    days: source.days.map(({ day: date, successes, failures, changes }) => ({
      date,
      successes,
      failures,
      changes,
    })),
  };
}

function statusOf(
  { health, at, isCurrent }: KnownHealth,
  state: ServiceState,
  { now, steppedAt }: { readonly now: Instant; readonly steppedAt: Instant | undefined },
) {
  const { fetchedAt, sources, leaseEnd } = health;
  return {
    ...stateView(state),
    checked_at: isoInstant(at),
    database: isCurrent ? 'ok' : 'unavailable',
    fetched_at: optionalTime(fetchedAt),
    // While the database is away, the lease still ends.
    collecting: isLeased(leaseEnd, now),
    clock_stepped: optionalTime(steppedAt),
    sources: sources.map(viewOf),
  } satisfies z.output<typeof statusView>;
}

interface StatusBasis {
  readonly known: KnownHealth;
  readonly snapshot: Snapshot;
  readonly database: DatabaseCondition;
  readonly now: Instant;
}

/** Caches renderings of the state, each made at most once a second while only ages change. */
export class StatusBodies {
  #basis: StatusBasis | undefined;
  readonly #bodies = new Map<string, WrittenBody>();

  /** @param name Name of the rendering; for a page its language. */
  of(basis: StatusBasis, name: string, render: () => string): WrittenBody {
    if (!isSame(this.#basis, basis)) {
      this.#basis = basis;
      this.#bodies.clear();
    }
    const body = this.#bodies.get(name) ?? new WrittenBody(render(), { kept: false });
    this.#bodies.set(name, body);
    return body;
  }
}

function isSame(one: StatusBasis | undefined, other: StatusBasis): boolean {
  return (
    one !== undefined &&
    one.known.health === other.known.health &&
    one.known.isCurrent === other.known.isCurrent &&
    one.snapshot === other.snapshot &&
    one.database.state === other.database.state &&
    Math.floor(one.now / SECOND_MS) === Math.floor(other.now / SECOND_MS)
  );
}

const READ_AT = '2026-11-21T03:00:04.000Z';

/** Shared by all services of this process, because each state is a separate object. */
const bodies = new StatusBodies();

/** The state of the figures and the health of the sources. */
export const status = writtenEndpoint({
  path: '/v1/status',
  section: 'decisions 8',
  summary: 'State of the figures and the sources',
  description:
    'Says how far you can rely on the published figures, with named reasons. For each source, it says whether it is read, when it last answered and changed, what is wrong with it, and how its readings ended in the last 90 days. While the database does not respond, the answer shows the last known state of the sources.',
  operation: {
    id: 'getStatus',
    tag: 'Status',
    schema: 'Status',
    answers: oneExample('A failing source and its fallback', {
      status: 'degraded',
      reasons: [
        {
          name: 'sources_failing',
          since: '2026-11-21T02:45:00.000Z',
          sources: ['yadio'],
          message: 'Failing source: yadio.',
        },
      ],
      checked_at: '2026-11-21T03:00:05.000Z',
      database: 'ok',
      fetched_at: '2026-11-21T03:00:00.000Z',
      collecting: true,
      sources: [
        {
          name: 'bcv-official',
          kind: 'bcv-official',
          enabled: true,
          markets: [],
          state: 'ok',
          why: 'It was last read at 2026-11-21T02:30:11.000Z.',
          last_success: '2026-11-21T02:30:11.000Z',
          last_change: '2026-11-20T21:10:00.000Z',
          consecutive_failures: 0,
          publications_missed: 0,
          value_dates_missing: [],
          next_run: '2026-11-21T03:30:09.000Z',
          held: 0,
          days: [{ date: '2026-11-20', successes: 21, failures: 0, changes: 1 }],
        },
        {
          name: 'yadio',
          kind: 'json-feed',
          enabled: true,
          markets: ['parallel'],
          state: 'failing',
          why: 'Its last 3 readings failed: it did not answer in time.',
          failure: 'timeout',
          last_success: '2026-11-21T02:45:00.000Z',
          last_change: '2026-11-21T02:45:00.000Z',
          consecutive_failures: 3,
          next_run: '2026-11-21T03:05:12.000Z',
          held: 0,
          days: [{ date: '2026-11-20', successes: 274, failures: 3, changes: 181 }],
        },
        {
          name: 'dolarapi',
          kind: 'json-feed',
          enabled: true,
          markets: ['parallel'],
          stands_in_for: 'yadio',
          state: 'ok',
          why: `It was last read at ${READ_AT}.`,
          last_success: READ_AT,
          last_change: '2026-11-21T02:55:03.000Z',
          consecutive_failures: 0,
          held: 0,
          days: [{ date: '2026-11-20', successes: 3, failures: 0, changes: 2 }],
        },
      ],
    }),
  },
  access: 'open',
  answer: statusView,
  errors: ['uri_too_long'],
  async handle({ services: { watch, snapshots, clockWatch, monitor }, now }) {
    const known = await knownOf(watch);
    if (known === undefined) throw silentStore();
    const basis = { known, snapshot: snapshots.at(now), database: monitor.condition, now };
    const body = bodies.of(basis, 'json', () =>
      JSON.stringify(
        statusOf(known, serviceState(basis), { now, steppedAt: clockWatch.steppedAt }),
      ),
    );
    return {
      contentType: CONTENT_TYPES.json,
      body,
      headers: ['Cache-Control', `public, max-age=${STATUS_MAX_AGE_SEC}`],
    };
  },
});
