import type { Texts } from '../frame/language.ts';

/** The guides, in the order in which they are offered: what each is about, in a line. */
export const GUIDES = {
  'first-request': {
    es: 'Con curl, JavaScript, Python y PHP.',
    en: 'With curl, JavaScript, Python and PHP.',
  },
  'invoice-rate': {
    es: 'Qué tasa BCV rige, desde cuándo, y la de un día pasado.',
    en: 'Which central bank rate is in force, from when, and that of a past day.',
  },
  markets: {
    es: 'Ids, nombres y alias, y qué plan tiene cada uno.',
    en: 'Ids, names and aliases, and which plan has each.',
  },
  history: {
    es: 'Series, días UTC, hojas de cálculo y hasta dónde llega cada plan.',
    en: 'Series, UTC days, spreadsheets, and how far back each plan reaches.',
  },
  errors: {
    es: 'Qué significa cada uno y cuándo vale la pena repetir.',
    en: 'What each means, and when another try is worth it.',
  },
  limits: {
    es: 'Unidades, planes y cómo gastar menos.',
    en: 'Units, plans, and how to spend less.',
  },
  markups: {
    es: 'Su propio margen sobre las tasas.',
    en: 'Your own margin on the rates.',
  },
  'public-keys': {
    es: 'Claves que pueden estar a la vista: Google Sheets y páginas.',
    en: 'Keys that may be seen: Google Sheets and web pages.',
  },
  'board-data': {
    es: 'Las cifras de la portada en JSON, sin clave, para cualquier página.',
    en: 'The figures of the front page as JSON, without a key, for any page.',
  },
  'switch-from-dolarapi': {
    es: 'La misma dirección con otra base, y qué responde distinto.',
    en: 'The same addresses with another base, and what differs.',
  },
  'switch-from-pydolarve': {
    es: 'Sus páginas y monitores, ahora que su dominio no existe.',
    en: 'Its pages and monitors, now that its domain is gone.',
  },
  'switch-from-criptoya': {
    es: 'USDT en bolívares en cada plataforma.',
    en: 'USDT in bolivars on every exchange.',
  },
  'switch-from-frankfurter': {
    es: 'Las tasas del BCV en su forma, también para ERPNext.',
    en: 'The central bank’s rates in its form, for ERPNext too.',
  },
  'self-hosting': {
    es: 'Instalar el servicio y operarlo.',
    en: 'Installing the service and running it.',
  },
} as const satisfies Readonly<Record<string, Texts<string>>>;

export type GuideName = keyof typeof GUIDES;

/** The keys of the table are its type. */
export const GUIDE_NAMES = Object.keys(GUIDES) as readonly GuideName[];
