import type { CallOptions } from './answers.ts';
import type { Call } from './http-client.ts';
import { READS, type Reads } from './types.ts';

/** The parameters of a read, optional when none is required. */
export type ReadOptions<Id extends keyof Reads> = object extends Reads[Id]['parameters']
  ? [options?: Reads[Id]['parameters'] & CallOptions]
  : [options: Reads[Id]['parameters'] & CallOptions];

/**
 * The request of a read. Path parameters go into the path, the others into the query.
 *
 * @throws TypeError for an unknown id, which JavaScript callers can pass.
 */
export function readCall(id: keyof Reads, { signal, ...given }: CallOptions = {}): Call {
  if (!Object.hasOwn(READS, id)) throw new TypeError(`${id} is not the id of a GET operation.`);
  const { path: template, open } = READS[id];
  const parameters = new Map(Object.entries(given));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return encodeURIComponent(String(value));
  });
  return { path, query: Object.fromEntries(parameters), signal, open };
}
