import type { StatusReason } from '../../client/types.ts';
import type { ServiceStateName, StateReasonName } from '../../domain/state-names.ts';
import type { Language, Texts } from './language.ts';

/** Whether the figures can be relied on, as in `/v1/status` and `/board.json`. */
export interface StateView {
  readonly status: ServiceStateName;
  readonly reasons: readonly ReasonView[];
}

/** A problem; its sentence is `reasonText` in the language of the reader. */
export type ReasonView = Unchanging<Omit<StatusReason, 'message'>>;

/** A value that nobody changes, at any depth. */
export type Unchanging<Value> = { readonly [Name in keyof Value]: Unchanging<Value[Name]> };

interface StateTexts {
  /** How serious the state is for a reader. */
  readonly verdict: Readonly<Record<StateView['status'], string>>;
  /** A sentence without its full stop; `names` are the markets or sources, and `count` how many. */
  readonly reasons: Readonly<Record<StateReasonName, (names: string, count: number) => string>>;
  readonly since: (moment: string) => string;
  readonly more: (count: number) => string;
  readonly details: string;
}

export const STATE_TEXTS: Texts<StateTexts> = {
  es: {
    verdict: {
      ok: 'Las cifras están al día.',
      degraded: 'Algunas cifras no están al día.',
      failing: 'Estas cifras no están al día: no las use sin comprobarlas.',
    },
    reasons: {
      no_figures: () => 'No hay ninguna cifra',
      official_stale: () => 'La tasa oficial está desactualizada',
      all_quotes_stale: () => 'Todas las cifras son más antiguas de lo normal',
      official_missing: () => 'Falta la tasa oficial del dólar',
      publications_missed: (_names, count) =>
        count === 1
          ? 'Una publicación del BCV está atrasada'
          : `${count} publicaciones del BCV están atrasadas`,
      quotes_stale: (names) => `Cifras más antiguas de lo normal: ${names}`,
      quotes_missing: (names) => `No hay cifra de: ${names}`,
      all_sources_failing: () => 'Fallan todas las fuentes en uso',
      sources_failing: (names, count) =>
        `${count === 1 ? 'Fuente' : 'Fuentes'} con fallas: ${names}`,
      sources_frozen: (names, count) =>
        `${count === 1 ? 'Fuente que repite' : 'Fuentes que repiten'} las mismas cifras: ${names}`,
      collecting_stopped: () => 'Ningún proceso está leyendo las fuentes',
      database_unavailable: () => 'La base de datos no responde',
    },
    since: (moment) => `desde el ${moment} (hora de Caracas)`,
    more: (count) => `y ${count} más`,
    details: 'Ver el estado de las fuentes',
  },
  en: {
    verdict: {
      ok: 'The figures are up to date.',
      degraded: 'Some figures are not up to date.',
      failing: 'These figures are not up to date: check them before you use them.',
    },
    reasons: {
      no_figures: () => 'There are no figures',
      official_stale: () => 'The official rate is out of date',
      all_quotes_stale: () => 'Every figure is older than usual',
      official_missing: () => 'The official dollar rate is missing',
      publications_missed: (_names, count) =>
        count === 1
          ? 'A publication of the BCV is overdue'
          : `${count} publications of the BCV are overdue`,
      quotes_stale: (names) => `Figures older than usual: ${names}`,
      quotes_missing: (names) => `No figure for: ${names}`,
      all_sources_failing: () => 'All sources in use are failing',
      sources_failing: (names, count) => `Failing ${count === 1 ? 'source' : 'sources'}: ${names}`,
      sources_frozen: (names, count) =>
        `${count === 1 ? 'Source' : 'Sources'} repeating the same figures: ${names}`,
      collecting_stopped: () => 'No process is reading the sources',
      database_unavailable: () => 'The database is not responding',
    },
    since: (moment) => `since ${moment} (Caracas time)`,
    more: (count) => `and ${count} more`,
    details: 'See the status of the sources',
  },
};

/** Most names in a sentence. The others are counted. */
const NAMED = 4;

/** The names of markets and sources on a page. Without them a sentence has ids. */
interface ShownNames {
  readonly market?: (id: string) => string;
  readonly source?: (name: string) => string;
}

const asIs = (id: string) => id;

/** One reason in words, without full stop and time. */
export function reasonText(
  { name, markets, sources = [], count }: ReasonView,
  language: Language,
  shown: ShownNames = {},
): string {
  const texts = STATE_TEXTS[language];
  const names = markets?.map(shown.market ?? asIs) ?? sources.map(shown.source ?? asIs);
  const more = names.length - NAMED;
  const listed = names.slice(0, NAMED).join(', ');
  return texts.reasons[name](
    more > 0 ? `${listed} ${texts.more(more)}` : listed,
    count ?? names.length,
  );
}
