import { inBoth } from '../frame/language.ts';

const MARKS = {
  invoice: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7',
  sheet: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9',
  shop: 'M4 9 6 4h12l2 5M4 9v11h16V9M4 9h16M9 20v-6h6v6',
  curve: 'M3 17 9 9 13 14 21 4',
  change: 'M4 8h14l-4-4M20 16H6l4 4',
  code: 'M8 6 2 12l6 6M16 6l6 6-6 6M14 4l-4 16',
} as const;

/** What most readers come for. */
export const START_CARDS = inBoth({
  es: [
    {
      path: '/docs/invoice-rate',
      mark: MARKS.invoice,
      title: 'La tasa de una factura',
      about: 'Qué tasa BCV rige un día, también en feriados y fines de semana.',
    },
    {
      path: '/docs/google-sheets',
      mark: MARKS.sheet,
      title: 'Google Sheets y Excel',
      about: 'Una función para las celdas, o una fórmula sin script.',
    },
    {
      path: '/docs/woocommerce',
      mark: MARKS.shop,
      title: 'Una tienda',
      about: 'WooCommerce, Odoo o su propia página, con precios en bolívares.',
    },
    {
      path: '/docs/history',
      mark: MARKS.curve,
      title: 'Historial',
      about: 'Series, velas y descargas, hasta donde llega su plan.',
    },
    {
      path: '/docs/switch-from-dolarapi',
      mark: MARKS.change,
      title: 'Cambiarse de otro servicio',
      about: 'dolarapi, pydolarve, CriptoYa, Frankfurter: cambie solo la dirección.',
    },
    {
      path: '/docs/reference',
      mark: MARKS.code,
      title: 'Referencia de la API',
      about: 'Cada endpoint con sus parámetros, sus respuestas y sus errores.',
    },
  ],
  en: [
    {
      path: '/docs/invoice-rate',
      mark: MARKS.invoice,
      title: 'The rate of an invoice',
      about: 'Which BCV rate is in force on a day, holidays and weekends included.',
    },
    {
      path: '/docs/google-sheets',
      mark: MARKS.sheet,
      title: 'Google Sheets and Excel',
      about: 'A function for cells, or a formula without a script.',
    },
    {
      path: '/docs/woocommerce',
      mark: MARKS.shop,
      title: 'A shop',
      about: 'WooCommerce, Odoo or your own page, with prices in bolívares.',
    },
    {
      path: '/docs/history',
      mark: MARKS.curve,
      title: 'History',
      about: 'Series, candles and downloads, as far back as your plan reaches.',
    },
    {
      path: '/docs/switch-from-dolarapi',
      mark: MARKS.change,
      title: 'Switch from another service',
      about: 'dolarapi, pydolarve, CriptoYa, Frankfurter: change only the address.',
    },
    {
      path: '/docs/reference',
      mark: MARKS.code,
      title: 'API reference',
      about: 'Every endpoint with its parameters, its answers and its errors.',
    },
  ],
});
