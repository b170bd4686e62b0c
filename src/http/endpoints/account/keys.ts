import { z } from 'zod';
import {
  MAX_GRACE_MS,
  MAX_NEW_KEYS_PER_DAY,
  MAX_ROTATIONS_PER_DAY,
} from '../../../app/access/accounts.ts';
import {
  endWithin,
  requireGraceKept,
  requireNoLongerLife,
  requireWithin,
} from '../../../app/access/key-makers.ts';
import { grantOf, keyKind, keyLabel } from '../../../app/access/key-request.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { fault } from '../../../domain/errors/value-rules.ts';
import { invalidField, invalidFormat } from '../../../domain/errors.ts';
import { hasScope, KEY_KINDS, PUBLISHABLE_SCOPES } from '../../../domain/keys.ts';
import { isoInstant, SECOND_MS } from '../../../domain/time.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { codeList, timestamp } from '../../routing/schemas.ts';
import { optional, text } from '../fields.ts';
import {
  EXAMPLE_KEYS,
  endOf,
  idPath,
  type KeyFields,
  keyFields,
  keyList,
  keyPage,
  keySchema,
  keyView,
  noSuchKey,
  ownKey,
} from './key-fields.ts';

/** Endpoints with which an account manages its keys (decisions §11). */

export const listKeys = endpoint({
  path: '/v1/account/keys',
  section: 'decisions 11',
  summary: 'Your keys',
  description:
    'Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days.',
  operation: {
    id: 'listKeys',
    tag: 'Account',
    schema: 'Keys',
    answers: oneExample('A full key and one for a page', {
      keys: [EXAMPLE_KEYS.full, EXAMPLE_KEYS.shop],
      next: null,
    }),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    after: text('`next` of the previous answer, for the next page.').optional(),
  }),
  answer: z.object({
    keys: keyList,
    next: z.string().nullable().describe('Start of the next page; `null` on the last page.'),
  }),
  errors: ['resource_not_found'],
  handle: (call) => keyPage(call, call.input.after, 'after'),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys',
  section: 'decisions 11',
  summary: 'Create an API key',
  description: `The answer is the only place that ever shows the key. A key cannot create another with more permissions or a later end than its own. Publishable keys count apart from the others. An account can create at most ${MAX_NEW_KEYS_PER_DAY} keys a day (UTC).`,
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
    answers: oneExample('A key for the pages of a shop', {
      ...EXAMPLE_KEYS.shop,
      key: 'vfx_pub_…',
    }),
  },
  scope: 'account.write',
  cost: 0,
  body: z.strictObject({
    kind: text(`Kind of key: ${codeList(KEY_KINDS)}.`),
    ...keyFields,
  }),
  answer: keySchema
    .extend({ key: text('The key itself: keep it safe.') })
    .meta({ title: 'New key' }),
  status: 201,
  errors: ['key_in_grace', 'feature_not_in_plan'],
  inGrace: 'never',
  async handle({ body, caller, now, services }) {
    const maker = caller.key;
    const kind = keyKind(body.kind);
    const usual = PUBLISHABLE_SCOPES.filter((scope) => hasScope(maker.grant, scope));
    const { scopes, origins, allow_no_origin: allowNoOrigin } = body;
    const request = { scopes, origins, allowNoOrigin, requestsPerMinute: body.requests_per_minute };
    const grant = grantOf(kind, request, { usual });
    const label = typeof body.label === 'string' ? keyLabel(body.label) : undefined;
    const end = endOf(body.expires_at, now);
    requireWithin(grant, maker);
    const draft = { grant, label, lastsUntil: endWithin(end, maker) };
    const { key, record } = await services.accounts.createKey(caller.account.id, draft, {
      maxPerDay: MAX_NEW_KEYS_PER_DAY,
    });
    return { ...keyView(record, { caller, now }), key };
  },
});

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/v1/account/keys/:id',
  section: 'decisions 11',
  summary: 'Revoke an API key',
  description:
    'The process that answers refuses the key at once; every process does so within 5 s.',
  operation: { id: 'revokeKey', tag: 'Account', parameters: { id: 'key_8Tq1' }, answers: {} },
  scope: 'account.write',
  cost: 0,
  query: idPath,
  answer: z.undefined(),
  status: 204,
  errors: ['key_in_grace', 'resource_not_found'],
  inGrace: 'itself',
  async handle({ input, caller, now, services }) {
    const key = await ownKey({ caller, services, now }, input.id);
    requireWithin(key.grant, caller.key);
    await services.accounts.revokeKey(key.id);
    await services.changePoller.poll().catch(() => undefined);
    return undefined;
  },
});

export const changeKey = endpoint({
  method: 'PATCH',
  path: '/v1/account/keys/:id',
  section: 'decisions 11',
  summary: 'Change an API key',
  description:
    'Fields that the body does not name stay as they are. `null` removes a label or an expiry. The kind of a key never changes.',
  operation: {
    id: 'changeKey',
    tag: 'Account',
    schema: 'Key',
    bodySchema: 'KeyChange',
    parameters: { id: 'key_8Tq1' },
    body: { origins: ['https://tienda.example', 'https://www.tienda.example'] },
    answers: oneExample('One more origin', {
      ...EXAMPLE_KEYS.shop,
      origins: ['https://tienda.example', 'https://www.tienda.example'],
    }),
  },
  scope: 'account.write',
  cost: 0,
  query: idPath,
  body: z.strictObject({
    kind: text('The current kind of the key; any other is refused.').optional(),
    ...keyFields,
  }),
  check({ body }) {
    if (Object.keys(body).length > 0) return;
    throw invalidFormat(
      undefined,
      'empty',
      sentence('Name at least one field to change.', 'Indique al menos un campo que cambiar.'),
    );
  },
  answer: keySchema,
  errors: ['key_in_grace', 'resource_not_found'],
  inGrace: 'never',
  async handle({ input, body, caller, now, services }) {
    const { store, changePoller } = services;
    const key = await ownKey({ caller, services, now }, input.id);
    requireWithin(key.grant, caller.key);
    const grant = changedGrant(key, body);
    requireWithin(grant, caller.key);
    const { label } = body;
    const end = endWithin(endOf(body.expires_at, now), caller.key);
    if (body.expires_at !== undefined) requireGraceKept(key, end);
    const isChanged = await store.changeKey(
      key.id,
      {
        grant,
        label: typeof label === 'string' ? keyLabel(label) : label,
        lastsUntil: body.expires_at === undefined ? undefined : (end ?? null),
      },
      now,
    );
    const changed = isChanged ? await store.findKey(key.id) : undefined;
    if (changed === undefined) throw noSuchKey();
    await changePoller.poll().catch(() => undefined);
    return keyView(changed, { caller, now });
  },
});

function changedGrant({ grant }: ApiKey, body: KeyFields & { readonly kind?: unknown }) {
  const { kind } = grant;
  if (body.kind !== undefined && body.kind !== kind) {
    throw invalidField(
      'kind',
      fault(
        'not_changeable',
        `the kind of a key cannot change; this one is ${kind}`,
        `el tipo de una clave no se puede cambiar; el de esta es ${kind}`,
      ),
    );
  }
  const held = kind === 'full' ? undefined : grant.scopes;
  const current = kind === 'publishable' ? grant : undefined;
  const request = {
    scopes: body.scopes ?? held,
    origins: body.origins ?? current?.origins,
    allowNoOrigin: body.allow_no_origin ?? current?.allowNoOrigin,
    requestsPerMinute: body.requests_per_minute ?? current?.requestsPerMinute,
  };
  return grantOf(kind, request, { held });
}

export const rotateKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys/:id/rotate',
  section: 'decisions 4',
  summary: 'Rotate an API key',
  description:
    'The answer is the only place that ever shows the new key. The old key stops working at once, or after `grace_sec` seconds. While an earlier grace period leaves the account with more live keys than its plan allows, the service refuses another one. It also refuses to rotate a key in its grace period again, unless the plan has room for one more key. An account can rotate keys at most 10 times per day (UTC).',
  operation: {
    id: 'rotateKey',
    tag: 'Account',
    schema: 'RotatedKey',
    bodySchema: 'Rotation',
    parameters: { id: 'key_3Zk9' },
    body: { grace_sec: 3600 },
    answers: oneExample('The old key works for one more hour', {
      id: 'key_8Tq1',
      key: 'vfx_live_…',
      created_at: '2026-11-21T03:00:00.000Z',
      replaces: 'key_3Zk9',
      replaced_expires_at: '2026-11-21T04:00:00.000Z',
    }),
  },
  scope: 'account.write',
  cost: 0,
  query: z.object({ id: text('Id of the old key.') }),
  body: z.strictObject({
    grace_sec: optional(
      z
        .int()
        .min(0)
        .max(MAX_GRACE_MS / SECOND_MS),
      'How long the old key keeps working, in seconds; 0 by default.',
    ),
  }),
  answer: z.object({
    id: text('Id of the new key.'),
    key: text('The new key itself: keep it safe.'),
    created_at: timestamp.describe('When the key was created.'),
    replaces: text('Id of the old key.'),
    replaced_expires_at: timestamp.describe('When the old key stops working.'),
  }),
  status: 201,
  errors: ['key_in_grace', 'resource_not_found', 'feature_not_in_plan'],
  inGrace: 'never',
  async handle({ input, body, caller, now, services }) {
    const { accounts, changePoller } = services;
    const old = await ownKey({ caller, services, now }, input.id);
    requireWithin(old.grant, caller.key);
    requireNoLongerLife(old, caller.key);
    const graceMs = (body.grace_sec ?? 0) * SECOND_MS;
    const next = await accounts.rotateKey(old.id, graceMs, { maxPerDay: MAX_ROTATIONS_PER_DAY });
    // Only this answer contains the stored key, so errors are ignored from here on.
    await changePoller.poll().catch(() => undefined);
    return {
      id: next.id,
      key: next.key,
      created_at: isoInstant(next.createdAt),
      replaces: old.id,
      replaced_expires_at: isoInstant(next.oldExpiresAt),
    };
  },
});
