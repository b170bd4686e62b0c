import { inBoth } from '../frame/language.ts';

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

export const CONFIDENCE_TEXTS = inBoth({
  es: {
    source: (name: string) => `Fuente: ${name}`,
    /** `percent`: by how much they may differ at most. */
    sources: (count: number, percent: number) =>
      count === 1
        ? 'Ninguna otra fuente independiente la confirma'
        : `${count} fuentes independientes coinciden (diferencia máxima: ${percent} %)`,
    observed: (time: string) => `Leída: ${time}`,
    held: (time: string, why: string | undefined) =>
      `La lectura del ${time} está retenida${because(why)}`,
    notHeld: 'Ninguna lectura posterior retenida',
  },
  en: {
    source: (name) => `Source: ${name}`,
    sources: (count, percent) =>
      count === 1
        ? 'No other independent source confirms it'
        : `${count} independent sources agree (within ${percent}%)`,
    observed: (time) => `Read: ${time}`,
    held: (time, why) => `The reading of ${time} is held${because(why)}`,
    notHeld: 'No later reading is held',
  },
});
