import { z } from 'zod';
import { marketInPlan } from '../../../app/access/access.ts';
import { add, toNumber } from '../../../domain/decimal.ts';
import { sentence } from '../../../domain/errors/sentence.ts';
import {
  CORRECTION_KINDS,
  CORRECTION_REASONS,
  type Correction,
  correctionsSince,
  MAX_CORRECTIONS,
} from '../../../domain/history/corrections.ts';
import { currencyOf } from '../../../domain/markets.ts';
import { shownUnits } from '../../../domain/redenomination.ts';
import { caracasDayOf, type Instant, isoInstant, startOfCaracasDay } from '../../../domain/time.ts';
import type { Call } from '../../pipeline/call.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { type ComposeSample, oneExample } from '../../pipeline/operation.ts';
import { field, inWords } from '../../pipeline/said.ts';
import * as shared from '../../pipeline/schemas.ts';
import { oneOf, optional, rowsOf } from '../fields.ts';

const query = z.object({
  since: shared
    .caracasDayText(
      'First day, in Caracas; 30 days before today by default.',
      'Primer día, en Caracas; por defecto, 30 días antes de hoy.',
    )
    .optional(),
});

function correctionView(
  { kind, name, valueDate, was, is, correctedAt, why }: Correction,
  { services, now }: Pick<Call, 'services'> & { readonly now: Instant },
) {
  const day = valueDate ?? caracasDayOf(correctedAt);
  const inItsUnit = (figure: number) =>
    services.redenominations.rebased(figure, shownUnits(day, { on: day }));
  return {
    kind,
    market: services.markets.find(name)?.id,
    currency: kind === 'publication' ? (currencyOf(name) ?? name) : undefined,
    value_date: valueDate,
    was: inItsUnit(was),
    is: is === undefined ? null : inItsUnit(is),
    corrected_at: isoInstant(Math.min(correctedAt, now)),
    why,
  };
}

function marketsFor({ caller, services: { markets, plans } }: Pick<Call, 'caller' | 'services'>) {
  const inPlan = markets.list.filter((market) => marketInPlan(plans, caller.plan, market));
  return inPlan.map(({ id }) => id);
}

/** How far the sample's figure was from the right one. */
const SAMPLE_ERROR = 0.0027;

/** Most services have no correction: then the sample's day has the rate that the service gives for it. */
const composedSample: ComposeSample = async (ask, moved) => {
  const day = moved('2026-11-20');
  const table = { ...Object(await ask(`/v1/fx/official/history?from=${day}&to=${day}`)) };
  const { rate }: { rate?: unknown } = { ...Object(Object(table.rows)[0]) };
  if (typeof rate !== 'number') return undefined;
  const correction = {
    ...{ kind: 'publication', market: 'reference', currency: 'USD', value_date: day },
    ...{ was: toNumber(add(rate, SAMPLE_ERROR)), is: rate },
    ...{ corrected_at: `${moved('2026-11-19')}T21:25:00.000Z`, why: 'insisted' },
  };
  return { since: moved('2026-11-01'), count: 1, corrections: [correction] };
};

export const corrections = endpoint({
  path: '/v1/fx/corrections',
  section: 'contract 21',
  summary: sentence('Corrections', 'Correcciones'),
  description: sentence(
    `Figures that were published and no longer hold, newest first: official rates that were replaced or withdrawn, and quotes that were restored. At most ${inWords(MAX_CORRECTIONS).en}.`,
    `Las cifras que se publicaron y ya no son ciertas, primero las más recientes: tasas oficiales que se reemplazaron o se retiraron, y cotizaciones que se restablecieron. Como máximo ${inWords(MAX_CORRECTIONS).es}.`,
  ),
  operation: {
    id: 'listCorrections',
    tag: 'Rates',
    schema: 'Corrections',
    parameters: { since: '2026-11-01' },
    answers: oneExample(
      'Figures that changed after they were published',
      'Cifras que cambiaron después de publicadas',
      {
        since: '2026-11-01',
        count: 2,
        corrections: [
          {
            kind: 'publication',
            market: 'reference',
            currency: 'USD',
            value_date: '2026-11-20',
            was: 771.0741,
            is: 771.0714,
            corrected_at: '2026-11-19T21:25:00.000Z',
            why: 'insisted',
          },
          {
            kind: 'quote',
            market: 'binance',
            was: 1302.4,
            is: 881.05,
            corrected_at: '2026-11-12T15:04:00.000Z',
            why: 'restored',
          },
        ],
      },
      { composed: composedSample },
    ),
  },
  scope: 'history',
  query,
  rejectUnknown: true,
  check: ({ input, now }) => void correctionsSince(input.since, now),
  answer: z.object({
    since: field(
      shared.day,
      'First day of the list, in Caracas.',
      'Primer día de la lista, en Caracas.',
      'Desde',
    ),
    count: shared.count,
    corrections: rowsOf(
      'The corrections, newest first.',
      'Las correcciones, de la más reciente a la más antigua.',
      'Correction',
      {
        kind: oneOf(
          CORRECTION_KINDS,
          '`publication`: an official rate, one row for each currency. `quote`: a rate of another market.',
          '`publication`: una tasa oficial, con una fila por moneda. `quote`: una tasa de otro mercado.',
          'Clase',
        ),
        market: optional(
          shared.marketId,
          'Id of the market; absent for a currency without one.',
          'Id del mercado; ausente en una moneda que no tiene mercado.',
          'Mercado',
        ),
        currency: optional(
          shared.currency,
          'Currency of the publication; absent for a quote.',
          'Moneda de la publicación; ausente en una cotización.',
          'Moneda',
        ),
        value_date: optional(
          shared.day,
          'Value date of the publication, in Caracas; absent for a quote.',
          'Fecha valor de la publicación, en Caracas; ausente en una cotización.',
          'Fecha valor',
        ),
        was: field(
          shared.ves,
          'The figure that no longer holds, in VES.',
          'La cifra que dejó de ser cierta, en VES.',
          'Decía (Bs.)',
        ),
        is: field(
          shared.ves.nullable(),
          'The figure that took its place, in VES; `null` when it was withdrawn.',
          'La cifra que ocupa su lugar, en VES; `null` si se retiró.',
          'Dice (Bs.)',
        ),
        corrected_at: field(
          shared.timestamp,
          'When the service corrected it; of a quote, when it read what corrected it.',
          'Cuándo la corrigió el servicio; de una cotización, cuándo leyó lo que la corrigió.',
          'Corregida (UTC)',
        ),
        why: oneOf(
          CORRECTION_REASONS,
          'Why it no longer holds; new codes may appear.',
          'Por qué dejó de ser cierta; puede haber códigos nuevos.',
          'Motivo',
        ),
      },
    ),
  }),
  encoding: { root: 'corrections', rows: 'corrections' },
  errors: [],
  maxAgeSec: 60,
  lastModified: ({ since, corrections: [newest] }, { input, now }) =>
    Math.max(
      newest === undefined ? 0 : Date.parse(newest.corrected_at),
      // Without `since` the answer names another day each day.
      input.since === undefined
        ? startOfCaracasDay(caracasDayOf(now))
        : Date.parse(`${since}T04:00:00Z`),
    ),
  memo: ({ since }, _market, { now }) => correctionsSince(since, now),
  async handle(call) {
    const since = correctionsSince(call.input.since, call.now);
    const list = await call.services.store.corrections({
      since: startOfCaracasDay(since),
      markets: marketsFor(call),
      limit: MAX_CORRECTIONS,
    });
    const rows = list.map((correction) => correctionView(correction, call));
    return { since, count: rows.length, corrections: rows };
  },
});
