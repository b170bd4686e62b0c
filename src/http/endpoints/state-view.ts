import { z } from 'zod';
import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import { withoutStore } from '../../app/failures.ts';
import type { ServiceState, StateReason } from '../../app/service-state.ts';
import { SERVICE_STATES, STATE_REASONS } from '../../domain/state-names.ts';
import { isoInstant } from '../../domain/time.ts';
import { reasonText, type StateView } from '../../web/frame/state.ts';
import { timestamp } from '../routing/schemas.ts';
import type { Services } from '../routing/services.ts';

const stateReason = z
  .object({
    name: z
      .enum(STATE_REASONS)
      .describe('Name of the problem; it never changes, but new ones may appear.'),
    message: z.string().describe('The problem in one sentence, for people.'),
    since: timestamp.describe('When the problem began; absent when that is not known.').optional(),
    markets: z
      .array(z.string())
      .describe('Ids of the affected markets; absent when the problem is not about markets.')
      .optional(),
    sources: z
      .array(z.string())
      .describe('Names of the affected sources; absent when the problem is not about sources.')
      .optional(),
    count: z
      .int()
      .positive()
      .describe('How many publications are overdue; only with `publications_missed`.')
      .optional(),
  })
  .meta({ title: 'Status reason' });

export const stateFields = {
  status: z
    .enum(SERVICE_STATES)
    .describe(
      'How far you can rely on the figures: `failing` when nothing fresh is published or the official rate is stale, `degraded` when only part of them has problems.',
    ),
  reasons: z.array(stateReason).describe('The problems, those of figures first; empty when `ok`.'),
};

function reasonView(reason: StateReason) {
  const { name, since, markets, sources, count } = reason;
  const view = {
    name,
    since: since === undefined ? undefined : isoInstant(since),
    markets: markets && [...markets],
    sources: sources && [...sources],
    count,
  };
  return { ...view, message: `${reasonText(view, 'en')}.` };
}

/** The state in the format of `/v1/status` and `/board.json`. */
export function stateView({ status, reasons }: ServiceState) {
  return { status, reasons: reasons.map(reasonView) } satisfies StateView;
}

/** The last known health; undefined while the store has never answered. */
export function knownOf(watch: Services['watch']): Promise<KnownHealth | undefined> {
  return withoutStore(watch.lastKnown(), undefined);
}
