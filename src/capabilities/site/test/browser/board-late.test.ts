import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import { sharedService } from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';

/** The board on a bad day: the official rate is nine days old, and publications are missing. */

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describeInBrowser('the board with an official rate that is out of date', (open) => {
  const board = sharedService(async (service) => {
    await service.push(official('2026-11-19', { USD: 798.25 }), ...fullMarket());
    service.clock.advance(8 * DAY_MS);
  });
  const opened = async (address = '/', view: Parameters<typeof open>[1] = {}): Promise<Page> => {
    const { page } = await open(`${board().url}${address}`, view);
    if (view.script !== false) await page.waitForSelector('#copy:not([hidden])');
    return page;
  };

  test.each([true, false])(
    'warns above the figure, within the first view of a phone (scripts: %s)',
    async (script) => {
      const page = await opened('/?lang=es', { width: 360, script });
      await page.setViewportSize({ width: 360, height: 640 });
      const bottomOf = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        return box === null ? Number.NaN : box.y + box.height;
      };
      const warning = page.locator('#late');
      expect(await warning.getAttribute('role')).toBe('alert');
      expect(plain(await warning.innerText())).toMatch(
        /^No cobre con estas cifras: la oficial es de hace 9 días\.\n+Es la del viernes, 20 de noviembre de 2026, y faltan 5 publicaciones del BCV\./,
      );
      const [above, figure, age] = [
        await bottomOf('#late'),
        await bottomOf('.big'),
        await bottomOf('.today .change'),
      ];
      expect(above).toBeLessThan(figure);
      expect(age).toBeLessThanOrEqual(640);
      expect(await page.innerText('.today .change')).toBe(
        'Del viernes, 20 de noviembre de 2026: hace 9 días',
      );
      // In reading order too.
      const text = await page.innerText('main');
      expect(text.indexOf('No cobre')).toBeLessThan(text.indexOf('800,5000'));
    },
  );

  test('marks the figure as it marks those of other markets, and nothing says that it rules', async () => {
    const page = await opened();
    const marks = page.locator('#official .stale:visible');
    // The dollar and the euro.
    expect(await marks.allInnerTexts()).toEqual(['desactualizada', 'desactualizada']);
    const text = plain(await page.innerText('main'));
    expect(text).not.toMatch(/puede haber una más nueva|rige la del|Rige desde|rige desde/);
    expect(await page.innerText('.eyebrow')).toBe('Hoy, domingo 29 nov 2026 · sin la tasa de hoy');
    // It is said once.
    expect(text.match(/publicaciones del BCV/g)).toHaveLength(1);
    // The old figure is not the darkest text in view.
    const colours = await page.evaluate(() =>
      ['.big', '.today h2'].map(
        (one) => getComputedStyle(document.querySelector(one) as Element).color,
      ),
    );
    expect(colours[0]).not.toBe(colours[1]);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('shares and copies the conversion with the warning, and shows before what leaves the page', async () => {
    const page = await opened('/?amount=20&via=reference');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const sentence =
      '20 USD = Bs. 16.010,00 · tasa BCV Bs. 800,5000 (vie 20 nov 2026, desactualizada)';
    expect(plain(await page.innerText('.sent q'))).toBe(sentence);
    await page.click('#copy');
    await expect.poll(copied).toBe(sentence);
    await page.click('#share');
    await expect.poll(copied).toContain(`${sentence}\n`);
    // The link of that text opens with the warning too, and its preview in a chat has it.
    const link = (await copied()).split('\n')[1] ?? '';
    await page.goto(link);
    expect(plain(await page.innerText('.sent q'))).toContain('desactualizada');
    const title = await page.locator('meta[property="og:title"]').getAttribute('content');
    expect(title).toContain('desactualizada');
  });

  test('a rate of a day that was known is shared without it', async () => {
    const page = await opened('/?amount=20&via=reference&date=2026-11-20');
    await page.waitForSelector('#conversion .formula');
    expect(await page.locator('.sent').count()).toBe(0);
    expect(await page.locator('#conversion .stale:visible').count()).toBe(0);
  });

  test('a preview in a chat says it', async () => {
    for (const [lang, title, description] of [
      [
        'es',
        'Dólar BCV: Bs. 800,5000, desactualizada',
        'No cobre con estas cifras: la oficial es de hace 9 días.',
      ],
      [
        'en',
        'BCV dollar: Bs. 800.5000, out of date',
        'Do not charge with these figures: the official one is 9 days old.',
      ],
    ] as const) {
      const { text } = await board().call(`/?lang=${lang}`);
      expect(text).toContain(`<meta property="og:title" content="${title}"`);
      expect(text).toContain(`<meta property="og:description" content="${description}"`);
    }
  });
});
