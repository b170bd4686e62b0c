import { z } from 'zod';
import { FEATURES, FORMATS } from '../../../domain/plans.ts';
import { isoInstant, utcMonthOf } from '../../../domain/time.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { timestamp } from '../../routing/schemas.ts';
import { fieldGroup, listOf, natural, oneOf, text } from '../fields.ts';
import { EXAMPLE_KEYS, keyList, keyPage } from './key-fields.ts';

const limit = z.int().nonnegative().nullable();

export const account = endpoint({
  path: '/v1/account',
  section: 'decisions 3',
  summary: 'Your plan, limits, usage and keys',
  description:
    'Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days.',
  operation: {
    id: 'getAccount',
    tag: 'Account',
    schema: 'Account',
    answers: oneExample('An account on the plan Profesional', {
      id: 'acc_7Hq2',
      name: 'Tienda Caracas',
      plan: 'Profesional',
      status: 'active',
      limits: {
        units_per_month: 300000,
        requests_per_minute: 1200,
        bulk_calls_per_hour: 300,
        history_days: 180,
        official_days: null,
        formats: ['json', 'csv', 'xml'],
        keys_max: 10,
        public_keys_max: 10,
        markups_max: 20,
        features: ['markets', 'spread', 'markup'],
      },
      usage: {
        month: '2026-11',
        units_used: 18250,
        units_remaining: 281750,
        resets_at: '2026-12-01T00:00:00.000Z',
      },
      keys: [EXAMPLE_KEYS.full],
      keys_next: null,
    }),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    keys_after: text('`keys_next` of the previous answer, for the next page of keys.').optional(),
  }),
  answer: z.object({
    id: text('Id of the account.'),
    name: text('Name of the account.'),
    plan: text('Name of its plan.'),
    status: oneOf(
      ['active', 'suspended'],
      'Whether its keys work (`active`) or not (`suspended`).',
    ),
    limits: fieldGroup('Limits of the plan; `null` means no limit.', {
      units_per_month: limit.describe('Units that the account may use in a UTC month.'),
      requests_per_minute: limit.describe('Requests that the account may make in a minute.'),
      bulk_calls_per_hour: limit.describe('Batches that the account may convert in an hour.'),
      history_days: limit.describe('How many days back the history reaches.'),
      official_days: limit.describe('How many days back a past date of an official rate reaches.'),
      formats: listOf('Formats that an answer may have.', z.enum(FORMATS)),
      keys_max: limit.describe('Maximum of live keys, without counting publishable ones.'),
      public_keys_max: limit.describe('Maximum of live publishable keys.'),
      markups_max: limit.describe('Maximum of markup rules.'),
      features: listOf('What else the plan includes.', z.enum(FEATURES)),
    }),
    usage: fieldGroup('Units of the current month.', {
      month: z.string().meta({ description: 'The UTC month, `YYYY-MM`.', example: '2026-11' }),
      units_used: natural('Units spent in the month.'),
      units_remaining: limit.describe('Units left in the month; `null` if there is no limit.'),
      resets_at: timestamp.describe('When the next month begins, with all its units.'),
    }),
    keys: keyList,
    keys_next: z
      .string()
      .nullable()
      .describe('Start of the next page of keys; `null` on the last page.'),
  }),
  errors: ['resource_not_found'],
  async handle(call) {
    const { account: own, plan } = call.caller;
    const { keys, next } = await keyPage(call, call.input.keys_after, 'keys_after');
    const used = await call.services.quota.countedThisMonth(own.id);
    const month = utcMonthOf(call.now);
    return {
      id: own.id,
      name: own.name,
      plan: plan.name,
      status: own.status,
      limits: {
        units_per_month: plan.unitsPerMonth,
        requests_per_minute: plan.requestsPerMinute,
        bulk_calls_per_hour: plan.bulkCallsPerHour,
        history_days: plan.historyDays,
        official_days: plan.officialDays,
        formats: [...plan.formats],
        keys_max: plan.keysMax,
        public_keys_max: plan.publicKeysMax,
        markups_max: plan.markupsMax,
        features: [...plan.features],
      },
      usage: {
        month: month.name,
        units_used: used,
        units_remaining: plan.unitsPerMonth && Math.max(0, plan.unitsPerMonth - used),
        resets_at: isoInstant(month.end),
      },
      keys,
      keys_next: next,
    };
  },
});
