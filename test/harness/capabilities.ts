import { CAPABILITIES } from '../../src/capabilities.ts';

/** Whether the product has that capability: `npm run without` removes one. */
export function hasCapability(name: string): boolean {
  return CAPABILITIES.some((capability) => capability.name === name);
}
