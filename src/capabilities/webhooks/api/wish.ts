import { z } from 'zod';
import { beyondPlan, requireFeature, requireMarket } from '../../../core/app/access/access.ts';
import { markupValue } from '../../../core/app/access/markups.ts';
import { refused } from '../../../core/app/schema-sentences.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { fault, type ValueFault } from '../../../core/domain/errors/value-rules.ts';
import { type ApiError, invalidField } from '../../../core/domain/errors.ts';
import type { Markets } from '../../../core/domain/markets.ts';
import type { Plan, Plans } from '../../../core/domain/plans.ts';
import { flag, optional, text } from '../../../core/http/endpoints/fields.ts';
import { parseWith } from '../../../core/http/framework/routing/parameters.ts';
import { unknownMarket } from '../../../core/http/pipeline/field-rules.ts';
import { field } from '../../../core/http/pipeline/said.ts';
import { codeList } from '../../../core/http/pipeline/schemas.ts';
import { isLoopback, isPublicAddress } from '../../../core/outbound/address.ts';
import {
  DEFAULT_THRESHOLD_PERCENT,
  isOverPlan,
  MAX_THRESHOLD_PERCENT,
  MAX_WEBHOOK_DESCRIPTION_LENGTH,
  MAX_WEBHOOK_EVENTS,
  MAX_WEBHOOK_MARKETS,
  MAX_WEBHOOK_URL_LENGTH,
  MIN_THRESHOLD_PERCENT,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookWish,
} from '../webhook-types.ts';

/** What an account asks for, as requests and commands give it (contract §24). */

const TWICE = fault('repeated', 'must not have a name twice', 'no debe tener un nombre dos veces');
const NONE = fault('empty', 'must have at least one event', 'debe tener al menos un evento');
const NOT_TEXT = fault(
  'malformed',
  'must not have control characters',
  'no debe tener caracteres de control',
);

export const wishFields = {
  url: text(
    'Where the messages go: `https`, without user name, password or `#`; port 443, or 1024 and above.',
    'Adónde van los mensajes: `https`, sin usuario, contraseña ni `#`; puerto 443, o 1024 en adelante.',
  ),
  events: field(
    z
      .array(z.enum(WEBHOOK_EVENTS))
      .max(MAX_WEBHOOK_EVENTS)
      .refine((names) => names.length > 0, refused(NONE))
      .refine((names) => new Set(names).size === names.length, refused(TWICE)),
    `What to tell of: some of ${codeList(WEBHOOK_EVENTS)}.`,
    `De qué avisar: algunos de ${codeList(WEBHOOK_EVENTS)}.`,
  ),
  markets: optional(
    z.array(z.string()).max(MAX_WEBHOOK_MARKETS),
    'Ids of the markets of `rate.changed` and `rate.in_doubt`; empty or absent for all of your plan.',
    'Ids de los mercados de `rate.changed` y `rate.in_doubt`; vacío o ausente, todos los de su plan.',
  ),
  threshold_percent: optional(
    markupValue.min(MIN_THRESHOLD_PERCENT).max(MAX_THRESHOLD_PERCENT),
    `Change of a rate that \`rate.changed\` tells of, in percent of the last one told: ${MIN_THRESHOLD_PERCENT} to ${MAX_THRESHOLD_PERCENT}; ${DEFAULT_THRESHOLD_PERCENT} by default.`,
    `Cambio de una tasa del que avisa \`rate.changed\`, en porcentaje de la última avisada: de ${MIN_THRESHOLD_PERCENT} a ${MAX_THRESHOLD_PERCENT}; por defecto, ${DEFAULT_THRESHOLD_PERCENT}.`,
  ),
  description: optional(
    z
      .string()
      .max(MAX_WEBHOOK_DESCRIPTION_LENGTH)
      .refine((words) => !/\p{Cc}/u.test(words), refused(NOT_TEXT))
      .nullable(),
    `Your note, at most ${MAX_WEBHOOK_DESCRIPTION_LENGTH} characters; \`null\` for none.`,
    `Su nota, de ${MAX_WEBHOOK_DESCRIPTION_LENGTH} caracteres como máximo; \`null\` para ninguna.`,
  ),
  active: flag(
    'Whether to send; `true` by default. `true` also revives a disabled one.',
    'Si se envían los mensajes; por defecto, `true`. Con `true` también revive uno desactivado.',
  ).optional(),
};

export type WishBody = z.output<z.ZodObject<typeof wishFields>>;

/** What a command gives, as a request does. @throws ApiError */
export function readWishBody(given: object): WishBody {
  return parseWith(z.strictObject(wishFields), given);
}

interface WishRules {
  readonly markets: Markets;
  readonly plans: Plans;
  /** Of the account. */
  readonly plan: Plan;
  /** `VESFX_ALLOW_LOOPBACK_WEBHOOKS`. */
  readonly allowsLoopback: boolean;
}

/**
 * @throws ApiError `invalid_format` for the address, `resource_not_found` for an unknown market,
 *   `feature_not_in_plan` for one that the plan lacks or a plan without webhooks.
 */
export function readWish(body: WishBody, { markets, plans, plan, allowsLoopback }: WishRules) {
  requireFeature(plans, plan, 'webhooks');
  const address = webhookAddress(body.url, allowsLoopback);
  if (typeof address !== 'string') throw invalidField('url', address);
  const ids = (body.markets ?? []).map((name) => {
    const market = markets.find(name);
    if (market === undefined) throw unknownMarket(markets, name, 'markets');
    requireMarket(plans, plan, market);
    return market.id;
  });
  return {
    url: address,
    events: body.events,
    markets: [...new Set(ids)],
    thresholdPercent: body.threshold_percent ?? DEFAULT_THRESHOLD_PERCENT,
    description: body.description || undefined,
    active: body.active ?? true,
  } satisfies WebhookWish;
}

/**
 * Of several the oldest ones count, as when messages are made: one beyond the plan is only read and
 * deleted.
 * @param webhooks Of the account, oldest first.
 * @throws ApiError
 */
export function requireIncluded(
  webhooks: readonly Webhook[],
  id: string,
  { plans, plan }: Pick<WishRules, 'plans' | 'plan'>,
): void {
  const place = webhooks.findIndex((one) => one.id === id);
  if (isOverPlan(plan, place)) throw tooManyWebhooks(plans, plan);
}

/** The error for one more endpoint than the plan has. */
export function tooManyWebhooks(plans: Plans, plan: Plan): ApiError {
  const { name, webhooksMax: max } = plan;
  const message =
    max === 0
      ? sentence(`${name} does not include webhooks.`, `El plan ${name} no incluye webhooks.`)
      : sentence(
          `${name} allows at most ${max} webhook${max === 1 ? '' : 's'}.`,
          `El plan ${name} permite como máximo ${max} webhook${max === 1 ? '' : 's'}.`,
        );
  return beyondPlan(plans, plan, {
    ...{ feature: 'webhooks', message },
    limitOf: ({ webhooksMax }) => webhooksMax,
  });
}

const NO_URL = fault('malformed', 'must be an https: address', 'debe ser una dirección https:');
const TOO_LONG = fault(
  'too_long',
  `must have at most ${MAX_WEBHOOK_URL_LENGTH} characters`,
  `debe tener como máximo ${MAX_WEBHOOK_URL_LENGTH} caracteres`,
);
const CREDENTIALS = fault(
  'malformed',
  'must not have a user name or password',
  'no debe tener usuario ni contraseña',
);
const FRAGMENT = fault('malformed', 'must not have a #', 'no debe tener un #');
const PORT = fault(
  'out_of_range',
  'must have the port 443, or one from 1024 to 65535',
  'debe tener el puerto 443, o uno de 1024 a 65535',
);
const NOT_PUBLIC = fault(
  'malformed',
  'must be on the public internet',
  'debe estar en la internet pública',
);
const LOWEST_FREE_PORT = 1024;

/**
 * The address in one spelling, or what is wrong with it. What a name resolves to is checked when the
 * service connects.
 */
function webhookAddress(given: string, allowsLoopback: boolean): string | ValueFault {
  if (given.length > MAX_WEBHOOK_URL_LENGTH) return TOO_LONG;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isAllowed = url?.protocol === 'https:' || (allowsLoopback && url?.protocol === 'http:');
  if (url === undefined || !isAllowed) return NO_URL;
  if (url.href.length > MAX_WEBHOOK_URL_LENGTH) return TOO_LONG;
  if (url.username !== '' || url.password !== '') return CREDENTIALS;
  if (given.includes('#')) return FRAGMENT;
  // `URL` leaves out the usual port of the scheme.
  if (url.port !== '' && url.port !== '443' && Number(url.port) < LOWEST_FREE_PORT) return PORT;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isHere = isLoopback(host) || host === 'localhost' || host.endsWith('.localhost');
  const isName = !/^[\d.]+$|:/.test(host);
  const isReachable = isHere ? allowsLoopback : isName || isPublicAddress(host);
  if (!isReachable) return NOT_PUBLIC;
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replace(/%[\da-f]{2}/gi, oneSpelling);
}

/** Two spellings of one address would have every message twice (RFC 3986, section 6.2.2). */
function oneSpelling(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
}
