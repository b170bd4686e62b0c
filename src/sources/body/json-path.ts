import { z } from 'zod';

/** Longest path into an answer, in characters. */
export const MAX_PATH_LENGTH = 200;

/** A path into an answer as `valueAt` takes it, as an entry of the catalogue writes it. */
export const jsonPath = z
  .string('must be a path: keys with dots between them')
  .max(MAX_PATH_LENGTH, `must have at most ${MAX_PATH_LENGTH} characters`)
  .regex(/^[^.]+(?:\.[^.]+)*$/, 'must be a path: keys with dots between them');
