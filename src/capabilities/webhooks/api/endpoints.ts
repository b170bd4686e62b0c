import { z } from 'zod';
import { requireFeature } from '../../../core/app/access/access.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { SECOND_MS } from '../../../core/domain/time.ts';
import { listOf, optional, text } from '../../../core/http/endpoints/fields.ts';
import type { Call } from '../../../core/http/pipeline/call.ts';
import { type Endpoint, endpoint } from '../../../core/http/pipeline/endpoint.ts';
import { oneExample } from '../../../core/http/pipeline/operation.ts';
import { field } from '../../../core/http/pipeline/said.ts';
import { timestamp } from '../../../core/http/pipeline/schemas.ts';
import {
  DEFAULT_SECRET_GRACE_SEC,
  MAX_SECRET_GRACE_SEC,
  type WebhookStore,
} from '../webhook-types.ts';
import { deliveryEndpoints } from './delivery-endpoints.ts';
import { MESSAGES } from './event-schemas.ts';
import { found, noSuchWebhook, sameUrl } from './refusals.ts';
import {
  EXAMPLE_ID,
  READ,
  repeatedFields,
  rotationView,
  WRITE,
  webhookPath,
  webhookSchema,
  webhookView,
} from './views.ts';
import { readWish, requireIncluded, tooManyWebhooks, type WishBody, wishFields } from './wish.ts';

interface Parts {
  readonly store: WebhookStore;
  readonly allowsLoopback: boolean;
}

const EXAMPLE = {
  id: EXAMPLE_ID,
  url: 'https://erp.example/vesfx',
  events: ['official.published', 'rate.changed'] as const,
  markets: ['parallel'],
  threshold_percent: 1,
  description: 'ERP',
  active: true,
  status: 'active',
  created_at: '2026-11-20T14:00:00.000Z',
} as const;
const EXAMPLE_WISH = {
  url: EXAMPLE.url,
  events: EXAMPLE.events,
  markets: EXAMPLE.markets,
  threshold_percent: 1,
  description: 'ERP',
};
const EXAMPLE_SECRET = 'whsec_…';
const ID = { id: EXAMPLE.id };

const secretField = text(
  'The secret that signs the messages: this answer alone shows it.',
  'El secreto que firma los mensajes: solo esta respuesta lo muestra.',
);

/** Every address for webhooks (contract §24). */
export function allWebhookEndpoints(parts: Parts): readonly Endpoint[] {
  return [...webhookEndpoints(parts), ...deliveryEndpoints(parts.store)];
}

/** The addresses with which an account manages its webhooks. */
function webhookEndpoints({ store, allowsLoopback }: Parts): readonly Endpoint[] {
  const wishOf = (body: WishBody, { caller, services }: Pick<Call, 'caller' | 'services'>) =>
    readWish(body, { ...services, plan: caller.plan, allowsLoopback });

  return [
    endpoint({
      ...READ,
      path: '/v1/account/webhooks',
      summary: sentence('Your webhooks', 'Sus webhooks'),
      operation: {
        ...{ id: 'listWebhooks', tag: 'Webhooks', schema: 'Webhooks' },
        answers: oneExample('One webhook', 'Un webhook', { webhooks: [EXAMPLE] }),
      },
      answer: z.object({
        webhooks: listOf('Oldest first.', 'Primero el más antiguo.', webhookSchema),
      }),
      errors: ['feature_not_in_plan'],
      async handle(call) {
        const webhooks = await store.list(call.caller.account.id);
        // Those left from a dearer plan can be read and deleted.
        if (webhooks.length === 0)
          requireFeature(call.services.plans, call.caller.plan, 'webhooks');
        return { webhooks: webhooks.map(webhookView) };
      },
    }),
    endpoint({
      ...WRITE,
      method: 'POST',
      path: '/v1/account/webhooks',
      summary: sentence('Create a webhook', 'Crear un webhook'),
      description: sentence(
        'The service sends a signed message (Standard Webhooks 1.0.0) to `url` whenever one of `events` happens from now on. Of `rate.changed` it remembers the rates of now.',
        'El servicio envía un mensaje firmado (Standard Webhooks 1.0.0) a `url` cada vez que ocurra uno de `events` desde ahora. De `rate.changed` recuerda las tasas de este momento.',
      ),
      operation: {
        ...{ id: 'createWebhook', tag: 'Webhooks' },
        ...{ schema: 'CreatedWebhook', bodySchema: 'WebhookRequest', body: EXAMPLE_WISH },
        messages: MESSAGES,
        answers: oneExample('With its secret', 'Con su secreto', {
          ...EXAMPLE,
          secret: EXAMPLE_SECRET,
        }),
      },
      feature: 'webhooks',
      body: z.strictObject(wishFields),
      answer: webhookSchema.extend({ secret: secretField }).meta({ title: 'New webhook' }),
      status: 201,
      errors: ['conflict', 'resource_not_found'],
      async handle(call) {
        const { body, caller, now, services } = call;
        const options = { max: caller.plan.webhooksMax, now };
        const made = await store.create(caller.account.id, wishOf(body, call), options);
        if (made === 'exists') throw sameUrl();
        if (made === 'full') throw tooManyWebhooks(services.plans, caller.plan);
        return { ...webhookView(made.webhook), secret: made.secret };
      },
    }),
    endpoint({
      ...READ,
      path: '/v1/account/webhooks/:id',
      summary: sentence('A webhook', 'Un webhook'),
      operation: {
        ...{ id: 'getWebhook', tag: 'Webhooks', schema: 'Webhook', parameters: ID },
        answers: oneExample('It works', 'Funciona', EXAMPLE),
      },
      query: webhookPath,
      answer: webhookSchema,
      errors: ['resource_not_found'],
      async handle({ input, caller }) {
        const webhook = await store.find(caller.account.id, input.id);
        return webhookView(found(webhook ?? 'missing'));
      },
    }),
    endpoint({
      ...WRITE,
      method: 'PUT',
      path: '/v1/account/webhooks/:id',
      summary: sentence('Replace a webhook', 'Reemplazar un webhook'),
      description: sentence(
        'The body is the whole webhook: what it does not name takes its default. The fields that only the service sets may stand in it, as answered. `active: true` revives a disabled one, which is not told what it missed: ask for that with `recover`.',
        'El cuerpo es el webhook entero: lo que no nombra toma su valor por defecto. Los campos que solo fija el servicio pueden estar, como los respondió. `active: true` revive uno desactivado, al que no se le avisa de lo que se perdió: pídalo con `recover`.',
      ),
      operation: {
        ...{ id: 'replaceWebhook', tag: 'Webhooks' },
        ...{ bodySchema: 'WebhookReplacement', parameters: ID, body: EXAMPLE_WISH },
        answers: oneExample('As saved', 'Como quedó guardado', EXAMPLE),
      },
      feature: 'webhooks',
      query: webhookPath,
      body: z.strictObject({ ...wishFields, ...repeatedFields }),
      answer: webhookSchema,
      errors: ['conflict', 'resource_not_found'],
      async handle(call) {
        const { input, body, caller, now } = call;
        const { id } = input;
        // An unknown id comes before what its body breaks.
        const webhooks = await store.list(caller.account.id);
        found(webhooks.find((one) => one.id === id) ?? 'missing');
        requireIncluded(webhooks, id, { ...call.services, ...caller });
        const saved = await store.replace(caller.account.id, id, wishOf(body, call), now);
        if (saved === 'exists') throw sameUrl();
        return webhookView(found(saved));
      },
    }),
    endpoint({
      ...WRITE,
      method: 'DELETE',
      path: '/v1/account/webhooks/:id',
      summary: sentence('Delete a webhook', 'Borrar un webhook'),
      description: sentence('Its messages are deleted too.', 'Sus mensajes también se borran.'),
      operation: { id: 'deleteWebhook', tag: 'Webhooks', parameters: ID, answers: {} },
      query: webhookPath,
      answer: z.undefined(),
      status: 204,
      errors: ['resource_not_found'],
      async handle({ input, caller }) {
        if (!(await store.delete(caller.account.id, input.id))) throw noSuchWebhook();
        return undefined;
      },
    }),
    endpoint({
      ...WRITE,
      method: 'POST',
      path: '/v1/account/webhooks/:id/rotate',
      summary: sentence('Rotate the secret of a webhook', 'Rotar el secreto de un webhook'),
      description: sentence(
        'For `grace_sec` seconds each message has a signature of either secret.',
        'Durante `grace_sec` segundos cada mensaje lleva la firma de ambos secretos.',
      ),
      operation: {
        ...{ id: 'rotateWebhookSecret', tag: 'Webhooks' },
        ...{ schema: 'RotatedSecret', bodySchema: 'SecretRotation', parameters: ID },
        body: { grace_sec: 3600 },
        answers: oneExample('The old one signs for an hour', 'El anterior firma una hora más', {
          secret: EXAMPLE_SECRET,
          previous_expires_at: '2026-11-20T15:00:00.000Z',
        }),
      },
      feature: 'webhooks',
      query: webhookPath,
      body: z.strictObject({
        grace_sec: optional(
          z.int().min(0).max(MAX_SECRET_GRACE_SEC),
          `Seconds that the former secret still signs, at most 604,800 (7 days); 86,400 (a day) by default.`,
          `Segundos que el secreto anterior firma todavía, 604.800 (7 días) como máximo; por defecto, 86.400 (un día).`,
        ),
      }),
      answer: z.object({
        secret: secretField,
        previous_expires_at: field(
          timestamp.nullable(),
          'Until when the former secret signs; `null` if it no longer does.',
          'Hasta cuándo firma el secreto anterior; `null` si ya no firma.',
        ),
      }),
      status: 201,
      errors: ['resource_not_found'],
      async handle({ input, body, caller, now, services }) {
        const webhooks = await store.list(caller.account.id);
        requireIncluded(webhooks, input.id, { ...services, ...caller });
        const graceMs = (body.grace_sec ?? DEFAULT_SECRET_GRACE_SEC) * SECOND_MS;
        return rotationView(
          found(await store.rotate(caller.account.id, input.id, { graceMs, now })),
        );
      },
    }),
  ];
}
