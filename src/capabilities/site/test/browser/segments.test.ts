import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket } from '../../../../../test/harness/make.ts';
import { sharedService } from '../../../../../test/harness/service.ts';

/** How far the ground of a row is from its chosen segment, in pixels, and where each segment stands. */
function placesIn(page: Page, row: string) {
  return page.locator(row).evaluate((fieldset) => {
    const ground = getComputedStyle(fieldset, '::before');
    const { left: start } = fieldset.getBoundingClientRect();
    const places = [...fieldset.querySelectorAll('label')].map((label) => {
      const { left, width } = label.getBoundingClientRect();
      return { left: left - start, width, isChosen: label.matches(':has(:checked)') };
    });
    const chosen = places.find(({ isChosen }) => isChosen);
    const off = [
      Number.parseFloat(ground.left) - (chosen?.left ?? Number.NaN),
      Number.parseFloat(ground.width) - (chosen?.width ?? Number.NaN),
    ];
    return { off: Math.max(...off.map(Math.abs)), places: places.map(({ left }) => left) };
  });
}

/** Chooses a segment. @returns what moves then. */
function movesOf(page: Page, segment: string) {
  return page.locator(segment).evaluate(async (input) => {
    const moves = new Set<string>();
    const row = input.closest('fieldset');
    row?.addEventListener('transitionrun', ({ propertyName, pseudoElement }) =>
      moves.add(`${pseudoElement} ${propertyName}`),
    );
    if (input instanceof HTMLElement) input.click();
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return [...moves].sort();
  });
}

describeInBrowser('a choice among segments', (open) => {
  const service = sharedService((one) => one.push(...fullMarket()));

  test.each([
    ['.drawing', 'candles'],
    ['.range', '7'],
    ['.markets-panel .segments', 'p2p'],
    ['.converter .segments:has([name=via])', 'parallel'],
  ])(
    '%s: the ground slides to the chosen one of any width, and no word moves',
    async (row, value) => {
      const { page, expectQuiet } = await open(service().url, { ownPage: true });
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.waitForSelector('#chart .u-over');
      const { off, places } = await placesIn(page, row);
      expect(off).toBeLessThan(1);
      expect(await movesOf(page, `${row} [value="${value}"]`)).toContain('::before left');
      await expect.poll(async () => (await placesIn(page, row)).off).toBeLessThan(1);
      expect((await placesIn(page, row)).places).toEqual(places);
      expectQuiet();
    },
  );

  test('nothing slides for a reader who wants no motion', async () => {
    const { page } = await open(service().url);
    await page.waitForSelector('#chart .u-over');
    expect(await movesOf(page, '.range [value="7"]')).toEqual([]);
    expect((await placesIn(page, '.range')).off).toBeLessThan(1);
  });

  test('the chosen one has its ground without scripts, and where a browser cannot move one', async () => {
    const { page } = await open(`${service().url}/?via=parallel`, { script: false });
    const row = '.converter .segments:has([name=via])';
    expect((await placesIn(page, row)).off).toBeLessThan(1);
    const label = page.locator(`${row} label:has(:checked)`);
    expect(await label.innerText()).toMatch(/^Paralelo\b/);
    // The browser forgets what it can do.
    const own = await label.evaluate((one) => {
      for (const { cssRules } of document.styleSheets) {
        const at = [...cssRules].findIndex((rule) => rule instanceof CSSSupportsRule);
        if (at >= 0) cssRules[at]?.parentStyleSheet?.deleteRule(at);
      }
      const [mine, other] = [one, one.previousElementSibling ?? one].map(
        (label) => getComputedStyle(label).backgroundColor,
      );
      return mine !== other;
    });
    expect(own).toBe(true);
  });
});
