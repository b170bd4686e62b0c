import { z } from 'zod';
import { type Sentence, sentence } from '../../../core/domain/errors/sentence.ts';
import { flag, natural, present, text } from '../../../core/http/endpoints/fields.ts';
import { rateSchema } from '../../../core/http/endpoints/rates/forms.ts';
import { FIGURES } from '../../../core/http/openapi/example-figures.ts';
import type { DocumentedMessage } from '../../../core/http/pipeline/operation.ts';
import { field } from '../../../core/http/pipeline/said.ts';
import { day, rateChange, timestamp, ves } from '../../../core/http/pipeline/schemas.ts';
import { type MessageType, TEST_EVENT } from '../webhook-types.ts';
import { EXAMPLE_ID } from './views.ts';

/** The body of each message, for the reference (contract §24). */

const market = text('Id of the market.', 'Id del mercado.');

const valueDate = field(day, 'Value date, in Caracas.', 'Fecha valor, en Caracas.');
const effectiveAt = field(timestamp, 'From when it holds.', 'Desde cuándo rige.');

const officialDay = {
  value_date: valueDate,
  effective_at: effectiveAt,
  rates: field(
    z.record(
      z.string(),
      z.object({
        rate: field(ves, 'VES per unit of the currency.', 'VES por una unidad de la moneda.'),
        change: rateChange.optional(),
      }),
    ),
    'Rates by currency; those of a publication that is read in parts come in parts.',
    'Tasas por moneda; las de una publicación leída por partes llegan por partes.',
  ),
  captured_at: field(timestamp, 'When it was read.', 'Cuándo se leyó.'),
};

const source = text('Name of the source.', 'Nombre de la fuente.');

function message(
  name: MessageType,
  summary: Sentence,
  data: z.ZodRawShape,
  example: object,
): DocumentedMessage {
  const schema = z.object({
    type: field(z.literal(name), 'The event.', 'El evento.'),
    timestamp: field(timestamp, 'When it happened.', 'Cuándo ocurrió.'),
    data: field(z.object(data), 'What happened.', 'Qué ocurrió.'),
  });
  const timestampOfExample = '2026-11-20T20:31:07.000Z';
  return {
    name,
    summary,
    schema,
    example: { type: name, timestamp: timestampOfExample, data: example },
  };
}

const EXAMPLE_DAY = {
  value_date: '2026-11-24',
  effective_at: '2026-11-24T04:00:00.000Z',
  rates: { USD: { rate: 772.5441, change: { amount: 1.4727, percent: 0.191 } } },
  captured_at: '2026-11-20T20:31:07.000Z',
};

/** Every message, in the order of the reference. */
export const MESSAGES: readonly DocumentedMessage[] = [
  message(
    'official.published',
    sentence('The central bank has published rates.', 'El Banco Central publicó tasas.'),
    officialDay,
    EXAMPLE_DAY,
  ),
  message(
    'official.in_force',
    sentence(
      'Official rates come into force, at 00:00 in Caracas.',
      'Comienzan a regir tasas oficiales, a las 00:00 en Caracas.',
    ),
    officialDay,
    EXAMPLE_DAY,
  ),
  message(
    'official.corrected',
    sentence(
      'A published official rate was corrected or withdrawn.',
      'Una tasa oficial publicada fue corregida o retirada.',
    ),
    {
      value_date: valueDate,
      effective_at: effectiveAt,
      rates: z.record(
        z.string(),
        z.object({
          was: field(ves, 'The rate before.', 'La tasa anterior.'),
          is: field(
            ves.nullable(),
            'The rate now; `null` if it was withdrawn.',
            'La tasa ahora; `null` si se retiró.',
          ),
          why: text('Why it changed.', 'Por qué cambió.'),
        }),
      ),
      corrected_at: field(timestamp, 'When it changed.', 'Cuándo cambió.'),
    },
    {
      ...{ value_date: '2026-11-24', effective_at: '2026-11-24T04:00:00.000Z' },
      rates: { USD: { was: 772.5414, is: 772.5441, why: 'corrected' } },
      corrected_at: '2026-11-20T20:31:07.000Z',
    },
  ),
  message(
    'rate.changed',
    sentence(
      'A rate has changed by the threshold or more since the last one told.',
      'Una tasa cambió lo que dice el umbral, o más, desde la última avisada.',
    ),
    {
      market,
      rate: rateSchema,
      previous: field(
        z.object({
          mid: field(ves, 'Its rate, in VES.', 'Su tasa, en VES.'),
          updated_at: field(timestamp, 'Its time.', 'Su hora.'),
        }),
        'The last rate told.',
        'La última tasa avisada.',
      ),
      in_doubt: present('Only when the rate is in doubt.', 'Solo si la tasa está sin confirmar.'),
      change: rateChange,
      threshold_percent: field(z.number(), 'The threshold.', 'El umbral.'),
      version: natural(
        'Grows with every change: it orders messages.',
        'Crece con cada cambio: ordena los mensajes.',
      ),
    },
    {
      ...{ market: 'parallel', rate: FIGURES.parallel },
      previous: { mid: 855.5, updated_at: '2026-11-20T18:00:00.000Z' },
      ...{ change: { amount: 11.65, percent: 1.3618 }, threshold_percent: 1, version: 1842 },
    },
  ),
  message(
    'rate.in_doubt',
    sentence(
      'A published rate is in doubt, or no longer is.',
      'Una tasa publicada está sin confirmar, o ya no.',
    ),
    {
      market,
      in_doubt: flag('Whether it is in doubt.', 'Si está sin confirmar.'),
      rate: rateSchema,
    },
    { market: 'parallel', in_doubt: true, rate: FIGURES.parallel },
  ),
  message(
    'source.degraded',
    sentence(
      'A source has failed, come late, stood still or waited for five minutes.',
      'Una fuente lleva cinco minutos con fallas, atrasada, sin cambios o en espera.',
    ),
    {
      source,
      state: text('How it is.', 'Cómo está.'),
      why: text('What happened.', 'Qué ocurrió.'),
      since: field(timestamp, 'Since when.', 'Desde cuándo.'),
    },
    {
      ...{ source: 'bcv', state: 'failing', why: 'it did not answer' },
      since: '2026-11-20T20:26:07.000Z',
    },
  ),
  message(
    'source.recovered',
    sentence('The source works again.', 'La fuente funciona de nuevo.'),
    {
      source,
      degraded_for_sec: natural('Seconds without it.', 'Segundos sin ella.'),
    },
    { source: 'bcv', degraded_for_sec: 900 },
  ),
  message(
    TEST_EVENT,
    sentence('The test that you asked for.', 'La prueba que usted pidió.'),
    { webhook: text('Id of the webhook.', 'Id del webhook.') },
    { webhook: EXAMPLE_ID },
  ),
];
