import { fault, type ValueRule } from '../../domain/errors/value-rules.ts';
import { invalidField, invalidItem, missingField } from '../../domain/errors.ts';
import {
  GRANTABLE_SCOPES,
  isOrigin,
  KEY_KINDS,
  type KeyGrant,
  type KeyKind,
  MAX_KEY_ORIGINS,
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  PUBLISHABLE_SCOPES,
  SCOPES,
  type Scope,
  USUAL_SCOPES,
} from '../../domain/keys.ts';
import { DAY_MS, type Instant } from '../../domain/time.ts';
import { notOneOf } from '../schema-sentences.ts';

// limit: Key: label, life | 100 characters, two years | 400 | MAX_KEY_LIFE_MS
export const MAX_KEY_LABEL_LENGTH = 100;
const MAX_KEY_LIFE_MS = 2 * 366 * DAY_MS;
/**
 * No control characters, because labels are written to terminals and pages. No unpaired surrogates,
 * because databases give them back as another character.
 */
const LABEL = /^[^\p{Cc}\p{Cs}]+$/u;

const EVERY_SCOPE = fault(
  'not_applicable',
  'a full key has every scope',
  'una clave completa tiene todos los permisos',
);
const ONLY_PUBLISHABLE = fault(
  'not_applicable',
  'is for publishable keys',
  'es para claves publicables',
);
const NO_ORIGIN = fault(
  'malformed',
  'must be an exact origin, such as https://shop.example',
  'debe ser un origen exacto, como https://tienda.example',
);

interface GrantRequest {
  readonly scopes?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly allowNoOrigin?: boolean | undefined;
  readonly requestsPerMinute?: number | undefined;
}

interface KnownScopes {
  readonly usual?: readonly Scope[];
  readonly held?: readonly Scope[] | undefined;
}

/** @throws ApiError `invalid_format` for an unknown kind. */
export function keyKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((name) => name === text);
  if (kind === undefined) throw invalidField('kind', notOneOf(KEY_KINDS));
  return kind;
}

/**
 * Validates what a key of the kind may do.
 * @param known `usual`: default scopes of a publishable key. `held`: scopes that it already has and
 *   may keep, even if they can no longer be given.
 * @throws ApiError `missing_field` or `invalid_format` with the field.
 */
export function grantOf(
  kind: KeyKind,
  request: GrantRequest,
  { usual = USUAL_SCOPES, held = [] }: KnownScopes = {},
): KeyGrant {
  const { scopes, origins = [], allowNoOrigin = false, requestsPerMinute } = request;
  if (kind === 'full' && scopes !== undefined) {
    throw invalidField('scopes', EVERY_SCOPE);
  }
  if (kind !== 'publishable') {
    if (origins.length > 0) throw invalidField('origins', ONLY_PUBLISHABLE);
    if (allowNoOrigin) throw invalidField('allow_no_origin', ONLY_PUBLISHABLE);
    if (requestsPerMinute !== undefined)
      throw invalidField('requests_per_minute', ONLY_PUBLISHABLE);
  }
  switch (kind) {
    case 'full':
      return { kind };
    case 'restricted':
      if (scopes === undefined) throw missingField('scopes');
      return { kind, scopes: scopesIn(scopes, GRANTABLE_SCOPES, held) };
    case 'publishable':
      return {
        kind,
        scopes: scopesIn(scopes ?? usual, PUBLISHABLE_SCOPES, held),
        origins: originsIn(origins),
        allowNoOrigin,
        requestsPerMinute: rateIn(requestsPerMinute),
      };
    default:
      return kind satisfies never;
  }
}

function scopesIn(
  requested: readonly string[],
  allowed: readonly Scope[],
  held: readonly Scope[],
): readonly Scope[] {
  if (requested.length === 0) {
    throw invalidField(
      'scopes',
      fault(
        'empty',
        `must be one or more of ${allowed.join(', ')}`,
        `debe ser uno o más de ${allowed.join(', ')}`,
      ),
    );
  }
  const known: readonly string[] = [...allowed, ...held];
  const wrong = requested.findIndex((scope) => !known.includes(scope));
  if (wrong >= 0) throw invalidItem('scopes', wrong, notOneOf(allowed));
  return SCOPES.filter((scope) => requested.includes(scope));
}

function originsIn(requested: readonly string[]): readonly string[] {
  const origins = [...new Set(requested)];
  if (origins.length > MAX_KEY_ORIGINS) {
    throw invalidField(
      'origins',
      fault(
        'too_many',
        `must be at most ${MAX_KEY_ORIGINS}`,
        `deben ser como máximo ${MAX_KEY_ORIGINS}`,
      ),
    );
  }
  const wrong = requested.findIndex((origin) => !isOrigin(origin));
  if (wrong >= 0) throw invalidItem('origins', wrong, NO_ORIGIN);
  return origins;
}

function rateIn(requested = PUBLISHABLE_REQUESTS_PER_MINUTE): number {
  if (
    Number.isInteger(requested) &&
    requested >= 1 &&
    requested <= PUBLISHABLE_REQUESTS_PER_MINUTE
  ) {
    return requested;
  }
  throw invalidField(
    'requests_per_minute',
    fault(
      Number.isInteger(requested) ? 'out_of_range' : 'not_a_number',
      `must be a whole number from 1 to ${PUBLISHABLE_REQUESTS_PER_MINUTE}`,
      `debe ser un número entero de 1 a ${PUBLISHABLE_REQUESTS_PER_MINUTE}`,
    ),
  );
}

/** @throws ApiError `invalid_format` for an empty or long label, or forbidden characters. */
export function keyLabel(text: string): string {
  const label = text.trim();
  if (label.length <= MAX_KEY_LABEL_LENGTH && LABEL.test(label)) return label;
  throw invalidField(
    'label',
    fault(
      labelRule(label),
      `must have 1 to ${MAX_KEY_LABEL_LENGTH} characters, no control characters or unpaired surrogates`,
      `debe tener de 1 a ${MAX_KEY_LABEL_LENGTH} caracteres, sin caracteres de control ni sustitutos sueltos`,
    ),
  );
}

function labelRule(label: string): ValueRule {
  if (label === '') return 'empty';
  return label.length > MAX_KEY_LABEL_LENGTH ? 'too_long' : 'malformed';
}

/** @throws ApiError `invalid_format` for an end in the past or more than two years ahead. */
export function keyEnd(end: Instant | undefined, now: Instant): Instant {
  if (end !== undefined && end > now && end <= now + MAX_KEY_LIFE_MS) return end;
  throw invalidField(
    'expires_at',
    fault(
      end === undefined ? 'not_a_time' : 'out_of_range',
      'must be a time to come, at most two years away, such as 2027-06-30T04:00:00Z',
      'debe ser una hora por venir, dentro de dos años como máximo, como 2027-06-30T04:00:00Z',
    ),
  );
}
