import { expect, test } from 'vitest';
import { BOARD_TEXTS } from '../texts/texts.ts';
import { sourceText } from './age.ts';

test.each([
  ['criptoya', 'CriptoYa', 'CriptoYa'],
  ['operator', 'cargada por el operador', 'pushed by the operator'],
  ['simulated', 'simulada', 'simulated'],
  ['demo', 'cifra real de otra fecha', 'real figure of another date'],
])('the source %s is "%s" to readers, and "%s" in English', (name, spanish, english) => {
  const row = { source: { name, kind: 'operator' } } as const;
  expect(sourceText(row, BOARD_TEXTS.es)).toBe(spanish);
  expect(sourceText(row, BOARD_TEXTS.en)).toBe(english);
});
