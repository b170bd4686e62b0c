import { expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { PACKAGED_CATALOGUE } from '../config.ts';
import { plans as plansOf } from '../domain/plans.ts';
import { rawKeptFrom } from './prune.ts';

const { plans } = loadCatalogue(PACKAGED_CATALOGUE);
const NOW = Date.parse('2026-11-21T12:00:00Z');

test('§4.3 every capture is kept from the first UTC day that the longest plan shows', () => {
  expect(rawKeptFrom(plans, NOW)).toBe(Date.parse('2025-11-21T00:00:00Z'));
  const midnight = Date.parse('2026-11-22T00:00:00Z');
  expect(rawKeptFrom(plans, midnight - 1)).toBe(Date.parse('2025-11-21T00:00:00Z'));
  expect(rawKeptFrom(plans, midnight)).toBe(Date.parse('2025-11-22T00:00:00Z'));
});

test('every capture is kept from the UTC day of 52 hours before on, which judgement may read, whatever plans show (contract §8)', () => {
  const shows = (historyDays: number) =>
    plansOf(plans.list.map((plan) => ({ ...plan, historyDays })));
  const fourInTheMorning = Date.parse('2026-11-21T04:00:00Z');
  const kept = (historyDays: number, now: number) => rawKeptFrom(shows(historyDays), now);
  expect(kept(0, fourInTheMorning)).toBe(Date.parse('2026-11-19T00:00:00Z'));
  expect(kept(0, fourInTheMorning - 1)).toBe(Date.parse('2026-11-18T00:00:00Z'));
  expect(kept(2, fourInTheMorning - 1)).toBe(Date.parse('2026-11-18T00:00:00Z'));
  expect(kept(3, fourInTheMorning)).toBe(Date.parse('2026-11-18T00:00:00Z'));
});

test('a plan without a limit shows all of history, so nothing is thinned', () => {
  const [first, ...rest] = plans.list;
  if (first === undefined) throw new Error('There are no plans.');
  expect(rawKeptFrom(plansOf([{ ...first, historyDays: null }, ...rest]), NOW)).toBeUndefined();
});
