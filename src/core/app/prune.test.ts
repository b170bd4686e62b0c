import { expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { plans as plansOf } from '../domain/plans.ts';
import { rawShownFrom } from './prune.ts';

const { plans } = loadCatalogue(PACKAGED_CATALOGUE);
const NOW = Date.parse('2026-11-21T12:00:00Z');

test('§4.3 every capture is kept from the first UTC day that the longest plan shows', () => {
  expect(rawShownFrom(plans, NOW)).toBe(Date.parse('2025-11-21T00:00:00Z'));
  const midnight = Date.parse('2026-11-22T00:00:00Z');
  expect(rawShownFrom(plans, midnight - 1)).toBe(Date.parse('2025-11-21T00:00:00Z'));
  expect(rawShownFrom(plans, midnight)).toBe(Date.parse('2025-11-22T00:00:00Z'));
});

test('a plan without a limit shows all of history, so nothing is thinned', () => {
  const [first, ...rest] = plans.list;
  if (first === undefined) throw new Error('There are no plans.');
  expect(rawShownFrom(plansOf([{ ...first, historyDays: null }, ...rest]), NOW)).toBeUndefined();
});
