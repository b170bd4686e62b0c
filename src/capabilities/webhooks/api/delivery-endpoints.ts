import { z } from 'zod';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { fault } from '../../../core/domain/errors/value-rules.ts';
import type { ApiError } from '../../../core/domain/errors.ts';
import { listOf, natural, optional, text } from '../../../core/http/endpoints/fields.ts';
import type { Call } from '../../../core/http/pipeline/call.ts';
import { type Endpoint, endpoint } from '../../../core/http/pipeline/endpoint.ts';
import { type Operation, oneExample } from '../../../core/http/pipeline/operation.ts';
import { said } from '../../../core/http/pipeline/said.ts';
import { parsed } from '../../../core/http/pipeline/schemas.ts';
import { isMessageId } from '../webhook-rows.ts';
import { DELIVERY_STATUSES, MAX_DELIVERIES, type WebhookStore } from '../webhook-types.ts';
import { found, noSuchMessage, noSuchWebhook, sinceOf } from './refusals.ts';
import {
  deliveryDetailsSchema,
  deliveryDetailsView,
  deliverySchema,
  deliveryView,
  EXAMPLE_ID,
  READ,
  WRITE,
  webhookPath,
} from './views.ts';
import { requireIncluded } from './wish.ts';

const EXAMPLE_DELIVERY = {
  message_id: 'msg_019aa2f3b1c00001c6b1d5e0a94f7720',
  type: 'official.published',
  status: 'delivered',
  created_at: '2026-11-20T20:31:07.000Z',
  attempts_made: 1,
  last_status: 204,
} as const;

const ID = { id: EXAMPLE_ID };
const MESSAGE = { ...ID, message: EXAMPLE_DELIVERY.message_id };

const messageId = text('Id of the message.', 'Id del mensaje.');
const messagePath = webhookPath.extend({ message: messageId });

/** What sends something, later. */
const SENDS = {
  ...WRITE,
  method: 'POST',
  status: 202,
  feature: 'webhooks',
  errors: ['conflict', 'resource_not_found'],
} as const;
/** And answers with the id of what it sends. */
const SENDS_ONE = { ...SENDS, answer: z.object({ message_id: messageId }) } as const;
const oneSent = (id: string, parameters: Readonly<Record<string, string>>): Operation => ({
  ...{ id, tag: 'Webhooks' as const, schema: 'TestMessage', parameters },
  answers: oneExample('It will be sent', 'Se enviará', { message_id: EXAMPLE_DELIVERY.message_id }),
});

const limitText = parsed(
  (given) => {
    const limit = /^\d{1,3}$/.test(given) ? Number(given) : 0;
    return limit >= 1 && limit <= MAX_DELIVERIES ? limit : undefined;
  },
  fault(
    'out_of_range',
    `must be a whole number from 1 to ${MAX_DELIVERIES}`,
    `debe ser un número entero de 1 a ${MAX_DELIVERIES}`,
  ),
  {
    ...said(
      `How many, from 1 to ${MAX_DELIVERIES}; ${MAX_DELIVERIES} by default.`,
      `Cuántas, de 1 a ${MAX_DELIVERIES}; por defecto, ${MAX_DELIVERIES}.`,
    ),
    ...{ type: 'integer', minimum: 1, maximum: MAX_DELIVERIES },
  },
);

const beforeText = parsed(
  (given) => (isMessageId(given) ? given : undefined),
  fault('malformed', 'must be the id of a message', 'debe ser el id de un mensaje'),
  said('Id of a message: only older ones.', 'Id de un mensaje: solo los anteriores.'),
);

/** The addresses for the messages of a webhook (contract §24). */
export function deliveryEndpoints(store: WebhookStore): readonly Endpoint[] {
  return [
    endpoint({
      ...SENDS_ONE,
      path: '/v1/account/webhooks/:id/test',
      summary: sentence('Send a test message', 'Enviar un mensaje de prueba'),
      description: sentence(
        'Sends `webhook.test`, whatever events the webhook asks for.',
        'Envía `webhook.test`, pida lo que pida el webhook.',
      ),
      operation: oneSent('testWebhook', ID),
      query: webhookPath,
      async handle(call) {
        const { input, caller, now } = call;
        await requireSending(call, input.id);
        const made = found(await store.test(caller.account.id, input.id, now));
        return { message_id: made.messageId };
      },
    }),
    endpoint({
      ...READ,
      path: '/v1/account/webhooks/:id/deliveries',
      summary: sentence('Deliveries of a webhook', 'Entregas de un webhook'),
      description: sentence(
        'Messages are kept for 30 days. They come newest first; for the next page give the last `message_id` as `before`.',
        'Los mensajes se guardan 30 días. Van primero los más nuevos; para la página siguiente, dé el último `message_id` como `before`.',
      ),
      operation: {
        ...{ id: 'listWebhookDeliveries', tag: 'Webhooks', schema: 'Deliveries' },
        parameters: ID,
        answers: oneExample('One message', 'Un mensaje', { deliveries: [EXAMPLE_DELIVERY] }),
      },
      query: webhookPath.extend({
        status: optional(
          z.enum(DELIVERY_STATUSES),
          'Only those of this status.',
          'Solo los de este estado.',
        ),
        before: beforeText.optional(),
        limit: limitText.optional(),
      }),
      answer: z.object({
        deliveries: listOf('Newest first.', 'Primero las más nuevas.', deliverySchema),
      }),
      errors: ['resource_not_found'],
      async handle({ input, caller }) {
        const { id, status, before, limit = MAX_DELIVERIES } = input;
        const list = await store.deliveries(caller.account.id, id, { status, before, limit });
        return { deliveries: found(list).map(deliveryView) };
      },
    }),
    endpoint({
      ...READ,
      path: '/v1/account/webhooks/:id/deliveries/:message',
      summary: sentence('One delivery with its attempts', 'Una entrega con sus intentos'),
      operation: {
        ...{ id: 'getWebhookDelivery', tag: 'Webhooks', schema: 'DeliveryDetails' },
        parameters: MESSAGE,
        answers: oneExample('Delivered at once', 'Entregado de inmediato', {
          ...EXAMPLE_DELIVERY,
          payload: '{"type":"official.published", …}',
          attempts: [
            { number: 1, at: '2026-11-20T20:31:08.000Z', status: 204, ms: 84, excerpt: '' },
          ],
        }),
      },
      query: messagePath,
      answer: deliveryDetailsSchema,
      errors: ['resource_not_found'],
      async handle({ input, caller }) {
        const details = await store.delivery(caller.account.id, input.id, input.message);
        if (details === 'missing') throw await missingIn(caller.account.id, input.id);
        return deliveryDetailsView(details);
      },
    }),
    endpoint({
      ...SENDS_ONE,
      path: '/v1/account/webhooks/:id/deliveries/:message/redeliver',
      summary: sentence('Send a message again', 'Enviar un mensaje de nuevo'),
      description: sentence(
        'Delivered or not, it is sent again with its id.',
        'Entregado o no, se envía de nuevo con su id.',
      ),
      operation: oneSent('redeliverWebhook', MESSAGE),
      query: messagePath,
      async handle(call) {
        const { input, caller, now } = call;
        const { id, message } = input;
        await requireSending(call, id);
        const outcome = await store.redeliver(caller.account.id, id, { messageId: message, now });
        if (outcome === 'missing') throw await missingIn(caller.account.id, id);
        found(outcome);
        return { message_id: message };
      },
    }),
    endpoint({
      ...SENDS,
      path: '/v1/account/webhooks/:id/recover',
      summary: sentence('Send again what failed', 'Enviar de nuevo lo que falló'),
      description: sentence(
        `Sends what failed since that time, and what happened while the webhook was not active, oldest first: at most 1,000 messages.`,
        `Envía lo que falló desde esa hora y lo que ocurrió mientras el webhook no estaba activo, primero lo más antiguo: como máximo 1.000 mensajes.`,
      ),
      operation: {
        ...{ id: 'recoverWebhook', tag: 'Webhooks' },
        ...{ schema: 'Recovery', bodySchema: 'RecoveryRequest', parameters: ID },
        body: { since: '2026-11-20T14:00:00Z' },
        answers: oneExample('Twelve messages', 'Doce mensajes', { count: 12 }),
      },
      query: webhookPath,
      body: z.strictObject({
        since: text(
          'A time in ISO 8601 with its zone, not in the future.',
          'Una hora en ISO 8601 con su zona, que no sea futura.',
        ),
      }),
      answer: z.object({
        count: natural('How many messages are sent again.', 'Cuántos mensajes se envían de nuevo.'),
      }),
      async handle(call) {
        const { input, body, caller, now } = call;
        await requireSending(call, input.id);
        const since = sinceOf(body.since, now);
        return found(await store.recover(caller.account.id, input.id, { since, now }));
      },
    }),
  ];

  /** @throws ApiError for a webhook beyond the plan. */
  async function requireSending(
    { caller, services }: Pick<Call, 'caller' | 'services'>,
    id: string,
  ): Promise<void> {
    requireIncluded(await store.list(caller.account.id), id, { ...services, ...caller });
  }

  /** Which of the two ids of an address is unknown. */
  async function missingIn(accountId: string, id: string): Promise<ApiError> {
    return (await store.find(accountId, id)) === undefined ? noSuchWebhook() : noSuchMessage();
  }
}
