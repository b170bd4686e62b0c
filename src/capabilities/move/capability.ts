import type { Capability } from '../../core/capability.ts';
import { moveCommand } from './command.ts';

/** From a folder to PostgreSQL. */
export const move: Capability = { name: 'move', commands: () => [moveCommand] };
