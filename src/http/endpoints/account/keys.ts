import { z } from 'zod';
import { MAX_NEW_KEYS_PER_DAY } from '../../../app/access/accounts.ts';
import {
  grantOf,
  keyEnd,
  keyKind,
  keyLabel,
  MAX_KEY_LABEL_LENGTH,
} from '../../../app/access/key-ask.ts';
import { endWithin, requireWithin } from '../../../app/access/key-makers.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { ApiError } from '../../../domain/errors.ts';
import {
  hasScope,
  KEY_KINDS,
  type KeyKind,
  MAX_KEY_ORIGINS,
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  PUBLISHABLE_SCOPES,
  SCOPES,
} from '../../../domain/keys.ts';
import { type Instant, parseInstant } from '../../../domain/time.ts';
import { one } from '../../openapi/operation.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { noQuery } from '../../routing/schemas.ts';
import { EXAMPLE_KEYS, keyPage, keySchema, keyView, noSuchKey, ownKey } from './key-view.ts';

/** The keys of an account, as it manages them itself (decisions §11). */

const idPath = z.object({ id: z.string().meta({ description: 'Id of a key of yours.' }) });

export const listKeys = endpoint({
  method: 'GET',
  path: '/v1/account/keys',
  section: 'decisions 11',
  summary: 'Your keys',
  description:
    'Keys without their secrets: live ones first, at most 100 at once. Keys that ended are shown for 30 days.',
  operation: {
    id: 'listKeys',
    tag: 'Account',
    schema: 'Keys',
    answers: one('A full key and one for a page', {
      keys: [EXAMPLE_KEYS.full, EXAMPLE_KEYS.shop],
      next: null,
    }),
  },
  access: 'key',
  scope: 'account.read',
  cost: 0,
  query: z.object({
    after: z
      .string()
      .meta({ description: '`next` of the answer before, for the next page.' })
      .optional(),
  }),
  unknownParameters: 'ignore',
  answer: z.object({
    keys: z.array(keySchema),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Where the next page begins; null on the last page.' }),
  }),
  errors: ['resource_not_found'],
  async handle({ input, caller, services, now }) {
    const { id } = caller.account;
    const page = await keyPage(services, id, { now, after: input.after, field: 'after' });
    return { keys: page.keys.map((key) => keyView(key, caller)), next: page.next ?? null };
  },
});

const labelField = z
  .string()
  .meta({ description: `Your name for it, at most ${MAX_KEY_LABEL_LENGTH} characters.` });

/** What a key may be told to be; which of it fits depends on its kind. */
const keyFields = {
  scopes: z
    .array(z.string())
    .meta({
      description: `Of a restricted key: some of ${SCOPES.join(', ')}. Of a publishable key: some of ${PUBLISHABLE_SCOPES.join(', ')}; all of these when absent. A full key has every scope.`,
    })
    .optional(),
  origins: z
    .array(z.string())
    .meta({
      description: `Of a publishable key: at most ${MAX_KEY_ORIGINS} exact origins whose pages may use it.`,
      examples: [['https://shop.example']],
    })
    .optional(),
  allow_no_origin: z
    .boolean()
    .meta({
      description:
        'Of a publishable key: whether requests without an Origin may use it, as those of spreadsheets.',
    })
    .optional(),
  requests_per_minute: z
    .number()
    .meta({
      description: `Of a publishable key: from 1 to ${PUBLISHABLE_REQUESTS_PER_MINUTE}, which is what it has when absent.`,
    })
    .optional(),
  label: labelField.nullable().optional(),
  expires_at: z
    .string()
    .nullable()
    .meta({
      description: 'When it ends, at most two years away: a time in ISO 8601 with its zone.',
      examples: ['2027-06-30T04:00:00Z'],
    })
    .optional(),
};

type KeyFields = z.output<z.ZodObject<typeof keyFields>>;

/** The end that is asked for; undefined for none. */
function endOf(text: string | null | undefined, now: Instant): Instant | undefined {
  return text === null || text === undefined ? undefined : keyEnd(parseInstant(text), now);
}

function askOf(fields: KeyFields) {
  return {
    scopes: fields.scopes,
    origins: fields.origins,
    allowNoOrigin: fields.allow_no_origin,
    requestsPerMinute: fields.requests_per_minute,
  };
}

export const createKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys',
  section: 'decisions 11',
  summary: 'Create an API key',
  description: `The answer is the only place that ever shows the key. A key makes none that may do more, or lasts longer, than itself. Publishable keys count apart from the others. An account makes at most ${MAX_NEW_KEYS_PER_DAY} keys a day (UTC).`,
  operation: {
    id: 'createKey',
    tag: 'Account',
    schema: 'CreatedKey',
    bodySchema: 'KeyRequest',
    body: {
      kind: 'publishable',
      label: 'Tienda en línea',
      scopes: ['rates', 'official'],
      origins: ['https://tienda.example'],
      allow_no_origin: false,
      expires_at: '2027-06-30T04:00:00Z',
    },
    answers: one('A key for the pages of a shop', { ...EXAMPLE_KEYS.shop, key: 'vfx_pub_…' }),
  },
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: noQuery,
  unknownParameters: 'ignore',
  body: z.looseObject({
    kind: z.string().meta({ description: `One of ${KEY_KINDS.join(', ')}.` }),
    ...keyFields,
  }),
  answer: keySchema
    .extend({ key: z.string().meta({ description: 'The key itself: keep it safe.' }) })
    .meta({ title: 'New key' }),
  status: 201,
  errors: ['feature_not_in_plan', 'rate_limit_exceeded'],
  async handle({ body, caller, now, services }) {
    const maker = caller.key;
    const kind = keyKind(body.kind);
    const usual = PUBLISHABLE_SCOPES.filter((scope) => hasScope(maker.grant, scope));
    const grant = grantOf(kind, askOf(body), usual);
    const label = typeof body.label === 'string' ? keyLabel(body.label) : undefined;
    const end = endOf(body.expires_at, now);
    requireWithin(grant, maker);
    const draft = { grant, label, lastsUntil: endWithin(end, maker) };
    const { key, record } = await services.accounts.createKey(caller.account.id, draft, {
      maxPerDay: MAX_NEW_KEYS_PER_DAY,
    });
    return { ...keyView(record, caller), key };
  },
});

export const changeKey = endpoint({
  method: 'PATCH',
  path: '/v1/account/keys/:id',
  section: 'decisions 11',
  summary: 'Change an API key',
  description:
    'What the body does not name stays. `null` takes a label or an end away. The kind of a key never changes.',
  operation: {
    id: 'changeKey',
    tag: 'Account',
    schema: 'Key',
    bodySchema: 'KeyChange',
    parameters: { id: 'key_8Tq1' },
    body: { origins: ['https://tienda.example', 'https://www.tienda.example'] },
    answers: one('One more origin', {
      ...EXAMPLE_KEYS.shop,
      origins: ['https://tienda.example', 'https://www.tienda.example'],
    }),
  },
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: idPath,
  unknownParameters: 'ignore',
  body: z.looseObject({ kind: z.string().optional(), ...keyFields }),
  check({ body }) {
    const known = ['kind', ...Object.keys(keyFields)];
    if (Object.keys(body).some((name) => known.includes(name))) return;
    throw new ApiError('invalid_format', { message: 'Name at least one field to change.' });
  },
  answer: keySchema,
  errors: ['resource_not_found'],
  async handle({ input, body, caller, now, services }) {
    const { store, changePoller } = services;
    const key = await ownKey({ caller, services, now }, input.id);
    requireWithin(key.grant, caller.key);
    const grant = changedGrant(key, body);
    requireWithin(grant, caller.key);
    const { label } = body;
    const end = endOf(body.expires_at, now);
    const isChanged = await store.changeKey(
      key.id,
      {
        grant,
        ...(label !== undefined && { label: label === null ? null : keyLabel(label) }),
        ...(body.expires_at !== undefined && {
          lastsUntil: endWithin(end, caller.key) ?? null,
        }),
      },
      now,
    );
    const changed = isChanged ? await store.findKey(key.id) : undefined;
    if (changed === undefined) throw noSuchKey();
    await changePoller.poll().catch(() => undefined);
    return keyView(changed, caller);
  },
});

/** What the key may do with the fields that the body names, and what it may already. */
function changedGrant({ grant }: ApiKey, body: KeyFields & { readonly kind?: unknown }) {
  const kind: KeyKind = grant.kind;
  if (body.kind !== undefined && body.kind !== kind) {
    throw new ApiError('invalid_format', {
      field: 'kind',
      message: `kind: the key is ${kind} and stays so.`,
    });
  }
  const { scopes, origins, allowNoOrigin, requestsPerMinute } = askOf(body);
  const isPublishable = grant.kind === 'publishable';
  return grantOf(kind, {
    scopes: scopes ?? (grant.kind === 'full' ? undefined : grant.scopes),
    origins: origins ?? (isPublishable ? grant.origins : undefined),
    allowNoOrigin: allowNoOrigin ?? (isPublishable && grant.allowNoOrigin),
    requestsPerMinute: requestsPerMinute ?? (isPublishable ? grant.requestsPerMinute : undefined),
  });
}

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/v1/account/keys/:id',
  section: 'decisions 11',
  summary: 'Revoke an API key',
  description: 'The key is refused from the answer on, and within 5 s by every process.',
  operation: {
    id: 'revokeKey',
    tag: 'Account',
    parameters: { id: 'key_8Tq1' },
    answers: {},
  },
  access: 'key',
  scope: 'account.write',
  cost: 0,
  query: idPath,
  unknownParameters: 'ignore',
  answer: z.undefined(),
  status: 204,
  errors: ['resource_not_found'],
  async handle({ input, caller, now, services }) {
    const key = await ownKey({ caller, services, now }, input.id);
    requireWithin(key.grant, caller.key);
    await services.accounts.revokeKey(key.id);
    await services.changePoller.poll().catch(() => undefined);
    return undefined;
  },
});
