import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  excerptParts,
  foldedEntry,
  foldedWords,
  MAX_RESULTS,
  markedParts,
  searchIn,
  searchNear,
} from './search.ts';

const entry = (title: string, text: string, path = `/${title}`) =>
  foldedEntry({ title, place: 'Guide', path, about: text, words: '' });

const ENTRIES = [
  entry('Márgenes', 'Su propio margen sobre las tasas. Error markup_not_found.'),
  entry('Historial', 'Series diarias y hojas de cálculo. El margen no cuenta.'),
  entry('Año y señal', 'ñandú Ñ doctor'),
];

const titles = (query: string) => searchIn(ENTRIES, query).map(({ title }) => title);

describe('the search of the documentation', () => {
  test.each([
    ['margenes', ['Márgenes', 'Historial']],
    ['MÁRGENES', ['Márgenes', 'Historial']],
    ['marg', ['Márgenes', 'Historial']],
    ['calculo hojas', ['Historial']],
    ['ano', ['Año y señal']],
    ['senal', ['Año y señal']],
    ['markup_not_found', ['Márgenes']],
    ['not found', ['Márgenes']],
    ['margen series', ['Historial']],
    ['margen nothing', []],
    ['', []],
    [' /?"<>', []],
  ])('%j finds %j, whatever its accents, case and endings', (query, found) => {
    expect(titles(query)).toEqual(found);
  });

  test.each([
    ['margen', 'margen', ['Márgenes', 'Historial']],
    ['sereis diarias', 'series diarias', ['Historial']],
    ['margne', 'margen', ['Márgenes', 'Historial']],
    // A word of four letters is near to too many others.
    ['margen hohas', 'margen hojas', ['Historial']],
    ['margen poja', 'margen', ['Márgenes', 'Historial']],
    // Readers seldom mistype the first letter, and `zelle` is not `calle`.
    ['margen pojas', 'margen', ['Márgenes', 'Historial']],
    // One error in a word: another word may be as near with two.
    ['docker', 'docker', []],
    ['margen xyzzy', 'margen', ['Márgenes', 'Historial']],
    ['calculo senal', 'calculo', ['Historial']],
    ['xyz', 'xyz', []],
    ['', '', []],
  ])('%j is searched as %j, and finds %j', (query, searched, found) => {
    const near = searchNear(ENTRIES, query);
    expect([near.query, near.entries.map(({ title }) => title)]).toEqual([searched, found]);
  });

  test.each(['docter', 'dactor', 'dctor', 'docttor', 'dxoctor', 'dcotor', 'doctro'])(
    '%s is one typing error away from doctor',
    (mistyped) => {
      expect(searchNear(ENTRIES, mistyped).query).toBe('doctor');
    },
  );

  test('ranks a word in a title above one in a text', () => {
    expect(titles('historial margen')).toEqual(['Historial']);
    const both = [entry('Other', 'limits'), entry('Limits', 'other')];
    expect(searchIn(both, 'limits').map(({ title }) => title)).toEqual(['Limits', 'Other']);
  });

  test('a page comes before the parts of pages whose titles match as well', () => {
    const both = [entry('Limits', 'one', '/a#one'), entry('Limits', 'two', '/b')];
    expect(searchIn(both, 'limits').map(({ path }) => path)).toEqual(['/b', '/a#one']);
    const told = [entry('One', 'limits', '/a#one'), entry('Two', 'limits', '/b')];
    expect(searchIn(told, 'limits').map(({ path }) => path)).toEqual(['/a#one', '/b']);
  });

  test('a place is found by what readers call it, whole words before beginnings', () => {
    const named = foldedEntry({ ...entry('Premium', 'difference'), names: 'gap brecha spread' });
    const other = entry('For a spreadsheet', 'cells', '/c');
    const both = [other, named];
    expect(searchIn(both, 'spread').map(({ title }) => title)).toEqual([
      'Premium',
      'For a spreadsheet',
    ]);
    expect(searchIn(both, 'gap').map(({ title }) => title)).toEqual(['Premium']);
  });

  test.each([
    ['Márgenes y tasas', 'margen tasa', ['Márgenes', 'tasas']],
    ['rate_not_published', 'not', ['rate_not_published']],
    ['Año', '<b>', []],
    ['nothing', '', []],
  ])('in %j the query %j marks %j', (text, query, hits) => {
    const parts = markedParts(text, query);
    expect(parts.map(({ part }) => part).join('')).toBe(text);
    expect(parts.filter(({ isHit }) => isHit).map(({ part }) => part)).toEqual(hits);
  });

  test('a long text is shown from a little before its first hit, with a sign where it is cut', () => {
    const words = Array.from({ length: 100 }, (_, at) => `w${at}`);
    const shown = (query: string) =>
      excerptParts(words.join(' '), query)
        .map(({ part }) => part)
        .join('');
    expect(shown('w50')).toMatch(/^… ?w4\d .* w50 .*w7\d ?$/);
    expect(shown('w3')).toMatch(/^w0 .* w3 /);
    expect(shown('w99')).toMatch(/^….* w99$/);
    expect(shown('absent')).toMatch(/^w0 .*w2\d ?$/);
  });

  test('limits the number of results', () => {
    const many = Array.from({ length: MAX_RESULTS + 1 }, (_, at) => entry(`a${at}`, 'same'));
    expect(searchIn(many, 'same')).toHaveLength(MAX_RESULTS);
    expect(searchIn(many.slice(1), 'same')).toHaveLength(MAX_RESULTS);
  });

  test('finds a text by each of its words, with or without accents', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
        const words = foldedWords(text);
        const word = words[at % Math.max(1, words.length)];
        if (word === undefined) return;
        const one = entry('x', text);
        for (const form of ['NFC', 'NFD'] as const) {
          expect(searchIn([one], word.normalize(form))).toHaveLength(1);
        }
        expect(searchIn([one], word.slice(0, 1)).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
