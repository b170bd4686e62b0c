import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { MIDNIGHT, reformCatalogue } from '../../../../../test/harness/reform.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';

/** Monday: one day after the first of the new unit. */
const NOW = MIDNIGHT + DAY_MS;

/** A week of both markets, the last two days in the new unit. */
async function boardOver() {
  const service = await startTestService({
    config: { catalogueDir: await reformCatalogue() },
    start: NOW,
  });
  for (let age = 7; age >= 0; age -= 1) {
    const at = iso(NOW - age * DAY_MS);
    const scale = age < 2 ? 1_000 : 1;
    await service.push(
      official(at.slice(0, 10), { USD: (800 - age) / scale }, { captured_at: at }),
      quote('parallel', (960 - age) / scale, { updated_at: at, captured_at: at }),
    );
  }
  return service;
}

describeInBrowser('the board over a redenomination', (open) => {
  test.each([
    [
      'es',
      'bolívar nuevo',
      'Desde el 22 de noviembre de 2026, un bolívar nuevo son 1.000 de los anteriores. Las cifras de antes están en bolívares de hoy.',
      '17/11/2026',
      '0,7940',
    ],
    [
      'en',
      'new bolívar',
      'From 22 November 2026 on, one new bolívar is 1,000 old ones. Earlier figures are in the bolívares of today.',
      '17 Nov 2026',
      '0.7940',
    ],
  ] as const)(
    'contract §10: the chart marks the day and says that earlier figures are in the unit of today (%s)',
    async (language, label, sentence, day, rate) => {
      const { url } = await boardOver();
      const { page, expectQuiet } = await open(url, { language });
      const mark = page.locator('#chart .unit-mark');
      await expect.poll(() => mark.innerText()).toBe(label);
      expect(await page.innerText('#chart-units')).toBe(sentence);
      expect(await page.locator('#chart-premium-plot .unit-mark').count()).toBe(0);
      // Where the curve has its point of that day, a day before the right edge.
      await page.check('input[name=days][value="7"]');
      const place = () =>
        page.evaluate(() => {
          const plot = document.querySelector('#chart .u-over')?.getBoundingClientRect();
          const line = document.querySelector('#chart .unit-mark')?.getBoundingClientRect();
          return plot && line && (line.left - plot.left) / plot.width;
        });
      await expect.poll(place).toBeCloseTo(6 / 7, 2);
      await page.click('#chart-data summary');
      expect(await page.innerText('#chart-data tbody')).toMatch(new RegExp(`${day}\\s+${rate}`));
      expect(await axeFindings(page)).toEqual([]);
      // It moves with a plot that becomes narrower.
      await page.setViewportSize({ width: 400, height: 800 });
      await expect.poll(place).toBeCloseTo(6 / 7, 2);
      expectQuiet();
    },
  );

  test('contract §9: the converter says in which bolívares a chosen day is', async () => {
    const { url } = await boardOver();
    const { page, expectQuiet } = await open(url, { language: 'en' });
    const text = () => page.innerText('#conversion');
    await page.check('input[name=day][value=other]');
    await page.fill('#date', '2026-11-20');
    await expect.poll(text).toContain('in the bolívares of that day. From 22 November 2026 on');
    await page.check('input[name=day][value=other]');
    await page.fill('#date', '2026-11-22');
    await expect.poll(text).toContain('value date Sun 22 Nov 2026');
    expect(await text()).not.toContain('bolívares of that day');
    expectQuiet();
  });

  test('contract §10: a range without a change of the unit has no mark', async () => {
    const service = await boardOver();
    service.clock.advance(14 * DAY_MS);
    const { page } = await open(service.url);
    await expect.poll(() => page.locator('#chart .unit-mark').count()).toBe(1);
    await page.check('input[name=days][value="7"]');
    await expect.poll(() => page.locator('#chart .unit-mark').count()).toBe(0);
    expect(await page.innerText('#chart-units')).toBe('');
  });
});
