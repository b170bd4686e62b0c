import type { Migration } from '../migrate.ts';
import { baseline } from './001-baseline.ts';

/** All migrations, in order. A released migration never changes. */
export const MIGRATIONS: readonly Migration[] = [baseline];
