import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket, iso, official } from '../../../../../test/harness/make.ts';
import { START, sharedService } from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';

/** What stands where on the board, at every width, with the font that a machine without ours has. */

describeInBrowser('the layout of the board', (open) => {
  const board = sharedService(async (service) => {
    for (const day of [18, 19]) {
      const captured_at = iso(START - (21 - day) * DAY_MS);
      await service.push(official(`2026-11-${day}`, { USD: 1700 + day }, { captured_at }));
    }
    await service.push(...fullMarket(), official('2026-11-20', { USD: 1764.3486, EUR: 1882.2952 }));
  });

  test.each(['es', 'en'] as const)(
    "nothing covers or cuts today's rate, from phones to desktops (%s)",
    async (language) => {
      const { page } = await open(board().url, { language });
      expect(await page.innerText('.big')).toMatch(/^1[.,]764[.,]3486$/);
      for (const width of [320, 360, 768, 1000, 1024, 1100, 1200, 1280, 1366, 1400, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const free = await page.evaluate(() => {
          const box = (selector: string) =>
            document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
          const [figure, next, column] = [box('.big'), box('.next'), box('#official')];
          const isBeside = next.top < figure.bottom && next.bottom > figure.top;
          return (isBeside ? next.left : column.right) - figure.right;
        });
        expect(free, `${width} px`).toBeGreaterThanOrEqual(16);
      }
    },
  );

  test.each(['es', 'en'] as const)(
    'the first screen of a phone has the rate of today, the next one, both amounts and the choice of the rate with its prices (%s)',
    async (language) => {
      const { page } = await open(board().url, { language, width: 360 });
      await page.setViewportSize({ width: 360, height: 740 });
      const ends = (selector: string) =>
        page.$$eval(selector, (all) => all.map((one) => one.getBoundingClientRect().bottom));
      const choices = '#converter label:has([name=via])';
      expect(await ends(choices)).toHaveLength(6);
      for (const part of ['.big', '.next', '#amount', '#other', choices]) {
        expect(Math.max(...(await ends(part))), part).toBeLessThan(740);
      }
      // Also below the address bar of a browser.
      expect(Math.max(...(await ends('#other')))).toBeLessThan(664);
      const [, parallel, dollars] = await page.locator(choices).allInnerTexts();
      expect([parallel, dollars]).toEqual([
        expect.stringContaining('850'),
        expect.stringMatching(/^USDT\s+\d/),
      ]);
    },
  );

  test('on the smallest phones nothing of the first screen is cut or covers another part', async () => {
    for (const language of ['es', 'en'] as const) {
      const { page } = await open(board().url, { language, width: 320 });
      await page.setViewportSize({ width: 320, height: 568 });
      const parts = ['.eyebrow', '.today', '.others', '.curve-steps', '.pair', '.days'];
      const boxes = await page.$$eval(parts.join(), (all) =>
        all.map((one) => {
          const { top, bottom, right } = one.getBoundingClientRect();
          return { top, bottom, right, isWide: one.scrollWidth > one.clientWidth + 1 };
        }),
      );
      expect(boxes).toHaveLength(parts.length);
      for (const [at, { top, right, isWide }] of boxes.entries()) {
        expect(top, parts[at]).toBeGreaterThanOrEqual((boxes[at - 1]?.bottom ?? 0) - 1);
        expect(right, parts[at]).toBeLessThanOrEqual(320);
        expect(isWide, parts[at]).toBe(false);
      }
    }
  });

  test('a field of the converter has one ring when it is focused', async () => {
    const { page } = await open(board().url);
    await page.focus('#amount');
    const ring = (selector: string) =>
      page.$eval(selector, (one) => getComputedStyle(one).outlineStyle);
    expect(await ring('#amount')).toBe('none');
    expect(await page.$eval('.field', (one) => getComputedStyle(one).boxShadow)).toContain('2px');
    // Without colours of its own the frame keeps an outline.
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await ring('.field')).toBe('solid');
  });

  test.each([320, 360])(
    'the choices of the rate and the buttons below are whole and wide enough for a finger (%i px)',
    async (width) => {
      for (const language of ['es', 'en'] as const) {
        const { page } = await open(board().url, { language, width });
        const rates = await page.$$eval('#converter label:has([name=via])', (all) =>
          all.map((one) => {
            const { top, width: wide } = one.getBoundingClientRect();
            return { top, wide, touch: one.querySelector('input')?.offsetHeight ?? 0 };
          }),
        );
        expect(Math.min(...rates.map(({ wide, touch }) => Math.min(wide, touch)))).toBeGreaterThan(
          43,
        );
        // None is alone in a line.
        for (const lines of Map.groupBy(rates, ({ top }) => top).values())
          expect(lines.length).toBeGreaterThan(1);
        // The script shows this button.
        await page.locator('#copy').waitFor();
        const acts = await page.$$eval('.act', (all) =>
          all.map((one) => [one.clientWidth, one.scrollWidth - one.clientWidth]),
        );
        expect(acts).toEqual([
          [acts[0]?.[0], 0],
          [acts[0]?.[0], 0],
        ]);
      }
    },
  );

  test('no name of a market stands on its rate, in wide letters too (320 px)', async () => {
    for (const language of ['es', 'en'] as const) {
      const { page } = await open(board().url, { language, width: 320 });
      const wide = await page.$$eval('#market-rows .row .market', (all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      );
      expect(wide).toEqual([]);
    }
  });

  test('a row of the table is one ground under the pointer', async () => {
    const { page } = await open(board().url);
    const row = page.locator('#market-rows .row').first();
    const grounds = () =>
      row.evaluate((one) =>
        [one, ...one.children].map((part) => getComputedStyle(part).backgroundColor),
      );
    const [before] = await grounds();
    await row.hover();
    const [after, ...cells] = await grounds();
    expect(after).not.toBe(before);
    expect(new Set(cells)).toEqual(new Set(['rgba(0, 0, 0, 0)']));
  });

  test('the figures of the cards side by side stand on one line, with ages in words', async () => {
    for (const [language, words] of [
      ['es', /hace \d+ s$/],
      ['en', /\d+ s ago$/],
    ] as const) {
      const { page } = await open(board().url, { language });
      for (const width of [1001, 1024, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const tops = await page.$$eval('.stat .medium', (all) =>
          all.map((one) => one.getBoundingClientRect().top),
        );
        expect([tops.length, new Set(tops).size]).toEqual([4, 1]);
      }
      for (const age of await page.locator('.stat .fresh').allInnerTexts())
        expect(age.replaceAll('\u00a0', ' ')).toMatch(words);
    }
  });

  test('until the next rate is known, that of today holds to the edge of its curve', async () => {
    const { page } = await open(board().url, { script: false });
    const paths = await page.$$eval('.curve-steps path', (all) =>
      all.map((one) => one.getAttribute('d') ?? ''),
    );
    expect(paths[0]).toContain('H1000V1000');
    expect(paths.at(-1)).toMatch(/H1000$/);
  });

  test('without scripts the button that converts comes first, and is the main one', async () => {
    const { page } = await open(board().url, { script: false });
    const [convert, share] = await page.$$eval('.without-script button, #share', (all) =>
      all
        .map(
          (one) =>
            [one.getBoundingClientRect().top, getComputedStyle(one).backgroundColor] as const,
        )
        .sort(([a], [b]) => a - b),
    );
    expect(await page.$eval('#share', (one) => getComputedStyle(one).backgroundColor)).toBe(
      share?.[1],
    );
    expect(convert?.[1]).not.toBe(share?.[1]);
  });

  test('on paper the conversion of a chosen day comes first, under where and when it was printed', async () => {
    const { url } = board();
    const { page } = await open(`${url}/?amount=20&from=USD&via=reference&date=2026-11-20`);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const top = (selector: string) =>
      page.$eval(selector, (one) => one.getBoundingClientRect().top);
    await page.setViewportSize({ width: 720, height: 900 });
    expect(await top('#conversion')).toBeLessThan(await top('.big'));
    const size = (selector: string) =>
      page.$eval(selector, (one) => Number.parseFloat(getComputedStyle(one).fontSize));
    expect(await size('#conversion .formula')).toBeGreaterThan(await size('.big'));
    expect(await top('.paper')).toBeLessThan(await top('#conversion'));
    expect(await page.innerText('.paper')).toMatch(
      /^vesfx · http.+date=2026-11-20.* · impreso el \d/,
    );
    expect(await page.locator('#converter fieldset:visible').count()).toBe(0);
    // The rest of the board is of today: the sheet is a voucher.
    const sheet = await page.pdf({ format: 'Letter' });
    expect(sheet.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });

  test.each([
    ['via=parallel', 'Dólar paralelo · 1 USD =', 'Bs. 850,0000'],
    ['via=eur_reference', 'BCV, euro · 1 EUR =', 'Bs. 1.882,2952'],
    ['via=binance', 'Binance P2P · 1 USDT =', 'Bs. 851,0000'],
    ['via=reference&date=2026-11-20', 'BCV, dólar · 1 USD =', 'Bs. 1.764,3486'],
  ])(
    'on paper the rate of a conversion is the large one, and the first: %s',
    async (query, name, figure) => {
      const { page } = await open(`${board().url}/?amount=20&${query}`, { width: 720 });
      expect(await page.isVisible('.paper-rate')).toBe(false);
      await page.emulateMedia({ media: 'print' });
      const [shownName, shownFigure] = await page.locator('.paper-rate > *').allInnerTexts();
      expect([shownName, shownFigure].map((text) => text?.replaceAll('\u00a0', ' '))).toEqual([
        name,
        figure,
      ]);
      const largest = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter((one) => one.checkVisibility() && one.childElementCount === 0)
          .map((one) => ({
            size: Number.parseFloat(getComputedStyle(one).fontSize),
            text: one.textContent ?? '',
          }))
          .sort((one, two) => two.size - one.size)
          .slice(0, 2),
      );
      expect(largest[0]?.text.replaceAll('\u00a0', ' ')).toBe(figure);
      expect(largest[0]?.size).toBeGreaterThan(1.4 * (largest[1]?.size ?? 0));
    },
  );

  test('on paper the official dollar of today stays the large one, with and without its conversion', async () => {
    for (const query of ['', '?amount=20&via=reference']) {
      const { page } = await open(`${board().url}/${query}`, { width: 720 });
      await page.emulateMedia({ media: 'print' });
      expect(await page.isVisible('.paper-rate')).toBe(false);
      const size = (selector: string) =>
        page.$eval(selector, (one) => Number.parseFloat(getComputedStyle(one).fontSize));
      expect(await size('.big')).toBeGreaterThan(1.4 * (await size('.formula')));
    }
  });

  test.each([360, 768, 1280])(
    'without a connection the board says so above its figures, and covers no button or field (%i px)',
    async (width) => {
      const { page } = await open(board().url, { width, ownPage: true });
      await page.waitForSelector('#copy:not([hidden])');
      await page.context().setOffline(true);
      await expect.poll(() => page.innerText('#cut-off')).toContain('Sin conexión');
      const covered = () =>
        page.evaluate(() => {
          const pill = document.querySelector('#cut-off')?.getBoundingClientRect();
          if (pill === undefined || pill.height === 0) return ['no pill'];
          const targets = 'a, button, input, select, summary, label';
          return [...document.querySelectorAll(targets)]
            .filter((one) => one.checkVisibility() && !one.matches('.unseen, .unseen *'))
            .filter((one) => {
              const { top, bottom, left, right } = one.getBoundingClientRect();
              const isApart =
                bottom <= pill.top ||
                top >= pill.bottom ||
                right <= pill.left ||
                left >= pill.right;
              return !isApart;
            })
            .map(({ outerHTML }) => outerHTML.slice(0, 80));
        });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      for (let top = 0; top < height; top += 300) {
        await page.evaluate((to) => scrollTo(0, to), top);
        expect([top, await covered()]).toEqual([top, []]);
      }
      await page.evaluate(() => scrollTo(0, 0));
      const top = (selector: string) =>
        page.$eval(selector, (one) => one.getBoundingClientRect().top);
      expect(await top('#cut-off')).toBeLessThan(await top('.big'));
      // Who has scrolled to the converter reads it there.
      expect(await page.innerText('#conversion')).toContain('sin conexión');
    },
  );

  test('on paper today has two sheets, with headings that are apart', async () => {
    const { page } = await open(board().url, { width: 720 });
    await page.emulateMedia({ media: 'print' });
    const gaps = await page.$$eval('.markets thead th:not(.open) button', (all) => {
      const boxes = all.map((one) => one.getBoundingClientRect());
      return boxes.slice(1).map(({ left }, at) => left - (boxes[at]?.right ?? 0));
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8);
    const sheets = await page.pdf({ format: 'Letter' });
    expect(sheets.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  });
});
