import type { Endpoint } from '../routing/endpoint.ts';
import type { Operation } from './operation.ts';

export interface Documented extends Endpoint {
  readonly operation: Operation;
}

export function isDocumented(endpoint: Endpoint): endpoint is Documented {
  return endpoint.operation !== undefined;
}

/** `listRates` becomes `ListRates`. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
