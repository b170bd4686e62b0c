import { z } from 'zod';
import { beyondPlan, requireFeature } from '../../../app/access/access.ts';
import {
  MARKUP_LIMIT,
  markupRuleSchema,
  markupValue,
  tooManyRules,
} from '../../../app/access/markups.ts';
import { faultOf } from '../../../app/schema-sentences.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import { fault } from '../../../domain/errors/value-rules.ts';
import { ApiError, invalidField, invalidFormat, invalidItem } from '../../../domain/errors.ts';
import { MARKUP_KINDS, type MarkupRule } from '../../../domain/markup.ts';
import { nearMarkets } from '../../../domain/near-names.ts';
import { MAX_ECHO_LENGTH } from '../../framework/routing/limits.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { said } from '../../pipeline/said.ts';
import { flag, listOf, oneOf, optional, text, textList } from '../fields.ts';

/** Endpoints with which an account manages its markup rules (contract §6). */

export const markupKind = oneOf(
  MARKUP_KINDS,
  'What the rule adds: a percentage (`percent`) or an amount of VES (`fixed`).',
  'Qué suma el margen: un porcentaje (`percent`) o un monto en VES (`fixed`).',
  'Margen: clase',
);

const MARKUP_AMOUNT = said(
  'The percentage, or the VES to add to the rate; negative to lower it.',
  'El porcentaje, o los VES que se suman a la tasa; negativo, para bajarla.',
  'Margen: valor',
);

export const markupAmount = z.number().meta(MARKUP_AMOUNT);

export const markupTag = text(
  'Name of the rule: 1 to 32 characters of a-z, 0-9, _ and -.',
  'Nombre del margen: de 1 a 32 caracteres de a-z, 0-9, _ y -.',
);

const ruleSchema = z.object({
  tag: markupTag,
  kind: markupKind,
  value: markupAmount,
  markets: textList(
    'Ids of the markets it applies to; empty for all.',
    'Ids de los mercados a los que se aplica; vacío, a todos.',
  ),
  active: flag('Whether requests may use the rule.', 'Si las consultas pueden usar el margen.'),
});

const ruleBody = z.looseObject({
  kind: markupKind,
  value: markupValue.meta(MARKUP_AMOUNT),
  markets: textList(
    'Ids of the markets it applies to; empty or absent for all.',
    'Ids de los mercados a los que se aplica; vacío o ausente, a todos.',
  ).optional(),
  active: flag(
    'Whether requests may use the rule; `true` by default.',
    'Si las consultas pueden usar el margen; por defecto, `true`.',
  ).optional(),
});

function ruleView({ tag, kind, value, markets, active }: MarkupRule) {
  return { tag, kind, value, markets: [...markets], active };
}

/** @throws ApiError `invalid_format` with the faulty field. */
function readRule(
  services: Call['services'],
  body: { readonly tag?: unknown; readonly markets?: readonly string[] | undefined },
): MarkupRule {
  const result = markupRuleSchema(services.markets).safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new Error('a failed schema has an issue');
  const [named, position] = issue.path;
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0] : String(named ?? 'tag');
  if (named === 'markets' && typeof position === 'number') {
    const market = body.markets?.[position] ?? '';
    const name = market.slice(0, MAX_ECHO_LENGTH);
    const unknown = fault(
      'unknown_market',
      `"${name}" is not in the catalogue`,
      `"${name}" no está en el catálogo`,
    );
    const more = { did_you_mean: nearMarkets(services.markets, market) };
    throw invalidItem('markets', position, unknown, more);
  }
  throw invalidField(field ?? 'tag', faultOf(issue));
}

/** Unlike the error of a rate with `markup`, this does not mention active rules. */
function noSuchRule(): ApiError {
  return new ApiError('markup_not_found', {
    field: 'tag',
    details: { reason: 'unknown_id' },
    message: sentence(
      'There is no markup rule with that tag.',
      'No hay un margen con esa etiqueta.',
    ),
  });
}

/** Saves a rule, and applies it in this process before the answer. */
async function save(
  { caller, services }: Pick<Call, 'caller' | 'services'>,
  rule: MarkupRule,
  mode: 'create' | 'replace',
): Promise<MarkupRule> {
  const { plan } = caller;
  const outcome = await services.store.saveMarkup(caller.account.id, rule, mode, plan.markupsMax);
  switch (outcome) {
    case 'saved':
      await services.changePoller.poll();
      return rule;
    case 'exists':
      throw new ApiError('already_exists', {
        field: 'tag',
        message: sentence(
          `The rule ${rule.tag} already exists: replace it with PUT.`,
          `El margen ${rule.tag} ya existe: reemplácelo con PUT.`,
        ),
      });
    case 'missing':
      throw noSuchRule();
    case 'full':
      throw beyondPlan(services.plans, plan, { ...MARKUP_LIMIT, message: tooManyRules(plan) });
    default:
      return outcome satisfies never;
  }
}

/**
 * Checks access to the rules: those remaining from a dearer plan may be read and deleted on any
 * plan (contract §6).
 * @throws ApiError `feature_not_in_plan` when there are none, and the plan allows none.
 */
function checkLeftRules({ caller, services }: Pick<Call, 'caller' | 'services'>): void {
  if (caller.markups.length === 0) requireFeature(services.plans, caller.plan, 'markup');
}

const exampleRule = { tag: 'tienda', kind: 'percent', value: 3.5, markets: [], active: true };

export const listMarkups = endpoint({
  path: '/v1/account/markups',
  section: 'contract 6',
  summary: sentence('Your markup rules', 'Sus márgenes'),
  description: sentence(
    'All your rules. Those beyond the number that your plan allows do not apply; the oldest ones count first.',
    'Todos sus márgenes. Los que pasan del número que permite su plan no se aplican; cuentan primero los más antiguos.',
  ),
  operation: {
    id: 'listMarkups',
    tag: 'Account',
    schema: 'Markups',
    answers: oneExample('One rule for every market', 'Un margen para todos los mercados', {
      markups: [exampleRule],
    }),
  },
  check: (call) => checkLeftRules(call),
  scope: 'account.read',
  cost: 0,
  answer: z.object({
    markups: listOf(
      'The rules, in the order of their tags.',
      'Los márgenes, en el orden de sus etiquetas.',
      ruleSchema,
    ),
  }),
  errors: ['feature_not_in_plan'],
  async handle({ caller, services }) {
    const rules = await services.store.listMarkups(caller.account.id);
    return { markups: rules.map(ruleView) };
  },
});

export const createMarkup = endpoint({
  method: 'POST',
  path: '/v1/account/markups',
  section: 'contract 6',
  summary: sentence('Create a markup rule', 'Crear un margen'),
  description: sentence(
    'A rule adds a percentage or a fixed amount to the rates. Apply it with `markup` on the rates.',
    'Un margen suma un porcentaje o un monto fijo a las tasas. Aplíquelo con `markup` en las tasas.',
  ),
  operation: {
    id: 'createMarkup',
    tag: 'Account',
    schema: 'Markup',
    bodySchema: 'NewMarkup',
    body: exampleRule,
    answers: oneExample('The rule as saved', 'El margen como quedó guardado', exampleRule),
  },
  feature: 'markup',
  scope: 'account.write',
  cost: 0,
  body: ruleBody.extend({ tag: markupTag }),
  answer: ruleSchema,
  status: 201,
  errors: ['already_exists'],
  async handle({ body, caller, services }) {
    return ruleView(await save({ caller, services }, readRule(services, body), 'create'));
  },
});

const tagPath = z.object({
  tag: text('Tag of a saved markup rule.', 'Etiqueta de un margen guardado.'),
});

export const replaceMarkup = endpoint({
  method: 'PUT',
  path: '/v1/account/markups/:tag',
  section: 'contract 6',
  summary: sentence('Replace a markup rule', 'Reemplazar un margen'),
  description: sentence(
    'The body is the whole rule: fields that it does not name take their defaults.',
    'El cuerpo es el margen entero: los campos que no nombra toman su valor por defecto.',
  ),
  operation: {
    id: 'replaceMarkup',
    tag: 'Account',
    bodySchema: 'MarkupReplacement',
    parameters: { tag: 'tienda' },
    body: { kind: 'fixed', value: 10, markets: ['parallel'] },
    answers: oneExample('The rule as saved', 'El margen como quedó guardado', {
      tag: 'tienda',
      kind: 'fixed',
      value: 10,
      markets: ['parallel'],
      active: true,
    }),
  },
  feature: 'markup',
  scope: 'account.write',
  cost: 0,
  query: tagPath,
  body: ruleBody.extend({
    tag: optional(
      markupTag,
      'Only the tag in the address; it may be left out.',
      'Solo la etiqueta de la dirección; puede omitirse.',
    ),
  }),
  answer: ruleSchema,
  errors: ['markup_not_found'],
  async handle({ input, body, caller, services }) {
    if (body.tag !== undefined && body.tag !== input.tag) {
      throw invalidFormat(
        'tag',
        'not_changeable',
        sentence(
          'tag must equal the tag in the address.',
          'El valor de `tag` debe ser igual a la etiqueta de la dirección.',
        ),
      );
    }
    const rule = readRule(services, { ...body, tag: input.tag });
    return ruleView(await save({ caller, services }, rule, 'replace'));
  },
});

export const deleteMarkup = endpoint({
  method: 'DELETE',
  path: '/v1/account/markups/:tag',
  section: 'contract 6',
  summary: sentence('Delete a markup rule', 'Borrar un margen'),
  description: sentence(
    'Requests that use the rule then get the error `markup_not_found`.',
    'Las consultas que la usan reciben después el error `markup_not_found`.',
  ),
  operation: { id: 'deleteMarkup', tag: 'Account', parameters: { tag: 'tienda' }, answers: {} },
  check: (call) => checkLeftRules(call),
  scope: 'account.write',
  cost: 0,
  query: tagPath,
  answer: z.undefined(),
  status: 204,
  errors: ['feature_not_in_plan', 'markup_not_found'],
  async handle({ input, caller, services }) {
    const deleted = await services.store.deleteMarkup(caller.account.id, input.tag);
    if (!deleted) throw noSuchRule();
    await services.changePoller.poll();
    return undefined;
  },
});
