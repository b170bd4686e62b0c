import type { MarketType } from '../../../../core/domain/markets.ts';
import type { ServiceStateName } from '../../../../core/domain/state-names.ts';

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
  readonly since: (moment: string) => string;
  readonly details: string;
}

export const STATE_ES: StateTexts = {
  verdict: {
    ok: 'Las cifras están al día.',
    degraded: 'Algunas cifras no están al día.',
    failing: 'Estas cifras no están al día: no las use sin comprobarlas.',
  },
  since: (moment) => `desde el ${moment} (hora de Caracas)`,
  details: 'Ver el estado de las fuentes',
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
