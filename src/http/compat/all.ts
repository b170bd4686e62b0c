import type { Endpoint } from '../routing/endpoint.ts';
import { KEYLESS_REQUESTS_PER_MINUTE } from '../server/request-limit.ts';
import { criptoya } from './criptoya.ts';
import { dolarapi } from './dolarapi.ts';
import { frankfurter } from './frankfurter.ts';
import { pydolarve } from './pydolarve.ts';

/** The other services at whose addresses we answer, as `VESFX_COMPAT` names them. */
const SERVICES = { dolarapi, pydolarve, criptoya, frankfurter } as const satisfies Readonly<
  Record<string, readonly Endpoint[]>
>;

export type CompatService = keyof typeof SERVICES;

/** Without a key they answer any page, so often from one address (decisions §12). */
const WITHOUT_KEY = {
  access: 'optional',
  anyOrigin: true,
  addressLimit: {
    name: 'compat',
    perMinute: KEYLESS_REQUESTS_PER_MINUTE,
    message: 'Too many requests without a key from this address.',
  },
} as const;

/**
 * The addresses of these services, which lie at the root beside ours.
 * @param keyless Whether they answer without a key too.
 */
export function compatEndpoints(
  names: readonly CompatService[],
  { keyless }: { readonly keyless: boolean },
): readonly Endpoint[] {
  const found = names.flatMap((name) => SERVICES[name]);
  return keyless ? found.map((one) => ({ ...one, ...WITHOUT_KEY })) : found;
}
