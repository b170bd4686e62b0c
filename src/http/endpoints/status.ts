import { z } from 'zod';
import { StoreUnavailable } from '../../app/ports.ts';
import { CONDITIONS, type SourceHealth, type SourcesHealth } from '../../app/source-health.ts';
import { ApiError } from '../../domain/errors.ts';
import { isoInstant } from '../../domain/time.ts';
import type { Services } from '../endpoint.ts';
import type { OpenAddress } from '../openapi.ts';
import type { Page } from '../router.ts';
import { timestamp } from '../schemas.ts';

const PATH = '/v1/status';

/** The figures behind it are found out once a second; a cache may be this much behind. */
const MAX_AGE_SEC = 5;

const count = z.int().nonnegative();

const sourceView = z.object({
  name: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  state: z.enum(CONDITIONS),
  why: z.string().meta({ description: 'One sentence for people.' }),
  last_success: timestamp.optional(),
  last_change: timestamp
    .meta({ description: 'When its figures last changed; a new time alone is no change.' })
    .optional(),
  consecutive_failures: count,
  publications_missed: count
    .meta({ description: 'Of the central bank, by its calendar.' })
    .optional(),
  next_run: timestamp.optional(),
  held: count.meta({ description: 'Records in doubt, which are not published.' }),
});

const statusView = z.object({
  status: z.enum(['ok', 'degraded']),
  fetched_at: timestamp.meta({ description: 'When the service last took anything in.' }).optional(),
  collecting: z.boolean().meta({ description: 'Whether the sources are read when they should.' }),
  sources: z.array(sourceView),
});

function viewOf(source: SourceHealth): z.output<typeof sourceView> {
  const { lastSuccessAt, lastChangeAt, publicationsMissed, nextRunAt } = source;
  return {
    name: source.name,
    kind: source.kind,
    enabled: source.enabled,
    state: source.condition,
    why: source.why,
    ...(lastSuccessAt !== undefined && { last_success: isoInstant(lastSuccessAt) }),
    ...(lastChangeAt !== undefined && { last_change: isoInstant(lastChangeAt) }),
    consecutive_failures: source.consecutiveFailures,
    ...(publicationsMissed !== undefined && { publications_missed: publicationsMissed }),
    ...(nextRunAt !== undefined && { next_run: isoInstant(nextRunAt) }),
    held: source.held,
  };
}

function statusOf({ fetchedAt, sources, collecting, degraded }: SourcesHealth) {
  return {
    status: degraded ? 'degraded' : 'ok',
    ...(fetchedAt !== undefined && { fetched_at: isoInstant(fetchedAt) }),
    collecting,
    sources: sources.map(viewOf),
  } satisfies z.output<typeof statusView>;
}

/** How the sources are: for anyone, without a key. */
export function statusPage({ watch }: Pick<Services, 'watch'>): Page {
  return {
    path: PATH,
    async respond() {
      const health = await watch.health().catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        throw new ApiError('service_unavailable', { message: 'The store does not answer.' });
      });
      return {
        contentType: 'application/json; charset=utf-8',
        body: JSON.stringify(statusOf(health)),
        headers: ['Cache-Control', `public, max-age=${MAX_AGE_SEC}`],
      };
    },
  };
}

const READ_AT = '2026-11-21T03:00:04.000Z';

/** The same for the reference. */
export const statusAddress: OpenAddress = {
  path: PATH,
  operationId: 'getStatus',
  section: 'decisions 8',
  summary: 'How the sources are',
  description:
    'Which sources are read, when they last answered and changed, and why one is not as it should be. `degraded` when one that is on fails, is late, stands still or is no longer read.',
  schema: 'Status',
  answer: statusView,
  example: {
    summary: 'A source that fails, and the one that stands in for it',
    value: {
      status: 'degraded',
      fetched_at: '2026-11-21T03:00:00.000Z',
      collecting: true,
      sources: [
        {
          name: 'bcv-official',
          kind: 'bcv-official',
          enabled: true,
          state: 'ok',
          why: 'It was last read at 2026-11-21T02:30:11.000Z.',
          last_success: '2026-11-21T02:30:11.000Z',
          last_change: '2026-11-20T21:10:00.000Z',
          consecutive_failures: 0,
          publications_missed: 0,
          next_run: '2026-11-21T03:30:09.000Z',
          held: 0,
        },
        {
          name: 'yadio',
          kind: 'json-feed',
          enabled: true,
          state: 'failing',
          why: 'Its last 3 readings failed: it did not answer in time.',
          last_success: '2026-11-21T02:45:00.000Z',
          last_change: '2026-11-21T02:45:00.000Z',
          consecutive_failures: 3,
          next_run: '2026-11-21T03:05:12.000Z',
          held: 0,
        },
        {
          name: 'dolarapi',
          kind: 'json-feed',
          enabled: true,
          state: 'ok',
          why: `It was last read at ${READ_AT}.`,
          last_success: READ_AT,
          last_change: '2026-11-21T02:55:03.000Z',
          consecutive_failures: 0,
          held: 0,
        },
      ],
    },
  },
};
