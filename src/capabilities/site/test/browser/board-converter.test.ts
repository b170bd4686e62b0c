import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import {
  START,
  sharedService,
  startTestService,
  type TestService,
} from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';
import { faultyInput } from '../../board/converter/converter.ts';
import type { ConversionProblem } from '../../texts/es/converter.ts';
import { CONVERTER_TEXTS } from '../../texts/texts.ts';

/** The converter of the board: what it says of its figures, and what its address keeps. */

const EURO = 871.89443742;

/** Two weeks of both markets, an official rate with eight decimals, and P2P. */
async function fortnight(service: TestService): Promise<void> {
  for (let day = 14; day >= 1; day -= 1) {
    const at = iso(START - day * DAY_MS);
    const past = { updated_at: at, captured_at: at };
    const isOpen = ![0, 6].includes(new Date(at).getUTCDay());
    const rates = { USD: 790 - day, EUR: 900 - day };
    await service.push(
      ...(isOpen ? [official(at.slice(0, 10), rates, { captured_at: at })] : []),
      quote('parallel', 860 - day, past),
    );
  }
  await service.push(
    official('2026-11-20', { USD: 800.5, EUR: EURO }),
    quote('parallel', 1012.35),
    ...['binance', 'bitget', 'saldo'].map((id) => quote(id, 1000)),
  );
}

const day = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const query = (page: Page) => new URL(page.url()).search;

describeInBrowser('the converter', (open) => {
  const board = sharedService(fortnight);
  const opened = async (address: string, view: Parameters<typeof open>[1] = {}) => {
    const { page } = await open(`${board().url}${address}`, view);
    if (view.script !== false) await page.waitForSelector('#copy:not([hidden])');
    return page;
  };

  test('every printed equation can be repeated: the rate of the board, and beside it the one of the API', async () => {
    const page = await opened('/?amount=1234.56&from=EUR&via=eur_reference');
    const printed = '1.234,56\u00a0EUR × 871,8944 = Bs.\u00a01.076.406,00';
    expect(await page.innerText('#conversion .formula')).toBe(printed);
    expect(await page.innerText('#conversion .both')).toBe(
      'Tasa con todos sus decimales, como en la API: 871,89443742.',
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#share');
    await expect.poll(() => page.innerText('#share')).toBe('Copiado');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      '1.234,56 EUR = Bs. 1.076.406,00 · tasa BCV Bs. 871,8944 (871,89443742) (vie 20 nov 2026)\n',
    );
  });

  test.each([
    [
      'date=2026-11-15&via=reference',
      '20 USD = Bs. 15.640,00 · tasa BCV Bs. 782,0000 (la que regía, vie 13 nov 2026) para el dom 15 nov 2026',
      '20 USD = Bs. 15.640,00 · BCV, dólar · dom 15 nov 2026',
    ],
    [
      'date=2026-11-15&via=reference&rule=next_banking_day',
      '20 USD = Bs. 15.700,00 · tasa BCV Bs. 785,0000 (hábil siguiente, lun 16 nov 2026) para el dom 15 nov 2026',
      '20 USD = Bs. 15.700,00 · BCV, dólar · dom 15 nov 2026',
    ],
    [
      'date=2026-11-17&via=reference',
      '20 USD = Bs. 15.720,00 · tasa BCV Bs. 786,0000 (mar 17 nov 2026)',
      '20 USD = Bs. 15.720,00 · BCV, dólar · mar 17 nov 2026',
    ],
    [
      'date=2026-11-15&via=parallel',
      '20 USD = Bs. 17.080,00 · Dólar paralelo Bs. 854,0000 (dom 15 nov 2026)',
      '20 USD = Bs. 17.080,00 · Dólar paralelo · dom 15 nov 2026',
    ],
  ])(
    'shared text names the asked day, and the day of the rate with its rule: %s',
    async (asked, text, title) => {
      const page = await opened(`/?amount=20&from=USD&${asked}`);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.click('#share');
      await expect.poll(() => page.innerText('#share')).toBe('Copiado');
      const [shared] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
      expect(shared).toBe(text);
      expect(await page.getAttribute('meta[property="og:title"]', 'content')).toBe(title);
    },
  );

  test.each([true, false])(
    'a day before the history says from when rates are, and goes there (script: %s)',
    async (script) => {
      for (const date of ['2025-06-15', '0202-11-15']) {
        const page = await opened(`/?amount=100&from=USD&via=reference&date=${date}`, { script });
        expect(await page.innerText('#amount-problem')).toBe(
          'Aquí no hay tasas de antes del 21/11/2025',
        );
        expect(await page.locator('.rules').count()).toBe(0);
        expect(await page.getAttribute('#date', 'min')).toBe('2025-11-21');
        await page.click('#amount-problem a');
        await expect.poll(() => page.inputValue('#date')).toBe('2025-11-21');
        expect(await page.inputValue('#amount')).toBe('100');
      }
    },
  );

  test.each([true, false])(
    'a date of an address that cannot be read says so and converts nothing (script: %s)',
    async (script) => {
      for (const date of ['2020-13-45', '31/02/2026', 'ayer']) {
        const page = await opened(`/?amount=1500&date=${date}`, { script });
        expect(await page.innerText('#amount-problem')).toContain('Elija otra.');
        expect(await page.inputValue('#other')).toBe('');
        expect(await page.innerText('#conversion')).toBe('');
        expect(await day(page, 'Otra fecha').isChecked()).toBe(true);
      }
    },
  );

  test.each([true, false])(
    'a date of an address may be written as people do, and its amount is never in doubt (script: %s)',
    async (script) => {
      const page = await opened('/?amount=1500&date=15/11/2026', { script });
      expect(await page.inputValue('#date')).toBe('2026-11-15');
      expect(await page.innerText('#result')).toBe('1.173.000,00');
      expect(await page.locator('.meant').count()).toBe(0);
    },
  );

  test.each([
    ['reference', '20 USDT', 'p2p_median'],
    ['reference', '20€', 'eur_reference'],
    ['eur_reference', '20$', 'reference'],
    ['parallel', '20$', 'parallel'],
  ])('with %s chosen, %j converts by %s', async (via, typed, wanted) => {
    const page = await opened(`/?via=${via}`);
    await page.fill('#amount', typed);
    await expect.poll(() => page.inputValue('[name=via]:checked')).toBe(wanted);
    expect(await page.innerText('#amount-problem')).toBe('');
  });

  test.each([320, 360])(
    'an amount with two meanings has the other one beside it, above the keyboard (%i px)',
    async (width) => {
      const page = await opened('/', { width });
      await page.fill('#other', '1,500');
      const other = page.locator('.field:has(#other) .doubt');
      expect(await other.innerText()).toBe('¿1.500?');
      await other.click();
      await expect.poll(() => page.inputValue('#other')).toBe('1.500');
    },
  );

  test('USDT beside an amount is named, and may have no rate of another day', async () => {
    const page = await opened('/');
    await page.fill('#amount', '20 USDT');
    await expect.poll(() => page.innerText('#amount-currency')).toBe('USDT');
    expect(await page.innerText('.formula')).toContain('20\u00a0USDT');
    await day(page, 'Otra fecha').check();
    await page.fill('#date', '2026-11-17');
    await page
      .locator('#amount-problem')
      .getByText('No tenemos tasa de ese mercado para ese día')
      .waitFor();
    await page.fill('#amount', '20');
    await page.locator('#result').waitFor();
  });

  test('a market without a rate of tomorrow is not taken for a missing publication', async () => {
    const page = await opened('/?amount=20&from=USD&via=parallel&date=2026-11-23');
    await page.locator('#amount-problem').getByText('Esa fecha aún no llega').waitFor();
    const known = await startTestService();
    await fortnight(known);
    await known.push(official('2026-11-23', { USD: 805.75, EUR: 925.5 }));
    await page.goto(`${known.url}/?amount=20&from=USD&via=parallel&date=2026-11-23`);
    expect(await page.innerText('#amount-problem')).toBe(
      'No tenemos tasa de ese mercado para ese día.',
    );
  });

  test('the empty field says in short what is wrong with the other, above the keyboard', async () => {
    const page = await opened('/', { width: 360 });
    await page.fill('#amount', 'diez');
    await page.getByPlaceholder('No entendemos ese monto', { exact: true }).waitFor();
    await page.fill('#amount', '10');
    await expect.poll(() => page.getAttribute('#other', 'placeholder')).toBeFalsy();
  });

  test.each(['es', 'en'] as const)('what it says in short is never cut (%s)', async (language) => {
    const page = await opened(`/?lang=${language}`, { width: 320 });
    await page.fill('#amount', 'x');
    await page.locator('#other[placeholder]').waitFor();
    const { problems } = CONVERTER_TEXTS[language];
    const ofAmount = Object.entries(problems).filter(
      ([problem]) => faultyInput(problem as ConversionProblem) === 'amount',
    );
    const said = ofAmount.map(([, text]) => text.split(/[.:] /)[0] ?? '');
    const cut = await page.evaluate((texts) => {
      const field = document.querySelector('#other') as HTMLInputElement;
      const style = getComputedStyle(field, '::placeholder');
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      return texts.filter((text) => pen.measureText(text).width > field.clientWidth);
    }, said);
    expect(cut).toEqual([]);
  });

  test('on a desk only the sentence says what is wrong, and asks for the other meaning', async () => {
    const page = await opened('/', { width: 1280 });
    await page.fill('#amount', '1,500');
    await page.locator('.meant').waitFor();
    expect(await page.locator('.doubt').isVisible()).toBe(false);
    await page.fill('#amount', 'diez');
    await page.locator('#other[placeholder]').waitFor();
    const colour = await page.evaluate(
      () => getComputedStyle(document.querySelector('#other') as Element, '::placeholder').color,
    );
    expect(colour).toBe('rgba(0, 0, 0, 0)');
  });

  test('the amount that is typed below comes up with its currency when the fields are swapped', async () => {
    const page = await opened('/');
    await page.fill('#other', '100.000,55');
    const [dollars, bolivares] = [await page.inputValue('#amount'), '100.000,55'];
    await page.click('#swap');
    expect(await page.inputValue('#amount')).toBe(bolivares);
    expect(await page.inputValue('#other')).toBe(dollars);
  });

  test.each([true, false])(
    'what the page wrote for the amount of an address is not read as typed (script: %s)',
    async (script) => {
      const page = await opened('/?amount=1500&from=USD&via=reference&date=2026-12-24', { script });
      if (script) await page.click('#swap');
      await day(page, 'Hoy').check();
      if (!script) await page.click('button[type=submit]');
      await page.waitForSelector('#result');
      expect(await page.inputValue('#amount')).toBe('1.500');
      expect(await page.locator('.meant').count()).toBe(0);
    },
  );

  test('a date that is chosen before the script is there leaves the amount of the address as it is', async () => {
    const { page } = await open('about:blank', { ownPage: true });
    let proceed = () => {};
    const held = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    await page.route('**/assets/board*.js', (route) => held.then(() => route.continue()));
    await page.goto(`${board().url}/?amount=1500&from=USD&via=reference&date=2026-11-17`, {
      waitUntil: 'commit',
    });
    await page.fill('#date', '2026-11-15');
    proceed();
    await page.waitForSelector('#copy:not([hidden])');
    await expect.poll(() => page.innerText('#result')).toBe('1.173.000,00');
    expect(await page.locator('.meant').count()).toBe(0);
  });

  test('on paper a day without banks has the figure of the other rule too', async () => {
    for (const [rule, other] of [
      ['value_date', 'Hábil siguiente (785,0000)'],
      ['next_banking_day', 'La que regía (782,0000)'],
    ]) {
      const asked = `amount=20&from=USD&via=reference&date=2026-11-15&rule=${rule}`;
      const page = await opened(`/?${asked}`, { script: false });
      expect(await page.innerText('#conversion .quiet')).toContain('para el dom 15 nov 2026 · ');
      expect(await page.isVisible('.other-rule')).toBe(false);
      await page.emulateMedia({ media: 'print' });
      expect(await page.innerText('.other-rule')).toBe(`La otra opción: ${other}`);
    }
  });

  test.each([360, 320])(
    'the button that copied a link shows all of its word (%i px)',
    async (width) => {
      const page = await opened('/?amount=20&from=USD&via=reference', { width });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.click('#share');
      await expect.poll(() => page.innerText('#share')).toBe('Copiado');
      const sizes = () => page.$eval('#share', (one) => [one.scrollWidth, one.clientWidth]);
      const [needed = 0, given = 0] = await sizes();
      expect(needed).toBeLessThanOrEqual(given);
    },
  );

  test.each([true, false])(
    'a market that nobody knows is not shown as one, on any day (script: %s)',
    async (script) => {
      for (const asked of ['', '&date=2026-11-17']) {
        const page = await opened(`/?amount=20&via=usdt${asked}`, { script });
        expect(await page.innerText('#amount-problem')).toBe('No conocemos ese mercado.');
        const chosen = () =>
          page.$eval('#via-market', (one: HTMLSelectElement) => one.selectedOptions[0]?.text);
        expect(await chosen()).toBe('Elija un mercado');
        expect(await page.inputValue('#other')).toBe('');
      }
    },
  );

  test('a market of the catalogue without a rate is not called unknown', async () => {
    const page = await opened('/?amount=20&via=bybit');
    expect(await page.innerText('#amount-problem')).toBe('No hay tasa de ese mercado.');
  });

  test('a page without scripts converts again after a day that is out of range', async () => {
    const page = await opened('/?amount=100&from=USD&via=reference&date=2019-01-15', {
      script: false,
    });
    await day(page, 'Hoy').check();
    await page.click('button[type=submit]');
    expect(await page.innerText('#result')).toBe('80.050,00');
  });

  test.each([
    ['abc', 'No entendemos ese monto'],
    ['', ''],
    ['-5', 'debe ser mayor que cero'],
  ])('after the amount "%s" a reload opens no other conversion', async (amount, problem) => {
    const page = await opened('/');
    await page.fill('#amount', '20');
    await expect.poll(() => query(page)).toContain('amount=20');
    await page.fill('#amount', amount);
    await expect.poll(() => query(page)).toContain(`amount=${amount}&`);
    await page.reload();
    expect(await page.inputValue('#amount')).toBe(amount);
    expect(await page.inputValue('#other')).toBe('');
    expect(await page.innerText('#amount-problem')).toContain(problem);
  });

  test('after a day without a rate a reload opens no other conversion', async () => {
    const page = await opened('/?amount=20&from=USD&via=reference');
    await day(page, 'Otra fecha').check();
    await page.fill('#date', '2026-12-24');
    await expect.poll(() => query(page)).toContain('date=2026-12-24');
    await page.reload();
    expect(await page.innerText('#amount-problem')).toContain('Esa fecha aún no llega');
    expect(await page.inputValue('#other')).toBe('');
  });

  test.each([true, false])(
    'the next banking day says what is known of its publication, a later day does not (script: %s)',
    async (script) => {
      for (const [date, isNext] of [
        ['2026-11-24', true],
        ['2026-11-25', false],
      ] as const) {
        const page = await opened(`/?amount=20&date=${date}`, { script });
        const problem = await page.innerText('#amount-problem');
        expect(problem).toContain('Esa fecha aún no llega');
        expect([date, problem]).toEqual([
          date,
          expect.stringMatching(isNext ? /todavía\. Aún no la hemos recibido\.$/ : /todavía\.$/),
        ]);
      }
    },
  );

  test.each([true, false])(
    'another day has no result before it is chosen (script: %s)',
    async (script) => {
      const page = await opened('/', { script });
      await day(page, 'Otra fecha').check();
      if (!script) await page.click('button[type=submit]');
      expect(await page.innerText('#conversion')).toBe('Elija una fecha');
      expect([await page.inputValue('#other'), await page.innerText('#amount-problem')]).toEqual([
        '',
        '',
      ]);
      expect(await page.isVisible('#date')).toBe(true);
    },
  );

  test('a tap on another day opens the calendar, and the arrow keys pass by', async () => {
    const page = await opened('/');
    await page.evaluate(() => {
      HTMLInputElement.prototype.showPicker = function () {
        this.dataset['picked'] = String(this.checkVisibility());
      };
    });
    const picked = () => page.getAttribute('#date', 'data-picked');
    await page.focus('input[name=day][value=""]');
    await page.keyboard.press('ArrowLeft');
    expect([await page.isVisible('#date'), await picked()]).toEqual([true, null]);
    await day(page, 'Hoy').check();
    await page.getByText('Otra fecha').click();
    await expect.poll(picked).toBe('true');
  });

  test('an amount keeps its value and its marks after a reload, whatever is chosen then', async () => {
    const page = await opened('/');
    await page.fill('#amount', '1.234,56');
    await expect.poll(() => query(page)).toContain('amount=1234.56');
    await page.reload();
    await page.waitForSelector('#copy:not([hidden])');
    expect(await page.inputValue('#amount')).toBe('1.234,56');
    // In an address it is one and a bit, also after another market is chosen.
    await page.goto(`${board().url}/?amount=1.012&from=USD&via=reference`);
    await page.waitForSelector('#copy:not([hidden])');
    await page.check('input[name=via][value=parallel]');
    expect(await page.inputValue('#other')).toBe('1.024,50');
  });

  test('euros of an address without a market stay euros', async () => {
    const page = await opened('/?amount=50&from=EUR');
    await page.fill('#amount', '100');
    expect(await page.inputValue('#other')).toBe('87.189,44');
    await page.fill('#other', '87189,44');
    expect(await page.inputValue('#amount')).toBe('100,00');
  });

  test.each([true, false])(
    'thousands in words or with an apostrophe count, and two meanings are asked for (script: %s)',
    async (script) => {
      const page = await opened('/', { script });
      const type = async (amount: string) => {
        await page.fill('#amount', amount);
        if (!script) await page.click('button[type=submit]');
      };
      for (const [amount, result] of [
        ['20 mil', '16.010.000,00'],
        ['1’500', '1.200.750,00'],
      ] as const) {
        await type(amount);
        expect([amount, await page.inputValue('#other')]).toEqual([amount, result]);
        expect(await page.locator('.meant').count()).toBe(0);
      }
      await type('1,500 mil');
      expect(await page.innerText('.formula')).toContain('1.500,00\u00a0USD ×');
      const [link] = await page.locator('.meant a').all();
      expect(await link?.innerText()).toBe('¿Quiso decir 1.500.000,00?');
      await link?.click();
      await expect.poll(() => page.inputValue('#other')).toBe('1.200.750.000,00');
      await type('2 mil Bs.');
      expect(await page.inputValue('#other')).toBe('2,50');
    },
  );

  test('a currency beside an amount counts as long as it stands there', async () => {
    const page = await opened('/');
    const currency = () => page.innerText('#amount-currency');
    await page.focus('#amount');
    await page.keyboard.type('Bs. 500');
    expect(await currency()).toBe('Bs.');
    await page.fill('#amount', '');
    expect(await currency()).toBe('USD');
    await page.fill('#amount', '20');
    expect(await page.inputValue('#other')).toBe('16.010,00');
    // It can be swapped too.
    await page.fill('#amount', 'Bs. 500');
    await page.click('#swap');
    expect([await currency(), await page.inputValue('#amount')]).toEqual(['USD', '500']);
    await page.click('#swap');
    expect([await currency(), await page.inputValue('#other')]).toEqual(['Bs.', '0,625']);
    // The API has two decimals: the page says its figure too.
    expect(await page.innerText('#conversion .both')).toBe('La API redondea a 0,62\u00a0USD.');
    await page.fill('#amount', 'Bs. 800,5');
    await expect.poll(() => page.inputValue('#other')).toBe('1,00');
    expect(await page.locator('#conversion .both').count()).toBe(0);
  });

  test('what one unit gives by a rate is written as the rate is on the cards', async () => {
    const page = await opened('/');
    const shown = page.locator('.segments label', { hasText: 'Paralelo' }).first();
    expect(await shown.innerText()).toContain('1.012,3500');
    expect(await page.innerText('#market')).toContain('1.012,3500');
    await page.fill('#amount', '2');
    await expect.poll(() => shown.innerText()).toContain('2.024,70');
  });

  test('each rate has what the same amount gives by it, whole on a phone, in one currency', async () => {
    const page = await opened('/?amount=943000.55&from=USD&via=reference', { width: 320 });
    const results = () =>
      page.$$eval('label:has([name=via])', (all) =>
        all.map((one) => one.querySelector('small')?.textContent ?? ''),
      );
    // The average is 942.62.
    expect(await results()).toEqual([
      ...['754.871.940', '954.646.607', '943.000.550', '888.891.178', '', ''],
    ]);
    const cut = await page.$$eval('label:has([name=via])', (all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
    expect(cut).toEqual([]);
    await page.fill('#amount', '999999999999');
    await expect.poll(async () => (await results())[1]).toBe('');
    await page.fill('#amount', '9999999999');
    await expect.poll(async () => (await results())[1]).toBe('10.123.500\u00a0M');
    await page.fill('#other', '1000');
    await expect.poll(results).toEqual(['1,25', '0,988', '1,00', '1,06', '', '']);
    // A euro is no price of a dollar.
    await page.check('[name=via][value=eur_reference]');
    await expect.poll(results).toEqual(['', '', '', '', '1,15', '']);
    await page.fill('#amount', 'x');
    await expect.poll(results).toEqual(['', '', '', '', '', '']);
  });

  test('a card converts the amount by its current rate', async () => {
    const page = await opened('/?amount=20&from=USD&via=reference&date=2026-11-17');
    await page.getByRole('link', { name: 'Convertir con esta tasa: USDT (P2P)' }).click();
    await expect.poll(() => page.innerText('#result')).toBe('20.000,00');
    expect(await day(page, 'Hoy').isChecked()).toBe(true);
    expect(await page.isChecked('[name=via][value=p2p_median]')).toBe(true);
    await expect.poll(() => page.url()).toMatch(/via=p2p_median.*#converter$/);
    // It is a price of USDT, however it was chosen.
    expect(await page.innerText('#amount-currency')).toBe('USDT');
    expect(await page.innerText('.formula')).toContain('20\u00a0USDT × ');
    expect(await page.getAttribute('#amount', 'aria-label')).toBe('Monto en USDT');
    // The whole card is its link.
    await page
      .locator('.stat', { hasText: 'Brecha' })
      .locator('.curve, .quiet')
      .last()
      .click({ force: true });
    await expect.poll(() => new URL(page.url()).hash).toBe('#history');
  });

  test('a year that is being typed is no date before the history', async () => {
    const page = await opened('/?amount=20&from=USD&via=reference&date=2026-11-17');
    for (const date of ['0002-11-18', '0020-11-18', '0202-11-18']) {
      await page.fill('#date', date);
      expect(await page.innerText('#amount-problem')).toBe('');
      expect(await page.inputValue('#date')).toBe(date);
    }
    await page.fill('#date', '2026-11-18');
    await expect.poll(() => page.innerText('.formula + *')).toContain('18 nov');
    await page.fill('#date', '1999-11-18');
    await expect
      .poll(() => page.innerText('#amount-problem'))
      .toContain('Aquí no hay tasas de antes del');
  });

  test('what is known of today only cannot be chosen for another day, and says so', async () => {
    const page = await opened('/?amount=20&from=USD&via=reference&date=2026-11-17');
    expect(await page.isDisabled('[name=via][value=p2p_median]')).toBe(false);
    expect(await page.isDisabled('[name=via][value=index]')).toBe(true);
    expect(await page.innerText('.note')).toBe('Promedio: solo para hoy.');
    await day(page, 'Hoy').check();
    expect(await page.locator('.note').count()).toBe(0);
    const plain = await opened('/?amount=20&from=USD&via=index&date=2026-11-17', {
      script: false,
    });
    const problem = () => plain.innerText('#amount-problem');
    expect(await problem()).toContain('solo tenemos la tasa de hoy');
    // The form must not convert by another market instead.
    await plain.click('button[type=submit]');
    expect(await problem()).toContain('solo tenemos la tasa de hoy');
  });

  test.each([1280, 768, 360, 320])(
    'no chosen day moves what is below it (%i px)',
    async (width) => {
      const page = await opened('/', { width });
      const place = () => page.$eval('#share', (one) => one.getBoundingClientRect().top + scrollY);
      await day(page, 'Otra fecha').check();
      const before = await place();
      for (const date of ['2026-11-17', '2026-11-15', '2025-01-01', '2026-11-15']) {
        await page.fill('#date', date);
        await expect.poll(() => page.innerText('.says')).toMatch(/17 nov|13 nov|Aquí no hay tasas/);
        expect([date, await place()]).toEqual([date, before]);
      }
      const rate = page.locator('#conversion .rate');
      await page.fill('#date', '2026-11-15');
      await rate.waitFor();
      expect(await page.innerText('#conversion .quiet')).toBe(
        'BCV, dólar · para el dom 15 nov 2026 · rige la del vie 13 nov 2026',
      );
      expect(await page.locator('.rules legend').isVisible()).toBe(true);
      expect(await page.innerText('.rules legend')).toBe('Los bancos no trabajaron ese día');
      await page.getByRole('radio', { name: 'Hábil siguiente' }).check();
      await expect.poll(() => page.innerText('.says')).toContain('la del día hábil siguiente');
      expect(await place()).toBe(before);
      await page.getByRole('radio', { name: 'La que regía' }).check();
      const [size, weight] = await rate.evaluate((one) => {
        const { fontSize, fontWeight } = getComputedStyle(one);
        return [Number.parseFloat(fontSize), Number(fontWeight)];
      });
      expect(size).toBeGreaterThanOrEqual(20);
      expect(weight).toBeGreaterThanOrEqual(600);
    },
  );

  test('on the narrowest phone no usual amount is cut off', async () => {
    const page = await opened('/?amount=20&from=USD&via=reference', { width: 320 });
    const cut = await page.$$eval('.field input', (all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1).map(({ id }) => id),
    );
    expect(cut).toEqual([]);
  });

  test('tells in one line, and at once, that the network is gone', async () => {
    const page = await opened('/', { width: 360, ownPage: true });
    await page.context().setOffline(true);
    await expect
      // Before the page asks for figures again.
      .poll(() => page.innerText('#cut-off'), { timeout: 20_000 })
      .toBe('Sin conexión · cifras de las 08:00');
    const { height = 0 } = (await page.locator('#cut-off').boundingBox()) ?? {};
    expect(height).toBeLessThan(48);
    await page.context().setOffline(false);
    await expect.poll(() => page.innerText('#cut-off')).toBe('');
  });
});
