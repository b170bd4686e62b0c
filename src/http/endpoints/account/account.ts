import { z } from 'zod';
import { beyondPlan, requireFeature } from '../../../app/access/access.ts';
import { markupRuleSchema, markupValue } from '../../../app/access/markups.ts';
import { schemaSentence } from '../../../app/schema-sentences.ts';
import { ApiError } from '../../../domain/errors.ts';
import { MARKUP_KINDS, type MarkupRule } from '../../../domain/markup.ts';
import { FEATURES, FORMATS } from '../../../domain/plans.ts';
import { isoInstant, utcMonthOf } from '../../../domain/time.ts';
import { type Call, endpoint } from '../../routing/endpoint.ts';
import { noQuery, timestamp } from '../../routing/schemas.ts';
import { keyPage, keySchema, keyView } from './key-view.ts';

/** What an account sees and manages of itself with its own key (decisions §6, §3). */

const limit = z.int().nonnegative().nullable();

export const account = endpoint({
  method: 'GET',
  path: '/v1/account',
  section: 'decisions 3',
  summary: 'Your plan, limits, usage and keys',
  description:
    'Costs nothing. Keys are shown without their secrets: live ones first, at most 100 at once. Keys that ended are shown for 30 days.',
  access: 'key',
  scope: 'account.read',
  cost: 0,
  query: z.object({
    keys_after: z
      .string()
      .meta({ description: '`keys_next` of the answer before, for the next page of keys.' })
      .optional(),
  }),
  unknownParameters: 'ignore',
  answer: z.object({
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    status: z.enum(['active', 'suspended']),
    limits: z.object({
      units_per_month: limit,
      requests_per_minute: limit,
      bulk_calls_per_hour: limit,
      history_days: limit,
      formats: z.array(z.enum(FORMATS)),
      keys_max: limit,
      public_keys_max: limit,
      markups_max: limit,
      features: z.array(z.enum(FEATURES)),
    }),
    usage: z.object({
      month: z.string().meta({ example: '2026-11' }),
      units_used: z.int().nonnegative(),
      units_remaining: limit,
      resets_at: timestamp,
    }),
    keys: z.array(keySchema),
    keys_next: z
      .string()
      .nullable()
      .meta({ description: 'Where the next page of keys begins; null on the last page.' }),
  }),
  errors: ['resource_not_found'],
  async handle({ input, caller, services, now }) {
    const { account: own, plan } = caller;
    const page = await keyPage(services, own.id, {
      now,
      after: input.keys_after,
      field: 'keys_after',
    });
    const used = await services.quotaLeases.countedThisMonth(own.id);
    const month = utcMonthOf(now);
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
        formats: [...plan.formats],
        keys_max: plan.keysMax,
        public_keys_max: plan.publicKeysMax,
        markups_max: plan.markupsMax,
        features: [...plan.features],
      },
      usage: {
        month: month.name,
        units_used: used,
        units_remaining:
          plan.unitsPerMonth === null ? null : Math.max(0, plan.unitsPerMonth - used),
        resets_at: isoInstant(month.end),
      },
      keys: page.keys.map((key) => keyView(key, caller)),
      keys_next: page.next ?? null,
    };
  },
});

const ruleSchema = z.object({
  tag: z.string(),
  kind: z.enum(MARKUP_KINDS),
  value: z.number(),
  markets: z.array(z.string()),
  active: z.boolean(),
});

const ruleBody = z.looseObject({
  kind: z.enum(MARKUP_KINDS),
  value: markupValue,
  markets: z.array(z.string()).optional(),
  active: z.boolean().optional(),
});

function ruleView({ tag, kind, value, markets, active }: MarkupRule) {
  return { tag, kind, value, markets: [...markets], active };
}

/** @throws ApiError `invalid_format` with the field at fault. */
function readRule(services: Call['services'], body: object): MarkupRule {
  const result = markupRuleSchema(services.markets).safeParse(body, {
    error: schemaSentence,
  });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field =
    issue?.code === 'unrecognized_keys' ? issue.keys[0] : String(issue?.path[0] ?? 'tag');
  throw new ApiError('invalid_format', {
    ...(field !== undefined && { field }),
    message: `${field}: ${issue?.message ?? 'is not accepted'}.`,
  });
}

/** Saves a rule, and brings it into force in this process before the answer. */
async function save(
  { caller, services }: Pick<Call, 'caller' | 'services'>,
  rule: MarkupRule,
  mode: 'create' | 'replace',
): Promise<MarkupRule> {
  const { plan } = caller;
  const outcome = await services.store.saveMarkup(caller.account.id, rule, mode, plan.markupsMax);
  switch (outcome) {
    case 'saved':
      await services.changePoller.poll();
      return rule;
    case 'exists':
      throw new ApiError('already_exists', {
        field: 'tag',
        message: `There is a rule ${rule.tag} already: replace it with PUT.`,
      });
    case 'missing':
      throw new ApiError('markup_not_found', { field: 'tag' });
    case 'full':
      throw beyondPlan(services.plans, plan, {
        feature: 'markup',
        limitOf: ({ markupsMax }) => markupsMax,
        message: `${plan.name} has at most ${plan.markupsMax} markup rules.`,
      });
    default:
      return outcome satisfies never;
  }
}

/**
 * Rules that are left from a dearer plan may be seen and deleted on any plan (decisions §6).
 * @throws ApiError `feature_not_in_plan` where there are none, and the plan has none.
 */
function checkLeftRules({ caller, services }: Pick<Call, 'caller' | 'services'>): void {
  if (caller.markups.length === 0) requireFeature(services.plans, caller.plan, 'markup');
}

export const listMarkups = endpoint({
  method: 'GET',
  path: '/v1/account/markups',
  section: 'decisions 6',
  summary: 'Your markup rules',
  description:
    'All of them, also those beyond the number of your plan, which do not apply: the oldest count first.',
  check: (call) => checkLeftRules(call),
  access: 'key',
  scope: 'account.read',
  cost: 0,
  query: noQuery,
  unknownParameters: 'ignore',
  answer: z.object({ markups: z.array(ruleSchema) }),
  errors: ['feature_not_in_plan'],
  async handle({ caller, services }) {
    const rules = await services.store.listMarkups(caller.account.id);
    return { markups: rules.map(ruleView) };
  },
});

export const createMarkup = endpoint({
  method: 'POST',
  path: '/v1/account/markups',
  section: 'decisions 6',
  summary: 'Create a markup rule',
  feature: 'markup',
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: noQuery,
  unknownParameters: 'ignore',
  body: ruleBody.extend({ tag: z.string() }),
  answer: ruleSchema,
  status: 201,
  errors: ['missing_field', 'invalid_format', 'already_exists'],
  async handle({ body, caller, services }) {
    return ruleView(await save({ caller, services }, readRule(services, body), 'create'));
  },
});

const tagPath = z.object({ tag: z.string().meta({ description: 'Tag of a saved markup rule.' }) });

export const replaceMarkup = endpoint({
  method: 'PUT',
  path: '/v1/account/markups/:tag',
  section: 'decisions 6',
  summary: 'Replace a markup rule',
  feature: 'markup',
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: tagPath,
  unknownParameters: 'ignore',
  body: ruleBody.extend({ tag: z.string().optional() }),
  answer: ruleSchema,
  errors: ['missing_field', 'invalid_format', 'markup_not_found'],
  async handle({ input, body, caller, services }) {
    if (body.tag !== undefined && body.tag !== input.tag) {
      throw new ApiError('invalid_format', {
        field: 'tag',
        message: 'tag must be the one of the address.',
      });
    }
    const rule = readRule(services, { ...body, tag: input.tag });
    return ruleView(await save({ caller, services }, rule, 'replace'));
  },
});

export const deleteMarkup = endpoint({
  method: 'DELETE',
  path: '/v1/account/markups/:tag',
  section: 'decisions 6',
  summary: 'Delete a markup rule',
  check: (call) => checkLeftRules(call),
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: tagPath,
  unknownParameters: 'ignore',
  answer: z.undefined(),
  status: 204,
  errors: ['feature_not_in_plan', 'markup_not_found'],
  async handle({ input, caller, services }) {
    const deleted = await services.store.deleteMarkup(caller.account.id, input.tag);
    if (!deleted) throw new ApiError('markup_not_found', { field: 'tag' });
    await services.changePoller.poll();
    return undefined;
  },
});
