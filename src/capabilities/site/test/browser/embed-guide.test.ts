import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser, sidewaysOverflow } from '../../../../../test/harness/browser.ts';
import { capture, fullMarket, iso } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';

describeInBrowser('<vesfx-rate> in the documents', (open) => {
  test.each(['es', 'en'] as const)(
    'its page of the documents shows it at work, in each size and state, with the rates of the board (%s)',
    async (language) => {
      const service = await startTestService();
      await service.push(...fullMarket(), capture(851, iso(service.clock.now())));
      const { page, expectQuiet } = await open(`${service.url}/docs/website`, {
        ...{ language, width: 360, ownPage: true },
      });
      // The age is counted by the visitor's clock.
      await page.clock.install({ time: service.clock.now() });
      await page.reload();
      const shown = page.locator('article vesfx-rate');
      await shown.nth(7).locator('[part~=box]:has([part=value]:text("Bs."))').waitFor();
      const seen = await shown.evaluateAll((all) =>
        all.map((one) => {
          const part = (name: string) =>
            one.shadowRoot?.querySelector(`[part~=${name}]`)?.textContent?.replaceAll(/\s/g, ' ');
          const box = one.shadowRoot?.querySelector('[part~=box]')?.getAttribute('part')?.trim();
          return [one.getAttribute('size'), box, part('value'), part('notice')];
        }),
      );
      const [late, doubt, none] =
        language === 'es'
          ? ['desactualizada', 'sin confirmar', 'tasa no disponible']
          : ['out of date', 'not confirmed', 'rate not available'];
      const decimal = language === 'es' ? ',' : '.';
      const official = `Bs. 800${decimal}5000`;
      const parallel = `Bs. 851${decimal}0000`;
      expect(seen).toEqual([
        [null, 'box', official, ''],
        [null, 'box', parallel, ''],
        ['line', 'box', official, ''],
        ['sign', 'box', official, ''],
        [null, 'box late', official, late],
        [null, 'box doubt', parallel, doubt],
        [null, 'box none', '', none],
        ['line', 'box late', official, late],
      ]);
      // A figure stays on its line, also where the screen is a phone's.
      const lines = await page.$eval('vesfx-rate[size=sign]', (one) => {
        const range = document.createRange();
        range.selectNodeContents(one.shadowRoot?.querySelector('b') ?? one);
        return range.getClientRects().length;
      });
      expect(lines).toBe(1);
      expect(await sidewaysOverflow(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expectQuiet();
    },
  );

  test('the figures that its page shows it with are for that page alone, are counted with the board, and go with it', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const path = (state: string) => `/embed/example/${state}/v1/latest.json`;
    const late = await service.call(path('late'));
    expect(late.status).toBe(200);
    expect(late.headers.get('access-control-allow-origin')).toBeNull();
    expect(late.json).toMatchObject({ official: { rates: { USD: {} } } });
    expect((await service.call(path('other'))).status).toBe(404);
    const asked = await Promise.all(
      Array.from({ length: 301 }, () => service.call(path('now')).then(({ status }) => status)),
    );
    expect(new Set(asked)).toEqual(new Set([200, 429]));
    const without = await startTestService({ config: { added: { VESFX_BOARD: '0' } } });
    expect((await without.call(path('now'))).status).toBe(404);
    const guide = await without.call('/docs/website');
    expect(guide.text).not.toContain('<vesfx-rate static="/embed');
    expect(guide.text).not.toContain('{{');
    const markdown = await service.call('/docs/website.md');
    expect(markdown.text).not.toContain('{{');
  });
});
