import { z } from 'zod';
import { type Instant, isoInstant } from '../../../core/domain/time.ts';
import {
  flag,
  listOf,
  natural,
  oneOf,
  optional,
  text,
  textList,
  titled,
} from '../../../core/http/endpoints/fields.ts';
import { field, type said } from '../../../core/http/pipeline/said.ts';
import { timestamp } from '../../../core/http/pipeline/schemas.ts';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryDetails,
  DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type Webhook,
} from '../webhook-types.ts';
import { wishFields } from './wish.ts';

/** Webhooks and deliveries as requests and commands answer them (contract §24). */

const atMost = (...texts: Parameters<typeof said>) => optional(timestamp, ...texts);

/** What the service says of a webhook besides what its account decides. */
export const serviceFields = {
  id: text('Id of the webhook.', 'Id del webhook.'),
  status: oneOf(
    WEBHOOK_STATUSES,
    '`disabled` by the service, for its `disabled_reason`; `paused` by you.',
    '`disabled`: lo desactivó el servicio, por su `disabled_reason`; `paused`: lo pausó usted.',
  ),
  disabled_reason: optional(
    z.enum(DISABLED_REASONS),
    'Only of a disabled one. `failing`: every attempt of five days failed; `gone`: it answered 410.',
    'Solo de uno desactivado. `failing`: falló todo intento de cinco días; `gone`: respondió 410.',
  ),
  failing_since: atMost(
    'Since when every attempt has failed; absent after a success.',
    'Desde cuándo falla todo intento; ausente tras un envío con éxito.',
  ),
  last_success_at: atMost(
    'When a message last arrived; absent before the first.',
    'Cuándo llegó un mensaje por última vez; ausente antes del primero.',
  ),
  created_at: field(timestamp, 'When it was created.', 'Cuándo se creó.'),
};

export const EXAMPLE_ID = 'whe_5f0c2a9d41b7e683';

export const webhookPath = z.object({ id: serviceFields.id });

/** Who may call, and what it costs. */
const SHARED = { section: 'contract 24', cost: 0 } as const;
export const READ = { ...SHARED, scope: 'account.read' } as const;
export const WRITE = { ...SHARED, scope: 'account.write' } as const;

/** Fields that a request may repeat as they were answered, and that change nothing. */
export const repeatedFields = Object.fromEntries(
  Object.keys(serviceFields).map((name) => [
    name,
    optional(
      z.unknown(),
      `The \`${name}\` of an answer, or absent: it changes nothing.`,
      `El \`${name}\` de una respuesta, o ausente: no cambia nada.`,
    ),
  ]),
);

const { id, ...otherState } = serviceFields;

export const webhookSchema = titled('Webhook', {
  id,
  url: wishFields.url,
  events: wishFields.events,
  markets: textList(
    'Ids of the markets of `rate.changed` and `rate.in_doubt`; empty for all of your plan.',
    'Ids de los mercados de `rate.changed` y `rate.in_doubt`; vacío, todos los de su plan.',
  ),
  threshold_percent: field(
    z.number(),
    'Change of a rate that `rate.changed` tells of, in percent.',
    'Cambio de una tasa del que avisa `rate.changed`, en porcentaje.',
  ),
  description: field(
    z.string().nullable(),
    'Your note; `null` for none.',
    'Su nota; `null` si no tiene.',
  ),
  active: flag('Whether its status is `active`.', 'Si su estado es `active`.'),
  ...otherState,
});

export function webhookView(webhook: Webhook) {
  const { failingSince, lastSuccessAt, disabledReason } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    markets: [...webhook.markets],
    threshold_percent: webhook.thresholdPercent,
    description: webhook.description ?? null,
    active: webhook.status === 'active',
    status: webhook.status,
    ...(disabledReason !== undefined && { disabled_reason: disabledReason }),
    ...(failingSince !== undefined && { failing_since: isoInstant(failingSince) }),
    ...(lastSuccessAt !== undefined && { last_success_at: isoInstant(lastSuccessAt) }),
    created_at: isoInstant(webhook.createdAt),
  };
}

const deliveryFields = {
  message_id: text(
    'Id of the message: the header `webhook-id` of every attempt.',
    'Id del mensaje: el encabezado `webhook-id` de cada intento.',
  ),
  type: text('The event.', 'El evento.'),
  status: oneOf(
    DELIVERY_STATUSES,
    '`superseded`: the same market changed again before it was delivered; `failed`: its attempts are used up.',
    '`superseded`: antes de entregarlo, el mismo mercado volvió a cambiar; `failed`: se agotaron sus intentos.',
  ),
  created_at: field(timestamp, 'When it was made.', 'Cuándo se hizo.'),
  attempts_made: natural('Attempts so far.', 'Intentos hasta ahora.'),
  next_attempt_at: atMost(
    'When it is sent next; only of a pending one.',
    'Cuándo se envía de nuevo; solo de uno pendiente.',
  ),
  last_status: optional(
    z.int(),
    'Status of the last answer; absent without one.',
    'Código de la última respuesta; ausente si no la hubo.',
  ),
  last_error: optional(
    z.string(),
    'Why the last attempt failed; absent if it did not.',
    'Por qué falló el último intento; ausente si no falló.',
  ),
};

export const deliverySchema = titled('Delivery', deliveryFields);

export const deliveryDetailsSchema = titled('Delivery details', {
  ...deliveryFields,
  payload: text('The JSON text that is sent.', 'El texto JSON que se envía.'),
  attempts: listOf(
    'The last attempts, oldest first.',
    'Los últimos intentos, primero el más antiguo.',
    titled('Attempt', {
      number: natural('From 1.', 'Desde 1.'),
      at: field(timestamp, 'When it was sent.', 'Cuándo se envió.'),
      status: optional(
        z.int(),
        'Status of the answer; absent without one.',
        'Código de la respuesta; ausente si no la hubo.',
      ),
      error: optional(
        z.string(),
        'Why it failed; absent if it did not.',
        'Por qué falló; ausente si no falló.',
      ),
      ms: natural('Milliseconds until the answer.', 'Milisegundos hasta la respuesta.'),
      excerpt: text('The beginning of the answer.', 'El comienzo de la respuesta.'),
    }),
  ),
});

export function deliveryView(delivery: Delivery): z.output<typeof deliverySchema> {
  const { nextAttemptAt, lastStatus, lastError } = delivery;
  return {
    message_id: delivery.messageId,
    type: delivery.type,
    status: delivery.status,
    created_at: isoInstant(delivery.createdAt),
    attempts_made: delivery.attemptsMade,
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoInstant(nextAttemptAt) }),
    ...(lastStatus !== undefined && { last_status: lastStatus }),
    ...(lastError !== undefined && { last_error: lastError }),
  };
}

export function isDeliveryStatus(word: string): word is Delivery['status'] {
  return DELIVERY_STATUSES.some((status) => status === word);
}

/** A new secret, and until when the former one still signs. */
export function rotationView({
  secret,
  previousExpiresAt: end,
}: {
  readonly secret: string;
  readonly previousExpiresAt: Instant | undefined;
}) {
  return { secret, previous_expires_at: end === undefined ? null : isoInstant(end) };
}

export function deliveryDetailsView({ payload, attempts, ...delivery }: DeliveryDetails) {
  const shown = attempts.map(({ at, ...attempt }) => ({ ...attempt, at: isoInstant(at) }));
  return { ...deliveryView(delivery), payload, attempts: shown };
}
