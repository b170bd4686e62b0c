import { z } from 'zod';
import { endWithin, requireGraceKept, requireWithin } from '../../../app/access/key-makers.ts';
import { grantOf, keyLabel } from '../../../app/access/key-request.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { ApiError, invalidField } from '../../../domain/errors.ts';
import type { KeyKind } from '../../../domain/keys.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { text } from '../fields.ts';
import { endOf, grantRequestOf, idPath, type KeyFields, keyFields } from './key-fields.ts';
import { EXAMPLE_KEYS, keySchema, keyView, noSuchKey, ownKey } from './key-view.ts';

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
    throw new ApiError('invalid_format', { message: 'Name at least one field to change.' });
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
        ...(label !== undefined && { label: label === null ? null : keyLabel(label) }),
        ...(body.expires_at !== undefined && { lastsUntil: end ?? null }),
      },
      now,
    );
    const changed = isChanged ? await store.findKey(key.id) : undefined;
    if (changed === undefined) throw noSuchKey();
    await changePoller.poll().catch(() => undefined);
    return keyView(changed, caller);
  },
});

function changedGrant({ grant }: ApiKey, body: KeyFields & { readonly kind?: unknown }) {
  const kind: KeyKind = grant.kind;
  if (body.kind !== undefined && body.kind !== kind) {
    throw invalidField('kind', `the kind of a key cannot change; this one is ${kind}`);
  }
  const { scopes, origins, allowNoOrigin, requestsPerMinute } = grantRequestOf(body);
  const isPublishable = grant.kind === 'publishable';
  const held = grant.kind === 'full' ? undefined : grant.scopes;
  const request = {
    scopes: scopes ?? held,
    origins: origins ?? (isPublishable ? grant.origins : undefined),
    allowNoOrigin: allowNoOrigin ?? (isPublishable && grant.allowNoOrigin),
    requestsPerMinute: requestsPerMinute ?? (isPublishable ? grant.requestsPerMinute : undefined),
  };
  return grantOf(kind, request, { held });
}
