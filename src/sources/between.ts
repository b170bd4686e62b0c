import { z } from 'zod';
import { MAX_RATE, MIN_RATE } from '../domain/quotes.ts';

const bound = z
  .number('must be a number')
  .min(MIN_RATE, `must be at least ${MIN_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`);

/** Lowest and highest plausible rate. Another currency or the inverse rate lies outside. */
export const between = z
  .tuple([bound, bound], 'must be a list of the lowest and the highest rate')
  .refine(([low, high]) => low < high, 'must have the lower rate first');
