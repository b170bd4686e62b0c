import { KEYLESS_REQUESTS_PER_MINUTE, TOO_MANY_WITHOUT_KEY } from '../routing/address-limits.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import { criptoyaEndpoints } from './criptoya.ts';
import { dolarapi } from './dolarapi.ts';
import { frankfurter } from './frankfurter.ts';
import { pydolarve } from './pydolarve.ts';

/** The other services whose addresses this service answers, by their name in `VESFX_COMPAT`. */
const SERVICES = {
  dolarapi,
  pydolarve,
  criptoya: criptoyaEndpoints,
  frankfurter,
} as const satisfies Readonly<Record<string, readonly Endpoint[]>>;

export type CompatService = keyof typeof SERVICES;

/** The limit of calls without a key by IP address (contract §12). Any page may read them. */
const WITHOUT_KEY = {
  access: 'optional',
  anyOrigin: true,
  addressLimit: {
    name: 'compat',
    perMinute: KEYLESS_REQUESTS_PER_MINUTE,
    message: TOO_MANY_WITHOUT_KEY,
  },
} as const;

/**
 * The endpoints of these services, at the root of this service.
 * @param keyless Whether they also answer without a key.
 */
export function compatEndpoints(
  names: readonly CompatService[],
  { keyless }: { readonly keyless: boolean },
): readonly Endpoint[] {
  const endpoints = names.flatMap((name) => SERVICES[name]);
  return keyless ? endpoints.map((one) => ({ ...one, ...WITHOUT_KEY })) : endpoints;
}
