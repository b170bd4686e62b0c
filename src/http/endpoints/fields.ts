import { z } from 'zod';

/** Fields of requests and answers, each with what the reference says of it. */

export const text = (description: string) => z.string().describe(description);

export const textList = (description: string) => z.array(z.string()).describe(description);

export const flag = (description: string) => z.boolean().describe(description);

export const figure = (description: string) => z.number().describe(description);

/** A whole number from 0. */
export const natural = (description: string) => z.int().nonnegative().describe(description);

export function oneOf<const Names extends readonly string[]>(names: Names, description: string) {
  return z.enum(names).describe(description);
}

export function listOf<Item extends z.ZodType>(description: string, item: Item) {
  return z.array(item).describe(description);
}

export function optional<Field extends z.ZodType>(field: Field, description: string) {
  return field.describe(description).optional();
}

/** A field that is `true` where it is present. */
export const present = (description: string) => optional(z.literal(true), description);

export function fieldGroup<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return z.object(shape).describe(description);
}

/** An object with a type of its own in the reference and in clients. */
export function titled<Shape extends z.ZodRawShape>(title: string, shape: Shape) {
  return z.object(shape).meta({ title });
}

/** A list of titled objects. */
export function rowsOf<Shape extends z.ZodRawShape>(
  description: string,
  title: string,
  shape: Shape,
) {
  return listOf(description, titled(title, shape));
}
