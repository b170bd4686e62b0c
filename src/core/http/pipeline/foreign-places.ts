import { KEY_PREFIX } from '../../app/access/keys.ts';
import type { Match, Router } from '../framework/routing/router.ts';
import { NOWHERE, type Place, type Route } from './route.ts';
import { KEY_NAME, withoutPathKey } from './service-request.ts';

/** The key in its own place of a path. That of another service is no key of ours. */
function keysWithin({ path }: Match<Route>): readonly string[] {
  const key = path[KEY_NAME];
  return key?.startsWith(KEY_PREFIX) ? [key] : [];
}

/** Finds where paths lead in a service that has addresses of other services. */
export class ForeignPlaces {
  readonly #router: Router<Route>;
  /** What addresses of other services begin with, and ours do not, the longest first. */
  readonly #foreign: readonly { readonly prefix: string; readonly route: Route }[];

  constructor(router: Router<Route>, routes: readonly Route[]) {
    this.#router = router;
    const own = routes.filter(({ isForeign }) => !isForeign);
    this.#foreign = routes
      .filter(({ isForeign }) => isForeign)
      .map((route) => ({ route, prefix: beginningOf(route.path) }))
      .filter(({ prefix }) => !own.some(({ path }) => path.startsWith(prefix)))
      .sort((a, b) => b.prefix.length - a.prefix.length);
  }

  /**
   * Where a path leads. At addresses of other services a key may stand in front of it, a base address may
   * have ended with a slash, and so may the path.
   */
  of(path: string): Place {
    const place = this.#placeOf(path);
    if (place.match !== undefined) return place;
    const tidy = withoutSpareSlashes(path);
    const tidied = tidy === path ? place : this.#placeOf(tidy);
    return tidied.isForeign ? tidied : place;
  }

  #placeOf(path: string): Place {
    const keyed = withoutPathKey(path);
    const rest = keyed?.path ?? path;
    const match = this.#router.find(rest);
    const pathKeys = keyed === undefined ? [] : [keyed.key];
    if (match !== undefined) {
      if (match.route.isForeign) {
        return { match, isForeign: true, pathKeys: [...pathKeys, ...keysWithin(match)] };
      }
      return keyed === undefined ? { ...NOWHERE, match } : NOWHERE;
    }
    const near = this.#foreign.find(({ prefix }) => rest.startsWith(prefix))?.route;
    return near === undefined ? NOWHERE : { match, near, isForeign: true, pathKeys };
  }
}

/** What comes before the first parameter of a path, or before its last name. */
function beginningOf(path: string): string {
  const [fixed = ''] = path.split(':');
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
}

/** The path with single slashes and none at the end. */
function withoutSpareSlashes(path: string): string {
  const single = path.replaceAll(/\/+/g, '/');
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}
