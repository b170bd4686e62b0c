import { MARKUP_KINDS } from '../../../domain/markup.ts';
import { figure, oneOf, text } from '../fields.ts';

/** Fields of a markup rule, shared by its management and its use. */

export const markupKind = oneOf(
  MARKUP_KINDS,
  'What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`).',
);

/** What `value` says, here and in bodies. */
export const MARKUP_AMOUNT = 'The percentage, or the VES to add to the rate; negative to lower it.';

export const markupAmount = figure(MARKUP_AMOUNT);

export const markupTag = text('Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -.');
