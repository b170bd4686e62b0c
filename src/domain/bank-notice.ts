/** The central bank's terms, which everything that leaves the service names (decisions §22). */
export const BANK_NOTICE = {
  es: 'Tasas oficiales: Banco Central de Venezuela (www.bcv.org.ve). Sus términos permiten reproducirlas sin fines de lucro nombrando la fuente; otros usos necesitan su consentimiento.',
  en: 'Official rates: Banco Central de Venezuela (www.bcv.org.ve). Its terms allow non-profit reproduction that names the source; other uses need its consent.',
} as const;
