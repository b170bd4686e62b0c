import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { sharedService } from '../../../../../test/harness/service.ts';

describeInBrowser('the frame of every page', (open) => {
  const service = sharedService(async () => undefined);

  test('the choice of colours is kept', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(url, { theme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    const button = page.getByRole('button', { name: 'Apariencia' });
    const name = () => button.getAttribute('aria-label');
    expect(await name()).toBe('Apariencia: Automático');
    await button.click();
    expect([await name(), await ground()]).toEqual(['Apariencia: Claro', light]);
    await button.click();
    const dark = await ground();
    expect(await name()).toBe('Apariencia: Oscuro');
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await ground()).toBe(dark);
    await button.click();
    expect([await name(), await ground()]).toEqual(['Apariencia: Automático', light]);
    expectQuiet();
  });

  test('the button of the colours is in the bar when it is painted: nothing moves aside for it', async () => {
    const { url } = service();
    const { page } = await open(url, { ownPage: true });
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.choices > *')].map(
          (choice) => choice.getBoundingClientRect().left,
        ),
      );
    const later = await places();
    // Runs before every script of the page, and leaves it as it is while it is still read.
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', (event) => event.stopImmediatePropagation()),
    );
    await page.reload();
    expect(await places()).toEqual(later);
    expect(later.every((left) => left > 0)).toBe(true);
    await page.getByRole('button', { name: 'Apariencia' }).click();
    expect(await places()).toEqual(later);
  });

  test('a page without scripts has no button for the colours', async () => {
    const { page } = await open(service().url, { script: false });
    expect(await page.locator('#theme').isVisible()).toBe(false);
  });

  test('every page has the same left edge', async () => {
    const { url } = service();
    const { page } = await open(url);
    const edges = new Map<number, number[]>([360, 1280, 1440].map((width) => [width, []]));
    for (const path of ['/', '/console', '/docs', '/docs/history', '/methodology', '/status']) {
      await page.goto(url + path);
      for (const [width, found] of edges) {
        await page.setViewportSize({ width, height: 800 });
        for (const part of ['.top .name', 'main > :not([hidden], .unseen, :empty)', 'footer p']) {
          const left = await page.evaluate((selector) => {
            const found = document.querySelector(selector);
            if (found === null) return Number.NaN;
            const padding = Number.parseFloat(getComputedStyle(found).paddingLeft);
            return found.getBoundingClientRect().left + (found.matches('footer p') ? padding : 0);
          }, part);
          found.push(left);
        }
      }
    }
    for (const [width, found] of edges) {
      expect(new Set(found).size, `${width} px: ${found}`).toBe(1);
    }
  });

  test('a phone shows the five parts of the site whole, on each page of them', async () => {
    const { url } = service();
    for (const language of ['es', 'en'] as const) {
      const { page } = await open(url, { language });
      for (const path of ['/', '/console', '/docs', '/methodology', '/status']) {
        await page.goto(url + path);
        for (const width of [320, 360]) {
          await page.setViewportSize({ width, height: 800 });
          const links = await page.$$eval('.top nav a', (all) =>
            all.map((one) => one.getBoundingClientRect()).filter(({ width: wide }) => wide > 0),
          );
          expect(links).toHaveLength(5);
          const right = Math.max(...links.map((box) => box.x + box.width));
          expect(right, `${path} ${width} px`).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  test('a link changes the language, and the other pages keep it', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(url, { language: 'es' });
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?lang=en');
    expectQuiet();
  });
});
