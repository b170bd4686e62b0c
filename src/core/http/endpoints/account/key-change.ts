import { z } from 'zod';
import { endWithin, requireGraceKept, requireWithin } from '../../../app/access/key-makers.ts';
import { grantOf, keyLabel } from '../../../app/access/key-request.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { fault } from '../../../domain/errors/value-rules.ts';
import { invalidField, invalidFormat } from '../../../domain/errors.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { text } from '../fields.ts';
import {
  EXAMPLE_KEYS,
  endOf,
  idPath,
  type KeyFields,
  keyFields,
  keySchema,
  keyView,
  noSuchKey,
  ownKey,
} from './key-fields.ts';

/** The endpoint with which an account changes a key (contract §11). */

export const changeKey = endpoint({
  method: 'PATCH',
  path: '/v1/account/keys/:id',
  section: 'contract 11',
  summary: sentence('Change an API key', 'Cambiar una clave'),
  description: sentence(
    'Fields that the body does not name stay as they are. `null` removes a label or an expiry. The kind of a key never changes.',
    'Los campos que el cuerpo no nombra quedan igual. `null` quita un nombre o un vencimiento. El tipo de una clave nunca cambia.',
  ),
  operation: {
    id: 'changeKey',
    tag: 'Account',
    schema: 'Key',
    bodySchema: 'KeyChange',
    parameters: { id: 'key_8Tq1' },
    body: { origins: ['https://tienda.example', 'https://www.tienda.example'] },
    answers: oneExample('One more origin', 'Un origen más', {
      ...EXAMPLE_KEYS.shop,
      origins: ['https://tienda.example', 'https://www.tienda.example'],
    }),
  },
  scope: 'account.write',
  cost: 0,
  query: idPath,
  body: z.strictObject({
    kind: text(
      'The current kind of the key; any other is refused.',
      'El tipo que tiene la clave; se rechaza cualquier otro.',
    ).optional(),
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
