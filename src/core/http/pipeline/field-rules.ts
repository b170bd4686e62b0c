import type { z } from 'zod';
import { ERRORS } from '../../domain/errors/error-codes.ts';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import { ApiError, invalidField, notFound } from '../../domain/errors.ts';
import type { Markets } from '../../domain/markets.ts';
import { nearDay, nearMarkets, nearParameter } from '../../domain/near-names.ts';
import { caracasDayOf } from '../../domain/time.ts';
import { bodyRule } from '../framework/routing/json-body.ts';
import { MAX_ECHO_LENGTH, MAX_IGNORED_NAMES } from '../framework/routing/limits.ts';
import {
  EMPTY,
  type FieldRules,
  isBlank,
  type ParameterDeclaration,
  queryNames,
  type UnknownNames,
} from '../framework/routing/parameters.ts';
import { isDayText } from './schemas.ts';

/** What the service decides about names that a caller sent and that nothing has, and about days. */

/** At addresses that are not documented with the others. */
const NO_DATE_HERE = sentence(
  'This address takes no date in the query.',
  'Esta dirección no acepta fechas en la consulta.',
);
const NO_RULE_HERE = sentence(
  'This address takes no rule in the query.',
  'Esta dirección no acepta una regla en la consulta.',
);
const NO_DATE = sentence(
  'This endpoint takes no date: /v1/fx/rates and /v1/fx/convert do.',
  'Este endpoint no acepta fechas: /v1/fx/rates y /v1/fx/convert sí.',
);

const NO_RANGE = sentence(
  'This endpoint takes no range: the history of a market and /v1/fx/official/history do.',
  'Este endpoint no acepta rangos: el historial de un mercado y /v1/fx/official/history sí.',
);

const NO_RULE = sentence(
  'This endpoint takes no rule: /v1/fx/rates and /v1/fx/convert do.',
  'Este endpoint no acepta una regla: /v1/fx/rates y /v1/fx/convert sí.',
);

/** Decides about parameters or fields that are not documented, and collects the ignored ones. */
class CheckedNames implements UnknownNames {
  readonly #rules: NameRules;
  readonly #ignored = new Set<string>();

  constructor(rules: NameRules) {
    this.#rules = rules;
  }

  /**
   * @throws ApiError `unknown_parameter` for a name that is not ignored, `invalid_format` for an empty
   *   day.
   */
  add(name: string, value?: unknown): void {
    const { documented, days, ignores, refuse, noDay } = this.#rules;
    // A day under a name that is nearly `to` is no number that a program sends against caches.
    if (ignores.includes(name) && !(CACHE_BUSTERS.has(name) && isDayLike(value))) {
      this.#ignored.add(name);
      return;
    }
    if (CHOOSING.includes(name) && isBlank(value)) throw invalidField(name, EMPTY);
    const near = nearDay(name, days) ?? nearParameter(name, documented);
    if (near !== undefined || refuse) throw unknownName(name, documented, near);
    const day = noDay && choosing(name, noDay.names);
    if (day !== undefined) throw unknownName(name, documented, undefined, noDay?.messageOf(day));
    if (name !== '' && this.#ignored.size < MAX_IGNORED_NAMES) this.#ignored.add(name);
  }

  /**
   * Looks for a name that a caller thought to separate from the value before it.
   * @throws ApiError `unknown_parameter` for one that chooses a figure.
   */
  lookBehind(pair: string): void {
    const { documented, days, noDay } = this.#rules;
    const names = [...days, ...(noDay?.names ?? [])];
    for (const [, name = ''] of pair.matchAll(BEHIND_A_VALUE)) {
      if (choosing(name, names) === undefined) continue;
      throw unknownName(name, documented, undefined, notSeparated(name.slice(0, MAX_ECHO_LENGTH)));
    }
  }

  get ignored(): readonly string[] {
    return [...this.#ignored];
  }
}

interface NameRules {
  readonly documented: readonly string[];
  /** Those that are days. */
  readonly days: readonly string[];
  /** Ignored, whatever they are near. */
  readonly ignores: readonly string[];
  /** Refuses every other unknown name. */
  readonly refuse: boolean;
  /** Refuses what chooses a figure elsewhere: it would be answered with another one. */
  readonly noDay?: NoDay | undefined;
}

interface NoDay {
  /** Those of `CHOOSING` that are no parameters, and in a query the fields of the body. */
  readonly names: readonly string[];
  messageOf(name: string): Sentence;
}

/** Names that choose the day of a figure, or the rate of a day. An empty one must not mean today. */
const CHOOSING: readonly string[] = ['date', 'from', 'to', 'since', 'rule'];

/** The name among those that another one means or nearly is. */
function choosing(name: string, names: readonly string[]): string | undefined {
  if (CACHE_BUSTERS.has(name)) return undefined;
  return nearDay(name, names) ?? nearParameter(name, names);
}

/** `;date=` in a name or value, or `?date=`, but neither that of `&amp;` nor of an address. */
const BEHIND_A_VALUE = /(?:(?<!amp);|^[^/:?]*\?)([^;?&=]+)=/g;

const notSeparated = (name: string) =>
  sentence(
    `${name} stands behind another value: separate parameters with &.`,
    `\`${name}\` está detrás de otro valor: separe los parámetros con &.`,
  );

/** Programs send them so that no cache answers. They are nearly `to`, but mean no day. */
const CACHE_BUSTERS: ReadonlySet<string> = new Set(['t', 'ts']);

/** Names that strict addresses ignore too: jQuery and spreadsheets send them so that no cache answers. */
export const CACHE_BUSTER: readonly string[] = ['_', ...CACHE_BUSTERS];

/** `2026-11-20`, but not the time or counter of a program. */
const isDayLike = (value: unknown) => typeof value === 'string' && !/^[\d.]+$/.test(value);

/** What a declaration of an endpoint says of the names in a query. */
interface QueryDeclaration extends ParameterDeclaration {
  readonly rejectUnknown?: true;
  readonly ignores?: readonly string[];
  readonly hasFigures?: true;
  /** Set at an address of another service. */
  readonly refusal?: unknown;
  readonly body?: z.ZodObject;
}

export function queryRules(endpoint: QueryDeclaration): FieldRules {
  return rulesOf(endpoint.query, queryNameRules(endpoint), false);
}

function queryNameRules(endpoint: QueryDeclaration): NameRules {
  const days = dayNames(endpoint.query);
  return {
    documented: queryNames(endpoint),
    days,
    ignores: endpoint.ignores ?? [],
    refuse: endpoint.rejectUnknown === true,
    noDay: noDayOf(endpoint, days),
  };
}

/** Whether some names are refused in the query of an endpoint. */
export function refusesNames(endpoint: QueryDeclaration): boolean {
  const { documented, refuse, noDay } = queryNameRules(endpoint);
  return refuse || documented.length > 0 || noDay !== undefined;
}

/** What an address with figures says of days that it does not take. */
function noDayOf({ path, hasFigures, refusal, body }: QueryDeclaration, days: readonly string[]) {
  const names = otherNames(days);
  if (refusal !== undefined || hasFigures === true) {
    return { names, messageOf: (name: string) => (name === 'rule' ? NO_RULE_HERE : NO_DATE_HERE) };
  }
  if (!path.startsWith('/v1/fx/')) return undefined;
  // A field of the body that stands in the query would be without effect: another market, for one.
  const fields = Object.keys(body?.shape ?? {});
  return {
    names: [...names, ...fields],
    messageOf: (name: string) => noDayMessage(name, body),
  };
}

/** The same for a body. One with a date has figures: there an empty field is absent, as in a query. */
export function bodyRules(schema: z.ZodObject): FieldRules {
  const days = dayNames(schema);
  const noDay = { names: otherNames(days), messageOf: (name: string) => noDayMessage(name) };
  const isOfFigures = 'date' in schema.shape;
  return rulesOf(
    schema,
    {
      ...{ documented: Object.keys(schema.shape), days, ignores: [] },
      refuse: bodyRule(schema) === 'refuse',
      noDay: isOfFigures ? noDay : undefined,
    },
    isOfFigures,
  );
}

function rulesOf(schema: z.ZodObject, names: NameRules, emptyIsAbsent: boolean): FieldRules {
  const { days } = names;
  return {
    neverEmpty: [...days, ...CHOOSE_DAYS.filter((name) => Object.hasOwn(schema.shape, name))],
    emptyIsAbsent,
    unknownNames: () => new CheckedNames(names),
    // A day that cannot be answered tells today (contract §4).
    wrongValue: (name, wrong, now) =>
      invalidField(name, wrong, days.includes(name) ? { today: caracasDayOf(now) } : {}),
  };
}

/** How the rate of a day is chosen, and a month. Like a day, they are never empty. */
const CHOOSE_DAYS = ['rule', 'month'];

/** The parameters or body fields that are days. */
export function dayNames({ shape }: z.ZodObject): readonly string[] {
  return Object.keys(shape).filter((name) => shape[name] !== undefined && isDayText(shape[name]));
}

const otherNames = (days: readonly string[]) => CHOOSING.filter((name) => !days.includes(name));

function noDayMessage(name: string, body?: z.ZodObject): Sentence {
  if (body !== undefined && name in body.shape) {
    return sentence(
      `This endpoint takes its ${name} in the body.`,
      `Este endpoint acepta \`${name}\` en el cuerpo.`,
    );
  }
  if (name === 'rule') return NO_RULE;
  return name === 'date' ? NO_DATE : NO_RANGE;
}

function unknownName(
  name: string,
  parameters: readonly string[],
  near: string | undefined,
  message: Sentence = ERRORS.unknown_parameter.message,
): ApiError {
  return new ApiError('unknown_parameter', {
    field: name.slice(0, MAX_ECHO_LENGTH),
    details: { parameters, did_you_mean: near },
    message:
      near === undefined
        ? message
        : sentence(`${message.en} Did you mean ${near}?`, `${message.es} ¿Quiso decir ${near}?`),
  });
}

/**
 * The header that tells what was ignored; empty when nothing was. Names are percent-encoded, because
 * a caller chooses them.
 */
export function ignoredHeader(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names
    .slice(0, MAX_IGNORED_NAMES)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, MAX_ECHO_LENGTH));
  return ['X-Ignored-Parameters', shown.join()];
}

/**
 * The 404 for a name of no market, with up to three similar ids (contract §1). `field` is the
 * parameter that held it.
 */
export function unknownMarket(markets: Markets, name: string, field: string | undefined): ApiError {
  return notFound('unknown_market', {
    field,
    details: { did_you_mean: nearMarkets(markets, name) },
    message: sentence('There is no market of that name.', 'No hay un mercado con ese nombre.'),
  });
}
