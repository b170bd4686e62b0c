import type { Capability } from '../../core/capability.ts';
import { demoCommand } from './command.ts';

/** The service on bundled figures, for whoever wants to look at it. */
export const demo: Capability = { name: 'demo', commands: (all) => [demoCommand(all)] };
