import { expect, test } from 'vitest';
import { describeInFirefox } from '../../../../../test/harness/firefox.ts';
import { fullMarket, official } from '../../../../../test/harness/make.ts';
import { sharedService, type TestService } from '../../../../../test/harness/service.ts';

/** What must work in the other engine too: the board, the converter, and the console's sign-in. */

const NAME = 'Panadería Ñandú';

async function market(service: TestService): Promise<void> {
  await service.push(...fullMarket(), official('2026-11-23', { USD: 805.75, EUR: 925.5 }));
}

describeInFirefox('Firefox', (open) => {
  const serving = sharedService(market);

  test('shows the board, and its scripts run within the content policy', async () => {
    const { page, expectNoTroubles } = await open(`${serving().url}/?lang=es`);
    expect(await page.$eval('main', (main) => main.innerText)).toContain('800,5000');
    // Scripts show it: it does nothing without them.
    await page.waitForSelector('#theme', { visible: true });
    expectNoTroubles();
  });

  test('converts while a reader types, in both directions', async () => {
    const { page, expectNoTroubles } = await open(`${serving().url}/?lang=es`);
    await page.waitForSelector('#theme', { visible: true });
    const textIn = (field: string) => page.$eval(field, (input) => Reflect.get(input, 'value'));
    const type = async (field: string, text: string) => {
      await page.click(field, { count: 3 });
      await page.keyboard.type(text);
    };
    await type('#amount', '20');
    await expect.poll(() => textIn('#other')).toBe('16.010,00');
    await type('#other', '8.005');
    await expect.poll(() => textIn('#amount')).toBe('10,00');
    expectNoTroubles();
  });

  test('signs in to the console with the keyboard, and keeps the key out of what is stored', async () => {
    const { url, service } = serving();
    const account = await service.accounts.create(NAME, 'Inicio');
    const { key } = await service.accounts.createKey(account.id);
    const { page, expectNoTroubles } = await open(`${url}/console?lang=es`);
    await page.waitForSelector('#key', { visible: true });
    await page.focus('#key');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.$eval('body', (body) => body.innerText)).toContain(NAME);
    const traces = await page.evaluate(() =>
      JSON.stringify([location.href, { ...localStorage }, document.cookie, history.state]),
    );
    expect(traces).not.toContain(key);
    expectNoTroubles();
  });

  test('keeps a key that is typed and submitted before the script of the console has loaded', async () => {
    const { url, service } = serving();
    const account = await service.accounts.create(NAME, 'Inicio');
    const { key } = await service.accounts.createKey(account.id);
    const { page, expectNoTroubles } = await open(`${url}/status?lang=es`);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isHeld = /console-.*\.js$/.test(request.url());
      void (isHeld ? promise : Promise.resolve()).then(() => request.continue());
    });
    const opened = page.goto(`${url}/console?lang=es`);
    await page.waitForSelector('#key', { visible: true });
    await page.focus('#key');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    expect(await page.$eval('#key', (field) => Reflect.get(field, 'value'))).toBe(key);
    resolve();
    await opened;
    await expect.poll(() => page.$eval('body', (body) => body.innerText)).toContain(NAME);
    expect(page.url()).toBe(`${url}/console?lang=es`);
    expectNoTroubles();
  });
});
