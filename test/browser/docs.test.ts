import { expect, test } from 'vitest';
import { axeFindings, MOST_OPERATIONS } from '../harness/axe.ts';
import { describeInBrowser, readSources, sidewaysOverflow } from '../harness/browser.ts';
import { fullMarket } from '../harness/make.ts';
import { sharedService, type TestService } from '../harness/service.ts';

/** Sources in every condition that merchants may read of. */
async function addSources(service: TestService): Promise<void> {
  await service.push(...fullMarket());
  await readSources(service, ['bcv-official', 'criptoya', 'dolarapi'], 'yadio');
}

describeInBrowser('the documentation and the status', (open) => {
  const service = sharedService(addSources);

  test('every block of code has a button that copies it', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/first-request`, { language: 'en' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const blocks = await page.locator('pre').count();
    expect(blocks).toBeGreaterThan(3);
    const buttons = page.getByRole('button', { name: 'Copy the code' });
    expect(await buttons.count()).toBe(blocks);
    await buttons.first().click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator('pre').first().textContent());
    expectQuiet();
    const board = await open(`${url}/?lang=en`);
    expect(await board.page.locator('.band .copy').isVisible()).toBe(true);
  });

  test.each(['/docs/first-request', '/docs/history', '/docs'])(
    'code never wraps: its lines scroll inside the block, beside the copy button (%s)',
    async (path) => {
      const { url } = service();
      const { page } = await open(`${url}${path}`);
      await page.locator('button.copy').first().waitFor();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const faults = await page.evaluate(() =>
          [...document.querySelectorAll('pre')].flatMap((pre) => {
            const { whiteSpace, overflowX } = getComputedStyle(pre);
            const button = pre.parentElement?.querySelector('.copy');
            const covered =
              pre.checkVisibility() &&
              pre.getBoundingClientRect().right > (button?.getBoundingClientRect().left ?? 0);
            const scrolls = whiteSpace === 'pre' && overflowX === 'auto';
            return scrolls && !covered ? [] : [pre.textContent];
          }),
        );
        expect(faults, `${width} px`).toEqual([]);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
    },
  );

  test.each(['es', 'en'] as const)(
    'a phone shows every value of the reference without scrolling sideways, language %s',
    async (language) => {
      const { url } = service();
      const { page } = await open(`${url}/docs`, { width: 360, language });
      const { tables, cut } = await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
        const all = [...document.querySelectorAll('.stacks')];
        const scrolling = all.filter((one) => one.scrollWidth > one.clientWidth);
        return { tables: all.length, cut: scrolling.map((one) => one.ariaLabel) };
      });
      expect(tables).toBeGreaterThan(60);
      expect(cut).toEqual([]);
    },
  );

  test('wide tables stack only where they do not fit', async () => {
    const { url } = service();
    const { page } = await open(`${url}/methodology`);
    for (const [width, display] of [
      [760, 'block'],
      [761, 'table-row'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const displays = await page.evaluate(() =>
        [...document.querySelectorAll('.stacks tbody tr')].map(
          (row) => getComputedStyle(row).display,
        ),
      );
      expect([...new Set(displays)], `${width} px`).toEqual([display]);
      const scrolling = await page.evaluate(
        () =>
          [...document.querySelectorAll('.stacks')].filter(
            ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
          ).length,
      );
      expect(scrolling, `${width} px`).toBe(0);
    }
  });

  test('links lead from the reference to a guide and back in the chosen language', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs?lang=en`, { language: 'es' });
    await page.locator('.guide-list').getByRole('link', { name: 'Errors' }).click();
    expect(await page.textContent('h1')).toBe('Errors');
    await page.locator('article').getByRole('link', { name: 'the reference' }).click();
    expect(new URL(page.url())).toMatchObject({
      pathname: '/docs',
      search: '?lang=en',
      hash: '#errors',
    });
    expectQuiet();
  });

  test('the table of contents is beside the text on a desktop and folded on a phone', async () => {
    const { url } = service();
    const link = { name: 'Convertir un monto' };
    const desk = await open(`${url}/docs`, { width: 1280 });
    await desk.page.locator('.contents').getByRole('link', link).click();
    expect(new URL(desk.page.url()).hash).toBe('#convert');
    const phone = await open(`${url}/docs`, { width: 360 });
    const contents = phone.page.locator('.contents');
    expect(await contents.getByRole('link', link).isVisible()).toBe(false);
    await contents.getByText('Contenido').click();
    expect(await contents.getByRole('link', link).isVisible()).toBe(true);
    const heights = await contents
      .locator('li a')
      .evaluateAll((links) => links.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
  });

  test('the search loads its index on first use and leads to a section by keyboard', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/errors?lang=es`, { width: 360 });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.locator('h1').click();
    expect(asked).not.toContain('/docs/search.json');
    const placeholder = 'Buscar (tecla /)';
    expect(await page.getByRole('searchbox').getAttribute('placeholder')).toBe(placeholder);
    await page.keyboard.press('/');
    await page.keyboard.type('tasa no publicada rate_not');
    const found = page.locator('#search-found');
    await found.getByRole('link').first().waitFor();
    expect(asked.filter((path) => path === '/docs/search.json')).toHaveLength(1);
    await page.getByRole('searchbox').fill('convertir monto');
    await found.getByRole('link', { name: /^Convertir un monto/ }).waitFor();
    expect(await page.textContent('#search-said')).toMatch(/^\d resultados?$/);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(await axeFindings(page, { except: MOST_OPERATIONS })).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Convertir');
    await page.keyboard.press('Escape');
    expect(await found.isVisible()).toBe(false);
    await page.keyboard.press('ArrowDown');
    await found.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#convert$/);
    expect(new URL(page.url())).toMatchObject({ pathname: '/docs', search: '?lang=es' });
    expectQuiet();
  });

  test('the search says when it found nothing, and shows the query as text', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs?lang=en`);
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)> zzz');
    const found = page.locator('#search-found');
    await found.getByText('Nothing was found.').waitFor();
    expect(await found.locator('img').count()).toBe(0);
    await page.getByRole('searchbox').fill('márkup');
    await found.getByRole('link', { name: /arkup/ }).first().waitFor();
    await page.locator('a.name').focus();
    expect(await found.isVisible()).toBe(false);
    expectQuiet();
  });

  test('the search tries again after its index failed to load', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs?lang=es`);
    await page.route('**/docs/search.json*', (route) => route.abort());
    await page.getByRole('searchbox').fill('límites');
    await page.getByText('No se pudo cargar el buscador. Intente de nuevo.').first().waitFor();
    await page.unroute('**/docs/search.json*');
    await page.getByRole('searchbox').fill('limites');
    await page.locator('#search-found').getByRole('link').first().waitFor();
  });

  test('without scripts the search field is absent', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs`, { script: false });
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  });
});
