import { z } from 'zod';
import {
  INDEX_COMPONENTS,
  INDEX_VERSION,
  type ReferenceIndex,
} from '../../domain/calculations/reference-index.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { isoInstant } from '../../domain/time.ts';
import { FIGURES } from '../openapi/example-figures.ts';
import type { Call } from '../pipeline/call.ts';
import { endpoint } from '../pipeline/endpoint.ts';
import { oneExample } from '../pipeline/operation.ts';
import { field, said } from '../pipeline/said.ts';
import { fetchedAt, ves } from '../pipeline/schemas.ts';
import { fieldGroup, natural, optional, present } from './fields.ts';

const weight = z.number().min(0).max(1);

export const indexSchema = z.object({
  value: field(ves, 'The index: VES per dollar.', 'El índice: VES por un dólar.', 'Valor (Bs.)'),
  version: z.string().meta({
    ...said('Version of the methodology.', 'Versión de la metodología.', 'Versión'),
    example: INDEX_VERSION,
  }),
  as_of: fetchedAt.meta({ header: 'A la hora (UTC)' }),
  weights: fieldGroup(
    'The weights that were used; they sum to 1.',
    'Los pesos que se usaron; suman 1.',
    {
      bcv: field(
        weight,
        'Weight of the official dollar rate.',
        'Peso de la tasa oficial del dólar.',
        'Peso: BCV',
      ),
      paralelo: field(
        weight,
        'Weight of the parallel rate.',
        'Peso de la tasa paralela.',
        'Peso: paralelo',
      ),
      p2p: field(
        weight,
        'Weight of the median of the P2P markets.',
        'Peso de la mediana de los mercados P2P.',
        'Peso: P2P',
      ),
    },
  ),
  components: fieldGroup('The values that were used.', 'Los valores que se usaron.', {
    bcv: optional(
      ves,
      'Official dollar rate, in VES; absent when not used.',
      'Tasa oficial del dólar, en VES; ausente si no se usó.',
      'Componente: BCV (Bs.)',
    ),
    paralelo: optional(
      ves,
      'Parallel rate, in VES; absent when not used.',
      'Tasa paralela, en VES; ausente si no se usó.',
      'Componente: paralelo (Bs.)',
    ),
    p2p: optional(
      ves,
      'Median of the P2P markets, in VES; absent when not used.',
      'Mediana de los mercados P2P, en VES; ausente si no se usó.',
      'Componente: P2P (Bs.)',
    ),
  }),
  p2p_median: optional(
    ves,
    'Median of the P2P markets that were used, in VES; absent when there are none.',
    'Mediana de los mercados P2P que se usaron, en VES; ausente si no hay ninguno.',
    'Mediana P2P (Bs.)',
  ),
  p2p_count: natural(
    'How many P2P markets were used, without outliers.',
    'Cuántos mercados P2P se usaron, sin los valores atípicos.',
    'Mercados P2P',
  ),
  flags: fieldGroup(
    'Warnings about this value; empty when there are none.',
    'Avisos sobre este valor; vacío si no hay ninguno.',
    {
      bcv_stale: present(
        'Present when the official rate is too old; its weight is then 0.',
        'Aparece cuando la tasa oficial es demasiado antigua; su peso es entonces 0.',
        'BCV desactualizado',
      ),
      degraded: present(
        'Present when only 1 to 3 P2P quotes are left.',
        'Aparece cuando solo quedan de 1 a 3 cotizaciones P2P.',
        'Degradado',
      ),
      missing_sources: optional(
        z.array(z.enum(INDEX_COMPONENTS)).readonly(),
        'Components without a value, whose weights are 0; absent when there are none.',
        'Componentes sin valor, cuyos pesos son 0; ausente si no hay ninguno.',
        'Fuentes que faltan',
      ),
      outliers_excluded: optional(
        z.array(z.string()).readonly(),
        'Ids of the P2P markets that were left out; absent when there are none.',
        'Ids de los mercados P2P que quedaron fuera; ausente si no hay ninguno.',
        'Atípicos excluidos',
      ),
    },
  ),
  methodology_url: field(
    z.url(),
    'Address of the page that explains the calculation.',
    'Dirección de la página que explica el cálculo.',
    'Metodología',
  ),
});

const components = z.array(z.enum(INDEX_COMPONENTS)).readonly();

/** What headers say of the index, for the board and the static copy, which have none. */
export const indexSourcesSchema = z.object({
  stale: optional(
    components,
    'Components, `paralelo` and `p2p`, whose quotes are all stale; absent when there are none.',
    'Componentes, `paralelo` y `p2p`, cuyas cotizaciones están todas desactualizadas; ausente si no hay ninguno.',
  ),
  in_doubt: optional(
    components,
    'Components, `paralelo` and `p2p`, of whose quotes half or more are in doubt; absent when there are none.',
    'Componentes, `paralelo` y `p2p`, de cuyas cotizaciones la mitad o más están sin confirmar; ausente si no hay ninguno.',
  ),
});

/** @returns undefined when nothing is stale or in doubt. */
export function indexSourcesView({
  staleSources: stale,
  inDoubtSources: inDoubt,
}: ReferenceIndex): z.output<typeof indexSourcesSchema> | undefined {
  if (stale.length === 0 && inDoubt.length === 0) return undefined;
  return {
    ...(stale.length > 0 && { stale }),
    ...(inDoubt.length > 0 && { in_doubt: inDoubt }),
  };
}

export function indexView(
  index: ReferenceIndex,
  { snapshot, origin }: Pick<Call, 'snapshot' | 'origin'>,
): z.output<typeof indexSchema> {
  return {
    value: index.value,
    version: INDEX_VERSION,
    as_of: isoInstant(snapshot.fetchedAt),
    weights: index.weights,
    components: index.components,
    p2p_median: index.p2pMedian,
    p2p_count: index.p2pCount,
    flags: index.flags,
    methodology_url: `${origin}/methodology`,
  };
}

export const getIndex = endpoint({
  path: '/v1/fx/index',
  section: '4.8',
  summary: sentence('Weighted reference index', 'Índice ponderado de referencia'),
  description: sentence(
    'The official, parallel and P2P rates in one figure. It is neither an official rate nor an executable quote.',
    'Las tasas oficial, paralela y P2P en una sola cifra. No es una tasa oficial ni un precio al que se pueda operar.',
  ),
  operation: {
    id: 'getIndex',
    tag: 'Analysis',
    schema: 'Index',
    answers: oneExample('The index', 'El índice', FIGURES.index),
  },
  scope: 'rates',
  restsOnQuotes: true,
  answer: indexSchema,
  encoding: { root: 'index' },
  maxAgeSec: 5,
  memo: () => '',
  handle(call) {
    const { index } = call.snapshot;
    if (index !== undefined) {
      call.restsOn(index.used.flatMap(({ quotes }) => quotes));
      return indexView(index, call);
    }
    throw new ApiError('service_unavailable', {
      message: sentence(
        'No component of the index is usable now.',
        'Ahora no se puede usar ningún componente del índice.',
      ),
    });
  },
});
