import ipaddr from 'ipaddr.js';

/** An IPv6 client has a network of 2^64 addresses, so the network counts as one client. */
const IPV6_PREFIX_GROUPS = 4;

/**
 * The address from which a request comes, as IPv6 writes it shortest; '' if it is not known.
 *
 * `forwardedFor` is the `X-Forwarded-For` header of a trusted proxy, which appends the address of
 * its own client, with or without a port. If the last entry is not an address, the address of the
 * proxy counts.
 */
export function callerAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
): string {
  const forwarded = forwardedFor?.split(',').at(-1);
  const client = forwarded === undefined ? undefined : parsed(withoutPort(forwarded.trim()));
  return (client ?? parsed(socketAddress ?? ''))?.toString() ?? '';
}

/**
 * The client to which a request is counted: an IPv4 address, or the /64 network of an IPv6 address
 * (`2001:db8:1:2::/64`).
 */
export function clientAddress(...caller: Parameters<typeof callerAddress>): string {
  const address = callerAddress(...caller);
  if (!address.includes(':')) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, IPV6_PREFIX_GROUPS);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Strips port, brackets and quotes from `192.0.2.1:443`, `[2001:db8::1]:443` or `"[2001:db8::1]"`. */
function withoutPort(text: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(bare)?.[1];
  return bracketed ?? bare.replace(/^([\d.]+):\d*$/, '$1');
}

/** The address; undefined for other text. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
