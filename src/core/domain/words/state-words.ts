import type { ServiceStateName, StateReasonName } from '../state-names.ts';
import type { Language, Texts } from './language.ts';

/** Whether the figures can be relied on, as in `/v1/status` and `/board.json`. */
export interface StateView {
  readonly status: ServiceStateName;
  readonly reasons: readonly ReasonView[];
}

/** A problem; its sentence is `reasonText` in the language of the reader. */
export interface ReasonView {
  readonly name: StateReasonName;
  readonly since?: string | undefined;
  readonly markets?: readonly string[] | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly count?: number | undefined;
}

/** A sentence without its full stop; `names` are the markets or sources, and `count` how many. */
type ReasonWords = (names: string, count: number) => string;

const REASON_WORDS: Readonly<Record<StateReasonName, Texts<ReasonWords>>> = {
  no_figures: {
    en: () => 'There are no figures',
    es: () => 'No hay ninguna cifra',
  },
  official_stale: {
    en: () => 'The official rate is out of date',
    es: () => 'La tasa oficial está desactualizada',
  },
  all_quotes_stale: {
    en: () => 'Every figure is out of date',
    es: () => 'Todas las cifras están desactualizadas',
  },
  official_missing: {
    en: () => 'The official dollar rate is missing',
    es: () => 'Falta la tasa oficial del dólar',
  },
  publications_missed: {
    en: (_names, count) =>
      count === 1
        ? 'A publication of the BCV is overdue'
        : `${count} publications of the BCV are overdue`,
    es: (_names, count) =>
      count === 1
        ? 'Una publicación del BCV está atrasada'
        : `${count} publicaciones del BCV están atrasadas`,
  },
  quotes_stale: {
    en: (names) => `Figures out of date: ${names}`,
    es: (names) => `Cifras desactualizadas: ${names}`,
  },
  quotes_missing: {
    en: (names) => `No figure for: ${names}`,
    es: (names) => `No hay cifra de: ${names}`,
  },
  all_sources_failing: {
    en: () => 'All sources in use are failing',
    es: () => 'Fallan todas las fuentes en uso',
  },
  sources_failing: {
    en: (names, count) => `Failing ${count === 1 ? 'source' : 'sources'}: ${names}`,
    es: (names, count) => `${count === 1 ? 'Fuente' : 'Fuentes'} con fallas: ${names}`,
  },
  sources_frozen: {
    en: (names, count) =>
      `${count === 1 ? 'Source' : 'Sources'} repeating the same figures: ${names}`,
    es: (names, count) =>
      `${count === 1 ? 'Fuente que repite' : 'Fuentes que repiten'} las mismas cifras: ${names}`,
  },
  collecting_stopped: {
    en: () => 'No process is reading the sources',
    es: () => 'Ningún proceso está leyendo las fuentes',
  },
  database_unavailable: {
    en: () => 'The database is not responding',
    es: () => 'La base de datos no responde',
  },
  database_not_writable: {
    en: () => 'The database takes no new figures',
    es: () => 'La base de datos no recibe cifras nuevas',
  },
};

const MORE: Texts<(count: number) => string> = {
  en: (count) => `and ${count} more`,
  es: (count) => `y ${count} más`,
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
  const names = markets?.map(shown.market ?? asIs) ?? sources.map(shown.source ?? asIs);
  const more = names.length - NAMED;
  const listed = names.slice(0, NAMED).join(', ');
  return REASON_WORDS[name][language](
    more > 0 ? `${listed} ${MORE[language](more)}` : listed,
    count ?? names.length,
  );
}
