import type { Texts } from './language.ts';

export const LAYOUT_TEXTS = {
  es: {
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
    copyCode: 'Copiar el código',
    copied: 'Copiado',
    notCopied: 'No se pudo copiar: el texto quedó seleccionado.',
  },
  en: {
    skip: 'Skip to the content',
    site: 'Site',
    board: 'Rates',
    console: 'Console',
    docs: 'Docs',
    docsShort: 'Docs',
    methodology: 'Methodology',
    status: 'Status',
    footer:
      'Information, not an offer: the service makes no payments and exchanges no currency. The official rates are those of the Banco Central de Venezuela, which takes no part in this service.',
    otherLanguage: 'Español',
    theme: 'Appearance',
    themeSystem: 'Automatic',
    themeLight: 'Light',
    themeDark: 'Dark',
    printed: 'printed on',
    copyCode: 'Copy the code',
    copied: 'Copied',
    notCopied: 'Could not copy: the text is selected.',
  },
} satisfies Texts<Readonly<Record<string, string>>>;
