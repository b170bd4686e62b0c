import { z } from 'zod';
import { MARKUP_KINDS } from '../../../domain/markup.ts';

/** Fields of a markup rule, shared by its management and its use. */

export const markupKind = z.enum(MARKUP_KINDS).describe('percent, or fixed in VES.');

export const markupTag = z.string().describe('Name of the rule: 1 to 32 of a-z, 0-9, _ and -.');
