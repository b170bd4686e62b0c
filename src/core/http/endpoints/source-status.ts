import type { z } from 'zod';
import { HEALTH_DAYS, VALUE_DATE_DAYS } from '../../app/collecting/source-facts.ts';
import {
  SOURCE_ADDITIONS,
  SOURCE_CONDITIONS,
  type SourceHealth,
} from '../../domain/source-health.ts';
import { type Instant, isoInstant } from '../../domain/time.ts';
import { field } from '../pipeline/said.ts';
import { day, timestamp } from '../pipeline/schemas.ts';
import {
  flag,
  listOf,
  natural,
  oneOf,
  optional,
  present,
  text,
  textList,
  titled,
} from './fields.ts';

/** A source as the status shows it. */

const dayView = titled('Source day', {
  date: field(day, 'The day, in Caracas.', 'El día, en Caracas.'),
  successes: natural('Readings that gave records.', 'Lecturas que dieron registros.'),
  failures: natural('Readings that failed.', 'Lecturas que fallaron.'),
  changes: natural(
    'Readings with figures other than the previous one.',
    'Lecturas con cifras distintas de la anterior.',
  ),
});

export const sourceView = titled('Source status', {
  name: text('Name of the source.', 'Nombre de la fuente.'),
  kind: text(
    'Kind of source, which decides how it is read.',
    'Tipo de fuente, que decide cómo se lee.',
  ),
  enabled: flag('Whether the source is switched on.', 'Si la fuente está activa.'),
  role: oneOf(
    ['witness'],
    'A witness publishes nothing: its official rates only confirm or contradict. Absent for other sources.',
    'Un testigo (`witness`) no publica nada: sus tasas oficiales solo confirman o contradicen. Ausente en las demás fuentes.',
  ).optional(),
  adds: oneOf(
    SOURCE_ADDITIONS,
    'What the source adds while it is on: a second source for the official rate, or an origin of its market that is independent of the aggregator. Absent for other sources.',
    'Lo que agrega la fuente mientras está activa: una segunda fuente para la tasa oficial, o un origen de su mercado que no depende del agregador. Ausente en las demás fuentes.',
  ).optional(),
  markets: textList(
    'Ids of the markets that the source quotes; empty for the tables of the central bank.',
    'Ids de los mercados que cotiza la fuente; vacío en las tablas del Banco Central.',
  ),
  stands_in_for: text(
    'The source that this one replaces when that one fails; absent for a main source.',
    'La fuente a la que esta reemplaza cuando aquella falla; ausente en una fuente principal.',
  ).optional(),
  state: oneOf(
    SOURCE_CONDITIONS,
    'State of the source, in one word.',
    'Estado de la fuente, en una palabra.',
  ),
  why: text('The state in one sentence, for people.', 'El estado en una frase, para personas.'),
  failure: text(
    'Why the last reading failed, in one word; absent when it did not. New ones may appear.',
    'Por qué falló la última lectura, en una palabra; ausente si no falló. Puede haber nuevas.',
  ).optional(),
  last_success: optional(
    timestamp,
    'When the source was last read without an error; absent before the first time.',
    'Cuándo se leyó la fuente sin errores por última vez; ausente antes de la primera.',
  ),
  last_change: optional(
    timestamp,
    'When its figures last changed; a new time alone does not count. Absent until they change.',
    'Cuándo cambiaron sus cifras por última vez; una hora nueva por sí sola no cuenta. Ausente hasta que cambian.',
  ),
  consecutive_failures: natural(
    'Readings that failed since the last good one.',
    'Lecturas fallidas desde la última correcta.',
  ),
  publications_missed: natural(
    'Overdue publications of the central bank, by its calendar; only for the source of its official rates, or for `operator` while none is on.',
    'Publicaciones atrasadas del Banco Central, según su calendario; solo en sus tasas oficiales.',
  ).optional(),
  value_dates_missing: listOf(
    `Value dates of the last ${VALUE_DATE_DAYS} days that are not stored; only with \`publications_missed\`.`,
    `Fechas valor de los últimos ${VALUE_DATE_DAYS} días que no están guardadas; solo en las tasas oficiales.`,
    day,
  ).optional(),
  missing_markets: textList(
    'Its markets without a new quote for 30 minutes; absent when there are none.',
    'Sus mercados sin cotización nueva desde hace 30 minutos; ausente si no hay ninguno.',
  ).optional(),
  page_went_back: present(
    'Present when its page shows an earlier publication again.',
    'Aparece cuando su página volvió a mostrar una publicación anterior.',
  ),
  next_run: optional(
    timestamp,
    'When the source is read next; absent when no reading is due.',
    'Cuándo se lee la fuente la próxima vez; ausente si no hay una lectura prevista.',
  ),
  held: natural(
    'How many doubtful records of the source are held and not published.',
    'Cuántos registros dudosos de la fuente están retenidos y no se publican.',
  ),
  days: listOf(
    `Those of the last ${HEALTH_DAYS} days on which the source was read, oldest first.`,
    `Los días de los últimos ${HEALTH_DAYS} en que se leyó la fuente, del más antiguo al más reciente.`,
    dayView,
  ),
});

export const optionalTime = (instant: Instant | undefined) =>
  instant === undefined ? undefined : isoInstant(instant);

export function sourceStatus(source: SourceHealth): z.output<typeof sourceView> {
  const { valueDatesMissing, missingMarkets } = source;
  return {
    name: source.name,
    kind: source.kind,
    enabled: source.enabled,
    role: source.role,
    adds: source.adds,
    markets: [...source.markets],
    stands_in_for: source.fallbackFor,
    state: source.condition,
    why: source.why,
    failure: source.failure,
    last_success: optionalTime(source.lastSuccessAt),
    last_change: optionalTime(source.lastChangeAt),
    consecutive_failures: source.consecutiveFailures,
    publications_missed: source.publicationsMissed,
    value_dates_missing: valueDatesMissing && [...valueDatesMissing],
    missing_markets: missingMarkets && [...missingMarkets],
    page_went_back: source.pageWentBack ? true : undefined,
    next_run: optionalTime(source.nextRunAt),
    held: source.held,
    days: source.days.map(({ day: date, successes, failures, changes }) => ({
      date,
      successes,
      failures,
      changes,
    })),
  };
}
