import { expect, test } from 'vitest';
import { caracasDayOf, MINUTE_MS } from '../src/core/domain/time.ts';
import { collecting, testSource } from './harness/collecting.ts';

/** Figures of the central bank of March 2026, and a page on which every one is 30 percent higher. */
const BEFORE = {
  USD: 459.4525,
  EUR: 533.45651417,
  CNY: 66.78282798,
  TRY: 10.36781452,
  RUB: 5.58062745,
};
const JUMP = {
  USD: 597.2883,
  EUR: 693.49341711,
  CNY: 86.81767748,
  TRY: 13.47815887,
  RUB: 7.25481568,
};

const page = (valueDate: string, rates: object): readonly object[] => [
  { kind: 'official', value_date: valueDate, rates },
];

/** Friday, 16:00 in Caracas; the next value date is Tuesday, after a bank holiday. */
const START = Date.parse('2026-11-20T20:00:00Z');
const TUESDAY = caracasDayOf(Date.parse('2026-11-24T12:00:00Z'));

const BEFORE_PAGE = page('2026-11-20', BEFORE);

/** The bank and its witness show other pages from the second reading on. */
async function bankAndWitness(
  shownByWitness: readonly object[],
  shownByBank = page('2026-11-24', JUMP),
) {
  const bank = await testSource('bank');
  const witness = await testSource('relay', {
    role: 'witness',
    schedule: [{ cron: '*/2 * * * *', whileExpected: false }],
  });
  bank.upstream.says(BEFORE_PAGE);
  witness.upstream.says(BEFORE_PAGE);
  const site = await collecting([bank, witness], { start: START, officialRate: 459 });
  await site.at(START);
  await site.at(START + 1_000);
  bank.upstream.says(shownByBank);
  witness.upstream.says(shownByWitness);
  for (let minute = 1; minute <= 4; minute += 1) await site.at(START + minute * MINUTE_MS);
  const stored = await site.store.officialRateUpTo('reference', TUESDAY);
  return { site, stored };
}

test('contract §8: a witness that is read on its own schedule releases the page with which it agrees', async () => {
  const { stored } = await bankAndWitness(page('2026-11-24', JUMP));
  expect(stored).toMatchObject({ effectiveDate: '2026-11-24', mid: JUMP.USD });
});

test('contract §8: a page without it is held, and what a witness alone shows is not published', async () => {
  const plausible = {
    USD: 462.6687,
    EUR: 536.09422269,
    CNY: 67.10303267,
    TRY: 10.43329635,
    RUB: 5.72632455,
  };
  const { site, stored } = await bankAndWitness(page('2026-11-24', plausible), BEFORE_PAGE);
  expect(stored).toMatchObject({ effectiveDate: '2026-11-20', mid: BEFORE.USD });
  expect((await site.state('relay')).lastSuccessAt).toBe(START + 4 * MINUTE_MS);
  const { stored: held } = await bankAndWitness(BEFORE_PAGE);
  expect(held).toMatchObject({ effectiveDate: '2026-11-20' });
});
