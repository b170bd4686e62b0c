import { z } from 'zod';
import { MAX_NEW_KEYS_PER_DAY } from '../../../app/access/accounts.ts';
import { endWithin, requireWithin } from '../../../app/access/key-makers.ts';
import { grantOf, keyKind, keyLabel } from '../../../app/access/key-request.ts';
import { hasScope, KEY_KINDS, PUBLISHABLE_SCOPES } from '../../../domain/keys.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { codeList } from '../../routing/schemas.ts';
import { text } from '../fields.ts';
import { endOf, grantRequestOf, idPath, keyFields } from './key-fields.ts';
import { EXAMPLE_KEYS, keyList, keyPage, keySchema, keyView, ownKey } from './key-view.ts';

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
    const grant = grantOf(kind, grantRequestOf(body), { usual });
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

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/v1/account/keys/:id',
  section: 'decisions 11',
  summary: 'Revoke an API key',
  description:
    'The process that answers refuses the key at once; every process does so within 5 s.',
  operation: {
    id: 'revokeKey',
    tag: 'Account',
    parameters: { id: 'key_8Tq1' },
    answers: {},
  },
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
