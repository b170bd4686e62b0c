import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  admitsOrigin,
  excessOf,
  hasScope,
  isLive,
  isOrigin,
  type KeyGrant,
  PUBLISHABLE_SCOPES,
  SCOPES,
  scopesOf,
} from './keys.ts';

const publishable = (origins: readonly string[], allowNoOrigin = false) => ({
  kind: 'publishable' as const,
  scopes: PUBLISHABLE_SCOPES,
  origins,
  allowNoOrigin,
  requestsPerMinute: 60,
});

const grants = fc.oneof(
  fc.constant<KeyGrant>({ kind: 'full' }),
  fc.subarray([...SCOPES]).map((scopes): KeyGrant => ({ kind: 'restricted', scopes })),
  fc.subarray([...PUBLISHABLE_SCOPES]).map((scopes): KeyGrant => ({ ...publishable([]), scopes })),
);

describe('kinds of keys (contract §11)', () => {
  test('a key makes only keys whose every scope it has itself', () => {
    fc.assert(
      fc.property(grants, grants, fc.constantFrom(...SCOPES), (made, maker, scope) => {
        if (excessOf(made, maker) !== undefined) return;
        expect(!hasScope(made, scope) || hasScope(maker, scope)).toBe(true);
        expect(made.kind === 'full').toBe(made.kind === 'full' && maker.kind === 'full');
      }),
    );
  });

  test('a key makes any key without more scopes; the first missing scope is named', () => {
    const maker: KeyGrant = { kind: 'restricted', scopes: ['rates', 'account.write'] };
    expect(excessOf({ kind: 'restricted', scopes: ['rates'] }, maker)).toBeUndefined();
    expect(excessOf({ kind: 'restricted', scopes: ['rates', 'mcp'] }, maker)).toBe('mcp');
    expect(excessOf({ kind: 'full' }, maker)).toBe('history');
    expect(excessOf({ kind: 'full' }, { kind: 'restricted', scopes: SCOPES })).toBe('full');
    expect(excessOf({ kind: 'full' }, { kind: 'full' })).toBeUndefined();
    expect(scopesOf({ kind: 'full' })).toEqual(SCOPES);
  });

  const SHOP = 'https://shop.example';

  test.each([
    ['its own origin', publishable([SHOP]), { origin: SHOP, isSameOrigin: false }, true],
    [
      'another origin',
      publishable([SHOP]),
      { origin: 'https://a.example', isSameOrigin: false },
      false,
    ],
    [
      'another scheme',
      publishable([SHOP]),
      { origin: 'http://shop.example', isSameOrigin: false },
      false,
    ],
    ['another port', publishable([SHOP]), { origin: `${SHOP}:8443`, isSameOrigin: false }, false],
    [
      'a subdomain',
      publishable([SHOP]),
      { origin: 'https://a.shop.example', isSameOrigin: false },
      false,
    ],
    ['an opaque origin', publishable([SHOP], true), { origin: 'null', isSameOrigin: true }, false],
    ['no origin', publishable([SHOP]), { origin: undefined, isSameOrigin: false }, false],
    [
      'no origin, allowed',
      publishable([SHOP], true),
      { origin: undefined, isSameOrigin: false },
      true,
    ],
    ['a page of the service', publishable([SHOP]), { origin: undefined, isSameOrigin: true }, true],
  ])('a request from %s', (_from, grant, request, admitted) => {
    expect(admitsOrigin(grant, request)).toBe(admitted);
  });

  test.each([
    ['https://shop.example', true],
    ['http://localhost:3000', true],
    ['http://[::1]:8080', true],
    ['https://xn--pea-8ma.example', true],
    ['https://shop.example/', false],
    ['https://shop.example/page', false],
    ['https://Shop.example', false],
    ['https://shop.example:443', false],
    ['https://*.example', false],
    ['*', false],
    ['null', false],
    ['shop.example', false],
    ['ftp://shop.example', false],
    ['https://user@shop.example', false],
    ['https://peña.example', false],
    ['', false],
    [`https://${'a'.repeat(300)}.example`, false],
  ])('%s is an exact origin: %s', (text, is) => {
    expect(isOrigin(text)).toBe(is);
  });

  test.each([
    ['without an end', true, {}],
    ['one millisecond before its end', true, { expiresAt: 1_001 }],
    ['at its end', false, { expiresAt: 1_000 }],
    ['revoked before its end', false, { expiresAt: 2_000, revokedAt: 999 }],
    ['revoked by a process whose clock is ahead', false, { revokedAt: 1_001 }],
  ])('a key %s works: %s', (_what, works, ends) => {
    expect(isLive(ends, 1_000)).toBe(works);
  });
});
