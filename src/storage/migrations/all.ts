import type { Migration } from '../migrate.ts';
import { first } from './001-first.ts';

/** In the order in which they are applied. A migration that was released never changes. */
export const MIGRATIONS: readonly Migration[] = [first];
