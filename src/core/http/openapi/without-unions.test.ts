import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../../scripts/reference.ts';
import type { ApiDocument, ApiSchema } from './api-document.ts';
import { withoutUnions } from './without-unions.ts';

const full = referenceDocument('https://rates.example.net');
const document = withoutUnions(full);

function schemaIn({ components }: ApiDocument, { $ref }: ApiSchema): ApiSchema {
  const found = components.schemas[$ref?.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`there is no schema ${$ref}`);
  return found;
}

/** The answers of several forms, with their schema for programs. */
const united = Object.entries(full.components.schemas).flatMap(([name, { oneOf }]) =>
  oneOf === undefined
    ? []
    : [
        {
          name,
          forms: oneOf.map((form) => schemaIn(full, form)),
          one: document.components.schemas[name],
        },
      ],
);

describe('§4 the OpenAPI document for generators', () => {
  test('has no union: generators make a type of every answer', () => {
    expect(united.map(({ name }) => name)).toEqual([
      'AnyRates',
      'AnyRate',
      'History',
      'AnyConversion',
    ]);
    expect(JSON.stringify(document)).not.toMatch(/"(?:oneOf|anyOf|allOf|not|discriminator)":/);
  });

  test.each(united)(
    '$name has every field of its forms, and requires what all require',
    ({ forms, one }) => {
      const fields = forms.flatMap(({ properties = {} }) => Object.keys(properties));
      expect(Object.keys(one?.properties ?? {}).toSorted()).toEqual(
        [...new Set(fields)].toSorted(),
      );
      const required = fields.filter((field) =>
        forms.every((form) => form.required?.includes(field)),
      );
      expect(one?.required?.toSorted()).toEqual([...new Set(required)].toSorted());
      expect(one?.required).not.toHaveLength(fields.length);
    },
  );

  test('rows of a form are joined too: a rate has `markup_applied` only with a markup', () => {
    const rows = document.components.schemas['AnyRates']?.properties?.['rates']?.items;
    expect(rows?.required).toEqual(expect.arrayContaining(['market', 'mid', 'updated_at']));
    expect(rows?.required).not.toContain('as_of');
  });

  test('§4.5 a conversion has its age as optional fields', () => {
    const { properties, required } = document.components.schemas['AnyConversion'] ?? {};
    expect(Object.keys(properties ?? {})).toEqual(
      expect.arrayContaining(['staleness_sec', 'stale', 'as_of']),
    );
    expect(required?.toSorted()).toEqual(['from', 'market', 'rate', 'to', 'type', 'updated_at']);
  });

  test("passes the linter's recommended rules without a warning", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});
