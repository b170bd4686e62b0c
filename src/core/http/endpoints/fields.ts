import { z } from 'zod';
import { entitled, said } from '../routing/said.ts';

/** Fields of requests and answers, each with what the reference says of it, in English and Spanish. */

export const text = (en: string, es: string) => z.string().meta(said(en, es));

export const textList = (en: string, es: string) => z.array(z.string()).meta(said(en, es));

export const flag = (en: string, es: string) => z.boolean().meta(said(en, es));

export const figure = (en: string, es: string) => z.number().meta(said(en, es));

/** A whole number from 0. */
export const natural = (en: string, es: string) => z.int().nonnegative().meta(said(en, es));

export function oneOf<const Names extends readonly string[]>(names: Names, en: string, es: string) {
  return z.enum(names).meta(said(en, es));
}

export function listOf<Item extends z.ZodType>(en: string, es: string, item: Item) {
  return z.array(item).meta(said(en, es));
}

export function optional<Field extends z.ZodType>(field: Field, en: string, es: string) {
  return field.meta(said(en, es)).optional();
}

/** A field that is `true` where it is present. */
export const present = (en: string, es: string) => optional(z.literal(true), en, es);

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
