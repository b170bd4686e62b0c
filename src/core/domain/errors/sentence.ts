/** What a person reads, in both languages of the service. */
export interface Sentence {
  readonly en: string;
  readonly es: string;
}

/** A text in both languages, written where it is used. */
export function sentence(en: string, es: string): Sentence {
  return { en, es };
}
