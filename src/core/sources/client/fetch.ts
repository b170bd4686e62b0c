import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { SourceFailure } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { UpstreamBody, UpstreamRequest } from '../../app/ports/sources.ts';
import { forbidden, guardedLookup, isLoopback, isPublicAddress } from '../../outbound/address.ts';
import { HostThrottle } from './host-throttle.ts';
import { sendRequest, type Target } from './http-client.ts';

export interface FetchLimits {
  /** Timeout from the name look-up to the last byte. Waiting for the host does not count. */
  readonly timeoutMs: number;
}

interface FetcherOptions {
  /** The service and its contact: `vesfx/1.0.0 (+https://example.org/contact)`. */
  readonly userAgent: string;
  readonly clock: Clock;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Additional PEM certificates to verify a host, besides those that Node trusts. */
  readonly certificates: (hostname: string) => readonly string[];
  /** Allows loopback addresses, also without TLS. For tests. */
  readonly allowLoopback?: boolean;
}

/**
 * Reads upstreams over HTTP/1.1. Each request has its own connection, because sources are read at
 * most once a minute. Redirects are not followed, proxies from the environment are not used, and
 * hosts are always verified.
 */
export function createFetcher(options: FetcherOptions) {
  const { userAgent, clock, allowLoopback = false } = options;
  const throttle = new HostThrottle(options);
  const secureContextOf = secureContexts(options.certificates);
  const underWay = new Set<AbortController>();
  let closed = false;

  async function fetchNow(
    target: Target,
    request: UpstreamRequest,
    { timeoutMs }: FetchLimits,
  ): Promise<UpstreamBody | SourceFailure> {
    if (closed) throw stopping();
    const { host } = target.url;
    const abort = new AbortController();
    const { signal } = abort;
    const late = `${host} did not answer in full within ${timeoutMs} ms`;
    const timer = setTimeout(() => abort.abort(new SourceFailure('timeout', late)), timeoutMs);
    underWay.add(abort);
    try {
      return await sendRequest(target, request, { userAgent, signal, clock });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      underWay.delete(abort);
    }
  }

  return {
    /**
     * Sends one request within the limits of `HostThrottle`.
     * @throws SourceFailure for all but a complete answer of status 200 and an accepted media type.
     */
    async fetch(request: UpstreamRequest, limits: FetchLimits): Promise<UpstreamBody> {
      const url = addressOf(request.url, allowLoopback);
      const target = {
        url,
        lookup: guardedLookup((address) => isAllowed(address, url, allowLoopback)),
        secureContext: secureContextOf(url.hostname),
      };
      const answer = await throttle.inTurn(url.host, () => fetchNow(target, request, limits));
      if (answer instanceof SourceFailure) throw answer;
      return answer;
    },
    /** Aborts requests in progress and refuses further ones. */
    close() {
      closed = true;
      for (const abort of underWay) abort.abort(stopping());
    },
  };
}

/** Whether a request may go to the address. Without TLS only loopback is allowed. */
function isAllowed(address: string, { protocol }: URL, allowLoopback: boolean): boolean {
  if (allowLoopback && isLoopback(address)) return true;
  return protocol === 'https:' && isPublicAddress(address);
}

function addressOf(text: string, allowLoopback: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:');
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    const rule = 'the address of a source must be https, without a user name or password';
    throw new SourceFailure('forbidden_address', rule);
  }
  // `lookup` is not called for a literal address, so check it here.
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isAllowed(literal, url, allowLoopback)) throw forbidden(literal);
  return url;
}

function secureContexts(
  certificates: FetcherOptions['certificates'],
): (hostname: string) => SecureContext | undefined {
  const made = new Map<string, SecureContext>();
  return (hostname) => {
    const more = certificates(hostname);
    if (more.length === 0) return undefined;
    // `ca` replaces the certificates that Node trusts, so add these too.
    const context =
      made.get(hostname) ?? createSecureContext({ ca: [...getCACertificates('default'), ...more] });
    made.set(hostname, context);
    return context;
  };
}

function stopping(): SourceFailure {
  return new SourceFailure('paused', 'the service is stopping');
}
