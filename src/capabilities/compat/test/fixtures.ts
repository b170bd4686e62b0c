/**
 * Rebuilt bodies of the other services: the same keys in the same order with values of the
 * same type, and invented figures.
 */

export const DOLARES = [
  {
    moneda: 'USD',
    fuente: 'oficial',
    nombre: 'Dólar',
    compra: null,
    venta: null,
    promedio: 700.1234,
    fechaActualizacion: '2026-08-19T00:00:00-04:00',
  },
  {
    moneda: 'USD',
    fuente: 'paralelo',
    nombre: 'Paralelo',
    compra: null,
    venta: null,
    promedio: 800.123456,
    fechaActualizacion: '2026-08-20T18:00:00.000Z',
  },
];

export const EURO = {
  moneda: 'EUR',
  fuente: 'oficial',
  nombre: 'Euro',
  compra: null,
  venta: null,
  promedio: 811.12345678,
  fechaActualizacion: '2026-08-19T00:00:00-04:00',
};

export const PAST_DOLAR = {
  fuente: 'oficial',
  compra: null,
  venta: null,
  promedio: 17.5,
  fecha: '2023-01-03',
};

export const MONITOR = {
  change: 1.5,
  color: 'green',
  image: 'https://image.example/bcv.png',
  last_update: '20/08/2025, 12:00 AM',
  percent: 0.25,
  price: 700.1234,
  price_old: 698.6234,
  symbol: '▲',
  title: 'Dólar estadounidense',
};

export const MONITORS = {
  datetime: { date: 'miércoles, 20 de agosto de 2025', time: '10:30:00 a. m.' },
  monitors: { usd: MONITOR },
};

export const VENUE = { ask: 734.5, totalAsk: 734.5, bid: 733.5, totalBid: 733.5, time: 1782999810 };

export const LATEST = { amount: 1, base: 'USD', date: '2026-08-20', rates: { VES: 700.1234 } };

export const SERIES = {
  amount: 1,
  base: 'USD',
  start_date: '2026-08-19',
  end_date: '2026-08-20',
  rates: { '2026-08-19': { VES: 699.5 }, '2026-08-20': { VES: 700.1234 } },
};

export const RATE_ROW = { date: '2026-08-20', base: 'USD', quote: 'VES', rate: 700.1234 };

/** The keys of a value in order and the types of their values, on which programs rely. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([key, held]) => [key, shapeOf(held)]);
}
