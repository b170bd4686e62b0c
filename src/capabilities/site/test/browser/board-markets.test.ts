import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket, iso, quote } from '../../../../../test/harness/make.ts';
import { START, sharedService, type TestService } from '../../../../../test/harness/service.ts';
import { recordsIn } from '../../../../core/app/ingest/ndjson.ts';

/** Every market, and a reading of one that is held. */
async function oneHeld(service: TestService): Promise<void> {
  await service.push(...fullMarket());
  service.clock.advance(10_000);
  const at = iso(START + 10_000);
  const jump = quote('binance', 1_400, { updated_at: at, captured_at: at });
  const { ingest } = service.service;
  await ingest.ingest(recordsIn([JSON.stringify(jump)]), { source: 'binance' });
}

const names = (page: Page) => page.locator('#market-rows .row .market').allInnerTexts();

const headings = async (page: Page) =>
  (await page.locator('.markets thead th:visible').allInnerTexts())
    .map((text) => text.trim())
    .filter((text) => text !== '' && text !== 'Origen');

describeInBrowser('the table of markets', (open) => {
  const board = sharedService(oneHeld);

  test.each([1280, 360])(
    'a row opens to source, reading, how many agree, and whether one is held (%i px)',
    async (width) => {
      const { url } = board();
      const { page, expectQuiet } = await open(url, { width });
      const button = page.getByRole('button', { name: 'De dónde sale la cifra: Binance P2P' });
      const origin = page.locator('#origin-binance');
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      expect(await origin.isVisible()).toBe(false);
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => origin.isVisible()).toBe(true);
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      const text = await origin.innerText();
      for (const part of ['Fuente', 'Leída', '21/11/2026 08:00', 'La trae una sola fuente']) {
        expect(text).toContain(part);
      }
      expect(text).toContain('está retenida: se aparta demasiado de los demás mercados P2P');
      // On a phone the two sides are here, because the row has no room for them.
      expect(text.includes('Usted compra')).toBe(width === 360);
      expect(await axeFindings(page)).toEqual([]);
      // The whole row is a target.
      await page.locator('#market-rows .row', { hasText: 'Binance' }).click();
      await expect.poll(() => origin.isVisible()).toBe(false);
      expectQuiet();
    },
  );

  test('an open row leads to the history of its market, beside the official dollar', async () => {
    const { url } = board();
    const { page } = await open(url);
    await page.waitForSelector('#chart .end');
    await page.getByRole('button', { name: 'De dónde sale la cifra: Bybit P2P' }).click();
    await page.locator('#origin-bybit').getByRole('link', { name: 'Ver su historial' }).click();
    const chosen = () =>
      page.$$eval<string[], HTMLInputElement>('input[name=market]:checked', (all) =>
        all.map((one) => one.value),
      );
    await expect.poll(chosen).toEqual(['reference', 'bybit']);
    await expect.poll(() => page.locator('#history').isVisible()).toBe(true);
    await expect.poll(() => page.innerText('#chart')).toContain('Bybit P2P');
    // The link of the address leads there again.
    expect(page.url()).toContain('?chart=reference,bybit&days=30#history');
  });

  test('a heading sorts, then reverses, then gives back the order of the service', async () => {
    const { url } = board();
    const { page } = await open(url);
    const before = await names(page);
    const heading = page.getByRole('columnheader', { name: 'Tasa' });
    const rates = async () =>
      (await page.locator('#market-rows .row:not(:has-text("EUR")) .rate').allInnerTexts()).map(
        (text) => Number(text.replace('.', '').replace(',', '.')),
      );
    const press = () => heading.getByRole('button').click();
    expect(await heading.getAttribute('aria-sort')).toBeNull();
    await press();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
    expect(await rates()).toEqual((await rates()).toSorted((a, b) => a - b));
    await press();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
    expect(await rates()).toEqual((await rates()).toSorted((a, b) => b - a));
    await press();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBeNull();
    expect(await names(page)).toEqual(before);
  });

  test('has columns for both sides and the premium only where a shown row has them', async () => {
    const { url } = board();
    const { page } = await open(url);
    const all = ['Mercado', 'Tasa', 'Usted compra a', 'Usted vende a', 'Brecha', 'Actualizada'];
    expect(await headings(page)).toEqual(all);
    await page.check('input[name=kind][value=reference]');
    await expect.poll(() => headings(page)).toEqual(['Mercado', 'Tasa', 'Actualizada']);
    expect(await names(page)).toEqual(['BCV, dólar USD', 'BCV, euro EUR']);
    expect(await page.innerText('#market-rows')).not.toContain('–');
    await page.check('input[name=kind][value=p2p]');
    await expect.poll(() => headings(page)).toEqual(all);
  });

  test('without scripts every row shows where its figure is from, and the filter works', async () => {
    const { url } = board();
    const { page } = await open(url, { script: false });
    expect(await page.locator('#market-rows .more:visible').count()).toBe(10);
    expect(await page.innerText('#origin-binance')).toContain('está retenida');
    await page.check('input[name=kind][value=reference]');
    expect(await page.locator('#market-rows .row:visible').count()).toBe(2);
    expect(await page.locator('.markets button:visible').count()).toBe(6);
  });

  test('a grid on a phone is still a table for those who hear it', async () => {
    const { url } = board();
    const { page } = await open(url, { width: 360 });
    const table = page.getByRole('table').filter({ hasText: 'Binance' });
    expect(await table.getByRole('row').count()).toBeGreaterThan(10);
    expect(await table.getByRole('rowheader').count()).toBe(10);
    expect(await table.getByRole('columnheader', { name: 'Tasa' }).count()).toBe(1);
  });
});
