import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import { sharedService } from '../../../../../test/harness/service.ts';

const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19'];

describeInBrowser('the page of a month', (open) => {
  const service = sharedService(async (one) => {
    for (const day of DAYS) {
      await one.push(official(day, { USD: 790, EUR: 910 }, { captured_at: `${day}T12:00:00Z` }));
    }
    await one.push(...fullMarket());
  });

  const sheets = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

  test.each(['Letter', 'A4'] as const)(
    'the month and the sheet of amounts print on one page of %s each',
    async (format) => {
      const { page } = await open(`${service().url}/mes/2026-10`);
      for (const path of ['/mes', '/mes?hoja=montos', '/mes?currency=EUR&lang=en']) {
        await page.goto(service().url + path);
        expect(sheets(await page.pdf({ format })), path).toBe(1);
      }
    },
  );

  test('the buttons print the month, and the amounts of dollar and euro alone', async () => {
    const { page } = await open(`${service().url}/mes`);
    await page.evaluate(() => {
      window.print = () => document.body.toggleAttribute('data-printed');
    });
    await page.emulateMedia({ media: 'print' });
    const seen = async () => {
      const shown = await page
        .locator('.panel:visible')
        .evaluateAll((all) => all.map(({ className }) => className.replace('panel ', '')));
      return shown;
    };
    await page.emulateMedia({ media: 'screen' });
    await page.click('#print-amounts');
    expect(await page.getAttribute('body', 'data-printed')).toBe('');
    await page.emulateMedia({ media: 'print' });
    expect(await seen()).toEqual(['amounts', 'amounts second']);
    await page.emulateMedia({ media: 'screen' });
    await page.click('#print-month');
    await page.emulateMedia({ media: 'print' });
    expect(await seen()).toEqual(['days-panel', 'sum-panel', 'amounts', 'shape']);
  });

  test('without a script the currencies, months and files are links, and no dead button is shown', async () => {
    const { page } = await open(`${service().url}/mes`, { script: false });
    expect(await page.isVisible('#print-month')).toBe(false);
    await page.click('nav.segments >> text=Euro');
    await expect.poll(() => new URL(page.url()).search).toBe('?currency=EUR');
    expect(await page.textContent('.days-panel .note')).toContain('por euro');
    expect(await page.getAttribute('.files a.main', 'href')).toBe(
      '/board/month.xlsx?month=2026-11&currency=EUR&locale=es',
    );
  });

  test.each([
    ['/', '#official .month-link'],
    ['/', '.history .month-link'],
    ['/docs/excel', 'article a[href^="/mes"]'],
  ])('it is one click from %s (%s)', async (path, link) => {
    const { page } = await open(service().url + path, { width: 360 });
    await page.click(link);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/mes');
    expect(await page.textContent('h1')).toBe('Tasa oficial, noviembre de 2026');
  });

  test('its link stands beside the official rate, on the first screen of a phone', async () => {
    const { page } = await open(service().url, { width: 360 });
    const tops = await page.$$eval('#official .big, #official .month-link', (all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(tops).toHaveLength(2);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(40);
  });
});
