import { z } from 'zod';
import { sentence } from '../../../domain/errors/sentence.ts';
import { byName, FEATURES, FORMATS, PLAN_CELLS } from '../../../domain/plans.ts';
import { isoInstant, utcMonthOf } from '../../../domain/time.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { oneExample } from '../../pipeline/operation.ts';
import { field, said } from '../../pipeline/said.ts';
import { timestamp } from '../../pipeline/schemas.ts';
import { fieldGroup, natural, oneOf, text } from '../fields.ts';
import { EXAMPLE_KEYS, keyList, keyPage } from './key-fields.ts';

const limit = z.int().nonnegative().nullable();

export const account = endpoint({
  path: '/v1/account',
  section: 'contract 3',
  summary: sentence('Your plan, limits, usage and keys', 'Su plan, límites, consumo y claves'),
  description: sentence(
    'Keys appear without their secrets: live ones first, at most 100 per answer. Keys that no longer work are listed for 30 days.',
    'Las claves aparecen sin su secreto: primero las activas, como máximo 100 por respuesta. Las que ya no son válidas se muestran durante 30 días.',
  ),
  operation: {
    id: 'getAccount',
    tag: 'Account',
    schema: 'Account',
    answers: oneExample('An account on the plan Profesional', 'Una cuenta del plan Profesional', {
      id: 'acc_7Hq2',
      name: 'Tienda Caracas',
      plan: 'Profesional',
      status: 'active',
      limits: byName(({ example }) => example, {
        formats: PLAN_CELLS.formats.example,
        features: PLAN_CELLS.features.example,
      }),
      usage: {
        month: '2026-11',
        units_used: 18250,
        units_remaining: 281750,
        resets_at: '2026-12-01T00:00:00.000Z',
      },
      keys: [EXAMPLE_KEYS.full],
      keys_next: null,
    }),
  },
  scope: 'account.read',
  cost: 0,
  query: z.object({
    keys_after: text(
      '`keys_next` of the previous answer, for the next page of keys.',
      '`keys_next` de la respuesta anterior, para la página siguiente de claves.',
    ).optional(),
  }),
  answer: z.object({
    id: text('Id of the account.', 'Id de la cuenta.'),
    name: text('Name of the account.', 'Nombre de la cuenta.'),
    plan: text('Name of its plan.', 'Nombre de su plan.'),
    status: oneOf(
      ['active', 'suspended'],
      'Whether its keys work (`active`) or not (`suspended`).',
      'Si sus claves sirven (`active`) o no (`suspended`).',
    ),
    limits: fieldGroup(
      'Limits of the plan; `null` means no limit.',
      'Lo que permite el plan; `null` significa sin límite.',
      byName(({ said: texts }) => limit.meta({ said: texts }), {
        formats: z.array(z.enum(FORMATS)).meta({ said: PLAN_CELLS.formats.said }),
        features: z.array(z.enum(FEATURES)).meta({ said: PLAN_CELLS.features.said }),
      }),
    ),
    usage: fieldGroup('Units of the current month.', 'Unidades del mes en curso.', {
      month: z.string().meta({
        ...said('The UTC month, `YYYY-MM`.', 'El mes UTC, `AAAA-MM`.'),
        example: '2026-11',
      }),
      units_used: natural('Units spent in the month.', 'Unidades gastadas en el mes.'),
      units_remaining: field(
        limit,
        'Units left in the month; `null` if there is no limit.',
        'Unidades que quedan en el mes; `null` si no hay límite.',
      ),
      resets_at: field(
        timestamp,
        'When the next month begins, with all its units.',
        'Cuándo empieza el mes siguiente, con todas sus unidades.',
      ),
    }),
    keys: keyList,
    keys_next: field(
      z.string().nullable(),
      'Start of the next page of keys; `null` on the last page.',
      'Dónde empieza la página siguiente de claves; `null` en la última.',
    ),
  }),
  errors: ['resource_not_found'],
  async handle(call) {
    const { account: own, plan } = call.caller;
    const { keys, next } = await keyPage(call, call.input.keys_after, 'keys_after');
    const used = await call.services.quota.countedThisMonth(own.id);
    const month = utcMonthOf(call.now);
    return {
      id: own.id,
      name: own.name,
      plan: plan.name,
      status: own.status,
      limits: byName(({ key }) => plan[key], {
        formats: [...plan.formats],
        features: [...plan.features],
      }),
      usage: {
        month: month.name,
        units_used: used,
        units_remaining: plan.unitsPerMonth && Math.max(0, plan.unitsPerMonth - used),
        resets_at: isoInstant(month.end),
      },
      keys,
      keys_next: next,
    };
  },
});
