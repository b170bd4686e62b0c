import type { ApiDocument, ApiSchema } from '../../../core/http/openapi/api-document.ts';
import type { TypeTexts } from '../texts/es/docs.ts';

export interface Field {
  /** Its place, as `rates[].mid`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Schemas = ApiDocument['components']['schemas'];

/** Resolves a reference; returns any other schema unchanged. */
export function resolved(schemas: Schemas, schema: ApiSchema): ApiSchema {
  const name = schema.$ref?.split('/').at(-1);
  return (name !== undefined && schemas[name]) || schema;
}

/** The schema without "or null"; undefined where it does not allow null. */
function withoutNull(schema: ApiSchema): ApiSchema | undefined {
  const { type } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return undefined;
  const others = type.filter((one) => one !== 'null');
  return { ...schema, type: others.length === 1 ? others[0] : others };
}

/** A type in words, values as code: `integer`, `` `USD`, `EUR` or `VES` ``, `list of strings`, `` number or `null` ``. */
export function typeInWords(schemas: Schemas, given: ApiSchema, texts: TypeTexts): string {
  const schema = resolved(schemas, given);
  const { or, listOf, names, plurals } = texts;
  const code = (value: unknown) => `\`${value}\``;
  const nullable = withoutNull(schema);
  if (nullable !== undefined)
    return `${typeInWords(schemas, nullable, texts)} ${or} ${code('null')}`;
  const any = (list: readonly string[]) =>
    list.length < 2 ? list.join() : `${list.slice(0, -1).join(', ')} ${or} ${list.at(-1)}`;
  if (schema.enum !== undefined) return any(schema.enum.map(code));
  if (schema.const !== undefined) return code(schema.const);
  if (schema.oneOf !== undefined) {
    return any(schema.oneOf.map((one) => typeInWords(schemas, one, texts)));
  }
  if (schema.type === 'array') {
    const item = typeInWords(schemas, schema.items ?? {}, texts);
    return `${listOf} ${plurals[item] ?? item}`;
  }
  const { format, type = 'any' } = schema;
  const named = (name: string) => (name === 'null' ? code(name) : (names[name] ?? name));
  if (format === 'date-time' || format === 'date') return named(format);
  return any([type].flat().map(named));
}

/** The fields of an object and of its nested objects, each by its path. */
export function fieldsOf(
  schemas: Schemas,
  given: ApiSchema,
  texts: TypeTexts,
  place = '',
): readonly Field[] {
  const { properties = {}, required = [] } = resolved(schemas, given);
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = place + key;
    const own: Field = {
      name,
      type: typeInWords(schemas, schema, texts),
      required: required.includes(key),
      description: schema.description ?? resolved(schemas, schema).description ?? '',
    };
    const { type, items } = resolved(schemas, schema);
    if (type === 'array' && items !== undefined) {
      return [own, ...fieldsOf(schemas, items, texts, `${name}[].`)];
    }
    return [own, ...fieldsOf(schemas, schema, texts, `${name}.`)];
  });
}

/** The forms that an answer may have: one, or the options of a union by their titles. */
export function formsOf(
  schemas: Schemas,
  given: ApiSchema,
): readonly { readonly title: string | undefined; readonly schema: ApiSchema }[] {
  const schema = resolved(schemas, given);
  if (schema.oneOf === undefined) return [{ title: undefined, schema }];
  return schema.oneOf.map((one) => ({ title: resolved(schemas, one).title, schema: one }));
}
