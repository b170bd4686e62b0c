import type { Texts } from '../frame/language.ts';

interface ConfidenceTexts {
  readonly source: (name: string) => string;
  /** `percent`: by how much they may differ at most. */
  readonly sources: (count: number, percent: number) => string;
  readonly observed: (time: string) => string;
  readonly held: (time: string, why: string | undefined) => string;
  readonly notHeld: string;
  readonly evidence: (id: string) => string;
}

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

export const CONFIDENCE_TEXTS: Texts<ConfidenceTexts> = {
  es: {
    source: (name) => `Fuente: ${name}`,
    sources: (count, percent) =>
      count === 1
        ? 'Ninguna otra fuente independiente la confirma'
        : `${count} fuentes independientes coinciden (diferencia máxima: ${percent} %)`,
    observed: (time) => `Leída: ${time}`,
    held: (time, why) => `La lectura del ${time} está retenida${because(why)}`,
    notHeld: 'Ninguna lectura posterior retenida',
    evidence: (id) => `Comprobante: ${id}`,
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
    evidence: (id) => `Evidence: ${id}`,
  },
};
