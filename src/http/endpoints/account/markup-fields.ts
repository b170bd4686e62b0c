import { z } from 'zod';
import { MARKUP_KINDS } from '../../../domain/markup.ts';

/** Fields of a markup rule, where it is managed and where it is applied. */

export const markupKind = z.enum(MARKUP_KINDS).meta({ description: 'percent, or fixed in VES.' });

export const markupTag = z
  .string()
  .meta({ description: 'Name of the rule: 1 to 32 of a-z, 0-9, _ and -.' });
