import { z } from 'zod';
import { KEYS_PER_PAGE } from '../../../app/access/accounts.ts';
import { keyEnd, MAX_KEY_LABEL_LENGTH } from '../../../app/access/key-request.ts';
import { minuteOf } from '../../../app/access/key-uses.ts';
import type { ApiKey } from '../../../app/ports/accounts.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { type ApiError, notFound } from '../../../domain/errors.ts';
import {
  GRANTABLE_SCOPES,
  isLive,
  KEY_KINDS,
  MAX_KEY_ORIGINS,
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  PUBLISHABLE_SCOPES,
  SCOPES,
  scopesOf,
  USUAL_SCOPES,
} from '../../../domain/keys.ts';
import { type Instant, isoInstant, parseInstant } from '../../../domain/time.ts';
import type { Call } from '../../pipeline/call.ts';
import { field, said } from '../../pipeline/said.ts';
import { codeList, timestamp } from '../../pipeline/schemas.ts';
import { figure, flag, listOf, oneOf, optional, text, textList, titled } from '../fields.ts';

/** What the endpoints about keys share: parameters, fields of bodies, and the answer (contract §11). */

export const idPath = z.object({ id: text('Id of a key of yours.', 'Id de una clave suya.') });

/** Properties of a key. Which are allowed depends on its kind. */
export const keyFields = {
  scopes: textList(
    `For a restricted key, some of ${codeList(GRANTABLE_SCOPES)}. For a publishable key, some of ${codeList(PUBLISHABLE_SCOPES)}; by default ${codeList(USUAL_SCOPES)}. A full key has every scope.`,
    `De una clave restringida: algunos de ${codeList(GRANTABLE_SCOPES)}. De una publicable: algunos de ${codeList(PUBLISHABLE_SCOPES)}; por defecto, ${codeList(USUAL_SCOPES)}. Una clave completa los tiene todos.`,
  ).optional(),
  origins: z
    .array(z.string())
    .meta({
      ...said(
        `For a publishable key, at most ${MAX_KEY_ORIGINS} exact origins whose pages may use it.`,
        `De una clave publicable: ${MAX_KEY_ORIGINS} orígenes exactos como máximo, cuyas páginas pueden usarla.`,
      ),
      examples: [['https://shop.example']],
    })
    .optional(),
  allow_no_origin: flag(
    'For a publishable key, whether requests without an `Origin`, such as those of spreadsheets, may use it.',
    'De una clave publicable: si pueden usarla las consultas sin `Origin`, como las de las hojas de cálculo.',
  ).optional(),
  requests_per_minute: figure(
    `Requests per minute of a publishable key, from 1 to ${PUBLISHABLE_REQUESTS_PER_MINUTE}; ${PUBLISHABLE_REQUESTS_PER_MINUTE} by default.`,
    `Consultas por minuto de una clave publicable, de 1 a ${PUBLISHABLE_REQUESTS_PER_MINUTE}; por defecto, ${PUBLISHABLE_REQUESTS_PER_MINUTE}.`,
  ).optional(),
  label: optional(
    z.string().nullable(),
    `Your name for the key, at most ${MAX_KEY_LABEL_LENGTH} characters; \`null\` for none.`,
    `El nombre que usted le da, de ${MAX_KEY_LABEL_LENGTH} caracteres como máximo; \`null\` para ninguno.`,
  ),
  expires_at: z
    .string()
    .nullable()
    .meta({
      ...said(
        'When the key expires, at most two years from now: a time in ISO 8601 with its zone; `null` for never.',
        'Cuándo vence la clave, a dos años como máximo: una hora en ISO 8601 con su zona; `null` para nunca.',
      ),
      examples: ['2027-06-30T04:00:00Z'],
    })
    .optional(),
};

export type KeyFields = z.output<z.ZodObject<typeof keyFields>>;

export function endOf(text: string | null | undefined, now: Instant): Instant | undefined {
  return text === null || text === undefined ? undefined : keyEnd(parseInstant(text), now);
}

/** A key for its account, without the secret (contract §11). */
export const keySchema = titled('Account key', {
  id: text('Id of the key, which is not secret.', 'Id de la clave, que no es secreto.'),
  hint: field(
    z.string().nullable(),
    'How the key begins and ends; `null` for a key of an older version.',
    'Cómo empieza y termina la clave; `null` si es de una versión anterior.',
  ),
  kind: oneOf(
    KEY_KINDS,
    'Kind of key; only a full one may do everything.',
    'Tipo de clave; solo una completa (`full`) puede hacer todo.',
  ),
  label: field(
    z.string().nullable(),
    'Name that the account gave the key; `null` if none.',
    'Nombre que la cuenta dio a la clave; `null` si no tiene.',
  ),
  scopes: listOf('What the key may do.', 'Qué puede hacer la clave.', z.enum(SCOPES)),
  origins: textList(
    'Origins whose pages may use a publishable key; empty for other kinds.',
    'Orígenes cuyas páginas pueden usar una clave publicable; vacío en las de otro tipo.',
  ),
  allow_no_origin: flag(
    'Whether requests without an `Origin` may use a publishable key; `false` for other kinds.',
    'Si las consultas sin `Origin` pueden usar una clave publicable; `false` en las de otro tipo.',
  ),
  requests_per_minute: field(
    z.int().nullable(),
    'Requests per minute of a publishable key; `null` for other kinds.',
    'Consultas por minuto de una clave publicable; `null` en las de otro tipo.',
  ),
  current: flag(
    'Whether this request was made with the key.',
    'Si esta consulta se hizo con la clave.',
  ),
  created_at: field(timestamp, 'When the key was created.', 'Cuándo se creó la clave.'),
  expires_at: field(
    timestamp.nullable(),
    'When the key expires; `null` if it does not.',
    'Cuándo vence la clave; `null` si no vence.',
  ),
  last_used_at: field(
    timestamp.nullable(),
    'The minute in which the key was last accepted; `null` if it never was.',
    'El minuto en que se aceptó la clave por última vez; `null` si nunca.',
  ),
  revoked_at: field(
    timestamp.nullable(),
    'When the key was revoked; `null` if it was not.',
    'Cuándo fue revocada la clave; `null` si no lo fue.',
  ),
});

export const keyList = listOf(
  'Keys of the account, without their secrets.',
  'Las claves de la cuenta, sin su secreto.',
  keySchema,
);

const isoOrNull = (instant: Instant | undefined) =>
  instant === undefined ? null : isoInstant(instant);

export function keyView(key: ApiKey, { caller, now }: Pick<Call, 'caller' | 'now'>) {
  const { grant } = key;
  const isCurrent = key.id === caller.key.id;
  const isPublishable = grant.kind === 'publishable';
  return {
    id: key.id,
    hint: key.hint ?? null,
    kind: grant.kind,
    label: key.label ?? null,
    scopes: [...scopesOf(grant)],
    origins: isPublishable ? [...grant.origins] : [],
    allow_no_origin: isPublishable && grant.allowNoOrigin,
    requests_per_minute: isPublishable ? grant.requestsPerMinute : null,
    current: isCurrent,
    created_at: isoInstant(key.createdAt),
    expires_at: isoOrNull(key.expiresAt),
    last_used_at: isoOrNull(isCurrent ? minuteOf(now) : key.lastUsedAt),
    revoked_at: isoOrNull(key.revokedAt),
  };
}

type KeyCall = Pick<Call, 'caller' | 'services' | 'now'>;

/**
 * A page of the caller's keys, and where the next one begins.
 * @param field The parameter of `after`, for errors.
 */
export async function keyPage(
  { caller, services, now }: KeyCall,
  after: string | undefined,
  field: string,
) {
  const from = { now, limit: KEYS_PER_PAGE, after };
  const page = await services.store.listKeys(caller.account.id, from);
  if (page === undefined) {
    throw notFound('unknown_id', {
      field,
      message: sentence('You have no key with that id.', 'No tiene una clave con ese id.'),
    });
  }
  return { keys: page.keys.map((key) => keyView(key, { caller, now })), next: page.next ?? null };
}

/**
 * An active key of the caller.
 * @throws ApiError `resource_not_found` for every reason, so that ids of other accounts stay
 *   secret.
 */
export async function ownKey({ caller, services, now }: KeyCall, id: string): Promise<ApiKey> {
  const key = await services.store.findKey(id);
  if (key?.accountId === caller.account.id && isLive(key, now)) return key;
  throw noSuchKey();
}

export function noSuchKey(): ApiError {
  return notFound('unknown_id', {
    field: 'id',
    message: sentence(
      'You have no live key with that id.',
      'No tiene una clave activa con ese id.',
    ),
  });
}

/** Example keys: one for a program, one for a page. */
export const EXAMPLE_KEYS = {
  full: {
    id: 'key_3Zk9',
    hint: 'vfx_live_…7Qd2',
    kind: 'full',
    label: null,
    scopes: SCOPES,
    origins: [],
    allow_no_origin: false,
    requests_per_minute: null,
    current: true,
    created_at: '2026-10-02T14:05:00.000Z',
    expires_at: null,
    last_used_at: '2026-11-21T12:00:00.000Z',
    revoked_at: null,
  },
  shop: {
    id: 'key_8Tq1',
    hint: 'vfx_pub_…x0Ls',
    kind: 'publishable',
    label: 'Tienda en línea',
    scopes: ['rates', 'official'],
    origins: ['https://tienda.example'],
    allow_no_origin: false,
    requests_per_minute: 60,
    current: false,
    created_at: '2026-11-21T03:00:00.000Z',
    expires_at: '2027-06-30T04:00:00.000Z',
    last_used_at: null,
    revoked_at: null,
  },
};
