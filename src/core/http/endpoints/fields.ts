import { z } from 'zod';
import { entitled, field, type said } from '../pipeline/said.ts';

/**
 * Fields of requests and answers, each with what the reference says of it in English and Spanish, and
 * with its Spanish header where it is a column of CSV.
 */

type Texts = Parameters<typeof said>;

export const text = (...texts: Texts) => field(z.string(), ...texts);

export const textList = (...texts: Texts) => field(z.array(z.string()), ...texts);

export const flag = (...texts: Texts) => field(z.boolean(), ...texts);

export const figure = (...texts: Texts) => field(z.number(), ...texts);

/** A whole number from 0. */
export const natural = (...texts: Texts) => field(z.int().nonnegative(), ...texts);

export function oneOf<const Names extends readonly string[]>(names: Names, ...texts: Texts) {
  return field(z.enum(names), ...texts);
}

export function listOf<Item extends z.ZodType>(
  en: string,
  es: string,
  item: Item,
  header?: string,
) {
  return field(z.array(item), en, es, header);
}

export function optional<Schema extends z.ZodType>(schema: Schema, ...texts: Texts) {
  return field(schema, ...texts).optional();
}

/** A field that is `true` where it is present. */
export const present = (...texts: Texts) => optional(z.literal(true), ...texts);

export function fieldGroup<Shape extends z.ZodRawShape>(en: string, es: string, shape: Shape) {
  return field(z.object(shape), en, es);
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
