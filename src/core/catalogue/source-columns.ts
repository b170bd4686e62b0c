import { Cron } from 'croner';
import { z } from 'zod';
import { PUSHED } from '../domain/source-health.ts';

export const MAX_SCHEDULE_RULES = 20;
/** Longest address of a source, in characters. */
export const MAX_SOURCE_URL_LENGTH = 2_000;
/** Most random delay of a reading after its scheduled time, in seconds. */
// limit: Source: delay after its time, one request, rules of a schedule, address | 600 s, 120 s, 20, 2,000 characters | not started | MAX_SOURCE_TIMEOUT_SEC, MAX_SCHEDULE_RULES, MAX_SOURCE_URL_LENGTH
export const MAX_JITTER_SEC = 600;
/** Longest timeout of one request of a source, in seconds. */
export const MAX_SOURCE_TIMEOUT_SEC = 120;
const DEFAULT_TIMEOUT_SEC = 10;

const sourceName = z
  .string('must be text')
  .regex(/^[a-z0-9_-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, _ and -');

/** Reads the name and kind of an entry even when its other columns are faulty. */
export const outline = z
  .looseObject({
    name: sourceName.optional().catch(undefined),
    kind: z.string().optional().catch(undefined),
  })
  .catch({});

const originName = z
  .string('must be text')
  .regex(/^[a-z0-9_.-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, _, - and .');

/** One origin for all figures of a source, or for an aggregator one origin for each market. */
const origin = z.union(
  [originName, z.record(z.string(), originName)],
  'must be the name of a place, or an object of markets and names (1 to 64 of a-z, 0-9, _, - and .)',
);

const scheduleRule = z.strictObject(
  {
    cron: z.string('must be a cron pattern').superRefine((pattern, context) => {
      const problem = cronProblem(pattern);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
    while_expected: z.boolean('must be true or false').optional(),
  },
  'must be an object with a cron pattern',
);

export function commonRow({
  kinds,
  allowLoopback,
}: {
  /** The names that `kind` may have. */
  readonly kinds: readonly string[];
  readonly allowLoopback: boolean;
}) {
  return z
    .strictObject(
      {
        name: sourceName.refine((name) => name !== PUSHED, 'is the name of pushed records'),
        kind: z.enum(kinds, `must be one of ${kinds.join(', ')}`),
        enabled: z.boolean('must be true or false'),
        role: z.literal('witness', 'must be witness, or absent').optional(),
        origin,
        url: z
          .string('must be text')
          .max(MAX_SOURCE_URL_LENGTH, `must have at most ${MAX_SOURCE_URL_LENGTH} characters`)
          .superRefine((text, context) => {
            const problem = urlProblem(text, allowLoopback);
            if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
          }),
        schedule: z
          .array(scheduleRule, 'must be a list of rules, empty for never')
          .max(MAX_SCHEDULE_RULES, `must have at most ${MAX_SCHEDULE_RULES} rules`),
        jitter_sec: z
          .number('must be a number of seconds')
          .min(0, 'must be 0 or more')
          .max(MAX_JITTER_SEC, `must be at most ${MAX_JITTER_SEC}`)
          .default(0),
        timeout_sec: z
          .number('must be a number of seconds')
          .positive('must be more than 0')
          .max(MAX_SOURCE_TIMEOUT_SEC, `must be at most ${MAX_SOURCE_TIMEOUT_SEC}`)
          .default(DEFAULT_TIMEOUT_SEC),
        fallback_for: sourceName.optional(),
        before: sourceName.optional(),
        /** The former name of `fallback_for`, which operators' catalogues may still have. */
        instead_of: sourceName.optional(),
      },
      'must be an object',
    )
    .refine(
      (row) => row.fallback_for === undefined || row.instead_of === undefined,
      'must not have both fallback_for and instead_of, which is its former name',
    );
}

export type CommonRow = z.output<ReturnType<typeof commonRow>>;

const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

function urlProblem(text: string, allowLoopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'must be an address (URL)';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'must not have a user name or password';
  if (protocol === 'https:') return undefined;
  const isLoopback = protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);
  return isLoopback && allowLoopback ? undefined : 'must begin with https://';
}

const FIVE_FIELDS = /^\S+(?: +\S+){4}$/;
const NOT_CRON = 'must be a cron pattern of five fields: minute, hour, day, month, day of the week';

function cronProblem(pattern: string): string | undefined {
  // The library also accepts dates and names such as @daily.
  if (!FIVE_FIELDS.test(pattern)) return NOT_CRON;
  try {
    // A pattern that never occurs does so in every time zone and year. In UTC the library is
    // faster.
    const times = new Cron(pattern, { mode: '5-part', utcOffset: 0, paused: true });
    if (times.nextRun(new Date(0)) !== null) return undefined;
    return 'is a time that never comes';
  } catch {
    return NOT_CRON;
  }
}
