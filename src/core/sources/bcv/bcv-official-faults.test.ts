import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../../test/harness/bodies.ts';
import { SourceFailure } from '../../app/failures.ts';
import { addCaracasDays, type CaracasDay, startOfCaracasDay } from '../../domain/time.ts';
import { parseBcvOfficial } from './bcv-official-page.ts';

/**
 * A page of the central bank with every single fault of a kind, one at a time. A fault that the
 * page itself contradicts must be refused. The others are listed here; judgement handles them.
 */

const HOME = readFileSync(new URL('../fixtures/bcv-home-2026-11-23.html', import.meta.url), 'utf8');
const FIGURES = {
  USD: '889,57540000',
  EUR: '1.012,34560000',
  CNY: '125,10473218',
  TRY: '21,20360117',
  RUB: '11,00987650',
} as const;
type Code = keyof typeof FIGURES;
const CODES = Object.keys(FIGURES) as Code[];

function read(html: string) {
  try {
    return parseBcvOfficial([bodyOf(html)])[0];
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}
const original = read(HOME);

/** The faults after which the page is read with another date or other figures, by their names. */
function unrefused(faulty: readonly (readonly [name: string, html: string])[]): readonly string[] {
  expect(faulty.length).toBeGreaterThan(0);
  return faulty
    .filter(([, html]) => {
      const record = read(html);
      const rates: Readonly<Record<string, number>> = { ...(record?.['rates'] ?? {}) };
      const known: Readonly<Record<string, number>> = { ...(original?.['rates'] ?? {}) };
      const isSame = record?.['value_date'] === original?.['value_date'];
      return (
        record !== undefined &&
        !(isSame && Object.entries(rates).every(([code, rate]) => known[code] === rate))
      );
    })
    .map(([name]) => name);
}

const withFigure = (code: Code, figure: string) => HOME.replace(FIGURES[code], figure);
const everyPlace = (text: string) => Array.from(text, (_, place) => place);
const positions = (code: Code, isWanted: (character: string) => boolean) =>
  everyPlace(FIGURES[code]).filter((place) => isWanted(FIGURES[code][place] ?? ''));
const isDigit = (character: string) => /\d/.test(character);

describe('a page of the central bank that contradicts itself is refused', () => {
  test('a figure that lost a digit, except whole digits of lira and rouble', () => {
    const faulty = CODES.flatMap((code) =>
      positions(code, isDigit).map((place) => {
        const figure = FIGURES[code].slice(0, place) + FIGURES[code].slice(place + 1);
        return [`${code} ${figure}`, withFigure(code, figure)] as const;
      }),
    );
    expect(unrefused(faulty)).toEqual([
      'TRY 1,20360117',
      'TRY 2,20360117',
      'RUB 1,00987650',
      'RUB 1,00987650',
    ]);
  });

  test('a figure that gained a digit, except whole digits of lira and rouble', () => {
    const faulty = CODES.flatMap((code) =>
      everyPlace(FIGURES[code]).map((place) => {
        const figure = `${FIGURES[code].slice(0, place)}7${FIGURES[code].slice(place)}`;
        return [`${code} ${figure}`, withFigure(code, figure)] as const;
      }),
    );
    expect(unrefused(faulty).filter((name) => !/^(TRY|RUB) \d{3},\d{8}$/.test(name))).toEqual([]);
  });

  test('a figure with a wrong, extra, missing or moved separator', () => {
    const faulty = CODES.flatMap((code) => {
      const figure = FIGURES[code];
      const digits = figure.replace(',', '');
      const others = ['.', '', ' ', ';', ',,', "'", '·'].map((mark) => figure.replace(',', mark));
      const moved = everyPlace(digits).map(
        (place) => `${digits.slice(0, place)},${digits.slice(place)}`,
      );
      return [...others, ...moved]
        .filter((changed) => changed !== figure)
        .map((changed) => [`${code} ${changed}`, withFigure(code, changed)] as const);
    });
    expect(unrefused(faulty)).toEqual([]);
  });

  test('exchanged figures of two blocks, except lira and rouble', () => {
    const faulty = CODES.flatMap((one, place) =>
      CODES.slice(place + 1).map((other) => {
        const html = HOME.replace(FIGURES[one], '@')
          .replace(FIGURES[other], FIGURES[one])
          .replace('@', FIGURES[other]);
        return [`${one} and ${other}`, html] as const;
      }),
    );
    expect(unrefused(faulty)).toEqual(['TRY and RUB']);
  });

  test('exchanged dollar and euro at any ratio, by the decimals of the dollar', () => {
    const near = HOME.replace(FIGURES.EUR, '900,12345678');
    expect(read(near)).toMatchObject({ rates: { USD: 889.5754, EUR: 900.12345678 } });
    const swapped = near.replace(FIGURES.USD, '@').replace('900,12345678', FIGURES.USD);
    expect(read(swapped.replace('@', '900,12345678'))).toBeUndefined();
  });

  test('a block with the label of another', () => {
    const labels = [...CODES, 'JPY', 'GBP', 'VES', 'Bs', 'XXX', '1000 USD', 'EUR/USD'];
    const faulty = CODES.flatMap((code) =>
      labels
        .filter((label) => label !== code)
        .map((label) => {
          const html = HOME.replace(new RegExp(`<span> ${code} ?</span>`), `<span>${label}</span>`);
          expect(html).not.toBe(HOME);
          return [`${code} as ${label}`, html] as const;
        }),
    );
    expect(unrefused(faulty)).toEqual([]);
  });

  const WEEKDAYS = ['Domingo', 'Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado'];
  const MONTHS = [
    ...['Enero', 'Febrero', 'Marzo', 'Abril', 'Mayo', 'Junio', 'Julio', 'Agosto'],
    ...['Septiembre', 'Octubre', 'Noviembre', 'Diciembre'],
  ];
  const DAY = '2026-11-23' as CaracasDay;
  const others = Array.from({ length: 140 }, (_, ahead) => addCaracasDays(DAY, ahead - 70)).filter(
    (day) => day !== DAY,
  );
  const inWords = (day: CaracasDay, weekday: string) => {
    const [year, month, date] = day.split('-');
    return `${weekday}, ${date} ${MONTHS[Number(month) - 1]}  ${year}`;
  };
  const weekdayOf = (day: CaracasDay) =>
    WEEKDAYS[new Date(startOfCaracasDay(day)).getUTCDay()] ?? '';
  const inText = (html: string, text: string) => html.replace('Lunes, 23 Noviembre  2026', text);
  const inAttribute = (html: string, day: string) =>
    html.replace('content="2026-11-23T', `content="${day}T`);

  test.each([
    ['text', (day: CaracasDay) => inText(HOME, inWords(day, weekdayOf(day)))],
    ['attribute', (day: CaracasDay) => inAttribute(HOME, day)],
    [
      'text without an attribute, and the weekday left as it was',
      (day: CaracasDay) =>
        inText(HOME, inWords(day, 'Lunes')).replace('content="2026-11-23T00:00:00-04:00"', ''),
    ],
  ])('a value date changed only in its %s, to any day within ten weeks', (_, change) => {
    const isLeft = (day: CaracasDay) => weekdayOf(day) === 'Lunes';
    const left = unrefused(others.map((day) => [day, change(day)] as const)) as CaracasDay[];
    // The weekday confirms every seventh day.
    expect(left.filter((day) => !(_.startsWith('text without') && isLeft(day)))).toEqual([]);
  });

  test('a value date with a digit changed in both forms, unless the weekday fits', () => {
    const digits = [8, 9, 5, 6, 0, 1, 2, 3];
    const faulty = digits.flatMap((place) =>
      Array.from(
        { length: 10 },
        (_, digit) => `${DAY.slice(0, place)}${digit}${DAY.slice(place + 1)}`,
      )
        .filter((day) => day !== DAY && /-(0[1-9]|1[0-2])-/.test(day))
        .map((day) => {
          const text = inWords(day as CaracasDay, 'Lunes');
          return [day, inText(inAttribute(HOME, day), text)] as const;
        }),
    );
    for (const day of unrefused(faulty)) expect(weekdayOf(day as CaracasDay)).toBe('Lunes');
  });
});
