import { z } from 'zod';
import { entitled, said } from '../pipeline/said.ts';

/**
 * Fields of requests and answers, each with what the reference says of it in English and Spanish, and
 * with its Spanish header where it is a column of CSV.
 */

type Texts = Parameters<typeof said>;

export const text = (...texts: Texts) => z.string().meta(said(...texts));

export const textList = (...texts: Texts) => z.array(z.string()).meta(said(...texts));

export const flag = (...texts: Texts) => z.boolean().meta(said(...texts));

export const figure = (...texts: Texts) => z.number().meta(said(...texts));

/** A whole number from 0. */
export const natural = (...texts: Texts) =>
  z
    .int()
    .nonnegative()
    .meta(said(...texts));

export function oneOf<const Names extends readonly string[]>(names: Names, ...texts: Texts) {
  return z.enum(names).meta(said(...texts));
}

export function listOf<Item extends z.ZodType>(
  en: string,
  es: string,
  item: Item,
  header?: string,
) {
  return z.array(item).meta(said(en, es, header));
}

export function optional<Field extends z.ZodType>(field: Field, ...texts: Texts) {
  return field.meta(said(...texts)).optional();
}

/** A field that is `true` where it is present. */
export const present = (...texts: Texts) => optional(z.literal(true), ...texts);

export function fieldGroup<Shape extends z.ZodRawShape>(en: string, es: string, shape: Shape) {
  return z.object(shape).meta(said(en, es));
}

/** An object with a type of its own in the reference and in clients. */
export function titled<Shape extends z.ZodRawShape>(title: string, shape: Shape) {
  return z.object(shape).meta({ title });
}

/** A form of an answer that has several. Its title is also shown in Spanish. */
export function form<Shape extends z.ZodRawShape>(title: string, titleEs: string, shape: Shape) {
  return z.object(shape).meta(entitled(title, titleEs));
}

/** A list of titled objects. */
export function rowsOf<Shape extends z.ZodRawShape>(
  en: string,
  es: string,
  title: string,
  shape: Shape,
) {
  return listOf(en, es, titled(title, shape));
}
