import { z } from 'zod';
import type { BadLine } from '../../app/ingest/batch.ts';
import { MAX_LISTED_ERRORS } from '../../app/ingest/ingest.ts';
import { recordsIn } from '../../app/ingest/ndjson.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { invalidFormat } from '../../domain/errors.ts';
import { PUSHED } from '../../domain/source-health.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field } from '../pipeline/said.ts';
import { listOf, natural, oneOf, text } from './fields.ts';

const NO_RECORDS = sentence(
  'The body has no records: send one record per line.',
  'El cuerpo no tiene registros: envíe un registro por línea.',
);

/** Accepts records in batches, with the checks of `vesfx import` (contract §7). */
export const adminRecords = endpoint({
  method: 'POST',
  path: '/v1/admin/records',
  section: 'contract 7',
  summary: sentence('Push records', 'Cargar registros'),
  description: sentence(
    'NDJSON records: the service stores all of them or none. Needs the admin token as Authorization: Bearer or X-Admin-Token.',
    'Registros NDJSON: el servicio los guarda todos o ninguno. Necesita el token de administración, en Authorization: Bearer o X-Admin-Token.',
  ),
  operation: {
    id: 'pushRecords',
    tag: 'Operator',
    schema: 'Ingested',
    body: '{"kind":"quote","market":"binance","mid":882.34,"updated_at":"2026-11-21T02:58:00.000Z"}\n',
    answers: oneExample('One record, stored', 'Un registro, guardado', {
      accepted: 1,
      held: 0,
      refused: 0,
      duplicate: 0,
    }),
  },
  access: 'admin',
  cost: 0,
  query: z.object({
    trust: oneOf(
      ['true', 'false'],
      '`true` accepts the records that the checks would hold.',
      '`true` acepta los registros que los controles retendrían.',
    ).optional(),
  }),
  textBody: true,
  answer: z.object({
    accepted: natural('Records that were stored.', 'Registros guardados.'),
    held: natural(
      'Doubtful records, which are not published.',
      'Registros dudosos, que no se publican.',
    ),
    refused: natural('Records that were refused.', 'Registros rechazados.'),
    duplicate: natural(
      'Records that had already been stored, or are passed over.',
      'Registros que ya estaban guardados o que se dejan pasar.',
    ),
    passed_over: listOf(
      'The first 1,000 quotes that are older than the current one and outside of the band; absent when there are none.',
      'Las primeras 1.000 cotizaciones anteriores a la actual y fuera de la banda; ausente si no hay ninguna.',
      z.object({
        line: field(z.int().positive(), 'Line of the body, from 1.', 'Línea del cuerpo, desde 1.'),
        reason: text(
          'Why the record is neither stored nor held.',
          'Por qué el registro ni se guarda ni se retiene.',
        ),
      }),
    ).optional(),
  }),
  async handle({ input, text, services }) {
    if (text.trim() === '') throw invalidFormat(undefined, 'empty', NO_RECORDS);
    const errors: BadLine[] = [];
    const passedOver: BadLine[] = [];
    const counts = await services.ingest.ingest(recordsIn(text.split(/\r?\n/)), {
      source: PUSHED,
      trust: input.trust === 'true',
      tell({ bad, passedOver: old }) {
        if (bad !== undefined && errors.length < MAX_LISTED_ERRORS) errors.push(bad);
        if (old !== undefined && passedOver.length < MAX_LISTED_ERRORS) passedOver.push(old);
      },
    });
    if (counts.refused > 0) {
      const isOne = counts.refused === 1;
      throw invalidFormat(
        undefined,
        'bad_records',
        sentence(
          `${counts.refused} bad ${isOne ? 'line' : 'lines'}; nothing was stored.`,
          `${counts.refused} ${isOne ? 'línea incorrecta' : 'líneas incorrectas'}; no se guardó nada.`,
        ),
        { ...counts, errors },
      );
    }
    await services.changePoller.poll();
    return passedOver.length === 0 ? counts : { ...counts, passed_over: passedOver };
  },
});
