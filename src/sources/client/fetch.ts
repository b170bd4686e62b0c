import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { SourceFailure } from '../../app/failures.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { UpstreamBody, UpstreamRequest } from '../../app/ports/sources.ts';
import { forbidden, guardedLookup, isLoopback, isPublicAddress } from '../../outbound/address.ts';
import { HostThrottle } from './host-throttle.ts';
import { sendRequest, type Target } from './http-client.ts';

export interface FetchLimits {
  /** From looking up the name to the last byte; waiting for the host's turn comes before. */
  readonly timeoutMs: number;
}

export interface Fetcher {
  /**
   * Makes one request when it is the host's turn (`HostThrottle`).
   * @throws SourceFailure for all but a whole answer of status 200 and of an accepted media type.
   */
  fetch(request: UpstreamRequest, limits: FetchLimits): Promise<UpstreamBody>;
  /** Ends the requests under way and refuses further ones. */
  close(): void;
}

export interface FetcherOptions {
  /** Who asks, and where to complain: `vesfx/1.0.0 (+https://example.org/contact)`. */
  readonly userAgent: string;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** Certificates in PEM by which a host is verified besides those that Node trusts. */
  readonly certificates: (hostname: string) => readonly string[];
  /** Tests ask servers on loopback addresses, also without TLS. */
  readonly allowLoopback?: boolean;
}

/**
 * Reads upstreams over HTTP/1.1. Each request has a connection of its own: sources are read once a
 * minute at most, so there is little to reuse, and nothing is left when a request is over. Redirects
 * are not followed, proxies that the environment names not used, hosts always verified.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
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
      return await sendRequest(target, request, {
        userAgent,
        signal,
        now: () => clock.now(),
      });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      underWay.delete(abort);
    }
  }

  return {
    async fetch(request, limits) {
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
    close() {
      closed = true;
      for (const abort of underWay) abort.abort(stopping());
    },
  };
}

/** Without TLS nothing but loopback is ever asked. */
function isAllowed(address: string, { protocol }: URL, allowLoopback: boolean): boolean {
  if (allowLoopback && isLoopback(address)) return true;
  return protocol === 'https:' && isPublicAddress(address);
}

/** @throws SourceFailure `forbidden_address` for what no source may have as its address. */
function addressOf(text: string, allowLoopback: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:');
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    const rule = 'the address of a source must be https, without a user name or password';
    throw new SourceFailure('forbidden_address', rule);
  }
  // A socket looks up names; an address in the place of a name has to be judged here.
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0 && !isAllowed(literal, url, allowLoopback)) throw forbidden(literal);
  return url;
}

/** What hosts with certificates of their own are verified by, made once for each. */
function secureContexts(
  certificates: FetcherOptions['certificates'],
): (hostname: string) => SecureContext | undefined {
  const made = new Map<string, SecureContext>();
  return (hostname) => {
    const more = certificates(hostname);
    if (more.length === 0) return undefined;
    // To name certificates is to replace those that Node trusts, so these are named too.
    const context =
      made.get(hostname) ?? createSecureContext({ ca: [...getCACertificates('default'), ...more] });
    made.set(hostname, context);
    return context;
  };
}

function stopping(): SourceFailure {
  return new SourceFailure('paused', 'the service is stopping');
}
