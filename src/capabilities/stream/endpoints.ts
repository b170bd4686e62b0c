import { z } from 'zod';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { notFound } from '../../core/domain/errors.ts';
import { officialSchema } from '../../core/http/endpoints/central-bank/official.ts';
import { optional, text, textList } from '../../core/http/endpoints/fields.ts';
import { rateSchema } from '../../core/http/endpoints/rates/forms.ts';
import { indexSchema } from '../../core/http/endpoints/reference-index.ts';
import { FIGURES } from '../../core/http/openapi/example-figures.ts';
import { type Endpoint, streamEndpoint } from '../../core/http/pipeline/endpoint.ts';
import { field } from '../../core/http/pipeline/said.ts';
import { fetchedAt, marketNames } from '../../core/http/pipeline/schemas.ts';
import type { ServingParts } from '../../core/http/serving/server-parts.ts';
import { BOARD_STREAMS_PER_MINUTE } from './limits.ts';
import type { Streams } from './streams.ts';

/** An id that makes no sense is none: a browser would send it again for ever. */
const lastEventId = text(
  'The id of the last event that you got, where you cannot send `Last-Event-ID`.',
  'El id del último evento que recibió, si no puede enviar `Last-Event-ID`.',
).optional();

const event = z.object({
  rates: field(
    z.array(rateSchema),
    'The rows of `snapshot`, or in `rates` those that changed.',
    'Las filas de `snapshot`, o en `rates` las que cambiaron.',
  ),
  in_doubt: textList(
    'Ids of all markets of the stream whose rate is in doubt now, in every event; empty for none.',
    'Ids de todos los mercados del flujo cuya tasa está ahora sin confirmar, en cada evento; vacía si no hay ninguno.',
  ),
  stale: textList(
    'The same of stale rates: older than their `stale_after_sec`.',
    'Lo mismo de las tasas desactualizadas: más antiguas que su `stale_after_sec`.',
  ),
  frozen: textList(
    'The same of frozen rates: their source repeats the same figures for too long.',
    'Lo mismo de las tasas congeladas: su fuente repite las mismas cifras demasiado tiempo.',
  ),
  removed: textList(
    'Ids of the markets that no longer have a row, and `index` when it can no longer be calculated; absent when there are none.',
    'Ids de los mercados que ya no tienen fila, e `index` si ya no se puede calcular; ausente si no hay ninguno.',
  ).optional(),
  index: optional(
    indexSchema,
    'The weighted index; in `rates` only when it changed.',
    'El índice ponderado; en `rates` solo si cambió.',
  ),
  official: optional(
    officialSchema,
    'The answer of `/v1/fx/official`; in `rates` only when it changed.',
    'La respuesta de `/v1/fx/official`; en `rates` solo si cambió.',
  ),
  fetched_at: fetchedAt,
});

const NO_MARKS = { in_doubt: [], stale: [], frozen: [] };

export const STREAM_PATH = '/v1/fx/stream';
export const BOARD_STREAM_PATH = '/board/stream';

/** Opens on the board's address are counted over the workers; open streams in each process. */
const BOARD_STREAM_LIMIT = {
  name: 'board-stream',
  perMinute: BOARD_STREAMS_PER_MINUTE,
  message: sentence(
    'Too many streams of the board opened from this address.',
    'Demasiados flujos del tablero abiertos desde esta dirección.',
  ),
};

export function streamEndpoints(
  streams: Streams,
  { answers }: Pick<ServingParts, 'answers'>,
): readonly Endpoint[] {
  const ofAccounts: Endpoint = streamEndpoint({
    path: STREAM_PATH,
    section: 'contract 23',
    summary: sentence('Rates as they change', 'Tasas a medida que cambian'),
    description: sentence(
      'Server-sent events: first `snapshot` with every rate, then `rates` with what changed. A browser reads it with `EventSource`, with a publishable key in the address. The first minute costs a unit, and each later minute in which something is sent another.',
      'Eventos enviados por el servidor: primero `snapshot` con todas las tasas y luego `rates` con lo que cambió. Un navegador lo lee con `EventSource`, con una clave publicable en la dirección. El primer minuto cuesta una unidad, y otra cada minuto posterior en el que se envía algo.',
    ),
    operation: {
      id: 'openStream',
      tag: 'Rates',
      schema: 'StreamEvent',
      parameters: { markets: 'parallel,binance' },
      answers: {
        rates: {
          summary: sentence('The data of `rates`', 'Los datos de `rates`'),
          asked: '/v1/fx/rates',
          value: { rates: [FIGURES.parallel], ...NO_MARKS, fetched_at: FIGURES.fetchedAt },
        },
        snapshot: {
          summary: sentence('The data of `snapshot`', 'Los datos de `snapshot`'),
          asked: '/v1/fx/rates',
          value: {
            rates: [FIGURES.parallel, FIGURES.firstP2p],
            ...NO_MARKS,
            index: FIGURES.index,
            fetched_at: FIGURES.fetchedAt,
          },
        },
      },
    },
    scope: 'stream',
    feature: 'stream',
    query: z.object({ markets: marketNames.optional(), last_event_id: lastEventId }),
    rejectUnknown: true,
    markets: ({ markets = [] }) => markets.map((name) => ({ name, field: 'markets' })),
    answer: event,
    errors: ['resource_not_found'],
    stream(call) {
      const { markets: names, last_event_id: given } = call.input;
      const { markets } = call.services;
      return streams.ofAccount(call, {
        named: names?.flatMap((name) => markets.find(name)?.id ?? []),
        lastEventId: call.lastEventId ?? given,
        called: ofAccounts,
      });
    },
  });
  const ofBoard: Endpoint = streamEndpoint({
    path: BOARD_STREAM_PATH,
    access: 'open',
    anyOrigin: true,
    addressLimit: BOARD_STREAM_LIMIT,
    hasFigures: true,
    cost: 0,
    query: z.object({ last_event_id: lastEventId }),
    async stream(call) {
      // Without a board there are no figures without a key.
      if (!answers('/board.json')) throw notFound('unknown_path');
      return streams.ofAddress(call, {
        lastEventId: call.lastEventId ?? call.input.last_event_id,
        called: ofBoard,
      });
    },
  });
  return [ofAccounts, ofBoard];
}
