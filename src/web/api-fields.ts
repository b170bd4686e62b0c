import type { ApiDocument, ApiSchema } from './api-document.ts';

/** A row of a table of fields. */
export interface Field {
  /** Its place, as `rates[].mid`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Schemas = ApiDocument['components']['schemas'];

/** What a reference stands for; any other schema is itself. */
export function resolved(schemas: Schemas, schema: ApiSchema): ApiSchema {
  const name = schema.$ref?.split('/').at(-1);
  return (name !== undefined && schemas[name]) || schema;
}

/** The other side of "or null", where a union is only that. */
function withoutNull({ anyOf }: ApiSchema): ApiSchema | undefined {
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return anyOf?.some(({ type }) => type === 'null') && others.length === 0 ? only : undefined;
}

/** A type in words: `integer`, `USD or EUR`, `list of string`, `number or null`. */
export function typeInWords(schemas: Schemas, given: ApiSchema): string {
  const schema = resolved(schemas, given);
  const nullable = withoutNull(schema);
  if (nullable !== undefined) return `${typeInWords(schemas, nullable)} or null`;
  if (schema.enum !== undefined) return schema.enum.join(' or ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeInWords(schemas, one)).join(' or ');
  }
  if (schema.type === 'array') return `list of ${typeInWords(schemas, schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.format === 'date') return 'date';
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** The fields of an object and of what is inside of it, each by its place. */
export function fieldsOf(schemas: Schemas, given: ApiSchema, place = ''): readonly Field[] {
  const { properties = {}, required = [] } = resolved(schemas, given);
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = place + key;
    const own: Field = {
      name,
      type: typeInWords(schemas, schema),
      required: required.includes(key),
      description: schema.description ?? resolved(schemas, schema).description ?? '',
    };
    const { type, items } = resolved(schemas, schema);
    if (type === 'array' && items !== undefined) {
      return [own, ...fieldsOf(schemas, items, `${name}[].`)];
    }
    return [own, ...fieldsOf(schemas, schema, `${name}.`)];
  });
}

/** The forms that an answer may have: one, or the options of a union by their titles. */
export function formsOf(
  schemas: Schemas,
  given: ApiSchema,
): readonly { readonly title: string | undefined; readonly schema: ApiSchema }[] {
  const schema = resolved(schemas, given);
  return (schema.anyOf ?? [schema]).map((one) => ({ title: one.title, schema: one }));
}
