import { z } from 'zod';

/** Longest path into an answer, in characters. */
export const MAX_PATH_LENGTH = 200;

/** The schema of a path for `valueAt` in the catalogue. */
export const jsonPath = z
  .string('must be a path: keys with dots between them')
  .max(MAX_PATH_LENGTH, `must have at most ${MAX_PATH_LENGTH} characters`)
  .regex(/^[^.]+(?:\.[^.]+)*$/, 'must be a path: keys with dots between them');
