import type { Endpoint } from '../routing/endpoint.ts';
import { criptoya } from './criptoya.ts';
import { dolarapi } from './dolarapi.ts';
import { frankfurter } from './frankfurter.ts';
import { pydolarve } from './pydolarve.ts';

/** The other services at whose addresses we answer, as `VESFX_COMPAT` names them. */
const SERVICES = { dolarapi, pydolarve, criptoya, frankfurter } as const satisfies Readonly<
  Record<string, readonly Endpoint[]>
>;

export type CompatService = keyof typeof SERVICES;

/**
 * The addresses of these services, which lie at the root beside ours.
 * @param keyless Whether they answer without a key too.
 */
export function compatEndpoints(
  names: readonly CompatService[],
  { keyless }: { readonly keyless: boolean },
): readonly Endpoint[] {
  const found = names.flatMap((name) => SERVICES[name]);
  return keyless ? found.map((one) => ({ ...one, keyless: true as const })) : found;
}
