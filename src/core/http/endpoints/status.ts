import { z } from 'zod';
import { isLeased } from '../../app/collecting/collector-lease.ts';
import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import { type ServiceState, serviceState } from '../../app/service-state.ts';
import type { Snapshot } from '../../app/snapshot.ts';
import type { DatabaseCondition } from '../../app/store-monitor.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { type Instant, isoInstant, SECOND_MS } from '../../domain/time.ts';
import { CONTENT_TYPES } from '../framework/encoding/formats.ts';
import { WrittenBody } from '../framework/encoding/written-answer.ts';
import { writtenEndpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field } from '../pipeline/said.ts';
import { timestamp } from '../pipeline/schemas.ts';
import { flag, listOf, oneOf, optional } from './fields.ts';
import { optionalTime, sourceStatus, sourceView } from './source-status.ts';
import { knownOf, silentStore, stateFields, stateView } from './state-view.ts';

/** Longest time that a cache may keep an answer. The health is read once a second. */
export const STATUS_MAX_AGE_SEC = 5;

const statusView = z.object({
  ...stateFields,
  checked_at: field(
    timestamp,
    'When this state was determined.',
    'Cuándo se determinó este estado.',
  ),
  database: oneOf(
    ['ok', 'unavailable'],
    'Whether the database responds; while it does not, the rest is the last known state.',
    'Si la base de datos responde; mientras no lo hace, lo demás es el último estado conocido.',
  ),
  fetched_at: optional(
    timestamp,
    'When the service last received figures; absent before the first time.',
    'Cuándo recibió cifras el servicio por última vez; ausente antes de la primera.',
  ),
  collecting: flag('Whether a process reads the sources.', 'Si algún proceso lee las fuentes.'),
  clock_stepped: optional(
    timestamp,
    'When the clock of the answering machine was set by more than a minute; absent an hour after it.',
    'Cuándo se cambió en más de un minuto el reloj de la máquina que responde; ausente una hora después.',
  ),
  sources: listOf(
    'The sources, in the order of the catalogue.',
    'Las fuentes, en el orden del catálogo.',
    sourceView,
  ),
});

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
    sources: sources.map(sourceStatus),
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
  section: 'contract 8',
  summary: sentence(
    'State of the figures and the sources',
    'Estado de las cifras y de las fuentes',
  ),
  description: sentence(
    'Says how far you can rely on the published figures, with named reasons. For each source, it says whether it is read, when it last answered and changed, what is wrong with it, and how its readings ended in the last 90 days. While the database does not respond, the answer shows the last known state of the sources.',
    'Dice hasta dónde puede confiar en las cifras publicadas, con razones que tienen nombre. De cada fuente dice si se lee, cuándo respondió y cambió por última vez, qué problema tiene y cómo terminaron sus lecturas en los últimos 90 días. Mientras la base de datos no responde, muestra el último estado conocido de las fuentes.',
  ),
  operation: {
    id: 'getStatus',
    tag: 'Status',
    schema: 'Status',
    answers: oneExample(
      'A failing source and its fallback',
      'Una fuente con fallas y la que la reemplaza',
      {
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
          {
            name: 'bcv-today',
            kind: 'json-feed',
            enabled: false,
            role: 'witness',
            adds: 'second_voice',
            markets: [],
            state: 'off',
            why: 'It is switched off in the catalogue.',
            consecutive_failures: 0,
            held: 0,
            days: [],
          },
        ],
      },
      { asked: false },
    ),
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
