import Negotiator from 'negotiator';
import { boundedCache } from '../../app/bounded-cache.ts';

/** Content codings that answers may be sent in, the preferred one first. */
export const CODINGS = ['br', 'zstd', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Codings that a client accepts, preferred first. `identity` means no coding. */
export type AcceptedCodings = readonly (Coding | 'identity')[];

/** Headers whose meaning is remembered; clients send only a handful of different ones. */
export const KNOWN_ACCEPTS_MAX = 200;
/** Longer headers are read anew each time. */
const MAX_KNOWN_ACCEPT_LENGTH = 200;

const IDENTITY: AcceptedCodings = ['identity'];
const known = boundedCache<AcceptedCodings>(KNOWN_ACCEPTS_MAX);

/**
 * The codings that an `Accept-Encoding` takes, by its weights and then by our preference. Without
 * the header, or when it takes nothing of ours, the bytes go as they are (RFC 9110 §12.5.3).
 */
export function acceptedCodings(acceptEncoding: string | undefined): AcceptedCodings {
  if (acceptEncoding === undefined) return IDENTITY;
  const remembered = known.get(acceptEncoding);
  if (remembered !== undefined) return remembered;
  const accepted = encodingsOf(acceptEncoding).filter(isKnown);
  const found = accepted.length > 0 ? accepted : IDENTITY;
  if (acceptEncoding.length <= MAX_KNOWN_ACCEPT_LENGTH) known.set(acceptEncoding, found);
  return found;
}

/** The types of the library lack `preferred`, which decides between codings of equal weight. */
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
