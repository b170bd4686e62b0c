import { expect, test } from 'vitest';
import { axeFindings, MOST_OPERATIONS } from '../../../../../test/harness/axe.ts';
import {
  describeInBrowser,
  readSources,
  sidewaysOverflow,
} from '../../../../../test/harness/browser.ts';
import { fullMarket } from '../../../../../test/harness/make.ts';
import { sharedService, type TestService } from '../../../../../test/harness/service.ts';
import { groupPath, REFERENCE_TAGS } from '../../docs/docs-addresses.ts';

/** Sources in every condition that merchants may read of. */
async function addSources(service: TestService): Promise<void> {
  await service.push(...fullMarket());
  await readSources(service, ['bcv-official', 'criptoya', 'dolarapi'], 'yadio');
}

describeInBrowser('the documentation and the status', (open) => {
  const service = sharedService(addSources);

  test('every visible block of code has a button that copies it', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/first-request`, { language: 'en' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const blocks = page.locator('pre:visible');
    expect(await blocks.count()).toBeGreaterThan(3);
    const buttons = page.getByRole('button', { name: 'Copy the code' });
    expect(await buttons.count()).toBe(await blocks.count());
    for (const at of [0, 1]) {
      await buttons.nth(at).click();
      await page.getByRole('status').getByText('Copied').first().waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(await blocks.nth(at).textContent());
    }
    await page.getByRole('button', { name: 'PHP' }).first().click();
    const shown = await blocks.allTextContents();
    await buttons.nth(shown.findIndex((text) => text.startsWith('<?php'))).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^<\?php/);
    expectQuiet();
    const board = await open(`${url}/?lang=en`);
    expect(await board.page.locator('.band .copy').isVisible()).toBe(true);
  });

  test('without scripts /docs begins at the top, and its samples are named as in the guides', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs`, { script: false, width: 1280 });
    expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(200);
    const name = page.locator('.code-name:visible').first();
    const color = () => name.evaluate((one) => getComputedStyle(one).color);
    const shown = await color();
    await page.goto(`${url}/docs/first-request`);
    expect(shown).toBe(await color());
  });

  test('on paper code is dark on white, below the name of its language', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/first-request`, { theme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const grounds = await page.$$eval('.code.dark, .code.dark pre, .code-head', (all) =>
      all.map((one) => getComputedStyle(one).background),
    );
    expect(new Set(grounds.map((one) => /^rgba\(0, 0, 0, 0\) none/.test(one)))).toEqual(
      new Set([true]),
    );
    const colors = await page.$$eval('body, .code.dark :is(pre, span, p)', (all) =>
      all.map((one) => getComputedStyle(one).color),
    );
    expect(new Set(colors).size).toBe(1);
    expect(await page.locator('.code-name:visible').first().textContent()).toBe('curl');
    expect(await page.locator('.choice > .code-head:visible').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  test('the language of examples is chosen once, for all blocks and pages, and nothing jumps', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/reference/conversion`);
    const kinds = () =>
      page.$$eval('.choice > [data-code]', (all) =>
        all
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .map((one) => one.getAttribute('data-code')),
      );
    expect(new Set(await kinds())).toEqual(new Set(['sh']));
    const chosen = page.getByRole('button', { name: 'Python' }).nth(2);
    await chosen.scrollIntoViewIfNeeded();
    const before = await chosen.boundingBox();
    await chosen.click();
    expect((await chosen.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    expect(new Set(await kinds())).toEqual(new Set(['python']));
    expect(await chosen.getAttribute('aria-pressed')).toBe('true');
    await page.goto(`${url}/docs/first-request`);
    expect(await kinds()).toEqual(['python', 'python']);
    await page.locator('[aria-pressed=true]', { hasText: 'Python' }).first().waitFor();
    await page.getByRole('button', { name: 'curl' }).first().click();
    // A choice without curl shows its first language.
    await page.goto(`${url}/docs/examples`);
    expect(await kinds()).toEqual(['python', 'python']);
    await page.getByRole('button', { name: 'PHP' }).first().click();
    expect(await kinds()).toEqual(['php', 'php']);
    expectQuiet();
  });

  test('without scripts all languages of an example are shown, each with its name', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/first-request`, { script: false });
    const names = ['curl', 'JavaScript', 'Python', 'PHP'];
    expect(await page.locator('.choice > [data-code]:visible').count()).toBe(8);
    expect(await page.locator('.code-name:visible').allTextContents()).toEqual([
      ...names,
      ...names,
    ]);
    expect(await page.locator('.copy:visible').count()).toBe(0);
    await page.goto(`${url}/docs#convert`);
    expect(await page.locator('#convert > a').getAttribute('href')).toBe(
      '/docs/reference/conversion#convert',
    );
  });

  test('an old address of the reference leads to its place', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs?lang=en#getSpread`);
    await page.waitForURL(/reference\/analysis\?lang=en#getSpread$/);
    expect(await page.locator('#getSpread h2').isVisible()).toBe(true);
    await page.goto(`${url}/docs#plans`);
    await page.waitForURL(/reference\/errors#plans$/);
    expectQuiet();
  });

  test('the index shows which section is being read', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/invoice-rate?lang=en`, { width: 1280 });
    const current = page.locator('.contents [aria-current=location]');
    await page.evaluate(() => document.getElementById('the-rate-of-a-past-day')?.scrollIntoView());
    await expect.poll(() => current.textContent()).toBe('The rate of a past day');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const last = await page.locator('#sections a').last().textContent();
    await expect.poll(() => current.textContent()).toBe(last);
  });

  test('the index begins where the page of the reader stands in it', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/reference/errors`, { width: 1280 });
    const own = page.locator('.contents [aria-current=page]');
    await expect
      .poll(async () => {
        const [box, index] = [
          await own.boundingBox(),
          await page.locator('.contents').boundingBox(),
        ];
        return box && index && box.y >= index.y && box.y + box.height <= index.y + index.height;
      })
      .toBe(true);
  });

  test('the index begins with the group of the reader, and nothing of the one before is left', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/excel`, { width: 1280 });
    const group = page.locator('.contents h2:has(+ ul [aria-current=page])');
    const above = () =>
      group.evaluate((heading) => {
        const gap = Number.parseFloat(getComputedStyle(heading).marginTop);
        const top = heading.closest('nav')?.getBoundingClientRect().top ?? 0;
        return Math.round(heading.getBoundingClientRect().top - top - gap);
      });
    await expect.poll(above).toBe(0);
  });

  test('the list of what the search found is 480 px wide, and as wide as a phone', async () => {
    const { url } = service();
    for (const [width, found] of [
      [1280, 480],
      [360, 328],
    ] as const) {
      const { page } = await open(`${url}/docs/errors`, { width });
      await page.getByRole('searchbox').fill('429');
      await page.locator('#search-found a').first().waitFor();
      expect((await page.locator('#search-found').boundingBox())?.width).toBe(found);
      expect(await sidewaysOverflow(page)).toBe(0);
    }
  });

  test('the lists of guides and endpoints are open on a desktop and folded on a phone', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs`, { width: 1280 });
    const last = page.locator('.fold li a').last();
    const onDesktop = await last.isVisible();
    await page.setViewportSize({ width: 360, height: 800 });
    expect([onDesktop, await last.isVisible()]).toEqual([true, false]);
    await page.locator('.fold summary').last().click();
    expect(await last.isVisible()).toBe(true);
  });

  test('a phone keeps a way back to the index in sight; a desktop has the index itself', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/reference/rates?lang=en`, { width: 360 });
    const back = page.getByRole('link', { name: 'Back to the contents' });
    const index = page.locator('.contents summary');
    for (const share of [0.3, 0.9]) {
      await page.evaluate((at) => scrollTo(0, document.body.scrollHeight * at), share);
      const isInSight = await back.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top > 0 && bottom < innerHeight;
      });
      expect(isInSight).toBe(true);
    }
    await back.click();
    await expect.poll(async () => (await index.boundingBox())?.y).toBeLessThan(200);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await back.isVisible()).toBe(false);
  });

  test.each(['no-preference', 'reduce'] as const)(
    'the way back to the index arrives after the first scroll, beside the buttons that copy (motion: %s)',
    async (reducedMotion) => {
      const { url } = service();
      const { page } = await open(`${url}/docs/errors?lang=en`, { width: 360 });
      await page.emulateMedia({ reducedMotion });
      const back = page.locator('a.to-contents');
      await expect.poll(() => back.isVisible()).toBe(false);
      await page.evaluate(() => scrollTo(0, innerHeight));
      await expect.poll(() => back.isVisible()).toBe(true);
      const { x = 0, width = 0 } = (await back.boundingBox()) ?? {};
      const copies = await page
        .locator('.copy:visible')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
      expect(Math.min(...copies)).toBeGreaterThan(x + width);
    },
  );

  test('on a phone the ways to the neighbours stand under each other', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/first-request?lang=en`, { width: 360 });
    const [prev, next] = await page
      .locator('.neighbours a')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(prev).toBe(next);
  });

  test.each(['/docs/first-request', '/docs/history', '/docs', '/docs/reference/rates'])(
    'code never wraps: its lines scroll inside the block, below the copy button (%s)',
    async (path) => {
      const { url } = service();
      const { page } = await open(`${url}${path}`);
      await page.locator('button.copy').first().waitFor();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const faults = await page.evaluate(() =>
          [...document.querySelectorAll('pre')]
            .filter((pre) => pre.checkVisibility())
            .flatMap((pre) => {
              const { whiteSpace, overflowX, backgroundAttachment } = getComputedStyle(pre);
              const button = pre.closest('.code')?.querySelector('.copy');
              const covered =
                pre.getBoundingClientRect().top < (button?.getBoundingClientRect().bottom ?? 0);
              // A shadow at the edge shows that a line goes on.
              const isShaded = backgroundAttachment.includes('local');
              const scrolls = whiteSpace === 'pre' && overflowX === 'auto' && isShaded;
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
      const { page } = await open(`${url}/docs/reference/account`, { width: 360, language });
      let tables = 0;
      for (const path of REFERENCE_TAGS.map(groupPath)) {
        await page.goto(url + path);
        const { shown, cut } = await page.evaluate(() => {
          for (const one of document.querySelectorAll('details')) one.open = true;
          const all = [...document.querySelectorAll<HTMLElement>('.names')];
          const wide = all.filter((one) => one.scrollWidth > one.clientWidth);
          return { shown: all.length, cut: wide.map((one) => one.innerText) };
        });
        tables += shown;
        expect(cut, path).toEqual([]);
        expect(await sidewaysOverflow(page), path).toBe(0);
      }
      expect(tables).toBeGreaterThan(60);
    },
  );

  test.each(['first-request', 'invoice-rate', 'errors', 'reference/account'])(
    '/docs/%s ends at the edge of the page, and shows the lines of its code whole',
    async (guide) => {
      const { url } = service();
      const { page } = await open(`${url}/docs/${guide}`);
      for (const width of [1184, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        const [[left, right] = [], [docsLeft, docsRight] = []] = await page.$$eval(
          '.bar, .docs',
          (all) =>
            all.map((one) => {
              const { left: from, right: to } = one.getBoundingClientRect();
              const { paddingLeft, paddingRight } = getComputedStyle(one);
              return [from + Number.parseFloat(paddingLeft), to - Number.parseFloat(paddingRight)];
            }),
        );
        expect(docsLeft, `${width} px`).toBe(left);
        // A wide window gives the reference room to the right, and only there.
        const more = guide.startsWith('reference') && width >= 1600 ? 240 : 0;
        expect((docsRight ?? 0) - (right ?? 0), `${width} px`).toBe(more);
        const cut = await page.$$eval('.guide pre', (all) =>
          all
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .map((one) => one.scrollWidth - one.clientWidth),
        );
        expect(Math.max(...cut), `${width} px`).toBe(0);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
    },
  );

  test('the reference shows commands and answers whole from a laptop on', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/reference/account`);
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of REFERENCE_TAGS.map(groupPath)) {
        await page.goto(url + path);
        const cut = await page.$$eval('.operation .beside pre', (all) =>
          all
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => one.textContent),
        );
        const words = await page.$$eval('.lead-in', (all) => all.map((one) => one.clientWidth));
        expect(Math.min(...words), `${path}, ${width} px`).toBeGreaterThanOrEqual(360);
        // A record to store is one line; a source says in a sentence why it fails.
        const long = cut.filter((text) => !/application\/x-ndjson|"why"/.test(text));
        expect(long, `${path}, ${width} px`).toEqual([]);
        expect(await sidewaysOverflow(page)).toBe(0);
      }
    }
  });

  test('request and answer stay in view beside the parameters until the next operation', async () => {
    const { url } = service();
    for (const width of [1280, 1920]) {
      const { page } = await open(`${url}/docs/reference/conversion`, { width });
      const at = (selector: string) =>
        page.locator(`#convert ${selector}`).evaluate((one) => {
          const { top, bottom, left, right } = one.getBoundingClientRect();
          return { top, bottom, left, right };
        });
      expect((await at('.details')).right).toBeLessThan((await at('.beside')).left);
      await page
        .locator('#convert h3')
        .last()
        .evaluate((one) => one.scrollIntoView());
      const { top, bottom } = await at('.beside');
      expect(top).toBe(16);
      expect(bottom).toBeLessThanOrEqual(await page.evaluate(() => innerHeight));
      expect((await at('.folded pre')).bottom).toBeLessThanOrEqual(bottom);
      await page
        .locator('.operation')
        .nth(1)
        .evaluate((one) => one.scrollIntoView());
      expect((await at('.beside')).bottom).toBeLessThanOrEqual(0);
    }
  });

  test('on a phone the folded answer stands between the request and the parameters', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/reference/conversion`, { width: 360 });
    const tops = await page.$$eval('#convert :is(h2, .choice, .folded, .details)', (all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    expect(tops).toHaveLength(4);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    const answer = page.locator('#convert .folded pre');
    expect(await answer.isVisible()).toBe(false);
    // The button that copies stands in the head, and does not open it.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('#convert .folded summary').click();
    expect(await answer.isVisible()).toBe(true);
    await page.locator('#convert .folded .copy').click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe(await answer.textContent());
    expect(await answer.isVisible()).toBe(true);
    expectQuiet();
  });

  test('a block of a guide ends with its answer in every language', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/first-request`, { width: 1280 });
    for (const name of ['curl', 'JavaScript', 'Python', 'PHP']) {
      await page.getByRole('button', { name }).first().click();
      expect(await page.locator('.choice > [data-code]:visible').count()).toBe(2);
      const below = await page.$eval('.choice', (block) => {
        const [last] = [...block.querySelectorAll('pre')]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .slice(-1);
        return block.getBoundingClientRect().bottom - (last?.getBoundingClientRect().bottom ?? 0);
      });
      expect(below, name).toBeLessThanOrEqual(1);
    }
  });

  test('lines of text have at most 70 characters', async () => {
    const { url } = service();
    const { page } = await open(`${url}/docs/invoice-rate`, { width: 1920 });
    const widths = await page.$$eval('.guide :is(p, li)', (all) =>
      all
        .filter((one) => one.closest('nav, pre, .scroll') === null && one.checkVisibility())
        .map((one) => {
          const rule = document.createElement('span');
          rule.textContent = '0'.repeat(70);
          rule.style.whiteSpace = 'nowrap';
          one.append(rule);
          const width = rule.getBoundingClientRect().width;
          rule.remove();
          return one.getBoundingClientRect().width - Math.max(width, 0);
        }),
    );
    expect(widths.length).toBeGreaterThan(10);
    expect(Math.max(...widths)).toBeLessThanOrEqual(1);
  });

  test('wide tables stack only where they do not fit', async () => {
    const { url } = service();
    const { page } = await open(`${url}/methodology`);
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
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

  test('the other language of a page begins at the section that was being read', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs/errors?lang=es#cómo-reintentar`);
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL(/errors\?lang=en/);
    const heading = page.getByRole('heading', { name: 'How to retry' });
    await expect
      .poll(async () => Math.abs((await heading.boundingBox())?.y ?? 999))
      .toBeLessThan(99);
    expectQuiet();
  });

  test('links lead from the reference to a guide and back in the chosen language', async () => {
    const { url } = service();
    const start = `${url}/docs/reference/conversion?lang=en`;
    const { page, expectQuiet } = await open(start, { language: 'es' });
    await page.locator('.contents').getByRole('link', { name: 'Errors', exact: true }).click();
    await page.waitForURL('**/docs/errors?lang=en');
    expect(await page.textContent('h1')).toBe('Errors');
    await page.locator('article').getByRole('link', { name: 'all codes' }).click();
    await page.waitForURL('**/docs/reference/errors?lang=en#errors');
    expectQuiet();
  });

  test('the table of contents is beside the text on a desktop and folded on a phone', async () => {
    const { url } = service();
    const link = { name: 'Convertir un monto' };
    const desk = await open(`${url}/docs/reference/conversion`, { width: 1280 });
    await desk.page.locator('.contents').getByRole('link', link).click();
    expect(new URL(desk.page.url()).hash).toBe('#convert');
    const phone = await open(`${url}/docs/reference/conversion`, { width: 360 });
    const contents = phone.page.locator('.contents');
    expect(await contents.getByRole('link', link).isVisible()).toBe(false);
    await contents.locator('summary').click();
    expect(await contents.getByRole('link', link).isVisible()).toBe(true);
    const heights = await contents
      .locator('li a')
      .evaluateAll((links) => links.map((one) => one.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
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
    expect(await found.locator('mark').first().textContent()).toMatch(/^(?:convertir|monto)/i);
    expect(await page.textContent('#search-said')).toMatch(/^Resultados: \d$/);
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
    expect(new URL(page.url())).toMatchObject({
      pathname: '/docs/reference/conversion',
      search: '?lang=es',
    });
    expectQuiet();
  });

  test('the search says that it is searching while its index is on the way', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs?lang=es`);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/docs/search.json*', async (route) => {
      await mayAnswer;
      await route.continue();
    });
    await page.getByRole('searchbox').fill('límites');
    const found = page.locator('#search-found');
    await found.getByText('Buscando…').waitFor();
    expect(await page.textContent('#search-said')).toBe('Buscando…');
    answer();
    await found.getByRole('link').first().waitFor();
    expectQuiet();
  });

  test('a search begun before the script is there goes on with it', async () => {
    const { url } = service();
    const { page } = await open(`${url}/status`);
    const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>();
    await page.route('**/assets/docs-*.js', async (route) => {
      await mayLoad;
      await route.continue();
    });
    await page.goto(`${url}/docs?lang=es`, { waitUntil: 'commit' });
    await page.getByRole('searchbox').fill('límites');
    load();
    await page.locator('#search-found').getByRole('link').first().waitFor();
  });

  test('the search says when it found nothing, and shows the query as text', async () => {
    const { url } = service();
    const { page, expectQuiet } = await open(`${url}/docs?lang=en`);
    await page.getByRole('searchbox').fill('<img src=x onerror=alert(1)> zzz');
    const found = page.locator('#search-found');
    await found.getByText('Results (').waitFor();
    expect(await found.locator('img').count()).toBe(0);
    await page.getByRole('searchbox').fill('xyzzy');
    await found.getByText('Nothing was found.').waitFor();
    // A typing error is mended, and said.
    await page.getByRole('searchbox').fill('makrup xyzzy');
    await found.getByText('Results (markup)').waitFor();
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
