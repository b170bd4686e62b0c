import { describe, expect, test } from 'vitest';
import { documentedEndpoints, referenceDocument } from '../../../test/harness/reference.ts';
import { SPANISH_FIELDS } from '../texts/es/api-fields.ts';
import { SPANISH_OPERATIONS, SPANISH_PARAMETERS } from '../texts/es/api-operations.ts';
import {
  SPANISH_EXAMPLES,
  SPANISH_HEADER_TEXTS,
  SPANISH_RESPONSES,
  SPANISH_SECURITY,
  SPANISH_SHARED_PARAMETERS,
  SPANISH_TAGS,
  SPANISH_TITLES,
} from '../texts/es/api-texts.ts';
import type { ApiSchema } from './api-document.ts';
import { fieldKey, fieldPlace, parameterKey, spanishDocument } from './api-document-es.ts';
import { formsOf } from './api-fields.ts';

const document = referenceDocument('https://rates.example.net');
const { components } = document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** A text in English, and the key under which its Spanish stands. */
interface Said {
  readonly key: string;
  readonly english: string;
}

/** Every text of a schema, by the rule of `api-fields.ts`. */
function fieldsIn(schema: ApiSchema, parent: string, field?: string): readonly Said[] {
  const { description, properties = {}, items, oneOf = [] } = schema;
  const key = field === undefined ? parent : fieldKey(parent, field);
  return [
    ...(description === undefined ? [] : [{ key, english: description }]),
    ...Object.entries(properties).flatMap(([one, inner]) =>
      fieldsIn(inner, fieldPlace(schema, parent, field), one),
    ),
    ...(items === undefined ? [] : fieldsIn(items, parent, field)),
    ...oneOf.flatMap(({ description: own, ...one }) => [
      ...(own === undefined ? [] : [{ key: fieldKey(parent, `${field} not null`), english: own }]),
      ...fieldsIn(one, parent, field),
    ]),
  ];
}

const fields = Object.entries(components.schemas).flatMap(([name, one]) => fieldsIn(one, name));
const parameters = operations.flatMap(({ operationId, parameters: list }) =>
  list.flatMap((one) =>
    '$ref' in one ? [] : [{ key: parameterKey(operationId, one.name), english: one.description }],
  ),
);

/** The keys that stand for more than one English text: one of them needs a key of its own. */
function ambiguous(said: readonly Said[]): readonly string[] {
  const byKey = Map.groupBy(said, ({ key }) => key);
  return [...byKey].flatMap(([key, list]) =>
    new Set(list.map(({ english }) => english)).size > 1 ? [key] : [],
  );
}

const keysOf = (record: object | undefined) => Object.keys(record ?? {}).toSorted();
const without = (name: string, names: readonly string[]) => names.filter((one) => one !== name);

describe('the reference in Spanish', () => {
  test.each([
    ['fields', fields, SPANISH_FIELDS],
    ['parameters', parameters, SPANISH_PARAMETERS],
  ] as const)('has exactly the %s by name, each key with one meaning', (_, said, spanish) => {
    expect(said.length).toBeGreaterThan(40);
    expect([...new Set(said.map(({ key }) => key))].toSorted()).toEqual(keysOf(spanish));
    expect(ambiguous(said)).toEqual([]);
  });

  test('has exactly the operations', () => {
    expect(keysOf(SPANISH_OPERATIONS)).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
  });

  test.each(documentedEndpoints.map((one) => [one.operation?.id ?? one.path, one] as const))(
    'has the description, the body and the examples of %s',
    (id, { description, textBody, operation }) => {
      const spanish = SPANISH_OPERATIONS[id];
      expect(spanish?.description === undefined).toBe(description === undefined);
      expect(spanish?.body === undefined).toBe(textBody !== true);
      expect(keysOf(spanish?.examples)).toEqual(keysOf(operation?.answers));
    },
  );

  test('has exactly the headers, sections, statuses, formats and ways to authenticate', () => {
    const successes = operations.flatMap(({ responses }) =>
      Object.keys(responses).filter((status) => Number(status) < 400),
    );
    const forms = Object.values(components.schemas).flatMap((schema) =>
      schema.oneOf === undefined
        ? []
        : formsOf(components.schemas, schema).flatMap(({ title }) => title ?? []),
    );
    const shared = without('format', Object.keys(components.parameters));
    expect(keysOf(SPANISH_HEADER_TEXTS)).toEqual(keysOf(components.headers));
    expect(keysOf(SPANISH_TAGS)).toEqual(document.tags.map(({ name }) => name).toSorted());
    expect(keysOf(SPANISH_RESPONSES)).toEqual([...new Set(successes)].toSorted());
    expect(keysOf(SPANISH_TITLES)).toEqual([...new Set(forms)].toSorted());
    expect(keysOf(SPANISH_SECURITY)).toEqual(keysOf(components.securitySchemes));
    expect(keysOf(SPANISH_SHARED_PARAMETERS)).toEqual(shared.toSorted());
    expect(keysOf(SPANISH_EXAMPLES)).toEqual(['request']);
  });

  test('gives the plan, the cost and the scope of an operation', () => {
    const { paths } = spanishDocument(document);
    const last = (path: string, method = 'get') =>
      paths[path]?.[method]?.description.split('\n\n').slice(-2);
    expect(last('/v1/fx/route')).toEqual([
      'Desde Escala. Cada respuesta cuesta 1 unidad.',
      'Una clave restringida necesita el permiso `rates`.',
    ]);
    expect(last('/v1/status')?.at(-1)).toBe('No necesita clave. No cuesta nada.');
    expect(last('/v1/admin/records', 'post')?.at(-1)).toBe(
      'Necesita el token de administración. No cuesta nada.',
    );
  });
});
