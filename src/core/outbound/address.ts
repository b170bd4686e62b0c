import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { SourceFailure } from '../app/failures.ts';

/** IPv4 ranges that are not public, from the special-purpose registry of IANA (RFC 6890). */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8], // this network, and unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const;

/** IPv6 ranges that may be public. All others, such as loopback and link-local, are not. */
const MAYBE_PUBLIC_V6 = [
  ['2000::', 3], // global unicast
  ['::ffff:0:0', 96], // IPv4 written as IPv6
  ['64:ff9b::', 96], // IPv4 behind NAT64
] as const;

/** Ranges among them that are not public. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23], // protocol assignments, with Teredo
  ['2001:db8::', 32], // documentation
  ['3fff::', 20], // documentation
] as const;

const maybePublicV6 = new BlockList();
for (const [net, prefix] of MAYBE_PUBLIC_V6) maybePublicV6.addSubnet(net, prefix, 'ipv6');

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(net, prefix, 'ipv6');
for (const [net, prefix] of NOT_PUBLIC_V4) {
  notPublic.addSubnet(net, prefix, 'ipv4');
  // A BlockList handles IPv4-mapped IPv6 itself, but not NAT64 and 6to4.
  notPublic.addSubnet(`64:ff9b::${asGroups(net)}`, 96 + prefix, 'ipv6');
  notPublic.addSubnet(`2002:${asGroups(net)}::`, 16 + prefix, 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function asGroups(v4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Whether the text is an address that a server on the public internet can have. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4');
    case 6:
      return maybePublicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
    default:
      return false;
  }
}

export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A `lookup` for sockets that returns only allowed addresses. The socket connects to one of the
 * checked addresses, so a name that resolves differently a moment later (DNS rebinding) gains
 * nothing. A single forbidden address refuses the whole name, because a public name should not have
 * one.
 */
export function guardedLookup(
  isAllowed: (address: string) => boolean,
  resolve: Resolve = lookup,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        const none = new SourceFailure('unreachable', `${hostname} has no address`);
        done(error ?? none, '');
      } else if (!addresses.every(({ address }) => isAllowed(address))) {
        done(forbidden(hostname), '');
      } else if (options.all === true) {
        done(null, addresses);
      } else {
        done(null, first.address, first.family);
      }
    });
  };
}

export function forbidden(hostname: string): SourceFailure {
  return new SourceFailure(
    'forbidden_address',
    `${hostname} has an address that is not on the public internet`,
  );
}
