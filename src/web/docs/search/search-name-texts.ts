import type { Texts } from '../../frame/language.ts';

/**
 * Words that readers use for a place and that its title lacks, by path. The search treats them like
 * the title. A test compares the paths with the index.
 */
export const SEARCH_NAMES: Readonly<Record<string, Texts<string>>> = {
  '/docs/first-request': {
    es: 'empezar obtener clave api key token autenticación curl ejemplo',
    en: 'start get api key token authentication curl example quickstart',
  },
  '/docs/invoice-rate': {
    es: 'facturar IVA SENIAT tasa BCV del día fecha valor',
    en: 'billing VAT BCV rate of the day value date',
  },
  '/docs/markets': {
    es: 'paralelo binance USDT euro alias',
    en: 'parallel binance USDT euro alias',
  },
  '/docs/history': {
    es: 'history descargar CSV Excel serie tasas pasadas',
    en: 'download CSV Excel series past rates',
  },
  '/docs/errors': { es: 'reintentar 429 503 fallas', en: 'retry 429 503 failures' },
  '/docs/limits': {
    es: 'cuota rate limit consultas por minuto unidades precio',
    en: 'quota rate limit requests per minute units price',
  },
  '/docs/public-keys': {
    es: 'Google Sheets Excel CORS navegador clave publicable',
    en: 'Google Sheets Excel CORS browser publishable key',
  },
  '/docs/google-sheets': {
    es: 'hojas de cálculo Google Sheets Apps Script fórmula',
    en: 'spreadsheet Apps Script formula importdata',
  },
  '/docs/excel': { es: 'hoja de cálculo Power Query', en: 'spreadsheet Power Query' },
  '/docs/pandas': { es: 'python dataframe csv notebook', en: 'python dataframe csv notebook' },
  '/docs/odoo': { es: 'ERP contabilidad módulo', en: 'ERP accounting add-on module' },
  '/docs/woocommerce': { es: 'WordPress tienda plugin php', en: 'WordPress shop plugin php' },
  '/docs/website': { es: 'widget HTML vesfx-rate embeber', en: 'widget HTML vesfx-rate embed' },
  '/docs/client': { es: 'npm SDK TypeScript node librería', en: 'npm SDK TypeScript node library' },
  '/docs/examples': { es: 'SDK librería ejemplo código', en: 'SDK library sample code' },
  '/docs/board-data': { es: 'gratis sin clave widget', en: 'free no key widget' },
  '/docs/reference/account#createKey': { es: 'obtener clave nueva', en: 'get new api key' },
  '/docs/reference/analysis#getSpread': {
    es: 'spread diferencial premium',
    en: 'spread gap brecha',
  },
  '/docs/reference/conversion#compareMarkets': { es: 'ruta mejor tasa', en: 'route best rate' },
  '/docs/reference/rates#getHistory': { es: 'CSV Excel descargar', en: 'CSV Excel download' },
  '/methodology#index': { es: 'promedio ponderado cálculo', en: 'weighted average calculation' },
};
