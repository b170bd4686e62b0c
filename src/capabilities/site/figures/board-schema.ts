import { z } from 'zod';
import { bankTableSchema } from '../../../core/http/endpoints/central-bank/bcv.ts';
import {
  inDoubtSchema,
  officialRatesSchema,
} from '../../../core/http/endpoints/central-bank/official.ts';
import {
  fieldGroup,
  figure,
  listOf,
  natural,
  optional,
  present,
  rowsOf,
  text,
  titled,
} from '../../../core/http/endpoints/fields.ts';
import { sinceSchema } from '../../../core/http/endpoints/rates/changes.ts';
import {
  detailedRateSchema,
  inDoubt,
  rateSchema,
  unchangedSince,
} from '../../../core/http/endpoints/rates/forms.ts';
import { unitChangesField } from '../../../core/http/endpoints/rates/units.ts';
import { indexSchema, indexSourcesSchema } from '../../../core/http/endpoints/reference-index.ts';
import { premiumSchema, spreadSide } from '../../../core/http/endpoints/spread.ts';
import { stateFields } from '../../../core/http/endpoints/state-view.ts';
import { FIGURES } from '../../../core/http/openapi/example-figures.ts';
import { field } from '../../../core/http/pipeline/said.ts';
import * as shared from '../../../core/http/pipeline/schemas.ts';

const names = {
  name: text('Name of the market, in Spanish.', 'Nombre del mercado.'),
  name_en: text('Name of the market, in English.', 'Nombre del mercado, en inglés.'),
};

const boardRate = rateSchema
  .extend({
    ...names,
    staleness_sec: shared.quoteAge,
    stale: shared.stale,
    in_doubt: inDoubt,
    unchanged_since: unchangedSince,
    frozen: present(
      'Present when the figures have been the same for too long.',
      'Aparece cuando las cifras llevan demasiado tiempo iguales; ausente si no.',
    ),
    gap_percent: figure(
      'Premium over the official dollar in percent; only in a row of another market in USD.',
      'Brecha con el dólar oficial, en porcentaje; solo en una fila de otro mercado en USD.',
    ).optional(),
    source: fieldGroup('Where the rate is from.', 'De dónde viene la tasa.', {
      name: text('Name of the source.', 'Nombre de la fuente.'),
      kind: text(
        '`official`, the kind of a source of the catalogue, or `operator` for a pushed record.',
        '`official`, el tipo de una fuente del catálogo, u `operator` si el registro lo envió el operador.',
      ),
    }),
    details: optional(
      detailedRateSchema.pick({
        source: true,
        sources: true,
        observed_at: true,
        held: true,
        evidence: true,
      }),
      'How reliable the rate is; absent while the database does not answer.',
      'Qué tan confiable es la tasa; ausente mientras no responde la base de datos.',
    ),
  })
  .meta({ title: 'Board rate' });

const closes = listOf(
  'The figure at the close of each of the last 30 UTC days that has one, then the current one.',
  'La cifra al cierre de cada uno de los últimos 30 días UTC que la tienen, y después la actual.',
  z.number(),
);

const trend = titled('Trend', {
  change: fieldGroup(
    'Difference from 24 hours ago; absent when there is no earlier figure.',
    'Diferencia con hace 24 horas; ausente si no hay una cifra anterior.',
    {
      amount: figure('The difference, in VES.', 'La diferencia, en VES.'),
      percent: figure('The difference in percent.', 'La diferencia en porcentaje.'),
    },
  ).optional(),
  closes,
});

/** The answer of `GET /board.json`. */
export const boardSchema = z.object({
  version: text(
    'Changes when anything except an age changes.',
    'Cambia cuando cambia algo que no sea una antigüedad.',
  ),
  as_of: field(
    shared.timestamp,
    'When the ages were counted.',
    'Cuándo se contaron las antigüedades.',
  ),
  fetched_at: shared.fetchedAt,
  state: fieldGroup(
    'How far you can rely on the figures.',
    'Cuánto se puede confiar en las cifras.',
    stateFields,
  ),
  missing: rowsOf(
    'The markets that the reasons are about and that have no rate; absent when there are none.',
    'Los mercados sin tasa de los que hablan los motivos; ausente si no hay ninguno.',
    'Missing market',
    { market: shared.marketId, ...names, type: shared.marketType, base: shared.base },
  ).optional(),
  official: officialRatesSchema,
  in_doubt: inDoubtSchema.optional(),
  unit_changes: field(
    unitChangesField.unit_changes,
    'The days up to that of the next official rate, or of one in doubt, from which one new bolívar is several old ones: that rate is in the new one; absent when there is none.',
    'Los días, hasta el de la próxima tasa oficial, desde los cuales un bolívar nuevo son varios viejos: esa tasa está en el nuevo; ausente si no hay ninguno.',
  ),
  p2p: fieldGroup(
    'The P2P median of the index; absent when no P2P quote remains.',
    'La mediana P2P del índice; ausente si no queda ninguna cotización P2P.',
    {
      median: field(
        shared.ves,
        'Median of the P2P markets, in VES per dollar.',
        'Mediana de los mercados P2P, en VES por dólar.',
      ),
      count: field(
        z.int().positive(),
        'How many markets it is the median of.',
        'De cuántos mercados es la mediana.',
      ),
      updated_at: field(
        shared.updatedAt,
        'Time of the oldest of their quotes.',
        'Hora de la más antigua de sus cotizaciones.',
      ),
      stale_count: natural(
        'How many of their quotes are stale.',
        'Cuántas de sus cotizaciones están desactualizadas.',
      ),
    },
  ).optional(),
  index: optional(
    indexSchema,
    'The weighted index; absent when it cannot be calculated.',
    'El índice ponderado; ausente si no se puede calcular.',
  ),
  index_sources: optional(
    indexSourcesSchema,
    'What of the index is stale or in doubt; absent when nothing is.',
    'Qué del índice está desactualizado o sin confirmar; ausente si nada.',
  ),
  gap: fieldGroup(
    'The premium of the parallel rate over the official one; absent without one of them.',
    'La brecha entre la tasa paralela y la oficial; ausente si falta una de ellas.',
    {
      reference: field(
        spreadSide.omit({ updated_at: true }).meta({ title: 'Premium side' }),
        'The official dollar rate.',
        'La tasa oficial del dólar.',
      ),
      compared: field(spreadSide, 'The parallel rate.', 'La tasa paralela.'),
      spread: premiumSchema,
    },
  ).optional(),
  trends: fieldGroup('How the figures moved.', 'Cómo se movieron las cifras.', {
    parallel: optional(
      trend,
      'The parallel rate; absent without one.',
      'La tasa paralela; ausente si no hay.',
    ),
    p2p: optional(
      trend,
      'The P2P median; absent without one.',
      'La mediana P2P; ausente si no hay.',
    ),
    index: optional(trend, 'The index; absent without one.', 'El índice; ausente si no hay.'),
    gap: optional(
      titled('Premium trend', {
        change: fieldGroup(
          'Difference from 24 hours ago; absent when there is no earlier figure.',
          'Diferencia con hace 24 horas; ausente si no hay una cifra anterior.',
          {
            amount: figure(
              'The difference, in percentage points.',
              'La diferencia, en puntos porcentuales.',
            ),
          },
        ).optional(),
        closes,
      }),
      'The premium, in percent; absent without one.',
      'La brecha, en porcentaje; ausente si no hay.',
    ),
  }),
  rates: listOf(
    'A row for each market of the cheapest plan that has a quote.',
    'Una fila por cada mercado del plan más económico que tiene cotización.',
    boardRate,
  ),
  banks: optional(
    bankTableSchema,
    'The bank table; absent until one is stored.',
    'La tabla de bancos; ausente hasta que se guarda una.',
  ),
  changes: field(
    z.record(z.string(), sinceSchema),
    'By market: the rate of 24 hours ago and the change; a market without one is absent.',
    'Por mercado: la tasa de hace 24 horas y el cambio; un mercado sin ellas está ausente.',
  ),
  history_days: natural(
    'How many days back the history of the board reaches; 0 for none.',
    'Cuántos días atrás llega el historial de la página; 0 si no tiene historial.',
  ),
});

const named = {
  reference: ['BCV, dólar', 'BCV, dollar'],
  parallel: ['Dólar paralelo', 'Parallel dollar'],
};

function exampleRate(market: keyof typeof named, more: object) {
  const [name, name_en] = named[market];
  return { ...FIGURES[market], name, name_en, stale: false, ...more };
}

const premium = { absolute: 96.0786, percentage: 12.46, direction: 'higher' };

/** The example of the reference, of the same night as the others. */
export const BOARD_EXAMPLE = {
  version: 'j-mwqcvpc0-0-1prrgy7',
  as_of: '2026-11-21T03:00:00.000Z',
  fetched_at: FIGURES.fetchedAt,
  state: { status: 'ok', reasons: [] },
  official: {
    USD: {
      in_force: {
        rate: FIGURES.reference.mid,
        value_date: '2026-11-20',
        effective_at: FIGURES.officialAt,
        change: { amount: 4.2111, percent: 0.5491 },
      },
    },
  },
  p2p: { median: 881.565, count: 2, updated_at: FIGURES.firstP2p.updated_at, stale_count: 0 },
  index: FIGURES.index,
  gap: {
    reference: { market: 'reference', value: FIGURES.reference.mid },
    compared: { market: 'parallel', value: 867.15, updated_at: FIGURES.parallelAt },
    spread: premium,
  },
  trends: {
    parallel: { change: { amount: 2.1, percent: 0.2428 }, closes: [865.05, 867.15] },
    gap: { change: { amount: -0.12 }, closes: [12.58, 12.46] },
  },
  rates: [
    exampleRate('reference', {
      staleness_sec: 82800,
      source: { name: 'Banco Central de Venezuela', kind: 'official' },
    }),
    exampleRate('parallel', {
      staleness_sec: 900,
      gap_percent: premium.percentage,
      source: { name: 'yadio', kind: 'json-feed' },
    }),
  ],
  changes: {
    parallel: {
      before: { rate: 865.05, captured_at: '2026-11-20T02:58:04.000Z' },
      change: { amount: 2.1, percent: 0.2428 },
    },
  },
  history_days: 365,
};
