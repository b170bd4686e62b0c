import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { documentedEndpoints, referenceDocument } from '../../../../scripts/reference.ts';
import { loadCatalogue } from '../../catalogue/catalogue.ts';
import { premiumOf } from '../../domain/calculations/premium.ts';
import { referenceIndex } from '../../domain/calculations/reference-index.ts';
import { ERRORS } from '../../domain/errors/error-codes.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { markets } from '../../domain/markets.ts';
import type { Quote } from '../../domain/quotes.ts';
import type { Language } from '../../domain/words/language.ts';
import { allEndpoints } from '../endpoints/all.ts';
import type { ApiOperation, ApiResponse } from './api-document.ts';
import { openApiDocument } from './document.ts';
import { errorCodesOf } from './error-codes.ts';

const { plans } = loadCatalogue('catalog');
const publicUrl = 'https://rates.example.net';
const document = referenceDocument(publicUrl);

function operation(method: string, path: string): ApiOperation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`no operation ${method} ${path}`);
  return found;
}

const parameterNames = (method: string, path: string) =>
  operation(method, path).parameters.map((one) => ('$ref' in one ? one.$ref : one.name));

/** The examples of one endpoint, by their name. */
function exampleAnswer(key: string, name = 'answer'): Record<string, unknown> {
  const found = documentedEndpoints.find((one) => `${one.method} ${one.path}` === key);
  const value = found?.operation?.answers[name]?.value;
  if (value === undefined) throw new Error(`no example ${name} of ${key}`);
  return { ...value };
}

describe('the OpenAPI document', () => {
  test("passes the linter's recommended rules without a warning", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('has an operation with a unique id for every endpoint', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations).toHaveLength(documentedEndpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(
      documentedEndpoints.length,
    );
    expect(document.paths['/v1/fx/rates/{market}/history']).toBeDefined();
  });

  test("contract §27 says of the example of a message that its figures are the demonstration's", () => {
    const base = documentedEndpoints.find(({ operation: one }) => one?.id === 'listRates');
    if (base?.operation === undefined) throw new Error('there are no rates');
    const message = {
      ...{ name: 'a.told', summary: sentence('It.', 'Eso.'), schema: z.object({}) },
      example: { rate: 771.0714 },
    };
    const told = { ...base, operation: { ...base.operation, messages: [message] } };
    const parts = { endpoints: [told], plans, publicUrl, version: '1', day: undefined };
    const said = (language: Language) => {
      const { webhooks } = openApiDocument({ ...parts, language });
      return JSON.stringify(webhooks?.['a.told']?.post.requestBody);
    };
    expect(said('en')).toContain('"It (demonstration)"');
    expect(said('es')).toContain('"Eso (demostración)"');
  });

  test('§4.5 describes each parameter, its values, and whether it is required', () => {
    expect(parameterNames('get', '/v1/fx/convert')).toEqual([
      'from',
      'to',
      'amount',
      'via',
      'market',
      'date',
      'rule',
      'adjusted',
      '#/components/parameters/format',
      '#/components/parameters/locale',
      '#/components/parameters/If-None-Match',
    ]);
    const required = operation('get', '/v1/fx/convert').parameters.filter(
      (one) => 'name' in one && one.required,
    );
    expect(required).toHaveLength(3);
  });

  test('describes a path parameter as required', () => {
    const [market] = operation('get', '/v1/fx/rates/{market}').parameters;
    expect(market).toMatchObject({ name: 'market', in: 'path', required: true });
  });

  test('gives generators one JSON answer for each operation', () => {
    for (const { responses } of Object.values(document.paths).flatMap(Object.values)) {
      for (const { content = {} } of Object.values<ApiResponse>(responses)) {
        const types = Object.keys(content).filter((type) => type !== 'text/event-stream');
        expect(types.filter((type) => type !== 'application/json')).toEqual([]);
      }
    }
  });

  test('has format only on endpoints with other formats, with their examples', () => {
    const answer = (path: string) => operation('get', path).responses['200'];
    const others = answer('/v1/fx/rates')?.['x-other-formats'];
    expect(Object.keys(others ?? {})).toEqual(['text/csv', 'application/xml']);
    expect(Object.values(others?.['text/csv']?.examples ?? {})[0]).toMatchObject({
      value: expect.stringContaining('reference,reference,USD,771.0714'),
    });
    expect(answer('/v1/fx/markets')?.['x-other-formats']).toBeUndefined();
    expect(parameterNames('get', '/v1/fx/markets')).not.toContain('#/components/parameters/format');
  });

  test('has an ETag and a 304 only for cacheable answers', () => {
    const responses = (path: string) => operation('get', path).responses;
    expect(responses('/v1/fx/rates')['304']?.headers).toHaveProperty('ETag');
    expect(responses('/v1/fx/rates')['200']?.headers).toHaveProperty('ETag');
    expect(responses('/v1/account')['304']).toBeUndefined();
    expect(responses('/v1/account')['200']?.headers).not.toHaveProperty('ETag');
  });

  test('§4.6 describes the body and headers of the bulk conversion', () => {
    const { requestBody, responses } = operation('post', '/v1/fx/bulk/convert');
    expect(requestBody?.content['application/json']?.schema.$ref).toMatch(/BulkConversionRequest$/);
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['X-Bulk-Operations', 'X-Bulk-RateLimit-Remaining']),
    );
    expect(
      document.components.schemas['BulkConversionRequest']?.properties?.['amounts'],
    ).toMatchObject({ type: 'array', minItems: 1, maxItems: 50 });
  });

  test('gives the cheapest plan and the cost', () => {
    expect(operation('get', '/v1/fx/spread')['x-plan']).toBe('Esencial');
    expect(operation('get', '/v1/fx/route')['x-plan']).toBe('Escala');
    expect(operation('get', '/v1/fx/index')['x-plan']).toBeUndefined();
    expect(operation('get', '/v1/account')['x-cost']).toBe(0);
    expect(operation('get', '/v1/fx/route').description).toContain('From Escala.');
  });

  test('has admin endpoints, with their token, only if a token is configured', () => {
    expect(operation('post', '/v1/admin/records').security).toEqual([{ adminToken: [] }]);
    const open = openApiDocument({
      endpoints: allEndpoints({ admin: false }),
      plans,
      publicUrl,
      version: '0.2.0',
      language: 'en',
    });
    expect(JSON.stringify(open)).not.toContain('adminToken');
  });

  test('refers to shared schemas by reference', () => {
    const text = JSON.stringify(document.components.schemas['Rates']);
    expect(text).toContain('"#/components/schemas/Rate"');
    expect(text).toContain('"#/components/schemas/Index"');
  });

  test('§9 has no closed schema, because answers may gain fields', () => {
    expect(JSON.stringify(document)).not.toContain('additionalProperties');
  });

  test('§7 has every error code of every endpoint under its status', () => {
    for (const one of documentedEndpoints) {
      const path = one.path.replaceAll(/:(\w+)/g, '{$1}');
      const { responses } = operation(one.method.toLowerCase(), path);
      for (const code of errorCodesOf(one)) {
        const content = responses[ERRORS[code].status]?.content?.['application/json'];
        expect(Object.keys(content?.examples ?? {}), `${one.path} ${code}`).toContain(code);
      }
    }
  });

  test('no endpoint names an error that its declaration implies', () => {
    const twice = documentedEndpoints.flatMap((one) => {
      const implied = errorCodesOf({ ...one, errors: [] });
      return one.errors.filter((code) => implied.includes(code));
    });
    expect(twice).toEqual([]);
  });

  test('has exactly the endpoints with an operation, among them all under /v1', () => {
    expect(documentedEndpoints.filter(({ operation }) => operation === undefined)).toEqual([]);
    const [first] = documentedEndpoints;
    if (first === undefined) throw new Error('there is no endpoint');
    const { operation: _, ...hidden } = first;
    expect(
      openApiDocument({
        ...{ endpoints: [hidden], plans, publicUrl },
        ...{ version: '0.2.0', language: 'en' },
      }).paths,
    ).toEqual({});
  });
});

describe('the examples of the reference', () => {
  test.each(documentedEndpoints.map((one) => [`${one.method} ${one.path}`, one] as const))(
    'fit the schemas of %s',
    (_, one) => {
      const { answer, body, status, operation } = one;
      const { answers = {}, body: request } = operation ?? {};
      if (body !== undefined) expect(body.safeParse(request).error).toBeUndefined();
      expect(Object.keys(answers).length > 0).toBe(status !== 204);
      for (const { value } of Object.values(answers)) {
        // Nothing is lost in reading: an example has no field that the schema does not know.
        expect(answer.parse(value)).toEqual(value);
      }
    },
  );

  test("§2.10 §2.11 agree with the service's calculation from their quotes", () => {
    const rows = z
      .array(z.object({ market: z.string(), type: z.string(), base: z.string(), mid: z.number() }))
      .parse(exampleAnswer('GET /v1/fx/rates', 'rates')['rates']);
    const known = loadCatalogue('catalog').markets;
    const quotes = rows.map(({ market, mid }): Quote => {
      const [found] = markets(known.list.filter(({ id }) => id === market)).list;
      if (found === undefined) throw new Error(`${market} is not in the catalogue`);
      return { market: found, mid, updatedAt: 0 };
    });
    const made = referenceIndex(quotes, 0);
    expect(exampleAnswer('GET /v1/fx/index')).toMatchObject({
      value: made?.value,
      weights: made?.weights,
      components: made?.components,
      p2p_median: made?.p2pMedian,
      flags: made?.flags,
    });
    expect(exampleAnswer('GET /v1/fx/spread')['spread']).toEqual(
      premiumOf({ reference: 771.0714, compared: 867.15 }),
    );
  });
});
