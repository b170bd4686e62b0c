import { momentText } from '../frame/format.ts';
import { HELD_REASONS } from '../frame/held-reasons.ts';
import type { Language, Texts } from '../frame/language.ts';
import { type BoardReader, sourceText } from './age.ts';
import type { BoardRate } from './board-figures.ts';
import { BOARD_TEXTS } from './board-texts.ts';

interface ConfidenceTexts {
  readonly source: (name: string) => string;
  readonly sources: (count: number) => string;
  readonly observed: (time: string) => string;
  readonly held: (time: string, why: string | undefined) => string;
  readonly notHeld: string;
  readonly evidence: (id: string) => string;
}

const because = (why: string | undefined) => (why === undefined ? '' : `: ${why}`);

const TEXTS: Texts<ConfidenceTexts> = {
  es: {
    source: (name) => `Fuente: ${name}`,
    sources: (count) =>
      count === 1
        ? 'Ninguna otra fuente independiente la confirma'
        : `${count} fuentes independientes coinciden (diferencia máxima: 2 %)`,
    observed: (time) => `Leída: ${time}`,
    held: (time, why) => `La lectura del ${time} está retenida${because(why)}`,
    notHeld: 'Ninguna lectura posterior retenida',
    evidence: (id) => `Comprobante: ${id}`,
  },
  en: {
    source: (name) => `Source: ${name}`,
    sources: (count) =>
      count === 1
        ? 'No other independent source confirms it'
        : `${count} independent sources agree (within 2%)`,
    observed: (time) => `Read: ${time}`,
    held: (time, why) => `The reading of ${time} is held${because(why)}`,
    notHeld: 'No later reading is held',
    evidence: (id) => `Evidence: ${id}`,
  },
};

/** How far a rate can be relied on, a line for each point; undefined while nothing is known. */
export function confidenceText(
  row: BoardRate,
  { language }: Pick<BoardReader, 'language'>,
): string | undefined {
  const { details } = row;
  if (details === undefined) return undefined;
  const { sources, observed_at: observedAt, held, evidence } = details;
  const texts = TEXTS[language];
  const moment = (time: string) => momentText(Date.parse(time), language);
  return [
    texts.source(sourceText(row, BOARD_TEXTS[language])),
    texts.sources(sources),
    texts.observed(moment(observedAt)),
    held === null
      ? texts.notHeld
      : texts.held(moment(held.captured_at), reasonText(held.reason, language)),
    texts.evidence(evidence),
  ].join('\n');
}

function reasonText(reason: string, language: Language): string | undefined {
  const reasons: Readonly<Record<string, string>> = HELD_REASONS[language];
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}
