import {
  REFERENCE_GROUPS,
  type ReferenceGroup,
} from '../../../core/http/pipeline/reference-groups.ts';

/** The addresses of the pages of the reference. */

export const REFERENCE = '/docs/reference';
export const REFERENCE_ERRORS = `${REFERENCE}/errors`;

/** The page of a group of the reference, by its English name. */
export const groupPath = (tag: string) => `${REFERENCE}/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** The groups of the reference, each with a page, by their English names. */
export const REFERENCE_TAGS = Object.keys(REFERENCE_GROUPS) as readonly ReferenceGroup[];
