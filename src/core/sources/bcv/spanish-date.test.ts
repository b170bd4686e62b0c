import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentFailure } from '../../../../test/harness/bodies.ts';
import { dateShown, spanishDateOf } from './spanish-date.ts';

describe('spanishDateOf', () => {
  test.each([
    ['Lunes, 23 Noviembre  2026', '2026-11-23'],
    ['Miércoles, 15 Mayo  2024', '2024-05-15'],
    ['Miercoles, 15 Mayo 2024', '2024-05-15'],
    ['SÁBADO, 1 DE ENERO DE 2028', '2028-01-01'],
    ['lunes 23 de noviembre de 2026', '2026-11-23'],
    ['Viernes, 05 Enero  2024', '2024-01-05'],
    ['Lunes,\u00a023\u00a0Noviembre\u00a0\u00a02026', '2026-11-23'],
    ['23 Noviembre 2026', '2026-11-23'],
    ['23-11-2026', '2026-11-23'],
    ['5-1-2024', '2024-01-05'],
    ['Jueves, 29 Febrero  2024', '2024-02-29'],
  ])('%s', (text, day) => {
    expect(spanishDateOf(text)).toBe(day);
  });

  test('reads every day of a century in either form', () => {
    const words = new Intl.DateTimeFormat('es', { dateStyle: 'full', timeZone: 'UTC' });
    const days = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2099-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10);
        expect(spanishDateOf(words.format(date))).toBe(day);
        expect(spanishDateOf(day.split('-').toReversed().join('-'))).toBe(day);
      }),
    );
  });

  test.each([
    ['another weekday', 'Martes, 23 Noviembre  2026'],
    ['no weekday', 'Luna, 23 Noviembre  2026'],
    ['a weekday in another charset', 'MiÃ©rcoles, 15 Mayo  2024'],
    ['a weekday with a lost letter', 'Mi\uFFFDrcoles, 15 Mayo  2024'],
    ['English', 'Monday, 23 November 2026'],
    ['no such day', 'Lunes, 31 Noviembre  2026'],
    ['no such day in digits', '29-02-2026'],
    ['month before day', '11-23-2026'],
    ['year before month', '2026-11-23'],
    ['two digits for a year', '23-11-26'],
    ['no year', 'Lunes, 23 Noviembre'],
    ['no day', 'Noviembre 2026'],
    ['more than a date', 'Lunes, 23 Noviembre  2026 y más'],
    ['spaces around', ' 23-11-2026 '],
    ['nothing', ''],
  ])('%s is refused as a date', (_, text) => {
    expect(spanishDateOf(text)).toBeUndefined();
  });
});

describe('dateShown', () => {
  const text = 'Lunes, 23 Noviembre  2026';
  const attribute = '2026-11-23T00:00:00-04:00';

  test('reads a date from text or attribute alone', () => {
    expect(dateShown(text, attribute)).toBe('2026-11-23');
    expect(dateShown(text, undefined)).toBe('2026-11-23');
    expect(dateShown('', attribute)).toBe('2026-11-23');
    expect(dateShown(text, '2026-11-23T04:00:00Z')).toBe('2026-11-23');
  });

  test.each([
    ['a text of another day', 'Martes, 24 Noviembre  2026', attribute],
    ['a text that is no date', 'Lunes', attribute],
    ['an attribute of another day', text, '2026-11-24T00:00:00-04:00'],
    ['an attribute that is no date', text, 'hoy'],
    ['an attribute within a day', text, '2026-11-23T12:00:00-04:00'],
    ['an attribute of midnight elsewhere', text, '2026-11-23T00:00:00Z'],
    ['neither', '', undefined],
    ['neither, with an empty attribute', '', ''],
  ])('%s is a failure', (_, given, attributeGiven) => {
    expect(contentFailure(() => dateShown(given, attributeGiven))).toMatch(
      /^expected one day as text and attribute, there was "/,
    );
  });
});
