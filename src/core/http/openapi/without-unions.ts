import { isDeepStrictEqual } from 'node:util';
import type { ApiDocument, ApiSchema } from './api-document.ts';
import { schemaAddress } from './schemas.ts';

type Named = Readonly<Record<string, ApiSchema>>;

/**
 * The document for programs that read it: an answer of several forms is one schema with the fields of
 * each. Most generators make no type of a union, or one on which no field of a single form can be read.
 */
export function withoutUnions(document: ApiDocument): ApiDocument {
  const { schemas } = document.components;
  const united = Object.fromEntries(
    Object.entries(schemas).map(([name, { not: _, ...schema }]) => [name, asOne(schema, schemas)]),
  );
  const forms = Object.values(schemas).flatMap(({ oneOf = [] }) => oneOf);
  const made = { ...document, components: { ...document.components, schemas: united } };
  return without(
    made,
    forms.map(({ $ref }) => $ref),
  );
}

function asOne({ oneOf, ...schema }: ApiSchema, named: Named): ApiSchema {
  return oneOf === undefined ? schema : { ...schema, ...joinedForms(oneOf, named) };
}

/** One schema with the fields of all forms of an answer. */
export function joinedForms(forms: readonly ApiSchema[], named: Named = {}): ApiSchema {
  return forms.reduce((one, form) => joined(one, form, named));
}

/** The fields of both, of which those are required that both require. */
function joined(one: ApiSchema, other: ApiSchema, named: Named): ApiSchema {
  if (isDeepStrictEqual(one, other)) return one;
  const [first, second] = [resolved(one, named), resolved(other, named)];
  if (first.items !== undefined && second.items !== undefined) {
    return { ...first, items: joined(first.items, second.items, named) };
  }
  // The same field in other words.
  if (first.properties === undefined || second.properties === undefined) return first;
  const { title: _, not: __, ...schema } = first;
  const fields = { ...second.properties, ...first.properties };
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        joined(field, second.properties?.[name] ?? field, named),
      ]),
    ),
    required: first.required?.filter((name) => second.required?.includes(name)) ?? [],
  };
}

function resolved(schema: ApiSchema, named: Named): ApiSchema {
  return schema.$ref === undefined
    ? schema
    : (named[schema.$ref.split('/').at(-1) ?? ''] ?? schema);
}

/** Without those of these schemas to which nothing refers any more. */
function without(document: ApiDocument, addresses: readonly (string | undefined)[]): ApiDocument {
  const text = JSON.stringify(document);
  const schemas = Object.entries(document.components.schemas);
  const kept = schemas.filter(([name]) => {
    const address = schemaAddress(name);
    return !addresses.includes(address) || text.includes(`"${address}"`);
  });
  const made = {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  };
  return kept.length === schemas.length ? made : without(made, addresses);
}
