import Negotiator from 'negotiator';
import { boundedCache } from '../../../app/bounded-cache.ts';

/** Content codings of answers, in our order of preference. */
const CODINGS = ['br', 'zstd', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Codings that a client accepts, in order of preference. `identity` means uncompressed. */
export type AcceptedCodings = readonly (Coding | 'identity')[];

/** Parsed headers kept in memory: clients send only a few different ones. */
// limit: `Accept-Encoding` kept parsed | 200, of up to 200 characters | parsed again | MAX_KNOWN_ACCEPT_LENGTH
const MAX_KNOWN_ACCEPTS = 200;
/** Longer headers are parsed each time. */
const MAX_KNOWN_ACCEPT_LENGTH = 200;

const IDENTITY: AcceptedCodings = ['identity'];
const knownHeaders = boundedCache<AcceptedCodings>(MAX_KNOWN_ACCEPTS);

/**
 * The codings that an `Accept-Encoding` accepts, by its weights and then by our preference. Without
 * the header, or if it accepts none of ours, the answer is not compressed (RFC 9110 §12.5.3).
 */
export function acceptedCodings(acceptEncoding: string | undefined): AcceptedCodings {
  if (acceptEncoding === undefined) return IDENTITY;
  const knownCodings = knownHeaders.get(acceptEncoding);
  if (knownCodings !== undefined) return knownCodings;
  const accepted = encodingsOf(acceptEncoding).filter(isKnown);
  const codings = accepted.length > 0 ? accepted : IDENTITY;
  if (acceptEncoding.length <= MAX_KNOWN_ACCEPT_LENGTH) knownHeaders.set(acceptEncoding, codings);
  return codings;
}

/** The library's types lack `preferred`, which decides between codings of equal weight. */
interface PreferringNegotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

function encodingsOf(acceptEncoding: string): readonly string[] {
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as PreferringNegotiator;
  return negotiator.encodings([...CODINGS, 'identity'], { preferred: CODINGS });
}

function isKnown(name: string): name is AcceptedCodings[number] {
  return name === 'identity' || CODINGS.some((coding) => coding === name);
}
