import { z } from 'zod';
import { MAX_GRACE_MS, MAX_ROTATIONS_PER_DAY } from '../../../app/access/accounts.ts';
import { requireNoLongerLife, requireWithin } from '../../../app/access/key-makers.ts';
import { isoInstant, SECOND_MS } from '../../../domain/time.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { oneExample } from '../../routing/operation.ts';
import { timestamp } from '../../routing/schemas.ts';
import { optional, text } from '../fields.ts';
import { ownKey } from './key-view.ts';

export const rotateKey = endpoint({
  method: 'POST',
  path: '/v1/account/keys/:id/rotate',
  section: 'decisions 4',
  summary: 'Rotate an API key',
  description:
    'The answer is the only place that ever shows the new key. The old key stops working at once, or after `grace_sec` seconds. While an earlier grace period leaves the account with more live keys than its plan allows, the service refuses another one. It also refuses to rotate a key in its grace period again, unless the plan has room for one more key. An account can rotate keys at most 10 times per day (UTC).',
  operation: {
    id: 'rotateKey',
    tag: 'Account',
    schema: 'RotatedKey',
    bodySchema: 'Rotation',
    parameters: { id: 'key_3Zk9' },
    body: { grace_sec: 3600 },
    answers: oneExample('The old key works for one more hour', {
      id: 'key_8Tq1',
      key: 'vfx_live_…',
      created_at: '2026-11-21T03:00:00.000Z',
      replaces: 'key_3Zk9',
      replaced_expires_at: '2026-11-21T04:00:00.000Z',
    }),
  },
  scope: 'account.write',
  cost: 0,
  query: z.object({ id: text('Id of the old key.') }),
  body: z.strictObject({
    grace_sec: optional(
      z
        .int()
        .min(0)
        .max(MAX_GRACE_MS / SECOND_MS),
      'How long the old key keeps working, in seconds; 0 by default.',
    ),
  }),
  answer: z.object({
    id: text('Id of the new key.'),
    key: text('The new key itself: keep it safe.'),
    created_at: timestamp.describe('When the key was created.'),
    replaces: text('Id of the old key.'),
    replaced_expires_at: timestamp.describe('When the old key stops working.'),
  }),
  status: 201,
  errors: ['key_in_grace', 'resource_not_found', 'feature_not_in_plan'],
  inGrace: 'never',
  async handle({ input, body, caller, now, services }) {
    const { accounts, changePoller } = services;
    const old = await ownKey({ caller, services, now }, input.id);
    requireWithin(old.grant, caller.key);
    requireNoLongerLife(old, caller.key);
    const graceMs = (body.grace_sec ?? 0) * SECOND_MS;
    const next = await accounts.rotateKey(old.id, graceMs, {
      maxPerDay: MAX_ROTATIONS_PER_DAY,
    });
    // The rotation is stored, and only this answer contains the key, so errors are ignored from
    // here on.
    await changePoller.poll().catch(() => undefined);
    return {
      id: next.id,
      key: next.key,
      created_at: isoInstant(next.createdAt),
      replaces: old.id,
      replaced_expires_at: isoInstant(next.oldExpiresAt),
    };
  },
});
