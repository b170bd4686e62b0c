import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser, sidewaysOverflow } from '../../../../../test/harness/browser.ts';
import { catalogueWith } from '../../../../../test/harness/catalogue.ts';
import {
  bankTable,
  fullMarket,
  iso,
  official,
  P2P,
  quote,
} from '../../../../../test/harness/make.ts';
import { freePort } from '../../../../../test/harness/ports.ts';
import {
  START,
  sharedService,
  startTestService,
  type TestService,
  temporaryDir,
} from '../../../../../test/harness/service.ts';
import { caracasTimeOf, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../core/domain/time.ts';
import { momentText } from '../../frame/format.ts';

/** The board as a merchant and an accountant use it. */

const BANKS = bankTable('2026-11-20', [
  { bank: 'Banesco', buy: 799.1, sell: 801.9, date: '2026-11-20' },
  { bank: 'Otro banco', buy: 798.5, sell: 802.25, date: '2026-11-18' },
]);

/** A day of every market, a rate to come, the table of banks and two weeks of the past. */
async function fullBoard(service: TestService): Promise<void> {
  for (let day = 14; day >= 1; day -= 1) {
    const at = iso(START - day * DAY_MS);
    const past = { updated_at: at, captured_at: at };
    await service.push(
      official(at.slice(0, 10), { USD: 790 - day, EUR: 900 - day }, { captured_at: at }),
      quote('parallel', 860 - day, past),
    );
  }
  await service.push(
    ...fullMarket(),
    BANKS,
    official('2026-11-23', { USD: 805.75, EUR: 925.5 }),
    quote('parallel', 1012.35),
  );
}

/** A board of its own, for a test that changes figures or clock. */
async function ownBoard(): Promise<TestService> {
  const service = await startTestService();
  await fullBoard(service);
  return service;
}

/** Sum of the parts of `rgb(…)`. */
function brightness(colour: string): number {
  return (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);
}

/** Chooses the rate of another date, as the segment of the days opens its field. */
async function chooseDate(page: Page, date: string): Promise<void> {
  await page.check('input[name=day][value=other]');
  await page.fill('#date', date);
}

/** Runs on the page. */
async function hasKeptScript(): Promise<boolean> {
  const kept = await (await caches.open('vesfx-board')).keys();
  return kept.some(({ url }) => url.includes('/assets/board-') && url.endsWith('.js'));
}

describeInBrowser('the board', (open) => {
  const board = sharedService(fullBoard);

  test('shows official, parallel, P2P, index and premium, with value date, age and source', async () => {
    const { url } = board();
    const { page, expectQuiet } = await open(url);
    const text = (await page.innerText('main')).replaceAll('\u00a0', ' ');
    for (const shown of [
      '800,5000',
      'Hoy, sábado 21 nov 2026 · rige la del viernes 20',
      '805,7500',
      'Lunes 23',
      'Usted compra a',
      'Usted vende a',
      '1.012,3500',
      '+26,46 %',
      'Banco Central de Venezuela',
      'Banesco',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('Efectivo');
    expectQuiet();
  });

  test('figures are the largest text of their cards', async () => {
    const { url } = board();
    const { page } = await open(url);
    // In one step, because the board replaces cards that were found just before.
    const sizes = (selector: string) =>
      page.evaluate(
        (wanted) =>
          [...document.querySelectorAll(wanted)].map((one) =>
            Number.parseFloat(getComputedStyle(one).fontSize),
          ),
        selector,
      );
    const around = Math.max(...(await sizes('.stat p, #official p')));
    const figures = await sizes('#official .big, #market .medium');
    expect(figures).toHaveLength(5);
    expect(Math.min(...figures)).toBeGreaterThan(1.4 * around);
  });

  test('is complete without scripts, and converts by a form', async () => {
    const { url } = board();
    const { page, expectQuiet } = await open(url, { script: false });
    expect(await page.innerText('#official')).toContain('800,5000');
    await page.fill('#amount', '1.234,5');
    await page.check('input[name=via][value=parallel]');
    await page.click('button[type=submit]');
    expect(await page.inputValue('#other')).toBe('1.249.746,08');
    expect(await page.isChecked('input[name=via][value=parallel]')).toBe(true);
    // The other way: the field below alone is changed.
    await page.fill('#other', '20.247,00');
    await page.click('button[type=submit]');
    expect(await page.innerText('#conversion')).toContain(
      'Bs.\u00a020.247,00 ÷ 1.012,3500 = 20,00\u00a0USD',
    );
    await page.fill('#amount', 'mil');
    await page.click('button[type=submit]');
    expect(await page.getAttribute('#amount', 'aria-invalid')).toBe('true');
    expect(await page.innerText('#amount-problem')).toContain('No entendemos ese monto');
    // A market without its own button is in the menu of the last one.
    await page.check('input[name=via][value=""]');
    await page.selectOption('#via-market', 'bitget');
    await page.fill('#amount', '2 $');
    await page.click('button[type=submit]');
    expect(await page.innerText('#conversion')).toContain('Bitget P2P');
    // The filter of the table needs no script either.
    const rows = () => page.locator('#market-rows .row:visible').count();
    const all = await rows();
    await page.check('input[name=kind][value=reference]');
    expect(await rows()).toBe(2);
    expect(all).toBeGreaterThan(2);
    expectQuiet();
  });

  test('contract §9: converts by the rate of a chosen day, with scripts or without', async () => {
    const service = board();
    const key = await service.keyFor('Inicio');
    // A Tuesday without a rate is reported. Without a day the page shows the current rate.
    const date = '2026-11-17';
    const { json } = await service.call(`/v1/fx/convert?from=USD&to=VES&amount=1&date=${date}`, {
      key,
    });
    const { page, expectQuiet } = await open(service.url, { language: 'en' });
    const text = () => page.innerText('#conversion');
    await chooseDate(page, date);
    await expect.poll(text).toContain('value date Tue 17 Nov 2026');
    expect(await text()).toContain(`${json.to.amount}`);
    await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe(date);
    await page.getByRole('radio', { name: 'Today' }).check();
    await expect.poll(text).toContain('800.50');
    expectQuiet();
    const plain = await open(service.url, { language: 'en', script: false });
    await chooseDate(plain.page, date);
    await plain.page.click('button[type=submit]');
    expect(await plain.page.innerText('#conversion')).toContain('value date Tue 17 Nov 2026');
    plain.expectQuiet();
  });

  test.each([
    ['es', 'Buscando la tasa de ese día', 'No se pudo cargar la tasa de ese día', 'vie 13 nov'],
    ['en', 'Looking up the rate of that day', 'could not be loaded', 'Fri 13 Nov'],
  ] as const)(
    'while the rate of a day is loading or fails to load, no other rate is in its place (%s)',
    async (language, loading, failed, shown) => {
      const { url } = board();
      const { page } = await open(url, { language });
      await page.waitForSelector('#copy:not([hidden])');
      const answers: (() => void)[] = [];
      await page.route('**/board/rates.json*', async (route) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const isFirst = answers.push(resolve) === 1;
        await promise;
        await (isFirst ? route.abort() : route.continue());
      });
      const text = () => page.innerText('#conversion');
      await chooseDate(page, '2026-11-13');
      await expect.poll(text).toContain(loading);
      expect(await page.inputValue('#other')).toBe('');
      await expect.poll(() => answers.length).toBe(1);
      answers[0]?.();
      await expect.poll(() => page.innerText('#amount-problem')).toContain(failed);
      expect([await page.inputValue('#other'), await text()]).toEqual(['', '']);
      // The next change asks again.
      await page.fill('#amount', '2');
      await expect.poll(() => answers.length).toBe(2);
      answers[1]?.();
      await expect.poll(text).toContain(shown);
      expect(await page.innerText('#amount-problem')).toBe('');
      expect(await page.inputValue('#other')).not.toBe('');
    },
  );

  test('a day chosen before the first figures keeps the amount', async () => {
    const { url } = board();
    const { page } = await open('about:blank');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/board.json', async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`${url}/?amount=2`);
    await chooseDate(page, '2026-11-13');
    resolve();
    await expect.poll(() => page.innerText('#conversion')).toContain('vie 13 nov 2026');
    expect(await page.inputValue('#amount')).toBe('2');
    expect(await page.innerText('#amount-problem')).toBe('');
  });

  test('a page left open over midnight offers the new day', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 800.5 }));
    const { page } = await open(service.url);
    expect(await page.getAttribute('#date', 'max')).toBe('2026-11-21');
    service.clock.advance(DAY_MS);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => page.getAttribute('#date', 'max')).toBe('2026-11-22');
  });

  test('contract §9: another date ends with the newest value date, for other markets with today', async () => {
    const { page } = await open(board().url);
    const last = () => page.getAttribute('#date', 'max');
    expect(await last()).toBe('2026-11-23');
    await chooseDate(page, '2026-11-22');
    await expect.poll(() => page.inputValue('#other')).not.toBe('');
    await page.check('input[name=via][value=parallel]');
    await expect.poll(last).toBe('2026-11-21');
  });

  test('contract §1: the next rate is in force from midnight, without a connection too', async () => {
    const service = await ownBoard();
    const { page } = await open(service.url, { serviceWorker: true, ownPage: true });
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    await page.waitForSelector('#copy:not([hidden])');
    const midnight = Date.parse('2026-11-23T04:00:00Z');
    const official = () => page.innerText('#official .big');
    await page.context().setOffline(true);
    await page.clock.setSystemTime(midnight - MINUTE_MS);
    await page.goto(`${service.url}/?amount=2`);
    await expect.poll(() => page.innerText('#cut-off')).toContain('Sin conexión');
    expect(await official()).toBe('800,5000');
    // The page stays open over midnight.
    await page.clock.setSystemTime(midnight);
    await expect.poll(official).toBe('805,7500');
    expect(await page.innerText('#official')).toContain('925,5000');
    expect(await page.innerText('#official')).toContain('No se sabe sin conexión');
    expect(await page.inputValue('#other')).toBe('1.611,50');
    expect(await page.innerText('#market-rows')).toContain('805,7500');
    // It is opened after midnight.
    await page.goto(`${service.url}/`);
    await expect.poll(official).toBe('805,7500');
    expect(await page.innerText('#cut-off')).toContain('Sin conexión');
    // With a connection it does not wait for the next answer either.
    await page.context().setOffline(false);
    service.clock.set(midnight - MINUTE_MS);
    await page.clock.setSystemTime(midnight - MINUTE_MS);
    await page.goto(`${service.url}/`);
    await page.waitForSelector('#copy:not([hidden])');
    expect(await official()).toBe('800,5000');
    await page.route('**/board.json', (route) => route.abort());
    await page.clock.setSystemTime(midnight);
    await expect.poll(official).toBe('805,7500');
  });

  test('without a connection the quotes that become stale are counted by the clock of the page', async () => {
    const service = await startTestService();
    await service.push(
      official('2026-11-20', { USD: 800.5 }),
      ...P2P.map((market, place) => {
        const age = place < 2 ? 10 * MINUTE_MS : 0;
        return quote(market, 850 + place, { updated_at: iso(START - age) });
      }),
    );
    const { page } = await open(service.url, { ownPage: true });
    await page.clock.setSystemTime(START);
    await page.goto(service.url);
    await page.waitForSelector('#copy:not([hidden])');
    const cards = () => page.innerText('#market');
    expect(await page.innerText('#official')).not.toContain('No se sabe');
    expect(await cards()).toContain('mediana de 7');
    await page.route('**/board.json', (route) => route.abort());
    await page.clock.setSystemTime(START + 10 * MINUTE_MS);
    await expect.poll(cards).toContain('mediana de 7 · 2 desactualizadas');
    await page.clock.setSystemTime(START + 11 * HOUR_MS);
    await expect.poll(cards).not.toContain('desactualizadas');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => page.innerText('#official')).toContain('No se sabe sin conexión');
  });

  test('a market that does not exist never converts, with scripts or without', async () => {
    const { url } = board();
    const address = `${url}/?amount=20&from=USD&via=xyz`;
    const plain = await open(address, { script: false });
    const told = await plain.page.innerText('#amount-problem');
    expect(told).not.toBe('');
    expect(await plain.page.inputValue('#other')).toBe('');
    const { page } = await open(address);
    const answered = page.waitForResponse('**/board.json');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await answered;
    await page.fill('#amount', '21');
    await expect.poll(() => page.innerText('#amount-problem')).toBe(told);
    expect(await page.inputValue('#other')).toBe('');
    expect(await page.innerText('#conversion')).toBe('');
    expect(await page.inputValue('#via-market')).toBe('xyz');
    await page.selectOption('#via-market', 'binance');
    await expect.poll(() => page.inputValue('#other')).not.toBe('');
    expect(await page.innerText('#amount-problem')).toBe('');
  });

  test('contract §9: converts by either rule on a day without banks, with scripts or without', async () => {
    const { url } = board();
    // A Saturday with its own rate, before a Monday with another.
    const date = '2026-11-14';
    for (const script of [true, false]) {
      const { page, expectQuiet } = await open(url, { language: 'en', script });
      const submit = async () => {
        if (!script) await page.click('button[type=submit]');
      };
      const text = () => page.innerText('#conversion');
      await chooseDate(page, date);
      // Only the service knows which days are closed; without scripts it has to be asked first.
      await submit();
      const rules = page.getByRole('group', { name: 'Banks were closed' });
      await expect.poll(() => rules.innerText()).toMatch(/783\.0000[\s\S]*785\.0000/);
      await rules.getByRole('radio', { name: 'Next business day' }).check();
      await submit();
      await expect.poll(text).toContain('785');
      expect(await text()).toContain('next business day, Mon 16 Nov 2026');
      if (script) expect(await axeFindings(page)).toEqual([]);
      await rules.getByRole('radio', { name: 'In force' }).check();
      await submit();
      await expect.poll(text).toContain('value date Sat 14 Nov 2026');
      expect(await text()).toContain('783');
      // Other markets have no value dates to choose from.
      await page.check('input[name=via][value=parallel]');
      await submit();
      await expect.poll(text).toContain('last reading of Sat 14 Nov 2026');
      expect(await page.isVisible('.rules')).toBe(false);
      expectQuiet();
    }
  });

  test('the address keeps the rule for a day without banks', async () => {
    const { url } = board();
    const { page } = await open(`${url}/?amount=2&date=2026-11-14&rule=next_banking_day&lang=en`);
    expect(await page.innerText('#result')).toBe('1,570.00');
    expect(await page.isChecked('.rules [value=next_banking_day]')).toBe(true);
    await page.fill('#amount', '3');
    // The result is back once the rates of that day are.
    await page.locator('#result').getByText('2,355.00').waitFor();
    expect(await page.innerText('#result')).toBe('2,355.00');
    await expect.poll(() => new URL(page.url()).searchParams.get('rule')).toBe('next_banking_day');
    // Without a day there is nothing to choose.
    await page.getByRole('radio', { name: 'Today' }).check();
    await expect.poll(() => page.innerText('#result')).toBe('2,401.50');
    expect(await page.isVisible('.rules')).toBe(false);
    await expect.poll(() => new URL(page.url()).searchParams.has('rule')).toBe(false);
  });

  test('converts in both directions while typing, equal to the API to the digit', async () => {
    const service = board();
    const key = await service.keyFor('Gratis');
    const { page, expectQuiet } = await open(service.url, { language: 'en' });
    const value = async (field: string) => (await page.inputValue(field)).replaceAll(',', '');
    for (const [from, via, amount] of [
      ['USD', 'parallel', '125.5'],
      ['VES', 'parallel', '100000'],
      ['VES', 'bitget', '99999.99'],
      ['EUR', 'eur_reference', '0.01'],
    ] as const) {
      if (via === 'bitget') {
        await page.check('input[name=via][value=""]');
        await page.selectOption('#via-market', via);
      } else {
        await page.check(`input[name=via][value=${via}]`);
      }
      const [typed, other] = from === 'VES' ? ['#other', '#amount'] : ['#amount', '#other'];
      await page.fill(typed, amount);
      const to = from === 'VES' ? 'USD' : 'VES';
      const { json } = await service.call(
        `/v1/fx/convert?from=${from}&to=${to}&amount=${amount}&via=${via}`,
        { key },
      );
      await expect.poll(() => value(other)).toBe(json.to.amount.toFixed(2));
      expect(await page.inputValue(typed)).toBe(amount);
      expect(await page.innerText('#conversion .formula')).toContain(from === 'VES' ? '÷' : '×');
    }
    await page.fill('#amount', '10');
    await page.click('#swap');
    expect(await page.innerText('#amount-currency')).toBe('Bs.');
    expect(await page.getAttribute('#amount', 'aria-label')).toBe('Amount in Bolívares');
    expect(await page.innerText('#conversion .formula')).toContain('÷');
    expectQuiet();
  });

  test('typing into a field replaces its value', async () => {
    const { url } = board();
    const { page } = await open(url);
    await page.waitForSelector('#copy:not([hidden])');
    for (const field of ['#amount', '#other']) {
      await page.click(field);
      await page.keyboard.type('50');
      expect(await page.inputValue(field)).toBe('50');
    }
  });

  test('the page says how it read an ambiguous amount', async () => {
    const { url } = board();
    const { page } = await open(url, { language: 'es' });
    await page.fill('#amount', '1.012');
    await expect
      .poll(() => page.innerText('#conversion'))
      .toMatch(/^1\.012,00.USD × [\s\S]*BCV, dólar · [\s\S]*¿Quiso decir 1,012, con decimales\?$/);
    await page.getByRole('link', { name: '¿Quiso decir 1,012, con decimales?' }).click();
    await expect.poll(() => page.innerText('#result')).toBe('810,11');
    await expect.poll(() => new URL(page.url()).searchParams.get('amount')).toBe('1.012');
    // A currency that was typed beside it stays.
    await page.fill('#amount', '1.012 €');
    await page.getByRole('link', { name: '¿Quiso decir 1,012, con decimales?' }).click();
    await expect.poll(() => page.innerText('#amount-currency')).toBe('EUR');
    expect(await page.innerText('.formula')).toContain('1,012\u00a0EUR');
    await page.fill('#amount', 'mil');
    await expect.poll(() => page.innerText('#amount-problem')).toContain('No entendemos ese monto');
    expect(await page.getAttribute('#amount', 'aria-invalid')).toBe('true');
    await page.fill('#amount', '20');
    expect(await page.getAttribute('#amount', 'aria-invalid')).toBe(null);
  });

  test.each(['es', 'en'] as const)(
    'on a phone no input of the converter is cut off (%s)',
    async (language) => {
      const { url } = board();
      const { page } = await open(url, { language });
      await chooseDate(page, '2026-11-15');
      await page.waitForSelector('.rules:visible');
      for (const width of [320, 360]) {
        await page.setViewportSize({ width, height: 780 });
        const cut = await page.$$eval(
          '#converter :is(input:not([type=hidden]), select)',
          (inputs) => {
            const most = document.querySelector('#converter')?.getBoundingClientRect().right ?? 0;
            return inputs
              .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > most)
              .map(({ id }) => id);
          },
        );
        expect(cut, `${width} px`).toEqual([]);
      }
    },
  );

  test.each([true, false])(
    'a day without a rate is a fault of the day, not of the amount (script: %s)',
    async (script) => {
      const { url } = board();
      const { page } = await open(url, { script });
      await chooseDate(page, '2026-10-15');
      if (!script) await page.click('button[type=submit]');
      await expect
        .poll(() => page.innerText('#amount-problem'))
        .toContain('No tenemos tasa de ese mercado para ese día');
      const invalid = (id: string) => page.getAttribute(`#${id}`, 'aria-invalid');
      expect([await invalid('date'), await invalid('amount')]).toEqual(['true', null]);
      if (!script) return;
      await page.fill('#date', '');
      await expect.poll(() => invalid('date')).toBe(null);
    },
  );

  test('a shared address means the same in the other language', async () => {
    const { url } = board();
    const { page } = await open(url);
    await page.check('input[name=via][value=parallel]');
    await page.fill('#amount', '125,5');
    await expect.poll(() => new URL(page.url()).search).toBe('?amount=125.5&from=USD&via=parallel');
    const shared = await open(page.url(), { language: 'en', script: false });
    expect(await shared.page.innerText('#result')).toBe('127,049.93');
    expect(await page.innerText('#result')).toBe('127.049,93');
    expect(await page.getAttribute('#share', 'href')).toBe(
      '/?amount=125.5&from=USD&via=parallel#converter',
    );
  });

  test('a click copies the result', async () => {
    const { url } = board();
    const { page } = await open(`${url}/?amount=125.5&from=USD&via=parallel`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#copy');
    await expect.poll(() => page.innerText('#copy')).toBe('Copiado');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await page.innerText('#result'),
    );
    // The notice about the ambiguous amount disappears.
    await expect.poll(() => page.innerText('#copy')).toBe('Copiar monto');
  });

  test('on paper the figures are dark on white, without controls for the screen', async () => {
    const { url } = board();
    const { page } = await open(url, { theme: 'dark' });
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    const colours = () =>
      page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        return { color, backgroundColor };
      });
    const onScreen = await colours();
    await page.emulateMedia({ media: 'print' });
    const onPaper = await colours();
    const [ink, paper] = [onPaper.color, onPaper.backgroundColor].map(brightness);
    expect(ink).toBeLessThan(100);
    expect(paper).toBeGreaterThan(700);
    expect(brightness(onScreen.backgroundColor)).toBeLessThan(100);
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    for (const figures of [
      ...['h1', '.official', '.curve-steps', '#conversion', '.stat', '.markets', '#banks table'],
    ]) {
      expect([figures, await isShown(figures)]).toEqual([figures, true]);
    }
    for (const control of ['.top', '.pair', '.acts', '#converter .segments', '.history', '.band']) {
      expect([control, await isShown(control)]).toEqual([control, false]);
    }
  });

  test('shows the other currencies of the central bank: the rate in force with its day, and the next one', async () => {
    const service = await ownBoard();
    await service.push(
      official('2026-11-23', { USD: 805.75, EUR: 925.5, CNY: 111.25, TRY: 19.6, RUB: 9.8765 }),
    );
    const { page, expectQuiet } = await open(service.url, { language: 'es' });
    const rows = () =>
      page
        .locator('#currencies tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [...row.children].map(({ textContent }) => textContent?.trim() ?? '')),
        );
    expect((await rows()).map(([name, now, , next]) => [name, now, next])).toEqual([
      ['Yuan CNY', '110,1000viernes 20', '111,2500lunes 23'],
      ['Lira turca TRY', '19,5000viernes 20', '19,6000lunes 23'],
      ['Rublo RUB', '9,9000viernes 20', '9,8765lunes 23'],
    ]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysOverflow(page)).toBe(0);
    expectQuiet();
  });

  test('paper has the time of each figure, because its age ends with the screen', async () => {
    const { url } = board();
    const { page } = await open(url);
    const card = () => page.locator('.stat .age').first().innerText();
    expect(await card()).toMatch(/\s(?:s|min|h|días)$/);
    await page.emulateMedia({ media: 'print' });
    expect(await card()).toBe('21/11/2026 08:00');
  });

  test('an age is heard with its word, also where only its figure is seen', async () => {
    const { url } = board();
    for (const [language, heard] of [
      ['es', /^hace\s+\d+\s(?:s|min|h|días)$/],
      ['en', /^\d+\s(?:s|min|h|days)\s+ago$/],
    ] as const) {
      const { page } = await open(url, { language });
      const ages = await page.locator('.fresh .age .ago').allTextContents();
      expect(ages.length).toBeGreaterThan(8);
      for (const age of ages) expect(age.replaceAll('\u00a0', ' ')).toMatch(heard);
    }
  });

  test('the first line says what day it is, whether banks are closed, and which rate rules', async () => {
    const service = await ownBoard();
    const { page } = await open(service.url);
    // Until the first answer the page counts by the clock of the device.
    const eyebrow = () => page.innerText('.eyebrow');
    await expect.poll(eyebrow).toBe('Hoy, sábado 21 nov 2026 · rige la del viernes 20');
    // The rate of Monday is in force on it, although banks are closed.
    service.clock.set(Date.parse('2026-11-23T12:00:00Z'));
    await page.reload();
    await expect
      .poll(eyebrow)
      .toContain('Hoy, lunes 23 nov 2026 · feriado bancario · rige desde hoy');
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    await page.reload();
    await expect.poll(eyebrow).toContain('Hoy, martes 24 nov 2026 · sin la tasa de hoy');
    expect(await page.innerText('.next')).toContain('Mañana, miércoles 25');
    // Until it is published nobody converts by it.
    expect(await page.getByRole('radio', { name: 'Mañana 25' }).isDisabled()).toBe(true);
  });

  test('the next day has one rate, and no room for a choice between two', async () => {
    const { page } = await open((await ownBoard()).url);
    await page.getByRole('radio', { name: 'Lunes 23' }).check();
    await page.locator('.says.dated').waitFor();
    const empty = await page.$eval('.says', (one) => {
      const told = one.querySelector('#conversion')?.getBoundingClientRect();
      return one.getBoundingClientRect().bottom - (told?.bottom ?? 0);
    });
    expect(empty).toBeLessThan(40);
  });

  test('says until when the next rate is expected, as the status page does', async () => {
    const service = await startTestService();
    service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
    await service.push(official('2026-11-24', { USD: 810 }));
    const { page } = await open(service.url);
    // Until the first answer the page counts by the clock of the device.
    const next = () => page.innerText('.next');
    await expect.poll(next).toContain('Se espera antes de las 19:30');
    await page.goto(`${service.url}/status`);
    expect(await page.innerText('.now')).toContain('a más tardar hoy a las 19:30');
    service.clock.advance(12 * HOUR_MS);
    await page.goto(service.url);
    await expect.poll(next).toContain('Aún no la hemos recibido');
  });

  test('the curve of the official dollar has each day of the month, without a hole', async () => {
    const { url } = board();
    const { page } = await open(url, { script: false });
    const curve = page.getByRole('img', { name: 'Tasa oficial de los últimos 14 días' });
    expect(await curve.getAttribute('aria-label')).toBe(
      'Tasa oficial de los últimos 14 días: de 776,0000 a 800,5000 hoy, y 805,7500 desde el lunes 23',
    );
    const [solid, coming] = await curve
      .locator('.line')
      .evaluateAll((lines) => lines.map((one) => one.getAttribute('d') ?? ''));
    // One line from the left edge in steps, and from its end to the right edge.
    expect(solid).toMatch(/^M0 [\d.]+(?:H[\d.]+V[\d.]+)+H[\d.]+$/);
    const end = solid?.split('H').at(-1);
    expect(coming).toMatch(new RegExp(`^M${end} [\\d.]+H[\\d.]+V[\\d.]+H1000$`));
  });

  test('converts by the rate of the next banking day as soon as it is published', async () => {
    const service = board();
    const { page, expectQuiet } = await open(service.url);
    await page.check('input[name=via][value=parallel]');
    await page.getByRole('radio', { name: 'Lunes 23' }).check();
    // Only official rates are known before their day.
    expect(await page.isChecked('input[name=via][value=reference]')).toBe(true);
    expect(await page.isDisabled('input[name=via][value=parallel]')).toBe(true);
    expect(await page.inputValue('#other')).toBe('805,75');
    await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe('2026-11-23');
    const shared = await open(page.url(), { script: false });
    expect(await shared.page.inputValue('#other')).toBe('805,75');
    expect(await shared.page.title()).toContain('vesfx');
    await page.fill('#amount', '2');
    await page.getByRole('radio', { name: 'Hoy' }).check();
    // Today has the rate that was chosen before, whatever was typed since.
    expect(await page.inputValue('#other')).toBe('2.024,70');
    expectQuiet();
  });

  test.each([
    ['2026-12-24', 'Esa fecha aún no llega'],
    ['2019-01-15', 'Aquí no hay tasas de antes del 21/11/2025'],
    ['2026-10-15', 'No tenemos tasa de ese mercado para ese día'],
  ])('a day without a rate says why: %s', async (date, sentence) => {
    const { url } = board();
    const { page } = await open(url);
    await chooseDate(page, date);
    await expect.poll(() => page.innerText('#amount-problem')).toContain(sentence);
    const plain = await open(`${url}/?amount=1&date=${date}`, { script: false });
    expect(await plain.page.innerText('#amount-problem')).toContain(sentence);
  });

  test('neither an emptied field nor one that cannot be read moves anything below it', async () => {
    const { url } = board();
    for (const width of [1280, 360]) {
      const { page } = await open(url, { width });
      const place = async () => (await page.locator('#share').boundingBox())?.y;
      const before = await place();
      await page.fill('#amount', '');
      expect(await page.innerText('#amount-problem')).toBe('');
      expect(await page.getAttribute('#amount', 'aria-invalid')).toBe(null);
      expect([await page.inputValue('#other'), await place()]).toEqual(['', before]);
      await page.fill('#amount', 'mil');
      expect(await page.innerText('#amount-problem')).toContain('No entendemos ese monto');
      expect(await place()).toBe(before);
    }
  });

  test('a small result keeps three of its digits', async () => {
    const { url } = board();
    const { page } = await open(`${url}/?amount=1&from=VES&via=reference`);
    expect(await page.innerText('#result')).toBe('0,00125');
    await page.fill('#amount', '100');
    await expect.poll(() => page.inputValue('#other')).toBe('0,125');
    await page.fill('#amount', '400,25');
    await expect.poll(() => page.inputValue('#other')).toBe('0,50');
  });

  test('the euro has the same figure everywhere', async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 800.5, EUR: 871.89443742 }));
    const { page } = await open(`${service.url}/?amount=20&via=eur_reference`);
    expect(await page.innerText('.others')).toContain('871,8944');
    expect(await page.innerText('#market-rows')).toContain('871,8944');
    expect(await page.innerText('#conversion')).toContain('× 871,8944 = Bs.');
    // Where the API has more decimals, the page has its figure too, so that readers can repeat the formula.
    expect(await page.innerText('#conversion')).toContain('como en la API: 871,89443742.');
    await page.locator('#market-rows button').nth(1).click();
    expect(await page.innerText('#origin-eur_reference')).toContain('871,89443742');
  });

  test('sharing copies the conversion and its link where a device has no menu for it, and moves nothing', async () => {
    const { url } = board();
    const { page, expectQuiet } = await open(`${url}/?amount=20`, { width: 360 });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.waitForSelector('#copy:not([hidden])');
    await page.locator('#share').scrollIntoViewIfNeeded();
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    await page.click('#share');
    await expect.poll(() => page.innerText('#share')).toBe('Copiado');
    const link = `${url}/?amount=20&from=USD&via=reference&date=2026-11-21#converter`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `20 USD = Bs. 16.010,00 · tasa BCV Bs. 800,5000 (vie 20 nov 2026)\n${link}`,
    );
    expect([await scrolled(), page.url()]).toEqual([before, `${url}/?amount=20`]);
    await expect.poll(() => page.innerText('#share')).toBe('Compartir');
    expectQuiet();
  });

  test("sharing opens the device's own menu where there is one", async () => {
    const { url } = board();
    const { page } = await open('about:blank', { ownPage: true, language: 'en' });
    await page.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(navigator, { share: async (what: unknown) => void shared.push(what), shared });
    });
    await page.goto(`${url}/?amount=50&from=EUR&via=eur_reference`);
    await page.waitForSelector('#copy:not([hidden])');
    await page.click('#share');
    expect(await page.evaluate(() => Reflect.get(navigator, 'shared'))).toEqual([
      {
        text: '50 EUR = Bs. 46,012.50 · BCV rate Bs. 920.2500 (Fri 20 Nov 2026)',
        url: `${url}/?amount=50&from=EUR&via=eur_reference&date=2026-11-21#converter`,
      },
    ]);
  });

  test('updates itself, and shows since when it could not until the service returns', async () => {
    const dataDir = await temporaryDir();
    const port = await freePort();
    const first = await startTestService({ dataDir, config: { port } });
    await fullBoard(first);
    const { page, troubles } = await open(first.url);
    await page.waitForSelector('#copy:not([hidden])');
    const again = () => page.evaluate(() => dispatchEvent(new Event('online')));
    const parallel = () => page.innerText('#market');
    await first.push(quote('parallel', 1013.5, { updated_at: iso(START + 1000) }));
    await again();
    await expect.poll(parallel).toContain('1.013,5000');
    // Only what changed has the ground that fades.
    expect(await page.locator('.stat:has(h3:text("Paralelo")) .wash').count()).toBe(1);
    expect(await page.locator('#official .wash').count()).toBe(0);
    expect(troubles).toEqual([]);
    await first.service.close();
    await again();
    await expect.poll(() => page.innerText('#cut-off')).toContain('Sin conexión · cifras de');
    expect(await parallel()).toContain('1.013,5000');
    const second = await startTestService({ dataDir, config: { port } });
    await second.push(quote('parallel', 1014.5, { updated_at: iso(START + 2000) }));
    await again();
    await expect.poll(() => page.innerText('#cut-off')).toBe('');
    await expect.poll(parallel).toContain('1.014,5000');
  });

  test('the other language shows what the reader converts and charts', async () => {
    const { page } = await open(board().url);
    await page.fill('#amount', '250');
    await page.check('input[name=via][value=parallel]');
    await page.getByText('90 d', { exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/(?=.*amount=250)(?=.*days=90)/);
    await page.click('a.language');
    await page.waitForSelector('html[lang=en]');
    expect(await page.inputValue('#amount')).toBe('250');
    expect(await page.isChecked('input[name=via][value=parallel]')).toBe(true);
    expect(await page.isChecked('input[name=days][value="90"]')).toBe(true);
  });

  test('shows the last figures and their time without a connection', async () => {
    const { url } = board();
    const { page, expectQuiet } = await open(url, { serviceWorker: true, ownPage: true });
    // The kept board has a rate for the 23rd, which the clock of the browser may have passed.
    await page.clock.setSystemTime(START);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(hasKeptScript)).toBe(true);
    expectQuiet();
    await page.context().setOffline(true);
    await page.goto(`${url}/`);
    expect(await page.innerText('#official')).toContain('800,5000');
    await expect.poll(() => page.innerText('#cut-off')).toBe('Sin conexión · cifras de las 08:00');
    await page.fill('#amount', '2');
    await expect.poll(() => page.inputValue('#other')).toBe('1.601,00');
    // The rate of Monday is known, and that of Tuesday may have been published since.
    for (const [day, said] of [
      ['2026-11-23', 'rige desde hoy'],
      ['2026-11-24', 'la última conocida es la del lunes 23'],
    ] as const) {
      await page.clock.setSystemTime(`${day}T10:00:00-04:00`);
      await page.goto(`${url}/`);
      await expect.poll(() => page.innerText('.eyebrow')).toContain(said);
    }
    expect(await page.innerText('#conversion')).toContain('puede haber una más nueva');
  });

  test('keeps its script for that, also when it runs before the browser lists its request', async () => {
    const { url } = board();
    const { page } = await open('about:blank', { serviceWorker: true, ownPage: true });
    await page.addInitScript(() => {
      performance.getEntriesByType = () => [];
    });
    await page.goto(url);
    await expect.poll(() => page.evaluate(hasKeptScript)).toBe(true);
  });

  test('never goes back from an answer to older figures that were kept', async () => {
    const service = await ownBoard();
    const { page } = await open(service.url, { serviceWorker: true });
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    const older = await (await fetch(`${service.url}/board.json`)).text();
    await service.push(quote('parallel', 1013.5, { updated_at: iso(START + 1000) }));
    const again = () => page.evaluate(() => dispatchEvent(new Event('online')));
    await again();
    await expect.poll(() => page.innerText('#market')).toContain('1.013,5000');
    await page.evaluate(async (text) => {
      await (await caches.open('vesfx-board')).put('/board.json', new Response(text));
    }, older);
    await page.context().setOffline(true);
    await again();
    await expect.poll(() => page.innerText('#cut-off')).toContain('Sin conexión');
    expect(await page.innerText('#market')).toContain('1.013,5000');
    await page.context().setOffline(false);
  });

  test('asks again when the network comes back while it waits for an answer', async () => {
    const { url } = await ownBoard();
    const { page } = await open('about:blank', { ownPage: true });
    let asked = 0;
    const held = Promise.withResolvers<void>();
    await page.route('**/board.json', async (route) => {
      asked += 1;
      if (asked === 1) await held.promise;
      await route.continue();
    });
    await page.goto(url);
    await expect.poll(() => asked).toBe(1);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    held.resolve();
    await expect.poll(() => asked).toBe(2);
  });

  test('keeps the figures of its last answer for that, on the first visit too', async () => {
    const service = await ownBoard();
    const { page } = await open(service.url, { serviceWorker: true });
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    service.clock.advance(5 * MINUTE_MS);
    await service.push(quote('parallel', 1013.5, { updated_at: iso(START + 5 * MINUTE_MS) }));
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => page.innerText('#market')).toContain('1.013,5000');
    await page.context().setOffline(true);
    await page.goto(`${service.url}/`);
    await expect.poll(() => page.innerText('#market')).toContain('1.013,5000');
    const later = START + 5 * MINUTE_MS;
    await expect
      .poll(() => page.innerText('#cut-off'))
      .toMatch(new RegExp(`${momentText(later, 'es')}|${caracasTimeOf(later)}`));
  });

  test("a market's name with a script is shown as text", async () => {
    const name = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const service = await startTestService({
      config: { catalogueDir: await hostileCatalogue(name) },
    });
    await service.push(...fullMarket());
    const { page, expectQuiet } = await open(service.url);
    await page.waitForSelector('#chart .u-over');
    await page.check('input[name=via][value=parallel]');
    await expect.poll(() => page.innerText('#conversion')).toContain(name);
    await service.push(quote('parallel', 999, { updated_at: iso(START + 1000) }));
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => page.innerText('#market-rows')).toContain('999,0000');
    expect(await page.innerText('#market-rows')).toContain(name);
    expect(await page.locator('main img, main script:not([type="application/json"])').count()).toBe(
      0,
    );
    await page.setViewportSize({ width: 360, height: 780 });
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('.hero, .converter, .scroll')]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth)
        .map(({ className }) => className),
    );
    expect(wide).toEqual([]);
    expect(await page.title()).toContain('vesfx');
    expectQuiet();
  });

  test.each([0, 3])('a phone shows whole cards and tables, %i hours later', async (hours) => {
    const service = await ownBoard();
    service.clock.advance(hours * HOUR_MS);
    for (const language of ['es', 'en'] as const) {
      const { page } = await open(service.url, { language, width: 360 });
      const cutOff = await page.evaluate(() => {
        const isWider = (one: Element) => one.scrollWidth > one.clientWidth;
        const all = document.querySelectorAll('.stat, .stat p, .scroll:not(details *)');
        const boxes = [...all].filter(isWider);
        return boxes.map(({ className, textContent }) => `${className}: ${textContent}`);
      });
      expect(cutOff).toEqual([]);
      const heights = await page.evaluate(() =>
        [...document.querySelectorAll('.stat .since, #market-rows .since')].map(
          ({ clientHeight }) => clientHeight,
        ),
      );
      // A dot with its age is one line, whatever stands around it.
      expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights));
    }
  });

  test('on a phone and on a desktop the largest amounts are shown to their last digit', async () => {
    const { url } = board();
    const { page } = await open(url);
    const expectWhole = async () => {
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const cutOff = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLInputElement>('.field input')]
            // A pixel more comes from rounding the width of the field; a digit is wider.
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map(({ value }) => value),
        );
        expect(cutOff, `${width} px`).toEqual([]);
      }
    };
    await page.waitForSelector('#copy:not([hidden])');
    await page.fill('#amount', '1000000000000');
    expect(await page.inputValue('#other')).toBe('800.500.000.000.000,00');
    await expectWhole();
    await page.goto(`${url}/?amount=999999999999.99&from=USD&via=parallel`);
    await expectWhole();
  });

  test('the official rate says that a later publication is missing', async () => {
    const service = await ownBoard();
    const { page } = await open(service.url);
    const official = async () => {
      await page.reload();
      // Until its first figures the page counts by the browser's clock, not by the service's.
      await page.waitForSelector('#copy:not([hidden])');
      return page.innerText('#official');
    };
    // The rate of Monday 23 is known; the one of Tuesday is late, and replaces that of Monday only.
    expect(await official()).toContain('805,7500');
    expect(await official()).not.toContain('desactualizada');
    service.clock.advance(4 * DAY_MS);
    expect(await official()).toContain('desactualizada');
    expect(await official()).toContain('Aún no la hemos recibido');
  });

  test('says that there are no figures yet, and which are too old', async () => {
    const service = await startTestService();
    const empty = await open(service.url, { width: 360 });
    expect(await empty.page.innerText('main')).toContain('Todavía no hay cifras.');
    await service.push(...fullMarket());
    service.clock.advance(3 * 60 * 60 * 1000);
    const stale = await open(service.url, { language: 'en' });
    await stale.page.waitForSelector('#copy:not([hidden])');
    expect((await stale.page.innerText('#market')).replaceAll('\u00a0', ' ')).toContain('3 h');
    // Each row says it once, beside the age.
    expect(await stale.page.locator('#market-rows .fresh .stale:visible').count()).toBe(8);
    expect(await stale.page.locator('#market-rows .stale:visible').count()).toBe(8);
    expect(await axeFindings(stale.page)).toEqual([]);
    // Two days later they are dropped, and each row says so on a phone too.
    service.clock.advance(2 * DAY_MS);
    const gone = await open(service.url, { width: 360 });
    const marks = gone.page.locator('#market-rows .stale:visible', { hasText: 'sin cifra' });
    expect(await marks.count()).toBe(7);
    empty.expectQuiet();
    stale.expectQuiet();
  });
});

/** The packaged catalogue, with another name for the parallel market. */
async function hostileCatalogue(name: string): Promise<string> {
  return catalogueWith({
    markets: (all) => Object.assign(all.find(({ id }) => id === 'parallel') ?? {}, { name }),
  });
}
