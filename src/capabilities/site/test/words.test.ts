import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referenceDocument } from '../../../../scripts/reference.ts';
import { read } from '../../../../test/harness/repository.ts';
import { AMOUNT_LIMIT, MAX_AMOUNT } from '../../../core/domain/calculations/convert.ts';
import { ERRORS } from '../../../core/domain/errors/error-codes.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { VALUE_RULES } from '../../../core/domain/errors/value-rules.ts';
import { FIXED_LIMIT, MAX_FIXED } from '../../../core/domain/markup.ts';
import * as pageWords from '../texts/texts.ts';

/** The words of the pages, the guides and the reference. */

/** A text without its code, which is written for programs. */
function prose(markdown: string): string {
  return (
    markdown
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/<[^>]*>/g, '')
      // A row of names on the wire.
      .replaceAll(/^\| {2}\| none \| markup .*$/gm, '')
  );
}

/** The texts of a table of texts, without the names by which programs ask for them. */
function textsIn(table: unknown): readonly string[] {
  if (typeof table === 'string') return [table];
  if (typeof table !== 'object' || table === null) return [];
  return Object.values(table).flatMap(textsIn);
}

const messages = [
  ...Object.values(ERRORS).map(({ message }) => message),
  ...Object.values(VALUE_RULES),
];
const sentences = { es: messages.map(({ es }) => es), en: messages.map(({ en }) => en) };

/** The texts of the pages in a language: guides, methodology, reference and tables of words. */
function publicTexts(language: 'es' | 'en'): readonly string[] {
  const guides = new URL(`../guides/${language}/`, import.meta.url);
  const files = readdirSync(guides).map((file) => readFileSync(new URL(file, guides), 'utf8'));
  const methodology = read(language === 'es' ? 'docs/methodology.es.md' : 'docs/methodology.md');
  const reference = [
    sentences[language],
    documentTexts(referenceDocument('https://rates.example.net', language)),
  ];
  return [
    ...files.map(prose),
    prose(methodology),
    ...reference.flatMap(textsIn).map(prose),
    ...Object.values(pageWords)
      .flatMap((table) => textsIn(table[language]))
      .map(prose),
  ];
}

/** What the reference says: its descriptions and summaries. */
function documentTexts(document: object): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(document, function (this: object, key, value: unknown) {
    if (['description', 'summary'].includes(key) && typeof value === 'string') texts.push(value);
    // The value of an example, not a field of that name.
    return key === 'value' && 'summary' in this ? undefined : value;
  });
  expect(texts.length).toBeGreaterThan(300);
  return texts;
}

describe('terms', () => {
  test('one word stands for each idea in Spanish, and readers are addressed as usted', () => {
    for (const text of publicTexts('es')) {
      // encabezado, consulta, endpoint, clave, cotización; usted.
      expect(text).not.toMatch(/\b(?:cabeceras?|headers?)\b/i);
      expect(text).not.toMatch(/\b(?:solicitud(?:es)?|petici[oó]n(?:es)?|llamadas?)\b/i);
      expect(text).not.toMatch(/\b(?:rutas?|API keys?|llaves?)\b/i);
      expect(text).not.toMatch(/\b(?:tus?|puedes|debes|quieres|tienes|vosotros)\b/i);
    }
  });

  test('one word stands for each idea in English', () => {
    for (const text of publicTexts('en')) {
      expect(text).not.toMatch(/\bAPI calls?\b|\bcall the API\b|\broute comparison\b/i);
    }
  });
});

/** The tables of texts as they are written, with the sentences that functions make. */
function writtenTables(language: 'es' | 'en'): readonly string[] {
  const folder = new URL(`../texts/${language}/`, import.meta.url);
  return readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
}

describe('words of a rate', () => {
  const element = readFileSync(new URL('../embed/vesfx-rate.js', import.meta.url), 'utf8');
  /** A law is quoted as it is. */
  const quoted = /«…al tipo de cambio[^»]*»/g;

  test.each([
    // A rate that holds today "rige"; an old figure is "desactualizada".
    ['es', /\bvigentes?\b|\bvigor\b|más antiguas? de lo normal/i],
    ['en', /\bin effect\b|\bolder than usual\b/i],
  ] as const)(
    'one word in %s says that a rate holds, and one that a figure is old',
    (language, others) => {
      for (const text of [...publicTexts(language), ...writtenTables(language), element]) {
        expect(others.exec(text.replaceAll(quoted, ''))?.[0]).toBeUndefined();
      }
    },
  );
});

describe('figures in sentences', () => {
  test('the largest amount is said in words, and they mean it', () => {
    for (const words of [AMOUNT_LIMIT, FIXED_LIMIT]) {
      expect(words).toEqual(sentence('one trillion (10^12)', 'un billón (10^12)'));
    }
    expect([Number(MAX_AMOUNT), MAX_FIXED]).toEqual([10 ** 12, 10 ** 12]);
    for (const text of [...publicTexts('es'), ...publicTexts('en')]) {
      expect(text).not.toMatch(/\b\d+e\d+\b/);
      expect(text).not.toMatch(/hasta un trillón|at most one billion/);
    }
    expect(publicTexts('es').join()).toContain('hasta un billón (10^12)');
    expect(publicTexts('en').join()).toContain('at most one trillion (10^12)');
  });

  test.each(['es', 'en'] as const)(
    'have the marks of their language in %s, from a thousand up',
    (language) => {
      // Years, standards, ports and numbers of laws have no mark.
      const named = /^(?:19|20)\d\d$|^4180$|^8601$|^8080$|^1024$|^00071$/;
      for (const text of publicTexts(language)) {
        const bare = [...text.matchAll(/(?<![\d.,:/_+-])\d{4,}(?![\d:/_-]|\.\d)/g)].map(String);
        expect(bare.filter((figure) => !named.test(figure))).toEqual([]);
        const other =
          language === 'es' ? /(?<!\d)\d{1,3},\d{3},\d{3}\b/ : /\b\d{1,3}\.\d{3}\.\d{3}\b/;
        expect(text).not.toMatch(other);
      }
    },
  );

  test('the difference of a market over the official rate has one name in each language', () => {
    for (const text of publicTexts('en')) expect(text).not.toMatch(/\bspreads?\b/i);
    for (const text of publicTexts('es')) expect(text).not.toMatch(/\bspreads?\b|\bpremium\b/i);
  });
});
