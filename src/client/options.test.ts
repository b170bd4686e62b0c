import { describe, expect, test, vi } from 'vitest';
import { readOptions, type VesfxOptions } from './options.ts';

const baseUrl = 'http://127.0.0.1:8080';

/** Options as JavaScript may give them. */
const given = (options: object) => options as VesfxOptions;

describe('the options of a client', () => {
  test('have defaults except for the address', () => {
    const { fetch: _, language, ...settings } = readOptions({ baseUrl });
    expect(['es', 'en']).toContain(language);
    expect(settings).toEqual({
      baseUrl,
      static: false,
      key: undefined,
      timeoutMs: 10_000,
      retries: 3,
      maxRetryWaitMs: 60_000,
      keptAnswers: 100,
    });
  });

  test('take the language of the process, or the one that is named', () => {
    const ofProcess = vi.spyOn(Intl, 'DateTimeFormat');
    const languageIn = (locale: string) => {
      ofProcess.mockReturnValue({ resolvedOptions: () => ({ locale }) } as Intl.DateTimeFormat);
      return readOptions({ baseUrl }).language;
    };
    expect(['es-VE', 'es', 'en-US', 'fr', 'est'].map(languageIn)).toEqual([
      ...['es', 'es', 'en', 'en', 'en'],
    ]);
    ofProcess.mockRestore();
    expect(readOptions({ baseUrl, language: 'es' }).language).toBe('es');
    for (const language of ['', 'fr', 'ES', 7]) {
      expect(() => readOptions(given({ baseUrl, language }))).toThrow('language must be es or en.');
    }
  });

  test('refuse an unknown name', () => {
    expect(() => readOptions(given({ baseUrl, apiKey: 'x' }))).toThrow(/^apiKey is not an option/);
  });

  test('refuse an address that is not http, or that has a query, fragment or credentials', () => {
    const kept = (address: string) => readOptions({ baseUrl: address }).baseUrl;
    expect(kept('https://example.net/')).toBe('https://example.net');
    expect(kept('https://example.net:444/a/b//')).toBe('https://example.net:444/a/b');
    const bad = [
      '',
      'example.net',
      'ftp://example.net',
      'https://example.net/?a',
      'http://a@b',
      'http://a/#b',
    ];
    for (const address of bad) {
      expect(() => readOptions({ baseUrl: address }), address).toThrow(/^baseUrl must/);
    }
    expect(() => readOptions(given({}))).toThrow(/^baseUrl must/);
  });

  test('refuse a key that cannot be a header, without showing it', () => {
    for (const key of ['', 'a b', 'vfx\n', 'clé', 7]) {
      expect(() => readOptions(given({ baseUrl, key }))).toThrow(
        'key must be the text of a key, without spaces or line ends.',
      );
    }
  });

  test('accept only whole numbers within their limits', () => {
    const bounds = [
      ['timeoutMs', 1, 3_600_000],
      ['retries', 0, 10],
      ['maxRetryWaitMs', 0, 3_600_000],
      ['keptAnswers', 0, 10_000],
    ] as const;
    for (const [name, least, most] of bounds) {
      expect(readOptions({ baseUrl, [name]: least })).toMatchObject({ [name]: least });
      expect(readOptions({ baseUrl, [name]: most })).toMatchObject({ [name]: most });
      for (const value of [least - 1, most + 1, 1.5, Number.NaN, '3']) {
        expect(() => readOptions(given({ baseUrl, [name]: value }))).toThrow(
          new RegExp(`^${name}`),
        );
      }
    }
  });
});
