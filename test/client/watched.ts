import { Vesfx, type VesfxOptions } from '../../src/client/vesfx.ts';

/** A request of the client and the status that it got. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly status: number;
}

/** A client that records its real requests. */
export function watchedClient(options: VesfxOptions): {
  readonly vesfx: Vesfx;
  readonly seen: readonly Seen[];
} {
  const seen: Seen[] = [];
  const watching: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const response = await fetch(request);
    const { method, headers } = request;
    seen.push({ method, path: pathname + search, headers, status: response.status });
    return response;
  };
  return { vesfx: new Vesfx({ ...options, fetch: watching }), seen };
}
