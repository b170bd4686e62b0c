/** The languages of the service. Pages are in Spanish unless the reader asks for English. */
export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A value for each language. */
export type Texts<Table> = Readonly<Record<Language, Table>>;

export const DEFAULT_LANGUAGE: Language = 'es';

export const otherThan = (language: Language): Language => (language === 'es' ? 'en' : 'es');

/** `lang` of the address; an unknown language is ignored. */
export function languageNamed(text: string | null | undefined): Language | undefined {
  return LANGUAGES.find((one) => one === text);
}
