import { z } from 'zod';
import type { ApiError } from '../../core/domain/errors.ts';
import { lastKnownDay } from '../../core/domain/history/past-dates.ts';
import type { Scope } from '../../core/domain/keys.ts';
import type { Plan } from '../../core/domain/plans.ts';
import { unitsSince } from '../../core/domain/redenomination.ts';
import { type CaracasDay, caracasDayOf, type Instant, MINUTE_MS } from '../../core/domain/time.ts';
import { openPlan } from '../../core/http/endpoints/open-plan.ts';
import { unitChanges, unitChangesHeader } from '../../core/http/endpoints/rates/units.ts';
import type { Refusal } from '../../core/http/framework/routing/answer.ts';
import type { Call } from '../../core/http/pipeline/call.ts';
import { type Endpoint, endpoint } from '../../core/http/pipeline/endpoint.ts';

/** Longest time that a cache may keep an answer. A minute of delay is accepted. */
const MAX_AGE_SEC = 60;

/** Header that names the publisher of the official rate, on every answer that has one. */
const SOURCE = ['X-Vesfx-Source', 'Banco Central de Venezuela'] as const;

/** A request at the address of another service. */
export interface ForeignCall<Input = unknown>
  extends Pick<Call<Input>, 'input' | 'snapshot' | 'now' | 'services' | 'restsOn'> {
  /** The caller's plan; the cheapest one without a key. */
  readonly plan: Plan;
  /** Names what nobody published of the answer, as formulas of what was: a header has them. */
  readonly derives: (formulas: readonly string[]) => void;
}

/** An address of a service: what it takes, and how our figures become its answer. */
interface Address<Query extends z.ZodObject, Answer extends object>
  extends Pick<Endpoint, 'pathForm' | 'scopeOf' | 'rejectUnknown' | 'ignores'> {
  /** `history` for a series, otherwise `rates` (contract §11). */
  readonly scope?: Scope;
  readonly query?: Query;
  /** Its answers contain a figure of the central bank. */
  readonly official?: true;
  /** The answer depends only on snapshot and plan, and is encoded once for each. */
  readonly memo?: true;
  /** A series, which depends on the parameters too. It is encoded once for each, and kept a minute. */
  readonly long?: true;
  /** The days of a series, whose rates are each in the unit of its day; until today when it has no end. */
  days?(
    answer: Answer,
    call: Pick<ForeignCall<z.output<Query>>, 'input' | 'now'>,
  ): SeriesDays | undefined;
  /** The past day that is asked for, in whose unit the rates are. */
  day?(call: Pick<ForeignCall<z.output<Query>>, 'input'>): CaracasDay | undefined;
  /** The answer is never the same twice, or contains the current time. */
  readonly uncached?: true;
  /** @throws ApiError, which `refusal` converts. */
  handle(call: ForeignCall<z.output<Query>>): Answer | Promise<Answer>;
}

interface SeriesDays {
  readonly from: CaracasDay;
  readonly to?: CaracasDay | undefined;
}

/**
 * Declares the addresses of another service (contract §12) as endpoints of this one, so that keys,
 * plans, limits, units, usage and metrics apply as everywhere.
 * @param refusal Writes an error in the format of the service.
 * @param keyHeader The header in which its clients send their key, beside those of all.
 * @returns what declares one address.
 */
export const addressesWith =
  (refusal: (error: ApiError) => Refusal, { keyHeader }: Pick<Endpoint, 'keyHeader'> = {}) =>
  <Query extends z.ZodObject = z.ZodObject, Answer extends object = object>(
    path: string,
    { official, memo, uncached, days, day, handle, ...declared }: Address<Query, Answer>,
  ): Endpoint => {
    const derived = new WeakMap<object, readonly string[]>();
    return endpoint({
      path,
      scope: 'rates',
      ...declared,
      answer: z.custom<Answer>(),
      maxAgeSec: uncached ? undefined : MAX_AGE_SEC,
      memo: declared.long ? seriesMemo : memo && (() => ''),
      headers(answer, call) {
        const { input, services, now, snapshot } = call;
        const past = day?.({ input });
        const { from, to = caracasDayOf(now) } = days?.(answer, { input, now }) ?? { from: past };
        const known = lastKnownDay(now, snapshot.newestValueDate);
        const last = to > known ? known : to;
        const changes =
          from === undefined
            ? {}
            : unitChanges(unitsSince({ from, to: last }, now), { services, input: {} });
        const formulas = derived.get(call) ?? [];
        return [
          ...(official ? SOURCE : []),
          ...(formulas.length > 0 ? ['X-Vesfx-Derived', formulas.join()] : []),
          ...unitChangesHeader(changes),
        ];
      },
      pathKey: true,
      keyHeader,
      refusal,
      handle(call) {
        const { input, snapshot, now, services, restsOn, knownCaller } = call;
        const plan = knownCaller?.plan ?? openPlan(services);
        const derives = (formulas: readonly string[]) => void derived.set(call, formulas);
        return handle({ input, snapshot, now, services, restsOn, plan, derives });
      },
    });
  };

/** A capture may lie some minutes ahead. It belongs to a series only then. */
function seriesMemo(input: unknown, _: unknown, { now }: { readonly now: Instant }): string {
  return `${Math.floor(now / MINUTE_MS)} ${JSON.stringify(input)}`;
}

/** An error as `{"error": "…"}`, the format of Venezuelan services. */
export function spanishRefusal(error: ApiError): Refusal {
  const { field } = error.options;
  const { es } = error.sentence;
  const isNamed = es.split(/[^\w-]+/).some((word) => word === field);
  return {
    // Their clients expect 404 for a day without a rate.
    status: error.code === 'rate_not_published' ? 404 : error.status,
    body: { error: field === undefined || isNamed ? es : `${es} (${field})` },
  };
}
