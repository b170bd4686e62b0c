import { z } from 'zod';
import type { ApiSchema, Reference } from '../../web/docs/api-document.ts';
import { ERROR_SCHEMA } from './parts.ts';

/** Schemas are generated whole, by zod; ours is the narrower view that the document promises. */
export const asApiSchema = (schema: object) => schema as ApiSchema;

type Direction = 'input' | 'output';

/** Bounds that zod gives every integer. They only say that it fits a double, so the document leaves them out. */
const SAFE_BOUNDS: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Removes from a schema what describes zod and not the interface. */
function tidied({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // An answer may gain fields and a body may have more (§9, §4.6): no schema is closed.
  delete jsonSchema.additionalProperties;
  delete jsonSchema.$id;
  delete jsonSchema.$schema;
  if (SAFE_BOUNDS.includes(jsonSchema.maximum)) delete jsonSchema.maximum;
  if (SAFE_BOUNDS.includes(jsonSchema.minimum)) delete jsonSchema.minimum;
  // JSON Schema 2020-12 has a list of examples only.
  if (jsonSchema.example !== undefined) {
    jsonSchema.examples = [jsonSchema.example];
    delete jsonSchema.example;
  }
  // `format` says it; the pattern beside it is a page long.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

/** How every schema of the document is generated. */
export const SCHEMA_OPTIONS = {
  target: 'draft-2020-12',
  unrepresentable: 'any',
  override: tidied,
} as const;

/** Gathers the schemas with names, so that one shows a reference where it has another. */
export class Schemas {
  readonly #named = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  readonly #names = { input: new Map<z.ZodType, string>(), output: new Map<z.ZodType, string>() };

  /** Names a schema unless it has a name; a reference to it. */
  name(schema: z.ZodType, id: string, direction: Direction): Reference {
    const names = this.#names[direction];
    const known = names.get(schema) ?? id;
    if (!names.has(schema)) {
      names.set(schema, known);
      this.#named[direction].add(schema, { id: known });
    }
    return { $ref: schemaAddress(known) };
  }

  /** Names an answer. Of one with several forms, the form of that title gets the name. */
  nameAnswer(schema: z.ZodType, id: string): Reference {
    const forms = schema instanceof z.ZodUnion ? schema.options : [];
    const main = forms.find((form) => form instanceof z.ZodObject && form.meta()?.title === id);
    if (!(main instanceof z.ZodObject)) return this.name(schema, id, 'output');
    this.name(main, id, 'output');
    return this.name(schema, `Any${id}`, 'output');
  }

  all(): Readonly<Record<string, ApiSchema>> {
    return { Error: ERROR_SCHEMA, ...this.#of('output'), ...this.#of('input') };
  }

  #of(io: Direction): Readonly<Record<string, ApiSchema>> {
    const { schemas } = z.toJSONSchema(this.#named[io], {
      ...SCHEMA_OPTIONS,
      io,
      uri: schemaAddress,
    });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [
        name,
        asApiSchema(schema),
      ]),
    );
  }
}

export function schemaAddress(id: string): string {
  return `#/components/schemas/${id}`;
}
