import { sentence } from '../../../core/domain/errors/sentence.ts';
import { ApiError, invalidFormat, notFound } from '../../../core/domain/errors.ts';
import { type Instant, parseInstant } from '../../../core/domain/time.ts';
import { type Inactive, MAX_TESTS_PER_MINUTE, type NotThere } from '../webhook-types.ts';

/** What requests and commands about webhooks are refused for (contract §24). */

export function noSuchWebhook(): ApiError {
  return notFound('unknown_id', {
    field: 'id',
    message: sentence('There is no webhook with that id.', 'No hay un webhook con ese id.'),
  });
}

export function noSuchMessage(): ApiError {
  return notFound('unknown_id', {
    field: 'message',
    message: sentence('There is no message with that id.', 'No hay un mensaje con ese id.'),
  });
}

/** A minute, in seconds. */
const RETRY_AFTER_SEC = 60;

type Refused = NotThere | Inactive | 'too_many';

/** @throws ApiError for an endpoint that is not there, or sends nothing, or no more tests. */
export function found<T>(outcome: T | Refused): Exclude<T, Refused> {
  if (outcome === 'missing') throw noSuchWebhook();
  if (outcome === 'too_many') {
    throw new ApiError('rate_limit_exceeded', {
      message: sentence(
        `At most ${MAX_TESTS_PER_MINUTE} tests of a webhook a minute.`,
        `Como máximo ${MAX_TESTS_PER_MINUTE} pruebas de un webhook por minuto.`,
      ),
      retryAfterSec: RETRY_AFTER_SEC,
    });
  }
  if (outcome !== 'inactive') return outcome as Exclude<T, Refused>;
  throw new ApiError('conflict', {
    message: sentence(
      'The webhook is paused or disabled: set active to true first.',
      'El webhook está en pausa o desactivado: póngale primero `active` en `true`.',
    ),
  });
}

/** @throws ApiError `conflict`. */
export function sameUrl(): ApiError {
  return new ApiError('conflict', {
    field: 'url',
    message: sentence(
      'You have a webhook with that url already.',
      'Usted ya tiene un webhook con esa dirección (`url`).',
    ),
  });
}

/** @throws ApiError for what is no time, or has not come. */
export function sinceOf(given: string, now: Instant): Instant {
  const since = parseInstant(given);
  if (since === undefined) {
    throw invalidFormat(
      'since',
      'not_a_time',
      sentence(
        'since must be a time in ISO 8601 with its zone.',
        'El valor de `since` debe ser una hora en ISO 8601 con su zona.',
      ),
    );
  }
  if (since <= now) return since;
  throw invalidFormat(
    'since',
    'out_of_range',
    sentence(
      'since must not be in the future.',
      'El valor de `since` no puede estar en el futuro.',
    ),
  );
}
