import type { Texts } from '../frame/language.ts';

/** The guides in the order of the pages, each with a line about its content. */
export const GUIDES = {
  'first-request': {
    es: 'Con curl, JavaScript, Python y PHP.',
    en: 'With curl, JavaScript, Python and PHP.',
  },
  'invoice-rate': {
    es: 'Qué tasa BCV rige, desde cuándo, y la de un día pasado.',
    en: 'Which BCV rate is in force, since when, and the rate of a past day.',
  },
  markets: {
    es: 'Ids, nombres y alias, y qué plan incluye cada uno.',
    en: 'Ids, names and aliases, and which plan includes each one.',
  },
  history: {
    es: 'Series, días UTC, hojas de cálculo y hasta dónde llega cada plan.',
    en: 'Series, UTC days, spreadsheets, and how far back each plan reaches.',
  },
  errors: {
    es: 'Qué significa cada uno y cuándo conviene reintentar.',
    en: 'What each one means, and when to retry.',
  },
  limits: {
    es: 'Unidades, planes y cómo gastar menos unidades.',
    en: 'Units, plans, and how to use fewer units.',
  },
  markups: {
    es: 'Su propio margen sobre las tasas.',
    en: 'Your own margin on the rates.',
  },
  'public-keys': {
    es: 'Claves que pueden quedar a la vista: Google Sheets y páginas web.',
    en: 'Keys that others may see: Google Sheets and web pages.',
  },
  'board-data': {
    es: 'Las cifras del tablero, sin clave, para cualquier página.',
    en: 'The figures of the board, without a key, for any page.',
  },
  'google-sheets': {
    es: 'Una función para las celdas, o una fórmula sin script.',
    en: 'A function for cells, or a formula without a script.',
  },
  excel: {
    es: 'El historial de un mercado en una tabla de Excel.',
    en: 'The history of a market in a table of Excel.',
  },
  pandas: {
    es: 'El historial y la tasa de cada factura en una tabla de Python.',
    en: 'The history and the rate of each invoice in a table of Python.',
  },
  odoo: {
    es: 'Un módulo que llena las tasas de cambio de cada compañía.',
    en: 'An add-on that fills the currency rates of each company.',
  },
  woocommerce: {
    es: 'Precios con los bolívares al lado, y la tasa en una entrada de WordPress.',
    en: 'Prices with the bolívares beside them, and the rate in a post of WordPress.',
  },
  website: {
    es: 'Un elemento de HTML que muestra la tasa con su edad.',
    en: 'An element of HTML that shows the rate with its age.',
  },
  client: {
    es: 'El cliente con tipos para JavaScript y TypeScript.',
    en: 'The typed client for JavaScript and TypeScript.',
  },
  examples: {
    es: 'Un cliente de un solo archivo para Python y otro para PHP.',
    en: 'A client of one file for Python, and one for PHP.',
  },
  'switch-from-dolarapi': {
    es: 'Las mismas direcciones con otra base, y qué cambia.',
    en: 'The same addresses with another base, and what changes.',
  },
  'switch-from-pydolarve': {
    es: 'Las páginas y los monitores de pydolarve, cuyo dominio ya no existe.',
    en: 'Its pages and monitors, now that its domain no longer exists.',
  },
  'switch-from-criptoya': {
    es: 'USDT en bolívares en cada plataforma.',
    en: 'USDT in bolívares on each platform.',
  },
  'switch-from-frankfurter': {
    es: 'Las tasas del BCV en su formato, también para ERPNext.',
    en: 'The BCV rates in its format, also for ERPNext.',
  },
  'self-hosting': {
    es: 'Instalar el servicio y operarlo.',
    en: 'Install the service and run it.',
  },
} as const satisfies Readonly<Record<string, Texts<string>>>;
