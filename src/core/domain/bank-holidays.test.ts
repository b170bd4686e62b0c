import { describe, expect, test } from 'vitest';
import { bankHolidaysOf } from './bank-holidays.ts';
import { isWeekend, weekdayOf } from './time.ts';

/**
 * Mondays on which only the banks closed: from the regulator's lists of 2023 to 2026, and for 2022
 * the Mondays without an official rate.
 */
const BANK_MONDAYS: Readonly<Record<number, string>> = {
  2022: '01-10 01-17 05-30 06-13 06-20 07-04 08-15 10-24 10-31 11-21 12-12',
  2023: '01-09 05-22 06-12 06-19 07-03 08-14 09-11 10-30 11-06 12-11',
  2024: '05-13 06-03 06-17 08-19 09-16 11-04 11-18',
  2025: '01-06 01-13 06-02 06-16 06-23 08-18 09-15 11-24 12-08',
  2026: '01-12 01-19 05-18 06-08 06-29 09-14 10-26 11-23 12-14',
};
/** The same years' public holidays on weekdays. */
const PUBLIC: Readonly<Record<number, string>> = {
  2022: '02-28 03-01 04-14 04-15 04-19 06-24 07-05 10-12',
  2023: '02-20 02-21 04-06 04-07 04-19 05-01 07-05 07-24 10-12 12-25',
  2024: '01-01 02-12 02-13 03-19 03-28 03-29 04-19 05-01 06-24 07-05 07-24 12-24 12-25 12-31',
  2025: '01-01 03-03 03-04 03-19 04-17 04-18 05-01 06-24 07-24 12-24 12-25 12-31',
  2026: '01-01 02-16 02-17 03-19 04-02 04-03 05-01 06-24 07-24 10-12 12-24 12-25 12-31',
};
const daysIn = (year: number, table: Readonly<Record<number, string>>) =>
  (table[year] ?? '').split(' ').map((day) => `${year}-${day}`);

/** Where the rule differs from reality: the real Mondays, by the predicted ones a week later. */
const OTHERWISE: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  2022: { '2022-11-07': '2022-10-24' },
  2023: { '2023-08-21': '2023-08-14' },
  2025: { '2025-01-20': '2025-01-13' },
};

describe('the bank holidays of a year by the rules', () => {
  test.each([2022, 2023, 2024, 2025, 2026])(
    'of %i match the real ones except for three Mondays',
    (year) => {
      const real = [...daysIn(year, PUBLIC), ...daysIn(year, BANK_MONDAYS)].sort();
      const otherwise = OTHERWISE[year] ?? {};
      const expected = [
        ...real.filter((day) => !Object.values(otherwise).includes(day)),
        ...Object.keys(otherwise),
      ].sort();
      expect([...bankHolidaysOf(year).keys()]).toEqual(expected);
    },
  );

  test('of 2027 have Carnival and Holy Week around Easter, and the moved Mondays', () => {
    expect(Object.fromEntries(bankHolidaysOf(2027))).toEqual({
      '2027-01-01': 'Año Nuevo',
      '2027-01-11': 'Reyes',
      '2027-01-18': 'Divina Pastora',
      '2027-02-08': 'Carnaval',
      '2027-02-09': 'Carnaval',
      '2027-03-19': 'San José',
      '2027-03-25': 'Jueves Santo',
      '2027-03-26': 'Viernes Santo',
      '2027-04-19': 'Movimiento Precursor',
      '2027-05-10': 'Ascensión',
      '2027-05-31': 'Corpus Christi',
      '2027-06-24': 'Batalla de Carabobo',
      '2027-07-05': 'Independencia',
      '2027-10-12': 'Resistencia Indígena',
      '2027-11-01': 'Todos los Santos',
      '2027-11-22': 'Virgen de Chiquinquirá',
      '2027-12-13': 'Inmaculada Concepción',
      '2027-12-24': 'Nochebuena',
      '2027-12-31': 'Fin de Año',
    });
  });

  test.each([
    [2000, '2000-04-21'],
    [2011, '2011-04-22'],
    [2038, '2038-04-23'],
    [2076, '2076-04-17'],
    [2100, '2100-03-26'],
  ])('Good Friday of %i is %s', (year, day) => {
    const fridays = [...bankHolidaysOf(year)].filter(([, name]) => name === 'Viernes Santo');
    expect(fridays.map(([friday]) => friday)).toEqual([day]);
  });

  test('are weekdays of the year in order, and a moved holiday is a Monday', () => {
    const feasts = ['Reyes', 'Divina Pastora', 'Ascensión', 'Corpus Christi', 'Asunción'];
    for (let year = 2019; year <= 2100; year += 1) {
      const days = [...bankHolidaysOf(year)];
      expect(days.map(([day]) => day)).toEqual(days.map(([day]) => day).toSorted());
      expect(days.filter(([day]) => isWeekend(day) || !day.startsWith(String(year)))).toEqual([]);
      const moved = days.filter(([, name]) => feasts.includes(name));
      expect(moved.filter(([day]) => weekdayOf(day) !== 1)).toEqual([]);
    }
  });
});
