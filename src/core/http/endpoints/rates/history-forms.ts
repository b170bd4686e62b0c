import { z } from 'zod';
import { GROUPS } from '../../../domain/history/candles.ts';
import { GRANULARITIES, MAX_RAW_POINTS } from '../../../domain/history/history.ts';
import { field, inWords } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
import { form, oneOf, present, titled } from '../fields.ts';
import { adjustedField, unitChangesField, unitsSinceField } from './units.ts';

/** What a request for history may have, and the forms of its answer. */

export const pointsQuery = z.object({
  market: shared.marketText,
  date: shared
    .utcDayText(
      'A UTC day: the answer is the last capture before it ended, not a series.',
      'Un día UTC: la respuesta es la última captura antes de que terminara, no una serie.',
    )
    .optional(),
  ...shared.rangeFields,
  ...adjustedField,
  granularity: oneOf(
    GRANULARITIES,
    `\`daily\` (the default): the last capture of each UTC day. \`raw\`: every capture, at most the newest ${inWords(MAX_RAW_POINTS).en}.`,
    `\`daily\` (valor por defecto): la última captura de cada día UTC. \`raw\`: todas las capturas, hasta las ${inWords(MAX_RAW_POINTS).es} más recientes.`,
  ).optional(),
  group: oneOf(
    GROUPS,
    'Only the last point of each ISO week or calendar month, dated by its first day; daily series only.',
    'Solo el último punto de cada semana ISO o mes calendario, con la fecha de su primer día; solo en series diarias.',
  ).optional(),
});

const point = titled('Captured rate', {
  date: field(
    shared.day,
    'The UTC day; with `group`, the first day of the period.',
    'El día UTC; con `group`, el primer día del período.',
    'Fecha',
  ),
  rate: shared.rateNumber,
  updated_at: shared.updatedAt,
  captured_at: field(
    shared.timestamp,
    'When the service read the rate; for an official rate, not before it took effect.',
    'Cuándo leyó la tasa el servicio; en una tasa oficial, no antes de que empezara a regir.',
    'Capturada (UTC)',
  ),
});

export const pointSchema = form('Point', 'Punto', {
  market: shared.marketId,
  ...point.shape,
  unit_changes: unitsSinceField,
});

export const collectionSchema = form('Collection', 'Serie', {
  market: shared.marketId,
  from: shared.firstDay,
  to: shared.lastDay,
  granularity: oneOf(
    GRANULARITIES,
    'One point per day (`daily`) or every capture (`raw`).',
    'Un punto por día (`daily`) o todas las capturas (`raw`).',
    'Granularidad',
  ),
  count: shared.count,
  ...unitChangesField,
  points: field(
    z.array(point).readonly(),
    'The captured rates, oldest first.',
    'Las tasas capturadas, de la más antigua a la más reciente.',
  ),
  truncated: present(
    'Present when there were more points than fit: only the newest are included.',
    'Aparece cuando no caben todos los puntos: solo se incluyen los más recientes.',
    'Recortado',
  ),
});
