import { z } from 'zod';
import type { KnownHealth } from '../../app/collecting/source-watch.ts';
import { withoutStore } from '../../app/failures.ts';
import type { ServiceState, StateReason } from '../../app/service-state.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { SERVICE_STATES, STATE_REASONS } from '../../domain/state-names.ts';
import { isoInstant } from '../../domain/time.ts';
import { reasonText, type StateView } from '../../domain/words/state-words.ts';
import { timestamp } from '../pipeline/schemas.ts';
import type { Services } from '../pipeline/services.ts';
import { listOf, oneOf, optional, text, textList, titled } from './fields.ts';

const stateReason = titled('Status reason', {
  name: oneOf(
    STATE_REASONS,
    'Name of the problem; it never changes, but new ones may appear.',
    'Nombre del problema; no cambia, pero puede haber nuevos.',
  ),
  message: text(
    'The problem in one sentence, for people.',
    'El problema en una frase, para personas.',
  ),
  since: optional(
    timestamp,
    'When the problem began; absent when that is not known.',
    'Desde cuándo existe el problema; ausente si no se sabe.',
  ),
  markets: textList(
    'Ids of the affected markets; absent when the problem is not about markets.',
    'Ids de los mercados afectados; ausente si el problema no es de mercados.',
  ).optional(),
  sources: textList(
    'Names of the affected sources; absent when the problem is not about sources.',
    'Nombres de las fuentes afectadas; ausente si el problema no es de fuentes.',
  ).optional(),
  count: optional(
    z.int().positive(),
    'How many publications are overdue; only with `publications_missed`.',
    'Cuántas publicaciones están atrasadas; solo con `publications_missed`.',
  ),
});

export const stateFields = {
  status: oneOf(
    SERVICE_STATES,
    'How far you can rely on the figures: `failing` when nothing fresh is published or the official rate is stale, `degraded` when only part of them has problems.',
    'Hasta dónde puede confiar en las cifras: `failing` cuando no se publica nada al día o la tasa oficial está desactualizada; `degraded` cuando solo una parte tiene problemas.',
  ),
  reasons: listOf(
    'The problems, those of figures first; empty when `ok`.',
    'Los problemas, primero los de las cifras; ninguno si el estado es `ok`.',
    stateReason,
  ),
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

/** The error while the database does not answer. */
export function silentStore(): ApiError {
  const message = sentence('The store does not answer.', 'La base de datos no responde.');
  return new ApiError('service_unavailable', { message });
}
