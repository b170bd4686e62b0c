import { expect, test } from 'vitest';
import { referenceDocument } from '../../../../scripts/reference.ts';
import type { ApiDocument, ApiSchema } from '../../../core/http/openapi/api-document.ts';
import { resolved } from './api-fields.ts';

const publicUrl = 'https://rates.example.net';
const english = referenceDocument(publicUrl);
const spanish = referenceDocument(publicUrl, 'es');

interface Field {
  /** Its object and its name, as `Rate.mid`. */
  readonly place: string;
  readonly text: string;
  readonly optional: boolean;
}

/** The fields of an object and of those in it, one list for each object. */
function objectsIn({ components }: ApiDocument): readonly (readonly Field[])[] {
  const { schemas } = components;
  const objects: Field[][] = [];
  function walk(given: ApiSchema, place: string): void {
    const schema = resolved(schemas, given);
    const { title = place, properties = {}, required = [], items, oneOf = [] } = schema;
    const fields = Object.entries(properties).map(([name, inner]) => ({
      place: `${title}.${name}`,
      text: inner.description ?? resolved(schemas, inner).description ?? '',
      optional: !required.includes(name),
    }));
    if (fields.length > 0) objects.push(fields);
    for (const [name, inner] of Object.entries(properties)) walk(inner, `${title}.${name}`);
    for (const one of items === undefined ? oneOf : [items, ...oneOf]) walk(one, title);
  }
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
  return objects;
}

/** Words of which the text of an optional field has one: when the field is there, or its default. */
const LANGUAGES = [
  ['English', english, /\b(?:absent|present|only|null|default|publishable|restricted)\b/i],
  ['Spanish', spanish, /(?:\b(?:ausente|aparece|solo|null|por defecto)\b|publicable|restringida)/i],
] as const;

/** Exempt: fields of an error, and one of a change of a key, where an absent field changes nothing. */
const WITHOUT_CONDITION = ['Error.field', 'Error.details', 'KeyChange.kind'];

test.each(LANGUAGES)('the fields of one object never share a text, in %s', (_, document) => {
  const objects = objectsIn(document);
  expect(objects.length).toBeGreaterThan(40);
  const shared = objects.flatMap((fields) =>
    fields.filter(({ text }) => fields.filter((one) => one.text === text).length > 1),
  );
  expect(shared).toEqual([]);
});

test.each(LANGUAGES)('an optional field says when it is there, in %s', (_, document, condition) => {
  const optional = objectsIn(document)
    .flat()
    .filter((field) => field.optional);
  expect(optional.length).toBeGreaterThan(60);
  const silent = optional.filter(
    ({ place, text }) => !condition.test(text) && !WITHOUT_CONDITION.includes(place),
  );
  expect([...new Set(silent.map(({ place, text }) => `${place}: ${text}`))]).toEqual([]);
});

/** Words of code that a text names without marking them. The messages of errors are sent as they are. */
function bareCode(document: object): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (['responses', 'x-errors', 'example', 'examples'].includes(key)) return undefined;
    if (key === 'description' && typeof value === 'string') texts.push(value);
    return value;
  });
  expect(texts.length).toBeGreaterThan(300);
  const unmarked = texts.map((text) => text.replaceAll(/`[^`]*`/g, ''));
  return unmarked.filter((text) =>
    /\b(?:null|true|false|If-None-Match|\w+_\w+|\w+\.read)\b/.test(text),
  );
}

test.each(LANGUAGES)('a text marks the code that it names, in %s', (_, document) => {
  expect(bareCode(document)).toEqual([]);
});

/** The texts of a document by their place; values of examples are data. */
function textsOf(document: object): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  function walk(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const isText = typeof inner === 'string' && ['description', 'summary'].includes(key);
      if (isText) texts.set(`${place}.${key}`, inner);
      // The value of an example, not a field of that name.
      else if (key !== 'value' || !('summary' in value)) walk(inner, `${place}.${key}`);
    }
  }
  walk(document, '');
  return texts;
}

test('every text of the reference is there in both languages', () => {
  const inSpanish = textsOf(spanish);
  const inEnglish = textsOf(english);
  expect(inEnglish.size).toBeGreaterThan(700);
  expect([...inSpanish.keys()]).toEqual([...inEnglish.keys()]);
  const same = [...inEnglish].filter(([place, text]) => inSpanish.get(place) === text);
  expect(same).toEqual([]);
});
