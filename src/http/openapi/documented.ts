import type { Documentation, Endpoint } from '../routing/endpoint.ts';

export type Documented = Endpoint & Documentation;

export function isDocumented(endpoint: Endpoint): endpoint is Documented {
  return endpoint.operation !== undefined;
}

/** `listRates` becomes `ListRates`. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
