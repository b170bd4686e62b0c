import type { LookupAddress, LookupOptions } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { SourceFailure } from '../app/failures.ts';
import { guardedLookup, isLoopback, isPublicAddress } from './address.ts';

/** The last address outside and the first inside of each stretch, or the other way round. */
const PAIRS: readonly (readonly [what: string, isPublic: string, isNot: string])[] = [
  ['unspecified', '1.0.0.0', '0.255.255.255'],
  ['private 10/8, from below', '9.255.255.255', '10.0.0.0'],
  ['private 10/8, from above', '11.0.0.0', '10.255.255.255'],
  ['carrier-grade NAT, from below', '100.63.255.255', '100.64.0.0'],
  ['carrier-grade NAT, from above', '100.128.0.0', '100.127.255.255'],
  ['loopback, from below', '126.255.255.255', '127.0.0.0'],
  ['loopback, from above', '128.0.0.0', '127.255.255.255'],
  ['link-local, from below', '169.253.255.255', '169.254.0.0'],
  ['link-local, from above', '169.255.0.0', '169.254.255.255'],
  ['private 172.16/12, from below', '172.15.255.255', '172.16.0.0'],
  ['private 172.16/12, from above', '172.32.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.1.0', '192.0.0.255'],
  ['documentation 1', '192.0.3.0', '192.0.2.255'],
  ['relays of 6to4', '192.88.98.255', '192.88.99.1'],
  ['private 192.168/16, from below', '192.167.255.255', '192.168.0.0'],
  ['private 192.168/16, from above', '192.169.0.0', '192.168.255.255'],
  ['benchmarks', '198.20.0.0', '198.19.255.255'],
  ['documentation 2', '198.51.101.0', '198.51.100.255'],
  ['documentation 3', '203.0.114.0', '203.0.113.0'],
  ['multicast', '223.255.255.255', '224.0.0.0'],
  ['global unicast, from below', '2000::1', '1fff:ffff::1'],
  ['global unicast, from above', '3ffe::1', '4000::1'],
  ['documentation of IPv6, older', '2001:db9::1', '2001:db8:ffff::1'],
  ['documentation of IPv6, newer', '3fff:1000::1', '3fff:fff::1'],
  ['Teredo and other protocols', '2001:200::1', '2001:1ff::1'],
  ['IPv4 as IPv6', '::ffff:8.8.8.8', '::ffff:10.1.2.3'],
  ['IPv4 as IPv6, in hexadecimal', '::ffff:808:808', '::ffff:7f00:1'],
  ['IPv4 in 6to4', '2002:808:808::1', '2002:a01:203::1'],
  ['IPv4 in 6to4, carrier-grade NAT', '2002:6480::1', '2002:647f:ffff::1'],
  ['IPv4 behind NAT64', '64:ff9b::8.8.8.8', '64:ff9b::192.168.1.1'],
];

const NEVER = [
  '::',
  '::1',
  '::8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  'localhost',
  '8.8.8',
  '',
];

describe('addresses of sources', () => {
  test.each(PAIRS)('%s: %s is public, %s is not', (_what, isPublic, isNot) => {
    expect([isPublicAddress(isPublic), isPublicAddress(isNot)]).toEqual([true, false]);
  });

  test.each(NEVER)('%s is never public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('loopback is exactly 127/8, also as IPv6, and ::1', () => {
    const addresses = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '126.0.0.1', '::2', ''];
    expect(addresses.map(isLoopback)).toEqual([true, true, true, true, false, false, false]);
  });
});

type Found = { error: Error | null; address: string | LookupAddress[]; family?: number };

/** What a socket is given for a name that has these addresses. */
function lookUp(addresses: readonly string[], options: LookupOptions = {}): Promise<Found> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = guardedLookup(isPublicAddress, (_name, _options, done) => done(null, found));
  return new Promise((resolve) => {
    lookup('rates.example', options, (error, address, family) => {
      resolve({ error, address, ...(family !== undefined && { family }) });
    });
  });
}

describe('looking up the name of a source', () => {
  test('gives a socket the public addresses, one or all as requested', async () => {
    const addresses = ['8.8.8.8', '2606:4700::1111'];
    expect(await lookUp(addresses)).toEqual({ error: null, address: '8.8.8.8', family: 4 });
    const all = await lookUp(addresses, { all: true });
    expect(all.address).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test.each([{ all: true }, { all: false }])(
    'refuses a name with any non-public address (%o)',
    async (options) => {
      for (const addresses of [['10.0.0.1'], ['8.8.8.8', '::1'], ['127.0.0.1', '8.8.8.8']]) {
        const { error, address } = await lookUp(addresses, options);
        expect(error).toBeInstanceOf(SourceFailure);
        expect(error).toMatchObject({ reason: 'forbidden_address' });
        expect(error?.message).not.toContain('10.0.0.1');
        expect(address).toBe('');
      }
    },
  );

  test('fails for a name without an address', async () => {
    expect((await lookUp([])).error).toMatchObject({ reason: 'unreachable' });
  });

  test('passes on a failed lookup', async () => {
    const failed = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const lookup = guardedLookup(isPublicAddress, (_name, _options, done) => done(failed, []));
    const error = await new Promise((resolve) => lookup('rates.example', {}, resolve));
    expect(error).toBe(failed);
  });
});
