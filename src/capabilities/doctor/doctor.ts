import type { Capability } from '../../core/capability.ts';
import { doctorCommand } from './command.ts';

/** What is wrong with an installation, and what to do. */
export const doctor: Capability = { name: 'doctor', commands: (all) => [doctorCommand(all)] };
