/** The page of a month of the official rate. */
export const MONTH_ES = {
  title: (currency: string, month: string) => `${currency}, ${month}: tasa de cada día · vesfx`,
  description: (currency: string, month: string) =>
    `${currency}: la tasa de cada día de ${month} según las dos reglas, el cierre y el promedio, en Excel y CSV.`,
  crumb: 'Tabla del mes',
  heading: (month: string) => `Tasa oficial, ${month}`,
  currency: 'Moneda',
  currencies: { USD: 'Dólar', EUR: 'Euro' },
  plural: { USD: 'Dólares', EUR: 'Euros' },
  noMonth: (month: string) => `${month}: no hay tasas`,
  print: 'Imprimir',
  columns: { day: 'Día', inForce: 'Rige ese día', next: 'Día hábil siguiente', change: 'Cambio' },
  days: 'Tasa de cada día',
  of: (day: string) => `del ${day}`,
  holiday: 'feriado',
  today: 'hoy',
  close: 'cierre',
  newUnit: 'bolívar nuevo',
  inDoubt: 'sin confirmar',
  missing: 'falta la publicación',
  unknown: 'no se conoce',
  tooEarly: 'sin datos',
  notYet: 'aún no se publica',
  perUnit: { USD: 'Bolívares por dólar.', EUR: 'Bolívares por euro.' },
  legend:
    'En fondo gris, fines de semana y feriados bancarios. Fuente: Banco Central de Venezuela.',
  summary: 'Resumen del mes',
  closing: 'Cierre',
  newest: 'Última conocida',
  readOn: (day: string, read: string) => `${day}, leída el ${read}`,
  noClose: 'No se conoce: falta la publicación de ese día.',
  running: 'El mes no ha terminado.',
  average: 'Promedio',
  ofDates: (count: string) => (count === '1' ? 'de una fecha valor' : `de ${count} fechas valor`),
  ofDatesSoFar: (count: string) =>
    count === '1' ? 'de una fecha valor, hasta ahora' : `de ${count} fechas valor, hasta ahora`,
  noAverage: 'Ninguna fecha valor guardada.',
  rules: {
    inForce: 'la última fecha valor. El sábado y el domingo, la del viernes.',
    next: 'la que el BCV ya publicó para el próximo día bancario, según el texto de la Ley de IVA.',
  },
  whichRule: 'Cuál usar en una factura',
  monthEnd: 'Cómo cerrar el mes',
  missingDays: (count: string, days: string) =>
    count === '1'
      ? `Falta la publicación del ${days}: desde ese día hasta la siguiente no se sabe cuál tasa rige.`
      : `Faltan ${count} publicaciones (${days}): desde cada una hasta la siguiente no se sabe cuál tasa rige.`,
  doubtful: (day: string, rate: string, why: string) => `Sin confirmar, ${day}: ${rate}${why}.`,
  ownUnit:
    'Cada fila está en el bolívar de su día; el cierre y el promedio, en el del último día de la tabla.',
  empty: 'No hay tasas guardadas de este mes.',
  emptyMore: 'Pruebe con otro mes.',
  toRunning: 'Ver el mes en curso',
  amounts: (currency: string, rate: string) => `${currency}, ${rate}`,
  bolivars: 'Bolívares',
  valid: (from: string, until: string) =>
    `Rige desde el ${from} hasta el ${until}. No vale después.`,
  validToday: (day: string) => `Rige solo el ${day}. No vale después.`,
  notForSheet: 'La tasa está desactualizada: no la use para cobrar ni imprima esta hoja.',
  sheet: 'Imprimir los montos',
  shape: 'El mes',
  shapeOf: (from: string, first: string, to: string, last: string) =>
    `De ${from} el ${first} a ${to} el ${last}`,
};

export type MonthTexts = Readonly<typeof MONTH_ES>;
