import type { Capability } from '../../core/capability.ts';
import { routesCommand } from './command.ts';

/** The table of contents of the endpoints. */
export const routes: Capability = { name: 'routes', commands: (all) => [routesCommand(all)] };
