import type { Migration } from '../migrate.ts';
import { first } from './001-first.ts';
import { collecting } from './002-collecting.ts';

/** In the order in which they are applied. A migration that was released never changes. */
export const MIGRATIONS: readonly Migration[] = [first, collecting];
