import { describe, expect, test } from 'vitest';
import { callerAddress, clientAddress } from './client-address.ts';

const PROXY = '10.0.0.1';

describe('the client whose requests are counted together', () => {
  test.each([
    ['9.9.9.9', '9.9.9.9'],
    ['9.9.9.9:1234', '9.9.9.9'],
    [' 9.9.9.9:65535 ', '9.9.9.9'],
    ['"9.9.9.9:1234"', '9.9.9.9'],
    ['1.1.1.1, 9.9.9.9:7', '9.9.9.9'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['[::ffff:9.9.9.9]:80', '9.9.9.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['"[2001:DB8:1:2::9]"', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('contract §4 X-Forwarded-For %j is counted as %s', (forwarded, counted) => {
    expect(clientAddress(PROXY, forwarded)).toBe(counted);
  });

  test('contract §4 all addresses of one IPv6 /64 are one client', () => {
    const of = (address: string) => clientAddress(address, undefined);
    expect(of('2001:db8:1:2::1')).toBe(of('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'));
  });

  test.each(['', 'unknown', '_hidden', '9.9.9', '09.9.9.9', '1', '9.9.9.9:x', '[::1', '::1]:1'])(
    'contract §4 with X-Forwarded-For %j, which is not an address, the proxy is counted',
    (forwarded) => {
      expect(clientAddress(PROXY, forwarded)).toBe(PROXY);
    },
  );

  test('all sockets without an address are counted as one client', () => {
    expect(clientAddress(undefined, undefined)).toBe('');
    expect(clientAddress('::ffff:127.0.0.1', undefined)).toBe('127.0.0.1');
  });

  test.each([
    ['9.9.9.9:1234', '9.9.9.9'],
    ['"[2001:DB8:1:2::9]:80"', '2001:db8:1:2::9'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['unknown', PROXY],
  ])('contract §4 the whole address of X-Forwarded-For %j is %s', (forwarded, address) => {
    expect(callerAddress(PROXY, forwarded)).toBe(address);
  });
});
