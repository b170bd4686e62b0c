import { z } from 'zod';
import { keyEnd, MAX_KEY_LABEL_LENGTH } from '../../../app/access/key-request.ts';
import {
  GRANTABLE_SCOPES,
  MAX_KEY_ORIGINS,
  PUBLISHABLE_REQUESTS_PER_MINUTE,
  PUBLISHABLE_SCOPES,
} from '../../../domain/keys.ts';
import { type Instant, parseInstant } from '../../../domain/time.ts';
import { codeList } from '../../routing/schemas.ts';
import { figure, flag, optional, text, textList } from '../fields.ts';

/** Parameters and body fields of the endpoints that create and change keys (decisions §11). */

export const idPath = z.object({ id: text('Id of a key of yours.') });

/** Properties of a key. Which are allowed depends on its kind. */
export const keyFields = {
  scopes: textList(
    `For a restricted key, some of ${codeList(GRANTABLE_SCOPES)}. For a publishable key, some of ${codeList(PUBLISHABLE_SCOPES)}; by default all of these. A full key has every scope.`,
  ).optional(),
  origins: z
    .array(z.string())
    .meta({
      description: `For a publishable key, at most ${MAX_KEY_ORIGINS} exact origins whose pages may use it.`,
      examples: [['https://shop.example']],
    })
    .optional(),
  allow_no_origin: flag(
    'For a publishable key, whether requests without an `Origin`, such as those of spreadsheets, may use it.',
  ).optional(),
  requests_per_minute: figure(
    `Requests per minute of a publishable key, from 1 to ${PUBLISHABLE_REQUESTS_PER_MINUTE}; ${PUBLISHABLE_REQUESTS_PER_MINUTE} by default.`,
  ).optional(),
  label: optional(
    z.string().nullable(),
    `Your name for the key, at most ${MAX_KEY_LABEL_LENGTH} characters; \`null\` for none.`,
  ),
  expires_at: z
    .string()
    .nullable()
    .meta({
      description:
        'When the key expires, at most two years from now: a time in ISO 8601 with its zone; `null` for never.',
      examples: ['2027-06-30T04:00:00Z'],
    })
    .optional(),
};

export type KeyFields = z.output<z.ZodObject<typeof keyFields>>;

export function endOf(text: string | null | undefined, now: Instant): Instant | undefined {
  return text === null || text === undefined ? undefined : keyEnd(parseInstant(text), now);
}

export function grantRequestOf(fields: KeyFields) {
  return {
    scopes: fields.scopes,
    origins: fields.origins,
    allowNoOrigin: fields.allow_no_origin,
    requestsPerMinute: fields.requests_per_minute,
  };
}
