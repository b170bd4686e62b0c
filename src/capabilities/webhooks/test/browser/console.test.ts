import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser, sidewaysOverflow } from '../../../../../test/harness/browser.ts';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { delivering } from '../delivering.ts';
import { startReceiver, verifies } from '../receiver.ts';
import { SECRET } from '../webhook-site.ts';

/** How an account manages its webhooks in the console, where the product has one. */

const testOfConsole = test.runIf(hasCapability('site'));

async function serving({ plan = 'Esencial', secret = true } = {}) {
  const service = await startTestService({
    start: Date.now(),
    config: {
      added: {
        VESFX_SECRET: secret ? SECRET : undefined,
        VESFX_ALLOW_LOOPBACK_WEBHOOKS: '1',
      },
    },
  });
  const key = await service.keyFor(plan);
  const api = (method: string, path = '', body?: object) =>
    service.call(`/v1/account/webhooks${path}`, { key, method, ...(body && { body }) });
  return { service, key, api };
}

async function openTab(page: Page, key: string) {
  await page.fill('#key', key);
  await page.locator('#sign-in button.main').click();
  await page.locator('.tabs a[href="#webhooks"]').click();
  await page.locator('#tab-webhooks h1').waitFor();
}

async function choose(page: Page, id: string, action: string) {
  await page.locator(`[data-menu="${id}"]`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const rows = (page: Page) => page.locator('#tab-webhooks > .keys').first().locator('tbody tr');

/** What was said last, also while another thing is in front. */
const said = (page: Page) => page.locator('#tab-webhooks > .said');

/** The page cuts what is too wide, so the last tab tells whether all of them fit. */
const lastTabEnd = (page: Page) =>
  page
    .locator('.tabs a')
    .last()
    .evaluate((tab) => tab.getBoundingClientRect().right);

/** Takes the secret of the dialog and says that it is kept. */
async function keepSecret(page: Page): Promise<string> {
  const secret = await page.locator('#new-key code').innerText();
  await page.locator('[data-saved]').click();
  return secret;
}

describeInBrowser('contract §24 webhooks in the console', (open) => {
  testOfConsole(
    'a webhook is added, tried, changed, paused, rotated, recovered and deleted',
    async () => {
      const { service, key, api } = await serving();
      await service.push(quote('parallel', 900));
      const deliverer = await delivering(service.service.store);
      deliverer.clock.set(service.clock.now());
      await deliverer.take();
      const receiver = await startReceiver();
      receiver.says(200);
      const { page, troubles } = await open(`${service.url}/console`);
      await openTab(page, key);
      await page.getByText('Todavía no tiene webhooks').waitFor();
      // The words of the link stand at the height of those of the button.
      const [button = 0, link = 0] = await page
        .locator('.empty-state .buttons > *')
        .evaluateAll((shown) =>
          shown.map((one) => {
            const words = document.createRange();
            words.selectNodeContents(one);
            const { top, bottom } = words.getBoundingClientRect();
            return (top + bottom) / 2;
          }),
        );
      expect(Math.abs(link - button)).toBeLessThan(2);
      await page.locator('[data-new]').click();
      // What is missing is said at each field.
      await page.uncheck('#webhook-form [value="official.published"]');
      await page.locator('#webhook-form button.main').click();
      await page.getByRole('alert').getByText('Marque al menos un evento').waitFor();
      await page.getByRole('alert').getByText('Falta este dato').waitFor();
      await page.fill('#webhook-form [name=url]', `${receiver.url}/#x`);
      await page.fill('#webhook-form [name=description]', 'Caja');
      await page.check('#webhook-form [value="rate.changed"]');
      await page.fill('#webhook-form [name=threshold]', '60');
      await page.locator('#webhook-form button.main').click();
      await page.getByRole('alert').getByText('De 0,01 a 50').waitFor();
      await page.fill('#webhook-form [name=threshold]', '2,5');
      // What only the service knows is said at its field too.
      await page.locator('#webhook-form button.main').click();
      await page.getByRole('alert').getByText('no debe tener un #').waitFor();
      await page.fill('#webhook-form [name=url]', `${receiver.url}/caja`);
      await page.locator('#webhook-form button.main').click();
      const secret = await keepSecret(page);
      const [made] = (await api('GET')).json.webhooks;
      expect(made).toMatchObject({ events: ['rate.changed'], threshold_percent: 2.5, markets: [] });
      expect(await page.locator('[data-menu]:focus').getAttribute('data-menu')).toBe(made.id);
      expect(await rows(page).innerText()).toContain('2,5\u00a0%');

      // A test arrives signed with that secret, and its delivery is seen without a refresh.
      await choose(page, made.id, 'Enviar una prueba');
      await page.locator('#deliveries').getByText('pendiente', { exact: true }).last().waitFor();
      await deliverer.tick();
      const [got] = receiver.got;
      expect(got?.body.type).toBe('webhook.test');
      expect(got && verifies(secret, got)).toBe(true);
      await page.locator('#deliveries tbody').getByText('entregado').waitFor();
      await choose(page, got?.id ?? '', 'Ver el mensaje');
      await page.locator('#delivery pre').getByText('webhook.test').waitFor();
      await page.locator('#delivery').getByText('an answer').waitFor();
      await page.locator('[data-close]').click();
      await choose(page, got?.id ?? '', 'Enviar de nuevo');
      await said(page).getByText('Se envía de nuevo').waitFor();
      await deliverer.tick();
      expect(receiver.got.map(({ id }) => id)).toEqual([got?.id, got?.id]);
      await page.selectOption('#deliveries select', 'failed');
      await page.getByText('No hay entregas').waitFor();

      await choose(page, made.id, 'Pausar');
      await said(page).getByText('en pausa').waitFor();
      expect((await api('GET', `/${made.id}`)).json).toEqual({
        ...{ ...made, active: false, status: 'paused' },
        last_success_at: expect.any(String),
      });
      await rows(page).getByText('en pausa').waitFor();
      // What would send is not offered.
      await page.locator(`[data-menu="${made.id}"]`).click();
      expect(await page.getByRole('menuitem', { name: 'Enviar una prueba' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await choose(page, made.id, 'Reanudar');
      await said(page).getByText('activa').waitFor();

      await choose(page, made.id, 'Editar');
      await page.locator('#webhook-form summary').click();
      await page.check('#webhook-form [name=market][value=parallel]');
      await page.locator('#webhook-form button.main').click();
      await said(page).getByText('Caja guardada').waitFor();
      expect((await api('GET', `/${made.id}`)).json).toMatchObject({
        ...{ markets: ['parallel'], threshold_percent: 2.5, active: true, url: made.url },
      });

      await choose(page, made.id, 'Rotar el secreto…');
      await page.locator('#rotate-form button.main').click();
      const newer = await keepSecret(page);
      expect(newer).not.toBe(secret);
      await choose(page, made.id, 'Enviar una prueba');
      await page.locator('#deliveries tbody').waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await api('GET', `/${made.id}/deliveries`)).json.deliveries.length)
        .toBe(2);
      await deliverer.tick();
      const last = receiver.got.at(-1);
      expect(last && [verifies(secret, last), verifies(newer, last)]).toEqual([true, true]);

      await choose(page, made.id, 'Recuperar mensajes…');
      await page.locator('#recover-form button.main').click();
      await said(page).getByText('Mensajes que se envían de nuevo: 0.').waitFor();

      await choose(page, made.id, 'Borrar…');
      await page.locator('#delete-form button.main').click();
      await page.getByText('Todavía no tiene webhooks').waitFor();
      expect((await api('GET')).json).toEqual({ webhooks: [] });
      // The secret is nowhere once its dialog is closed.
      expect(await page.content()).not.toContain(secret);
      // The browser's own message about the wrong address, which a page cannot prevent.
      expect(troubles).toEqual([expect.stringContaining('400 (Bad Request)')]);
    },
  );

  testOfConsole(
    'a full plan, a key that only reads, and what another tab did are said',
    async () => {
      const { service, key, api } = await serving({ plan: 'Inicio' });
      const hook = { url: 'https://shop.example/hook', events: ['official.published'] };
      const { json: made } = await api('POST', '', hook);
      const limited = await service.call('/v1/account/keys', {
        ...{ key, method: 'POST' },
        body: { kind: 'restricted', label: 'Lector', scopes: ['account.read'] },
      });
      const { page } = await open(`${service.url}/console`, { language: 'en' });
      await openTab(page, key);
      await page.getByText('Webhooks: 1 of 1.').waitFor();
      expect(await page.locator('#tab-webhooks [data-new]').count()).toBe(0);
      await api('PUT', `/${made.id}`, { ...hook, active: false });
      // The list is older than what it shows.
      await choose(page, made.id, 'Send a test');
      await said(page).getByText('It is paused or disabled').waitFor();
      await page.locator('#sign-out').click();
      await openTab(page, limited.json.key);
      await page.locator(`[data-menu="${made.id}"]`).click();
      expect(await page.locator('[role=menuitem]:visible').allInnerTexts()).toEqual([
        'Show the deliveries',
      ]);
    },
  );

  testOfConsole('the playground offers webhooks where an address takes the id of one', async () => {
    const { service, key, api } = await serving();
    const { json: made } = await api('POST', '', {
      ...{ url: 'https://shop.example/hook', events: ['official.published'], description: 'Caja' },
    });
    const { page } = await open(`${service.url}/console`);
    await openTab(page, key);
    await page.locator('.tabs a[href="#probar"]').click();
    await page.locator('#operation').selectOption('DELETE /v1/account/webhooks/{id}');
    await page.locator('#p-id').selectOption({ label: `Caja (${made.id})` });
    await page.locator('#try button.main').click();
    await page.getByText('¿Borrar Caja?').waitFor();
    await page.locator('#delete-form button.main').click();
    await expect.poll(async () => (await api('GET')).json.webhooks).toEqual([]);
  });

  testOfConsole('without VESFX_SECRET the tab says who turns webhooks on', async () => {
    const { service, key } = await serving({ secret: false });
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await openTab(page, key);
    await page.getByText('Este servicio no envía webhooks').waitFor();
    expect(await page.locator('#tab-webhooks [data-new]').count()).toBe(0);
    expectQuiet();
  });

  testOfConsole('a product that cannot have webhooks has no tab for them', async () => {
    const service = await startTestService({ start: Date.now(), config: { added: {} } });
    const { page } = await open(`${service.url}/console#webhooks`);
    await page.fill('#key', await service.keyFor('Esencial'));
    await page.locator('#sign-in button.main').click();
    await page.locator('#tab-resumen h1, #tab-resumen h2').first().waitFor();
    expect(await page.locator('.tabs a').allInnerTexts()).not.toContain('Webhooks');
  });

  testOfConsole.each(['es', 'en'] as const)(
    'the lists and forms fit and can be read in %s, on a phone and in the dark',
    async (language) => {
      const { service, key, api } = await serving();
      const url = `https://${'very-long-name.'.repeat(8)}example/${'hook/'.repeat(20)}`;
      const events = ['official.published', 'rate.changed', 'source.degraded'];
      const { json: made } = await api('POST', '', { url, events, markets: ['parallel'] });
      await api('POST', '', { url: 'https://shop.example/', events, active: false });
      await api('POST', `/${made.id}/test`);
      const { page, expectQuiet } = await open(`${service.url}/console`, { language });
      await openTab(page, key);
      await page.locator(`[data-menu="${made.id}"]`).click();
      await page.locator('[role=menuitem]:visible').first().click();
      await page.locator('#deliveries tbody tr').waitFor();
      const forms = ['', '#webhook-form'];
      for (const form of forms) {
        if (form !== '') {
          await page.locator('#tab-webhooks [data-new]').click();
          await page.check('#webhook-form [value="rate.changed"]');
        }
        for (const [width, theme] of [
          [1280, 'light'],
          [360, 'dark'],
          [360, 'light'],
          [1280, 'dark'],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme: theme });
          const view = `${form} ${theme}, ${width} px`;
          expect(await axeFindings(page), view).toEqual([]);
          expect(await sidewaysOverflow(page), view).toBe(0);
          expect(await lastTabEnd(page), view).toBeLessThanOrEqual(width);
        }
      }
      expectQuiet();
    },
  );
});
