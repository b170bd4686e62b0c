/**
 * Bodies as the other services send them, rebuilt: the same keys in the same order with values of the
 * same kind, and invented figures.
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

/** The keys of a value in order, and the kinds of what they hold: what a program relies on. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([key, held]) => [key, shapeOf(held)]);
}
