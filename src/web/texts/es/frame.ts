import type { DoubtReason } from '../../../domain/judgement.ts';
import type { MarketType } from '../../../domain/markets.ts';
import type { ServiceStateName, StateReasonName } from '../../../domain/state-names.ts';

export const LAYOUT_ES = {
  skip: 'Ir al contenido',
  site: 'Sitio',
  board: 'Tasas',
  console: 'Consola',
  docs: 'Documentación',
  docsShort: 'Docs',
  methodology: 'Metodología',
  status: 'Estado',
  footer:
    'Información, no una oferta: el servicio no hace pagos ni cambia divisas. Las tasas oficiales son del Banco Central de Venezuela, que no participa en este servicio.',
  /** The other language, by its own name. */
  otherLanguage: 'English',
  theme: 'Apariencia',
  themeSystem: 'Automático',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  printed: 'impreso el',
};

/** Words of blocks of code; apart, because the script of the pages carries them. */
export const CODE_ES = {
  copy: 'Copiar el código',
  copied: 'Copiado',
  failed: 'No se pudo copiar: el texto quedó seleccionado.',
  language: 'Lenguaje de los ejemplos',
};

export interface StateTexts {
  /** How serious the state is for a reader. */
  readonly verdict: Readonly<Record<ServiceStateName, string>>;
  /** A sentence without its full stop; `names` are the markets or sources, and `count` how many. */
  readonly reasons: Readonly<Record<StateReasonName, (names: string, count: number) => string>>;
  readonly since: (moment: string) => string;
  readonly more: (count: number) => string;
  readonly details: string;
}

export const STATE_ES: StateTexts = {
  verdict: {
    ok: 'Las cifras están al día.',
    degraded: 'Algunas cifras no están al día.',
    failing: 'Estas cifras no están al día: no las use sin comprobarlas.',
  },
  reasons: {
    no_figures: () => 'No hay ninguna cifra',
    official_stale: () => 'La tasa oficial está desactualizada',
    all_quotes_stale: () => 'Todas las cifras están desactualizadas',
    official_missing: () => 'Falta la tasa oficial del dólar',
    publications_missed: (_names, count) =>
      count === 1
        ? 'Una publicación del BCV está atrasada'
        : `${count} publicaciones del BCV están atrasadas`,
    quotes_stale: (names) => `Cifras desactualizadas: ${names}`,
    quotes_missing: (names) => `No hay cifra de: ${names}`,
    all_sources_failing: () => 'Fallan todas las fuentes en uso',
    sources_failing: (names, count) => `${count === 1 ? 'Fuente' : 'Fuentes'} con fallas: ${names}`,
    sources_frozen: (names, count) =>
      `${count === 1 ? 'Fuente que repite' : 'Fuentes que repiten'} las mismas cifras: ${names}`,
    collecting_stopped: () => 'Ningún proceso está leyendo las fuentes',
    database_unavailable: () => 'La base de datos no responde',
    database_not_writable: () => 'La base de datos no recibe cifras nuevas',
  },
  since: (moment) => `desde el ${moment} (hora de Caracas)`,
  more: (count) => `y ${count} más`,
  details: 'Ver el estado de las fuentes',
};

/** Why a record is held, for readers: the end of a sentence about a figure. */
export const HELD_REASONS_ES: Readonly<Record<DoubtReason, string>> = {
  other_unit: 'parece estar en el bolívar de otro día',
  out_of_band: 'está fuera del rango posible',
  first_quote: 'es la primera de su mercado y ninguna otra fuente la confirma todavía',
  venues_differ: 'se aparta demasiado de los demás mercados P2P',
  parallel_differs: 'los mercados P2P y el dólar paralelo están demasiado separados',
  side_apart: 'su compra y su venta están demasiado separadas',
  moved: 'cambió demasiado de golpe',
  other_figure: 'contradice la que ya se publicó para esa fecha',
  page_returned: 'su página muestra de nuevo una cifra que otra había sustituido',
  date_closed: 'su fecha valor es un día en que los bancos no trabajan',
  date_ahead: 'su fecha está demasiado adelantada',
  date_back: 'su fecha es anterior a la última',
  cross_moved: 'la relación entre monedas cambió demasiado',
  figure_repeated: 'repite una cifra de otra fecha',
  figures_unrelated: 'sus monedas no concuerdan entre sí',
  witness_differs: 'un testigo muestra otra cifra para esa fecha',
  currency_lost: 'le falta una moneda',
  figure_changed: 'difiere de la que ya se anunció para esa fecha',
  rows_lost: 'le faltan bancos',
  row_apart: 'un banco se aparta demasiado de la tasa oficial',
};

export const MARKET_TYPE_ES: Readonly<Record<MarketType, string>> = {
  reference: 'oficial',
  parallel: 'paralelo',
  p2p: 'P2P',
  remittance: 'remesas',
  exchange_house: 'casa de cambio',
  cash: 'efectivo',
};

export const WEEKDAYS_ES = [
  'domingo',
  'lunes',
  'martes',
  'miércoles',
  'jueves',
  'viernes',
  'sábado',
];

/** Days and lengths of time. */
export const TIME_ES = {
  months:
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  date: (day: number, month: string | undefined, year: number) => `${day} de ${month} de ${year}`,
  month: (month: string | undefined, year: number) => `${month} de ${year}`,
  days: 'días',
  ago: (duration: string) => `hace ${duration}`,
};
