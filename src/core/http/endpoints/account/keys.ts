import { z } from 'zod';
import {
  MAX_GRACE_MS,
  MAX_NEW_KEYS_PER_DAY,
  MAX_ROTATIONS_PER_DAY,
} from '../../../app/access/accounts.ts';
import { endWithin, requireNoLongerLife, requireWithin } from '../../../app/access/key-makers.ts';
import { grantOf, keyKind, keyLabel } from '../../../app/access/key-request.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { hasScope, KEY_KINDS, USUAL_SCOPES } from '../../../domain/keys.ts';
import { isoInstant, SECOND_MS } from '../../../domain/time.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field } from '../../pipeline/said.ts';
import { codeList, timestamp } from '../../pipeline/schemas.ts';
import { optional, text } from '../fields.ts';
import {
  EXAMPLE_KEYS,
  endOf,
  idPath,
  keyFields,
  keyList,
  keyPage,
  keySchema,
  keyView,
  ownKey,
} from './key-fields.ts';

/** Endpoints with which an account manages its keys (contract §11). */

export const listKeys = endpoint({
  path: '/v1/account/keys',
  section: 'contract 11',
  summary: sentence('Your keys', 'Sus claves'),
  description: sentence(
    'Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days.',
    'Las claves aparecen sin su secreto: primero las activas, como máximo 100 por respuesta. Las que ya no son válidas se muestran durante 30 días.',
  ),
  operation: {
    id: 'listKeys',
    tag: 'Account',
    schema: 'Keys',
    answers: oneExample(
      'A full key and one for a page',
      'Una clave completa y una para una página',
      {
        keys: [EXAMPLE_KEYS.full, EXAMPLE_KEYS.shop],
        next: null,
      },
    ),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    after: text(
      '`next` of the previous answer, for the next page.',
      '`next` de la respuesta anterior, para la página siguiente.',
    ).optional(),
  }),
  answer: z.object({
    keys: keyList,
    next: field(
      z.string().nullable(),
      'Start of the next page; `null` on the last page.',
      'Dónde empieza la página siguiente; `null` en la última.',
    ),
  }),
  errors: ['resource_not_found'],
  handle: (call) => keyPage(call, call.input.after, 'after'),
});

export const createKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys',
  section: 'contract 11',
  summary: sentence('Create an API key', 'Crear una clave'),
  description: sentence(
    `The answer is the only place that ever shows the key. A key cannot create another with more permissions or a later end than its own. Publishable keys count apart from the others. An account can create at most ${MAX_NEW_KEYS_PER_DAY} keys a day (UTC).`,
    `La respuesta es el único lugar que muestra la clave. Una clave no puede crear otra con más permisos ni con un vencimiento posterior al suyo. Las publicables se cuentan aparte de las demás. Una cuenta puede crear como máximo ${MAX_NEW_KEYS_PER_DAY} claves por día (UTC).`,
  ),
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
    answers: oneExample(
      'A key for the pages of a shop',
      'Una clave para las páginas de una tienda',
      {
        ...EXAMPLE_KEYS.shop,
        key: 'vfx_pub_…',
      },
    ),
  },
  scope: 'account.write',
  cost: 0,
  body: z.strictObject({
    kind: text(
      `Kind of key: ${codeList(KEY_KINDS)}.`,
      'Tipo de clave: `full` (completa), `restricted` (restringida) o `publishable` (publicable).',
    ),
    ...keyFields,
  }),
  answer: keySchema
    .extend({ key: text('The key itself: keep it safe.', 'La clave misma: guárdela bien.') })
    .meta({ title: 'New key' }),
  status: 201,
  errors: ['key_in_grace', 'feature_not_in_plan'],
  inGrace: 'never',
  async handle({ body, caller, now, services }) {
    const maker = caller.key;
    const kind = keyKind(body.kind);
    const usual = USUAL_SCOPES.filter((scope) => hasScope(maker.grant, scope));
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
  section: 'contract 11',
  summary: sentence('Revoke an API key', 'Revocar una clave'),
  description: sentence(
    'The process that answers refuses the key at once; every process does so within 5 s.',
    'El proceso que responde rechaza la clave de inmediato; todos los procesos lo hacen en 5 s como máximo.',
  ),
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

export const rotateKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys/:id/rotate',
  section: 'contract 4',
  summary: sentence('Rotate an API key', 'Rotar una clave'),
  description: sentence(
    'The answer is the only place that ever shows the new key. The old key stops working at once, or after `grace_sec` seconds. While an earlier grace period leaves the account with more live keys than its plan allows, the service refuses another one. It also refuses to rotate a key in its grace period again, unless the plan has room for one more key. An account can rotate keys at most 10 times per day (UTC).',
    'La respuesta es el único lugar que muestra la clave nueva. La anterior deja de servir de inmediato, o después de `grace_sec` segundos. Mientras un plazo anterior deje a la cuenta con más claves activas de las que permite su plan, el servicio no concede otro. Tampoco rota de nuevo una clave que está en su plazo, salvo que el plan tenga espacio para una clave más. Una cuenta puede rotar claves como máximo 10 veces por día (UTC).',
  ),
  operation: {
    id: 'rotateKey',
    tag: 'Account',
    schema: 'RotatedKey',
    bodySchema: 'Rotation',
    parameters: { id: 'key_3Zk9' },
    body: { grace_sec: 3600 },
    answers: oneExample(
      'The old key works for one more hour',
      'La clave anterior sirve una hora más',
      {
        id: 'key_8Tq1',
        key: 'vfx_live_…',
        created_at: '2026-11-21T03:00:00.000Z',
        replaces: 'key_3Zk9',
        replaced_expires_at: '2026-11-21T04:00:00.000Z',
      },
    ),
  },
  scope: 'account.write',
  cost: 0,
  query: z.object({ id: text('Id of the old key.', 'Id de la clave anterior.') }),
  body: z.strictObject({
    grace_sec: optional(
      z
        .int()
        .min(0)
        .max(MAX_GRACE_MS / SECOND_MS),
      'How long the old key keeps working, in seconds; 0 by default.',
      'Cuánto sigue sirviendo la clave anterior, en segundos; por defecto, 0.',
    ),
  }),
  answer: z.object({
    id: text('Id of the new key.', 'Id de la clave nueva.'),
    key: text('The new key itself: keep it safe.', 'La clave nueva misma: guárdela bien.'),
    created_at: field(timestamp, 'When the key was created.', 'Cuándo se creó la clave.'),
    replaces: text('Id of the old key.', 'Id de la clave anterior.'),
    replaced_expires_at: field(
      timestamp,
      'When the old key stops working.',
      'Cuándo deja de servir la clave anterior.',
    ),
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
