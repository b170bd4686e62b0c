import type { PathParameters } from './request-context.ts';

/** `Allow` of the whole server: for `OPTIONS *` and for methods that no path accepts. */
export const SERVED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

interface Routed {
  /** With `:name` for one segment. */
  readonly path: string;
  /** Of the whole path, where `:name` takes too much. A path of another form is none of the route's. */
  readonly pathForms: readonly RegExp[];
}

export interface Match<Route> {
  readonly route: Route;
  readonly path: PathParameters;
}

const NO_PARAMETERS: PathParameters = Object.freeze({});

/**
 * Finds the route of a path, byte for byte: letter case, slashes, dots and encodings all matter
 * (contract §4). A path without parameters takes one lookup. No two paths match the same text.
 */
export class Router<Route extends Routed> {
  readonly #exact = new Map<string, Match<Route>>();
  readonly #withParameters: {
    readonly route: Route;
    readonly pattern: RegExp;
    readonly names: readonly string[];
  }[] = [];

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const names = pathParameters(route.path);
      if (names.length === 0) this.#exact.set(route.path, { route, path: NO_PARAMETERS });
      else this.#withParameters.push({ route, pattern: patternOf(route.path), names });
    }
  }

  find(path: string): Match<Route> | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return exact;
    for (const { route, pattern, names } of this.#withParameters) {
      const values = pattern.exec(path)?.slice(1);
      if (values === undefined || route.pathForms.some((form) => !form.test(path))) continue;
      const pairs = names.map((name, position) => [name, values[position] ?? '']);
      return { route, path: Object.fromEntries(pairs) };
    }
    return undefined;
  }
}

/** Names of a declared path's parameters, in order. */
export function pathParameters(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => (segment.startsWith(':') ? segment.slice(1) : []));
}

/** An empty segment is no parameter, so a slash more or less matches nothing. */
function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '([^/]+)' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}
