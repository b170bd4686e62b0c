import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError, notFound } from '../../domain/errors.ts';
import type { KeyKind } from '../../domain/keys.ts';
import type { Plan, Plans } from '../../domain/plans.ts';
import { endOfUtcDay, type Instant, SECOND_MS, utcDayOf } from '../../domain/time.ts';
import { beyondPlan } from './access.ts';
import { KEY_PREFIX } from './keys.ts';

/** What `Accounts` refuses. */

/** The error for one key more than the plan allows. */
export function tooManyKeys(plans: Plans, plan: Plan, kind: KeyKind, message?: Sentence): ApiError {
  const isPublishable = kind === 'publishable';
  const max = keysMaxOf(plan, kind);
  const noun = sentence(
    `${isPublishable ? 'publishable' : 'live'} ${max === 1 ? 'key' : 'keys'}`,
    `${max === 1 ? 'clave' : 'claves'} ${isPublishable ? 'publicable' : 'activa'}${max === 1 ? '' : 's'}`,
  );
  return beyondPlan(plans, plan, {
    feature: isPublishable ? 'public_keys' : 'keys',
    limitOf: (other) => keysMaxOf(other, kind),
    message:
      message ??
      sentence(
        `${plan.name} has at most ${max} ${noun.en}: revoke one or rotate it.`,
        `El plan ${plan.name} tiene como máximo ${max} ${noun.es}: revoque una o rótela.`,
      ),
  });
}

export function throwMissing(noun: 'account' | 'key', id: string): never {
  // An operator may pass a key instead of its id. Keep the key out of the message, which may be
  // logged.
  const message = id.includes(KEY_PREFIX)
    ? sentence(
        'That is a key itself: give its id, which `vesfx key list` shows.',
        'Eso es la clave misma: dé su id, que muestra `vesfx key list`.',
      )
    : sentence(
        `There is no ${noun} ${id}.`,
        `No hay una ${noun === 'key' ? 'clave' : 'cuenta'} ${id}.`,
      );
  throw notFound('unknown_id', { message });
}

/** The error for one key more than a day allows. */
export function tooManyToday(
  message: Sentence,
  { limit, now }: { readonly limit: number | null; readonly now: Instant },
): ApiError {
  return new ApiError('rate_limit_exceeded', {
    message,
    retryAfterSec: Math.max(1, Math.ceil((endOfUtcDay(utcDayOf(now)) - now) / SECOND_MS)),
    scope: 'account',
    details: { limit },
  });
}

/** Most active keys of the kind that a plan allows. Full and restricted keys count together. */
export function keysMaxOf(plan: Plan, kind: KeyKind): number | null {
  return kind === 'publishable' ? plan.publicKeysMax : plan.keysMax;
}
