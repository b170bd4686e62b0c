import type { Instant } from './time.ts';

/** Kinds of keys and what each may do (contract §11). */

export const KEY_KINDS = ['full', 'restricted', 'publishable'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export const SCOPES = [
  'rates',
  'history',
  'official',
  'stream',
  'mcp',
  'account.read',
  'account.write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Those that a restricted key can be given. */
export const GRANTABLE_SCOPES: typeof SCOPES = SCOPES;

/** Those that a publishable key can be given. Anyone can read such a key in a page. */
export const PUBLISHABLE_SCOPES = [
  'rates',
  'history',
  'official',
  'stream',
] as const satisfies readonly Scope[];

/** Those that it gets where none is named: a stranger could use up the streams of an account. */
export const USUAL_SCOPES = ['rates', 'history', 'official'] as const satisfies readonly Scope[];

// limit: Publishable key: origins, length of one | 10, 300 characters | 400 | MAX_ORIGIN_LENGTH
export const MAX_KEY_ORIGINS = 10;
/** Longest origin of a key, in characters. */
const MAX_ORIGIN_LENGTH = 300;
/** Requests a minute of one publishable key, unless the key sets a lower limit. */
// limit: Publishable key: requests | 60 a minute, or its own lower limit | 429
export const PUBLISHABLE_REQUESTS_PER_MINUTE = 60;

/** What the holder of a key may do. */
export type KeyGrant =
  /** Everything, including what later versions add. */
  | { readonly kind: 'full' }
  | { readonly kind: 'restricted'; readonly scopes: readonly Scope[] }
  | PublishableGrant;

export interface PublishableGrant {
  readonly kind: 'publishable';
  readonly scopes: readonly Scope[];
  /** Pages of these origins may send the key. */
  readonly origins: readonly string[];
  /** Whether requests that name no origin may too, such as those of spreadsheets. */
  readonly allowNoOrigin: boolean;
  /** From 1 to 60. */
  readonly requestsPerMinute: number;
}

/** When a key stops working, for one reason or the other. */
interface KeyEnds {
  readonly expiresAt?: Instant;
  readonly revokedAt?: Instant;
  /** The requested end; a rotation only moves `expiresAt`. */
  readonly lastsUntil?: Instant;
}

/** Whether the key works: it is not revoked, and its end is after `now`. */
export function isLive({ revokedAt, expiresAt = Infinity }: KeyEnds, now: Instant): boolean {
  return revokedAt === undefined && expiresAt > now;
}

/** Whether the key was rotated and works until the end of its grace period. */
export function isInGrace({ expiresAt, lastsUntil }: KeyEnds): boolean {
  return expiresAt !== undefined && expiresAt !== lastsUntil;
}

export function scopesOf(grant: KeyGrant): readonly Scope[] {
  return grant.kind === 'full' ? SCOPES : grant.scopes;
}

export function hasScope(grant: KeyGrant, scope: Scope): boolean {
  return grant.kind === 'full' || grant.scopes.includes(scope);
}

/**
 * What a new key's `grant` would have beyond its `maker`: the first such scope, or `full`.
 * Undefined when `maker` may create the key.
 */
export function excessOf(grant: KeyGrant, maker: KeyGrant): Scope | 'full' | undefined {
  if (maker.kind === 'full') return undefined;
  const scope = scopesOf(grant).find((one) => !maker.scopes.includes(one));
  return scope ?? (grant.kind === 'full' ? 'full' : undefined);
}

/** What a request says of the page that sent it. */
export interface RequestOrigin {
  /** Origin of the page, as the browser names it. */
  readonly origin: string | undefined;
  /** Whether the browser says that the service itself served the page. */
  readonly isSameOrigin: boolean;
}

/** Whether a request from that origin may use a publishable key (contract §11). */
export function admitsOrigin(
  { origins, allowNoOrigin }: Pick<PublishableGrant, 'origins' | 'allowNoOrigin'>,
  { origin, isSameOrigin }: RequestOrigin,
): boolean {
  if (origin !== undefined) return origins.includes(origin);
  return allowNoOrigin || isSameOrigin;
}

const ORIGIN = /^https?:\/\/[a-z0-9._:[\]-]+$/;

/** Whether the text is an origin as browsers send it, such as `https://shop.example`. */
export function isOrigin(text: string): boolean {
  if (text.length > MAX_ORIGIN_LENGTH || !ORIGIN.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}
