import { addCaracasDays, type CaracasDay, isWeekend, parseCaracasDay, weekdayOf } from './time.ts';

/** Public holidays on a fixed date. One that falls on a weekend closes no bank. */
const FIXED: Readonly<Record<string, string>> = {
  '01-01': 'Año Nuevo',
  '03-19': 'San José',
  '04-19': 'Movimiento Precursor',
  '05-01': 'Día del Trabajador',
  '06-24': 'Batalla de Carabobo',
  '07-05': 'Independencia',
  '07-24': 'Natalicio del Libertador',
  '10-12': 'Resistencia Indígena',
  '12-24': 'Nochebuena',
  '12-25': 'Navidad',
  '12-31': 'Fin de Año',
};

/** Public holidays by their distance from Easter Sunday, in days. */
const AROUND_EASTER: readonly (readonly [days: number, name: string])[] = [
  [-48, 'Carnaval'],
  [-47, 'Carnaval'],
  [-3, 'Jueves Santo'],
  [-2, 'Viernes Santo'],
];

/** Feasts that the bank regulator (Sudeban) moves to the following Monday. */
const MOVED: Readonly<Record<string, string>> = {
  '01-06': 'Reyes',
  '01-14': 'Divina Pastora',
  '06-13': 'San Antonio',
  '06-29': 'San Pedro y San Pablo',
  '08-15': 'Asunción',
  '09-11': 'Virgen de Coromoto',
  '10-26': 'José Gregorio Hernández',
  '11-01': 'Todos los Santos',
  '11-18': 'Virgen de Chiquinquirá',
  '12-08': 'Inmaculada Concepción',
};
const MOVED_AROUND_EASTER: readonly (readonly [days: number, name: string])[] = [
  [39, 'Ascensión'],
  [60, 'Corpus Christi'],
];

/**
 * The weekdays of a year on which the rules close the banks of Venezuela, in order: public holidays
 * and the regulator's Mondays. A feast on Tuesday to Friday moves to the next Monday, one on Monday
 * stays, one on a weekend is left out. From 2022 to 2026 the rule predicts 43 of the 46 Mondays on
 * which only the banks closed. In the other three cases they closed one Monday earlier: so a day that
 * is only computed makes no publication missed.
 */
export function bankHolidaysOf(year: number): ReadonlyMap<CaracasDay, string> {
  const easter = easterOf(year);
  const after = (days: number) => addCaracasDays(easter, days);
  const inYear = (date: string) => dayOf(`${year}-${date}`);
  const found = [
    ...Object.entries(FIXED).map(([date, name]) => [inYear(date), name] as const),
    ...AROUND_EASTER.map(([days, name]) => [after(days), name] as const),
  ];
  const closed = new Map(found.filter(([day]) => !isWeekend(day)));
  const moved = [
    ...Object.entries(MOVED).map(([date, name]) => [inYear(date), name] as const),
    ...MOVED_AROUND_EASTER.map(([days, name]) => [after(days), name] as const),
  ];
  // Latest first, so a Monday keeps the name of the feast that falls on it, not of one that moves
  // to it.
  for (const [day, name] of moved.toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    if (isWeekend(day)) continue;
    const monday = mondayFrom(day);
    if (!closed.has(monday)) closed.set(monday, name);
  }
  return new Map([...closed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function mondayFrom(day: CaracasDay): CaracasDay {
  return addCaracasDays(day, (8 - weekdayOf(day)) % 7);
}

/** Easter Sunday of a Gregorian year, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): CaracasDay {
  const cycle = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * cycle + century - Math.floor(century / 4) - correction + 15) % 30;
  const sunday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((cycle + 11 * epact + 22 * sunday) / 451);
  const days = epact + sunday - 7 * late + 114;
  const pad = (figure: number) => String(figure).padStart(2, '0');
  return dayOf(`${year}-${pad(Math.floor(days / 31))}-${pad((days % 31) + 1)}`);
}

function dayOf(text: string): CaracasDay {
  const day = parseCaracasDay(text);
  if (day === undefined) throw new RangeError(`${text} is no day.`);
  return day;
}
