import type { z } from 'zod';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';

/** What the declaration of a field says of it. */
export type Said = {
  readonly said: Sentence;
  /** Its header in the CSV for spreadsheets in Spanish, where it becomes a column. */
  readonly header?: string;
};

/**
 * What the reference says of a parameter or field, in both languages. A schema has no other
 * description, so that no text lacks its Spanish. With an example beside it: `.meta({ ...said(…) })`.
 */
export function said(en: string, es: string, header?: string): Said {
  return { said: sentence(en, es), ...(header !== undefined && { header }) };
}

/** A parameter or field, with what the reference says of it. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  ...texts: Parameters<typeof said>
): Schema {
  return schema.meta(said(...texts));
}

/** The title of a form of an answer: the English one also names its type in clients. */
export function entitled(title: string, titleEs: string) {
  return { title, titleEs };
}

/** A count in words of both languages: 3,700 and 3.700. */
export function inWords(count: number): Sentence {
  // By default Spanish omits the point in thousands of four digits.
  const spanish = count.toLocaleString('es-VE', { useGrouping: 'always' });
  return sentence(count.toLocaleString('en-US'), spanish);
}
