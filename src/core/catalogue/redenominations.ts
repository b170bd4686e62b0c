import { z } from 'zod';
import { type Redenominations, redenominations } from '../domain/redenomination.ts';
import { parseCaracasDay } from '../domain/time.ts';
import { faultsOf } from './faults.ts';
import { CatalogueError, readCatalogueFile } from './file.ts';

// limit: Redenominations, name of a unit | 20, 100 characters | not started | MAX_UNIT_NAME_LENGTH
export const MAX_REDENOMINATIONS = 20;
const MAX_UNIT_NAME_LENGTH = 100;

const A_DAY = 'must be a date that exists, YYYY-MM-DD';
const A_FACTOR = 'must be a whole number over 1';
const A_NAME = `must be a name of 1 to ${MAX_UNIT_NAME_LENGTH} characters`;

const reforms = z
  .array(
    z.strictObject(
      {
        on: z.string(A_DAY).transform((text, { addIssue }) => {
          const day = parseCaracasDay(text);
          if (day !== undefined) return day;
          addIssue({ code: 'custom', message: A_DAY });
          return z.NEVER;
        }),
        factor: z.int(A_FACTOR).min(2, A_FACTOR),
        name: z
          .string(A_NAME)
          .regex(/^\P{Cc}+$/u, A_NAME)
          .max(MAX_UNIT_NAME_LENGTH, A_NAME),
      },
      'must be an object of on, factor and name',
    ),
    'must be a list of redenominations',
  )
  .max(MAX_REDENOMINATIONS, `must have at most ${MAX_REDENOMINATIONS} redenominations`)
  .superRefine((list, { addIssue }) => {
    list.forEach(({ on }, place) => {
      const before = list[place - 1]?.on;
      if (before === undefined || before < on) return;
      const message = `must be after ${before}, the day of the one before it`;
      addIssue({ code: 'custom', path: [place, 'on'], message });
    });
  });

/**
 * Reads `redenominations.json` of a folder, or the packaged one when the folder has none.
 * @throws CatalogueError naming file, line and fault.
 */
export function loadRedenominations(folder: string): Redenominations {
  const file = readCatalogueFile(folder, 'redenominations.json');
  const result = reforms.safeParse(file.value);
  if (!result.success) throw new CatalogueError(file.shownAs, faultsOf(file, result.error));
  return redenominations(result.data.map((reform) => Object.freeze(reform)));
}
