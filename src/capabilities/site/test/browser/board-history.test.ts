import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { fullMarket, iso, official, quote } from '../../../../../test/harness/make.ts';
import {
  START,
  sharedService,
  startTestService,
  type TestService,
} from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';

/** In the page: where it drew lines. */
declare const places: [number, number][];

/** Two weeks of the official rates and of the parallel market, and a day of the others. */
async function twoWeeks(service: TestService): Promise<void> {
  for (let day = 14; day >= 1; day -= 1) {
    const at = iso(START - day * DAY_MS);
    await service.push(
      official(at.slice(0, 10), { USD: 790 - day, EUR: 900 - day }, { captured_at: at }),
      quote('parallel', 860 - day, { updated_at: at, captured_at: at }),
    );
  }
  await service.push(...fullMarket(), quote('parallel', 1012.35));
}

const readingOf = (page: Page) => async () => {
  const reading = page.locator('#chart-reading');
  return (await reading.count()) === 0 ? '' : (await reading.innerText()).replaceAll(/\s+/g, ' ');
};

const endsOf =
  (page: Page, plot = '#chart') =>
  async () =>
    (await page.locator(`${plot} .end`).allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );

/** Slides fingers over the plot. Each step has the place of every finger, as shares of its width. */
async function slide(page: Page, steps: readonly (readonly number[])[]): Promise<void> {
  await page.locator('#chart .u-over').scrollIntoViewIfNeeded();
  const box = await page.locator('#chart .u-over').boundingBox();
  if (box === null) throw new Error('the chart has no place');
  const touch = await page.context().newCDPSession(page);
  for (const [step, places] of steps.entries()) {
    await touch.send('Input.dispatchTouchEvent', {
      type: step === 0 ? 'touchStart' : 'touchMove',
      touchPoints: places.map((share, id) => ({
        ...{ x: box.x + box.width * share, y: box.y + 100, id },
      })),
    });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

describeInBrowser('the history of the board', (open) => {
  const board = sharedService(twoWeeks);

  async function opened(options: Parameters<typeof open>[1] = {}) {
    const { url } = board();
    const one = await open(url, options);
    await one.page.waitForSelector('#chart .point');
    return one;
  }

  test('an official rate is level at the name of its day, and steps between two days', async () => {
    const { page } = await open('about:blank');
    await page.addInitScript(() => {
      const places: [number, number][] = [];
      Object.assign(globalThis, { places });
      for (const name of ['moveTo', 'lineTo'] as const) {
        const draw = Path2D.prototype[name];
        Path2D.prototype[name] = function (x, y) {
          // Each line begins with a move.
          if (name === 'moveTo') places.splice(0);
          places.push([x, y]);
          draw.call(this, x, y);
        };
      }
    });
    await page.goto(`${board().url}/?lang=es`);
    await page.waitForSelector('#chart .point');
    await page.getByLabel('Dólar paralelo', { exact: true }).uncheck();
    await page.getByText('7 d', { exact: true }).click();
    /** In days from the first. */
    const steps = () =>
      page.evaluate(() => {
        const [from = 0, to = 0] = [places[0]?.[0], places.at(-1)?.[0]];
        const isRiser = ([x, y]: [number, number], at: number) =>
          places[at - 1]?.[0] === x && places[at - 1]?.[1] !== y;
        return places
          .filter(isRiser)
          .map(([x]) => Math.round(((x - from) / (to - from)) * 70) / 10);
      });
    await expect.poll(steps).toEqual([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
  });

  test('the lines end in their names and last figures, and the highest and lowest are marked', async () => {
    const { page, expectQuiet } = await opened();
    expect(await endsOf(page)()).toEqual(['BCV, dólar 800,5000', 'Dólar paralelo 1.012,3500']);
    expect(await endsOf(page, '#chart-premium-plot')()).toEqual(['Brecha +26,46 %']);
    expect(await page.locator('#chart .extreme').allInnerTexts()).toEqual([
      'Dólar paralelo máx. 1.012,3500',
      'Dólar paralelo mín. 846,0000',
    ]);
    const ground = page.locator('#chart .extreme span').first();
    // A line that it crosses shows through.
    const colour = await ground.evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(colour).toMatch(/ \/ 0\.6\)$/);
    const inPlot = await page.evaluate(() => {
      const panel = document.querySelector('.history')?.getBoundingClientRect();
      return [...document.querySelectorAll('#chart .end, #chart .extreme span')].every((one) => {
        const { left, right } = one.getBoundingClientRect();
        return panel && left >= panel.left && right <= panel.right;
      });
    });
    expect(inPlot).toBe(true);
    expectQuiet();
  });

  test('a pointer reads the day under it at the points of the lines, and one that leaves reads none', async () => {
    const { page } = await opened();
    const reading = readingOf(page);
    expect(await reading()).toBe('');
    const over = page.locator('#chart .u-over');
    await over.hover({ position: { x: 2, y: 40 } });
    await expect.poll(reading).toContain('sáb 7 nov 2026');
    expect(await reading()).toContain('Dólar paralelo 846,0000');
    const places = await page.evaluate(() => {
      const left = (selector: string) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box ? box.left + box.width / 2 : Number.NaN;
      };
      const plot = document.querySelector('#chart .u-over')?.getBoundingClientRect().left ?? 0;
      return ['#chart', '#chart-premium-plot'].map((one) => left(`${one} .crosshair`) - plot);
    });
    // Both plots, at the first day itself and not at the pointer.
    for (const place of places) expect(place).toBeCloseTo(0.5, 0);
    await page.hover('h2');
    await expect.poll(reading).toBe('');
  });

  test('keys move through the days and zoom, and what is read is said', async () => {
    const { page } = await opened();
    const reading = readingOf(page);
    await page.focus('#chart');
    await page.keyboard.press('Home');
    await expect.poll(reading).toContain('776,0000');
    expect(await page.innerText('.plots [role=status]')).toContain(
      'sáb 7 nov 2026: BCV, dólar 776',
    );
    await page.keyboard.press('End');
    await expect.poll(reading).toContain('1.012,3500');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(() => page.isVisible('#chart-whole')).toBe(true);
    for (const day of [20, 19, 18, 17, 16, 15, 14, 13]) {
      await page.keyboard.press('ArrowLeft');
      await expect.poll(reading).toContain(` ${day} nov 2026`);
    }
    await page.keyboard.press('Home');
    await expect.poll(reading).toContain('sáb 7 nov 2026');
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await expect.poll(() => page.isVisible('#chart-whole')).toBe(false);
  });

  test('a mouse that drags zooms, and "Ver todo el período" shows all days again', async () => {
    const { page } = await opened();
    await page.locator('#chart .u-over').scrollIntoViewIfNeeded();
    const over = await page.locator('#chart .u-over').boundingBox();
    if (over === null) throw new Error('the chart has no place');
    const at = (share: number) => [over.x + over.width * share, over.y + 100] as const;
    await page.mouse.move(...at(0.5));
    await page.mouse.down();
    await page.mouse.move(...at(0.97), { steps: 3 });
    await expect.poll(() => page.isVisible('#chart .selection')).toBe(true);
    await page.mouse.up();
    const dayAtLeft = async () => {
      await page.mouse.move(...at(0.01));
      return /\d+ nov/.exec(await readingOf(page)())?.[0];
    };
    await expect.poll(dayAtLeft).toBe('14 nov');
    expect(await page.innerText('#chart-whole')).toBe('Ver todo el período');
    await page.click('#chart-whole');
    await expect.poll(dayAtLeft).toBe('7 nov');
    expect(await page.isVisible('#chart-whole')).toBe(false);
  });

  test('one finger reads and two zoom', async () => {
    const { page, expectQuiet } = await opened({ width: 360 });
    const reading = readingOf(page);
    // On a phone the newest day stands above the plot, where no finger covers it.
    expect(await reading()).toContain('Últimas cifras');
    await slide(page, [[0.8], [0.6], [0.4], [0.2], [0.01]]);
    await expect.poll(reading).toContain('sáb 7 nov 2026');
    expect(await page.isVisible('#chart-whole')).toBe(false);
    // The days under two fingers that part stay under them.
    await slide(page, [
      [0.5, 0.6],
      [0.4, 0.7],
      [0.25, 0.85],
    ]);
    await expect.poll(() => page.isVisible('#chart-whole')).toBe(true);
    await slide(page, [[0.1], [0.001]]);
    await expect.poll(reading).toMatch(/1[2-4] nov 2026/);
    await slide(page, [
      [0.1, 0.9],
      [0.3, 0.7],
      [0.45, 0.55],
    ]);
    await expect.poll(() => page.isVisible('#chart-whole')).toBe(false);
    expectQuiet();
  });

  test('files have the chosen markets and days', async () => {
    const { page } = await opened();
    await page.check('input[name=market][value=eur_reference]');
    await expect.poll(endsOf(page)).toHaveLength(3);
    await page.check('input[name=days][value="7"]');
    await expect
      .poll(() => page.getAttribute('#chart-csv', 'href'))
      .toBe('/board/history.csv?market=reference,parallel,eur_reference&days=7&locale=es');
    expect(await page.getAttribute('#chart-xlsx', 'aria-label')).toBe(
      'Descargar para Excel (XLSX)',
    );
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#chart-csv')]);
    expect(download.suggestedFilename()).toBe(
      'vesfx-reference-eur_reference-parallel-2026-11-14_2026-11-21.csv',
    );
    await page.click('#chart-data summary');
    expect(await page.innerText('#chart-data table')).toContain('1.012,3500');
  });

  test('the drawing and the premium are no markets', async () => {
    const { page } = await opened();
    const inGroup = (name: string) =>
      page.getByRole('group', { name, exact: true }).getByRole('checkbox').count();
    expect(await inGroup('Mercados')).toBeGreaterThan(3);
    const group = page.getByRole('group', { name: 'Mercados', exact: true });
    expect(await group.locator('#chart-premium').count()).toBe(0);
    const drawings = page.getByRole('group', { name: 'Dibujo' }).getByRole('radio');
    expect(await drawings.count()).toBe(2);
  });

  test('contract §10: the chart draws candles for up to 90 days, and offers none beyond', async () => {
    const service = await startTestService();
    await twoWeeks(service);
    const at = iso(START - DAY_MS + 1000);
    await service.push(quote('parallel', 870, { updated_at: at, captured_at: at }));
    const { page, expectQuiet } = await open(service.url);
    await page.waitForSelector('#chart .point');
    const picture = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>('#chart canvas')?.toDataURL());
    const lines = await picture();
    // By keyboard: the choice is among the others.
    await page.focus('input[name=drawing][value=lines]');
    await page.keyboard.press('ArrowRight');
    const about = () => page.innerText('#chart-candles-about');
    await expect.poll(about).toContain('Velas (Dólar paralelo)');
    await expect.poll(picture).not.toBe(lines);
    await page.focus('#chart');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(readingOf(page))
      .toContain(
        'BCV, dólar 789,0000 Paralelo, apertura 859,0000 máximo 870,0000 mínimo 859,0000 cierre 870,0000',
      );
    expect(await page.getAttribute('#chart-csv', 'href')).toContain('&candles=true');
    await page.click('#chart-data summary');
    expect(await page.innerText('#chart-data thead')).toContain('Dólar paralelo, máximo');
    expect(await page.innerText('#chart-data tbody')).toMatch(
      /20\/11\/2026\s.*859,0000\s+870,0000/,
    );
    expect(await axeFindings(page)).toEqual([]);
    const note = () => page.innerText('#chart-note');
    await page.check('input[name=days][value="180"]');
    await expect.poll(note).toContain('hasta 90 días');
    await expect.poll(about).toBe('');
    // The control says what is drawn, and keeps the choice for a range that can show it.
    const candles = page.locator('input[name=drawing][value=candles]');
    expect(await candles.isDisabled()).toBe(true);
    expect(await page.isChecked('input[name=drawing][value=lines]')).toBe(true);
    await page.check('input[name=days][value="7"]');
    await expect.poll(about).toContain('Velas');
    expect(await note()).toBe('');
    expect(await candles.isChecked()).toBe(true);
    await page.uncheck('input[name=market][value=parallel]');
    await expect.poll(note).toContain('que no sea oficial');
    expect(await candles.isDisabled()).toBe(true);
    await expect.poll(about).toBe('');
    expectQuiet();
  });

  test('a line keeps its colour while other markets come and go', async () => {
    const { page } = await opened();
    const colours = (market: string, name: string) =>
      page.evaluate(
        ([market = '', name = '']) => {
          const chip = document.querySelector(`.chips input[value=${market}] + span`);
          const end = [...document.querySelectorAll('#chart .end span')].find(
            ({ textContent }) => textContent === name,
          );
          if (!chip || !end) return [];
          const chosen = getComputedStyle(chip, '::before').backgroundColor;
          return [chosen, getComputedStyle(end).color];
        },
        [market, name],
      );
    const parallel = () => colours('parallel', 'Dólar paralelo');
    const before = await parallel();
    expect(before[0]).toBe(before[1]);
    await page.check('input[name=market][value=eur_reference]');
    await expect.poll(() => colours('eur_reference', 'BCV, euro')).toHaveLength(2);
    const euro = await colours('eur_reference', 'BCV, euro');
    await page.uncheck('input[name=market][value=reference]');
    await expect.poll(() => colours('reference', 'BCV, dólar')).toEqual([]);
    expect(await parallel()).toEqual(before);
    expect(await colours('eur_reference', 'BCV, euro')).toEqual(euro);
  });

  test.each([1280, 360])(
    'nothing below the chart moves while it loads, without a market, and when it cannot load (%i px)',
    async (width) => {
      const { page } = await opened({ width });
      const place = () =>
        page.evaluate(() => {
          const top = (selector: string) =>
            document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN;
          return top('.history .foot') - top('.history');
        });
      const state = () => page.innerText('#chart-state');
      const drawn = await place();
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/board/history.json*', async (route) => {
        await asked;
        await route.abort();
      });
      await page.reload();
      await page.waitForSelector('#charts[aria-busy]');
      expect(await place()).toBe(drawn);
      answer();
      await expect.poll(state).toContain('No se pudo cargar el historial');
      expect(await page.locator('#chart').count()).toBe(0);
      expect(await place()).toBe(drawn);
      await page.unroute('**/board/history.json*');
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.waitForSelector('#chart .point');
      expect(await state()).toBe('');
      expect(await place()).toBe(drawn);
      await page.uncheck('input[name=market][value=parallel]');
      await page.uncheck('input[name=market][value=reference]');
      await expect.poll(state).toContain('Elija al menos un mercado');
      // Nothing is drawn, not even an empty frame.
      expect(await page.locator('#charts canvas, #charts .plots, #chart-data').count()).toBe(0);
      expect(await page.innerText('.history .foot')).not.toContain('Velas');
      expect(await page.getAttribute('#chart-csv', 'href')).toBeNull();
      expect(await place()).toBe(drawn);
      // One press brings back what the page began with.
      await page.getByRole('button', { name: 'Ver BCV, dólar y Dólar paralelo' }).click();
      await page.waitForSelector('#chart .point');
      expect(await page.isChecked('input[name=market][value=parallel]')).toBe(true);
      expect(await place()).toBe(drawn);
    },
  );

  test('a period that takes long to load covers the chart of the one before', async () => {
    const { page } = await opened();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/board/history.json*', (route) => asked.then(() => route.continue()));
    await page.check('input[name=days][value="7"]');
    await page.waitForSelector('#charts[aria-busy] .point');
    const cover = await page.$eval('#charts', (one) => getComputedStyle(one, '::before').content);
    expect(cover).toBe('""');
    answer();
    await page.waitForSelector('#charts:not([aria-busy]) .point');
  });

  test('a history that could not be loaded shows no chart of another choice', async () => {
    const { page } = await opened();
    await page.route('**/board/history.json*', (route) => route.abort());
    await page.check('input[name=days][value="7"]');
    await expect
      .poll(() => page.innerText('#chart-state'))
      .toContain('No se pudo cargar el historial');
    expect(await page.locator('#chart, #chart-premium-plot').count()).toBe(0);
  });

  test('a mark of the highest or lowest figure has its text, or there is none', async () => {
    const { page } = await opened();
    await page.uncheck('input[name=market][value=reference]');
    const marks = () => page.locator('#chart .extreme').allInnerTexts();
    await expect.poll(marks).toEqual(['máx. 1.012,3500', 'mín. 846,0000']);
    for (const market of ['reference', 'eur_reference', 'binance']) {
      await page.check(`input[name=market][value=${market}]`);
    }
    await expect.poll(endsOf(page)).toHaveLength(4);
    expect(await page.locator('#chart .ring').count()).toBe(0);
  });

  test('on a phone no name covers a line, and the reading above the plots has all of them, none cut', async () => {
    const { page } = await opened({ width: 360 });
    expect(await endsOf(page)()).toEqual([]);
    for (const market of ['eur_reference', 'binance']) {
      await page.check(`input[name=market][value=${market}]`);
    }
    await expect.poll(() => page.locator('#chart .point').count()).toBe(4);
    expect(await endsOf(page)()).toEqual([]);
    const names = page.locator('#chart-reading dt span');
    expect(await names.allInnerTexts()).toEqual([
      ...['BCV', 'Euro', 'Paralelo', 'Binance', 'Brecha'],
    ]);
    const cut = await names.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
    expect(cut).toEqual([]);
  });

  test.each([
    [1280, 'es'],
    [1057, 'en'],
    [1056, 'en'],
    [1000, 'es'],
    [768, 'es'],
    [360, 'es'],
  ] as const)(
    'zoomed, the button stands beside the title, and the lines end with the last day in sight (%i px, %s)',
    async (width, language) => {
      const { page } = await opened({ width, language });
      const boxOf = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        if (box === null) throw new Error(`${selector} has no place`);
        return { ...box, right: box.x + box.width, bottom: box.y + box.height };
      };
      const before = await boxOf('.history > header');
      await page.focus('#chart');
      for (const key of ['ArrowLeft', 'ArrowLeft', '+', '+']) await page.keyboard.press(key);
      await expect.poll(() => page.isVisible('#chart-whole')).toBe(true);
      const header = await boxOf('.history > header');
      expect(header.height).toBe(before.height);
      const [title, button] = [await boxOf('.history h2'), await boxOf('#chart-whole')];
      const middle = title.y + title.height / 2;
      expect(button.y).toBeLessThan(middle);
      expect(button.bottom).toBeGreaterThan(middle);
      expect(button.right).toBeLessThanOrEqual(header.right + 1);
      for (const control of ['.history .drawing', '.history .files']) {
        const other = await boxOf(control);
        expect(button.bottom <= other.y || button.right <= other.x).toBe(true);
      }
      const plot = await boxOf('#chart .u-over');
      const point = await boxOf('#chart .point');
      expect(point.x + point.width / 2).toBeCloseTo(plot.right, 0);
    },
  );

  test('the official line has the step of the last day, up to its figure', async () => {
    const { page } = await opened();
    const hasLine = await page.evaluate(() => {
      const point = document.querySelector<HTMLElement>('#chart .point');
      const canvas = document.querySelector<HTMLCanvasElement>('#chart canvas');
      const [at, of] = [point?.getBoundingClientRect(), canvas?.getBoundingClientRect()];
      const brush = canvas?.getContext('2d');
      if (!point || !at || !of || !brush) return undefined;
      const colour = getComputedStyle(point).backgroundColor.match(/\d+/g)?.map(Number) ?? [];
      const [left, top] = [at.x + at.width / 2 - of.x - 12, at.y + at.height / 2 - of.y - 2];
      const { data } = brush.getImageData(left, top, 1, 4);
      return [0, 4, 8, 12].some((pixel) =>
        colour.every((part, place) => Math.abs((data[pixel + place] ?? 0) - part) < 8),
      );
    });
    expect(hasLine).toBe(true);
  });

  test('the address has what is drawn, beside the conversion, and a reload draws it again', async () => {
    const { page, expectQuiet } = await opened();
    const chosen = () =>
      page.$$eval('.history :is(input:checked, details[open])', (all) =>
        all.map((one) => one.getAttribute('value') ?? one.id),
      );
    const query = () => new URL(page.url()).search;
    await page.check('input[name=market][value=eur_reference]');
    await page.check('input[name=days][value="7"]');
    await page.check('input[name=drawing][value=candles]');
    await page.uncheck('#chart-premium');
    await expect
      .poll(query)
      .toBe('?chart=reference,parallel,eur_reference&days=7&drawing=candles&premium=no');
    await page.fill('#amount', '20');
    await expect.poll(query).toContain('amount=20');
    await page.uncheck('input[name=market][value=eur_reference]');
    await expect.poll(query).toContain('chart=reference,parallel&');
    expect(query()).toContain('amount=20');
    const before = await chosen();
    await page.reload();
    await page.waitForSelector('#chart .point');
    expect(await chosen()).toEqual(before);
    expect(await page.inputValue('#amount')).toBe('20');
    await page.goto(`${board().url}/?chart=nothing&days=5`);
    await page.waitForSelector('#chart .point');
    expect(await endsOf(page)()).toEqual(['BCV, dólar 800,5000', 'Dólar paralelo 1.012,3500']);
    expect(await page.isChecked('input[name=days][value="30"]')).toBe(true);
    expectQuiet();
  });

  test('on paper the history is there when its table is open, and it is only that', async () => {
    const { page } = await opened();
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('#history')).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.click('#chart-data summary');
    await page.locator('#chart-data tbody tr').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const shown = await page.locator('#history > :visible, #history > header > :visible').all();
    expect(
      await Promise.all(shown.map((one) => one.evaluate((el) => el.id || el.localName))),
    ).toEqual(['header', 'history-heading', 'chart-data']);
    expect(await page.isVisible('#chart-data table')).toBe(true);
    expect(await page.isVisible('#chart-data summary')).toBe(false);
  });

  test('without a premium its panel leaves no room, and a note says why', async () => {
    const { page } = await opened({ width: 360 });
    await page.check('input[name=market][value=eur_reference]');
    await page.uncheck('input[name=market][value=parallel]');
    await expect.poll(() => page.innerText('#chart-note')).toContain('Sin brecha');
    await expect.poll(() => page.locator('#chart-premium-plot').count()).toBe(0);
    const left = await page.evaluate(() => {
      const bottom = (one: string) => document.querySelector(one)?.getBoundingClientRect().bottom;
      return (bottom('#charts') ?? Number.NaN) - (bottom('#chart') ?? Number.NaN);
    });
    expect(left).toBe(0);
  });

  test('the last day is said to be running, and the table says what the files have', async () => {
    const { page } = await opened();
    await page.focus('#chart');
    await page.keyboard.press('ArrowRight');
    await expect.poll(readingOf(page)).toContain('Últimas cifras');
    expect(await page.innerText('.plots [role=status]')).toContain('Últimas cifras:');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(readingOf(page)).toContain('vie 20 nov 2026');
    await page.click('#chart-data summary');
    await page.locator('#chart-data tbody th').first().waitFor();
    const days = await page.locator('#chart-data tbody th').allInnerTexts();
    expect(days.slice(0, 2)).toEqual(['Últimas cifras', '20/11/2026']);
    expect(await page.innerText('#chart-data > p')).toContain('«Fecha valor»');
  });
});
