import { z } from 'zod';
import { codesOfRecords } from '../../../domain/judgement/rules.ts';
import { entitled, field } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
import { markupAmount, markupKind, markupTag } from '../account/markups.ts';
import { fieldGroup, form, listOf, optional, present, text } from '../fields.ts';
import { indexSchema } from '../reference-index.ts';
import { asOf, asOfDaySchema } from './past-date.ts';

/** The schemas of a rate and of a snapshot: current or past, with or without a markup. */

export const inDoubt = present(
  'Present when the rate moved far and no second source confirms it, or a witness contradicts an official one.',
  'Aparece cuando la tasa se movió mucho y ninguna otra fuente lo confirma, o un testigo contradice una oficial.',
  'Sin confirmar',
);

export const unchangedSince = optional(
  shared.timestamp,
  'When the current figures were first read; absent when it is not known.',
  'Cuándo se leyeron por primera vez las cifras actuales; ausente si no se sabe.',
  'Sin cambios desde (UTC)',
);
export const frozen = field(
  z.boolean(),
  'Whether the figures have been the same for longer than a market of its type stands still: 24 hours of the parallel market, 6 hours of P2P, never for official rates.',
  'Si las cifras llevan más tiempo iguales del que un mercado de su tipo se queda quieto: 24 horas el paralelo, 6 horas el P2P, nunca las tasas oficiales.',
  'Sin cambios',
);

// Strict, so that a rate of a past day does not match it.
export const rateSchema = z
  .strictObject({
    market: shared.marketId,
    type: shared.marketType,
    base: shared.base,
    mid: field(
      shared.ves,
      'Rate of the market: VES per unit of the base currency.',
      'Tasa del mercado: VES por una unidad de la moneda base.',
      'Tasa (Bs.)',
    ),
    ask: optional(
      shared.ves,
      'What buying one unit of the base currency costs, in VES; absent when the market does not say.',
      'Lo que cuesta comprar una unidad de la moneda base, en VES; ausente si el mercado no lo indica.',
      'Usted compra a (Bs.)',
    ),
    bid: optional(
      shared.ves,
      'What selling one unit of the base currency yields, in VES; absent when the market does not say.',
      'Lo que se recibe al vender una unidad de la moneda base, en VES; ausente si el mercado no lo indica.',
      'Usted vende a (Bs.)',
    ),
    updated_at: shared.updatedAt,
    effective_date: shared.valueDate.optional(),
    stale_after_sec: shared.staleAfterSec,
  })
  .meta(entitled('Rate', 'Tasa'));

const markupApplied = { kind: markupKind, value: markupAmount };

const markedRateSchema = rateSchema
  .omit({ base: true, effective_date: true, stale_after_sec: true })
  .extend({
    mid_with_markup: optional(
      z.number().positive(),
      '`mid` with the markup, in VES with 4 decimals; absent in a row that the rule does not cover.',
      '`mid` con el margen, en VES y con 4 decimales; ausente en una fila que el margen no cubre.',
      'Tasa con margen (Bs.)',
    ),
    markup_applied: fieldGroup(
      'The rule that was applied; absent in a row that it does not cover.',
      'El margen que se aplicó; ausente en una fila que no cubre.',
      markupApplied,
    ).optional(),
  })
  .meta({ title: 'Rate with markup' });

const envelope = {
  country: text(
    'Country of the quotes: always VE.',
    'País de las cotizaciones: siempre VE.',
    'País',
  ),
  currency: field(
    z.literal('VES'),
    'Three-letter code of the currency.',
    'Código de tres letras de la moneda.',
    'Moneda',
  ),
  base: field(
    z.literal('USD'),
    'Always USD. A row may quote another currency: see its `base`.',
    'Siempre USD. Una fila puede cotizar otra moneda: vea su `base`.',
  ),
  index: field(
    indexSchema.optional(),
    'The weighted index; absent when it cannot be calculated.',
    'El índice ponderado; ausente si no se puede calcular.',
  ),
  fetched_at: shared.fetchedAt,
};

const appliedRule = fieldGroup(
  'The rule that was applied; absent in a row that it does not cover.',
  'El margen que se aplicó; ausente en una fila que no cubre.',
  { tag: markupTag, ...markupApplied },
);

function rows<Row extends z.ZodType>(row: Row) {
  return listOf(
    'A row for each market that has a quote.',
    'Una fila por cada mercado con cotización.',
    row,
  );
}

/** A rate with `details=true`: its age and the evidence for it. */
export const detailedRateSchema = rateSchema
  .extend({
    stale_at: field(
      shared.timestamp,
      'Until when the rate is not stale: its time plus the threshold.',
      'Hasta cuándo la tasa no está desactualizada: su momento más la edad máxima de su mercado.',
      'Desactualizada desde (UTC)',
    ),
    stale: shared.stale,
    in_doubt: inDoubt,
    unchanged_since: unchangedSince,
    frozen,
    source: text(
      'Name of the source of the rate; absent when it is not known.',
      'Nombre de la fuente de la tasa; ausente si no se conoce.',
      'Fuente',
    ).optional(),
    sources: field(
      z.int().positive(),
      'How many independent sources agree within 2%, including its own.',
      'Cuántas fuentes independientes coinciden, con una diferencia de 2 % como máximo; cuenta la propia.',
      'Fuentes que coinciden',
    ),
    observed_at: field(
      shared.timestamp,
      'When the service read the rate.',
      'Cuándo leyó el servicio la tasa.',
      'Observada (UTC)',
    ),
    held: field(
      z
        .object({
          captured_at: field(
            shared.timestamp,
            'When the held reading was taken.',
            'Cuándo se hizo la lectura retenida.',
            'Retenida: capturada (UTC)',
          ),
          reason: text(
            `Why it is held: a rule of judgement, ${codesOfRecords('quote', 'publication')}; new ones may appear. The methodology explains each.`,
            `Por qué está retenida: una regla de la revisión, ${codesOfRecords('quote', 'publication')}; puede haber nuevas. La metodología explica cada una.`,
            'Retenida: razón',
          ),
          message: text(
            'Why it is held, in a sentence.',
            'Por qué está retenida, en una frase.',
            'Retenida: explicación',
          ),
        })
        .nullable(),
      'A newer reading that is held and not published; `null` when there is none.',
      'Una lectura más nueva que está retenida y no se publica; `null` si no hay ninguna.',
    ),
    evidence: text(
      'Id of the figure, for the command `vesfx evidence`.',
      'Id de la cifra, para el comando `vesfx evidence`.',
      'Evidencia',
    ),
  })
  .meta(entitled('Rate with details', 'Tasa con detalles'));

export const pastRateSchema = rateSchema
  .extend({ as_of: asOf })
  .meta(entitled('Past rate', 'Tasa de un día pasado'));

const { index: _index, ...pastHead } = envelope;
const pastEnvelope = {
  ...pastHead,
  as_of: field(
    asOfDaySchema,
    'How the requested day was answered; only with `date`.',
    'Cómo se respondió el día consultado; solo con `date`.',
  ),
};

export const ratesSchema = z.union([
  form('Rates', 'Tasas', { ...envelope, rates: rows(rateSchema) }),
  form('Rates with markup', 'Tasas con margen', {
    ...envelope,
    rates: rows(markedRateSchema),
    markup_applied: appliedRule,
  }),
  form('Past rates', 'Tasas de un día pasado', { ...pastEnvelope, rates: rows(pastRateSchema) }),
  form('Past rates with markup', 'Tasas de un día pasado con margen', {
    ...pastEnvelope,
    rates: rows(markedRateSchema.extend({ as_of: asOf }).meta({ title: 'Past rate with markup' })),
    markup_applied: appliedRule,
  }),
]);
