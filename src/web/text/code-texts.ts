import { inBoth } from '../frame/language.ts';

/** Words of blocks of code; apart, because the script of the pages carries them. */
export const CODE_TEXTS = inBoth({
  es: {
    copyCode: 'Copiar el código',
    copied: 'Copiado',
    notCopied: 'No se pudo copiar: el texto quedó seleccionado.',
    language: 'Lenguaje de los ejemplos',
  },
  en: {
    copyCode: 'Copy the code',
    copied: 'Copied',
    notCopied: 'Could not copy: the text is selected.',
    language: 'Language of the examples',
  },
});
