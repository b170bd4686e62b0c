import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser, expectGoodInEveryView } from '../../../../../test/harness/browser.ts';
import { capture, iso, official, quotesAt } from '../../../../../test/harness/make.ts';
import { sharedService, type TestService } from '../../../../../test/harness/service.ts';
import { demoKey } from '../../../../core/app/access/keys.ts';
import { caracasDayOf, DAY_MS, utcDayOf, utcMonthOf } from '../../../../core/domain/time.ts';
import { shortDay } from '../../frame/format.ts';

/** The browser's own message when a key is refused, which a page cannot prevent. */
const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

async function addRates(service: TestService): Promise<void> {
  const yesterday = Date.now() - DAY_MS;
  await service.push(
    official(utcDayOf(yesterday), { USD: 889.5754 }),
    capture(1012.35, iso(yesterday)),
  );
}

async function holder(service: TestService, plan: string, name = 'Tienda La Esquina') {
  const { accounts } = service.service;
  const account = await accounts.create(name, plan);
  return { accountId: account.id, ...(await accounts.createKey(account.id)) };
}

async function signIn(page: Page, key: string) {
  await page.fill('#key', key);
  await page.locator('#sign-in button.main').click();
  await page.locator('#account').waitFor();
}

/** Opens the console while its script is still on the way, until `loadScript`. */
/** What the page reads by itself may have led back to the form already. */
function refreshIfSignedIn(page: Page) {
  return page.evaluate(() => document.querySelector<HTMLButtonElement>('#refresh')?.click());
}

async function openWithoutItsScript(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/console-*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  return { loadScript: resolve };
}

type Tab = 'resumen' | 'claves' | 'margenes' | 'probar';

/** Opens a tab of the console as a reader does. */
async function goTo(page: Page, tab: Tab) {
  await page.locator(`.tabs a[href="#${tab}"]`).click();
  await page.locator(`#tab-${tab} h1`).waitFor();
}

/** Opens the menu of a key or rule, and chooses an action. */
async function choose(page: Page, id: string, action: string) {
  await page.locator(`[data-menu="${id}"]`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

const labels = (all: readonly Element[]) => all.map((one) => one.getAttribute('label'));

const fieldsetsIn = (page: Page, form: string) => page.locator(`${form} fieldset`).count();

/** Everything that the browser keeps or shows as an address, in which no key may ever be. */
function traces(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([location.href, { ...localStorage }, document.cookie, history.state]),
  );
}

/** Panels that do not end at the edges of the header, and parts that are cut. */
function offTheGrid(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const bar = document.querySelector('.bar');
    const [start, end] = [
      bar?.querySelector('.name'),
      document.querySelector('.tab:not([hidden])'),
    ];
    const left = start?.getBoundingClientRect().left ?? 0;
    const right = end?.getBoundingClientRect().right ?? 0;
    const columns = [
      ...document.querySelectorAll('.tab:not([hidden]) > :is(.panel, .play, .head)'),
    ];
    const off = columns.filter((one) => {
      const box = one.getBoundingClientRect();
      return Math.abs(box.left - left) > 1 || Math.abs(box.right - right) > 1;
    });
    const inner = [...document.querySelectorAll('main :is(td, th, dd, label, p, input, dialog)')];
    const cut = inner
      .filter((one) => one.checkVisibility() && one.closest('thead, .unseen, .lines') === null)
      .filter((one) => {
        const isBeyond =
          one.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
        return one.scrollWidth > one.clientWidth + 1 || (isBeyond && !one.closest('.scroll'));
      })
      .filter((one) => getComputedStyle(one).display !== 'inline');
    return [...off, ...cut].map((one) => one.outerHTML.slice(0, 200));
  });
}

describeInBrowser('the console', (open) => {
  // On the browser's own time, because the console counts its days by that. Each test has its account.
  const serving = sharedService(addRates, { start: Date.now() });

  test('the console creates and revokes keys of every kind (contract §11)', async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'claves');
    await page.locator('[data-new-key]').click();
    // Only a full key has no rights to choose, and it is never the first.
    await page.selectOption('#key-form [name=kind]', 'full');
    expect(await fieldsetsIn(page, '#key-form')).toBe(0);
    await page.selectOption('#key-form [name=kind]', 'publishable');
    // What most keys are for is ticked.
    await page.uncheck('#key-form [value=rates]');
    // Without an origin no page could use it. All that is missing is said at once.
    await page.locator('#key-form button.main').click();
    await page.getByRole('alert').getByText('Escriba al menos un origen').waitFor();
    await page.locator('fieldset').getByRole('alert').getByText('Marque al menos').waitFor();
    await page.getByRole('alert').getByText('Escriba un nombre').waitFor();
    await page.locator('#key-form [name=label]:focus').fill('Página');
    await page.locator('#key-form [value=rates]').check();
    expect(await page.locator('fieldset').getByRole('alert').count()).toBe(0);
    await page.getByRole('alert').getByText('Escriba al menos un origen').waitFor();
    // What is meant is said, and left to the reader to write.
    for (const [wrong, meant] of [
      ['tienda.example', 'https://tienda.example'],
      ['HTTPS://Tienda.example/cesta', 'https://tienda.example'],
      ['localhost:3000', 'http://localhost:3000'],
    ]) {
      await page.fill('#key-form [name=origins]', `https://a.example ${wrong}`);
      await page.locator('#key-form button.main').click();
      const said = `«${wrong}» no es un origen. Escriba: ${meant}`;
      await page.getByRole('alert').getByText(said, { exact: true }).waitFor();
    }
    await page.fill('#key-form [name=origins]', 'https://a.example https://b.example');
    expect(await page.locator('#key-form [value="account.read"]').count()).toBe(0);
    await page.locator('#key-form button.main').click();
    expect(await page.locator('#new-key code').textContent()).toMatch(/^vfx_pub_/);
    await page.locator('[data-saved]').click();
    await page.locator('tr:has-text("Página") [data-menu]:focus').waitFor();
    const list = async () => (await service.service.accounts.listKeys(accountId)).keys;
    const made = (await list()).find(({ label }) => label === 'Página');
    expect(made?.grant).toMatchObject({
      kind: 'publishable',
      scopes: ['rates'],
      origins: ['https://a.example', 'https://b.example'],
    });
    const id = made?.id ?? '';
    await choose(page, id, 'Revocar…');
    await page.locator('#revoke-form [data-cancel]').click();
    await page.locator(`[data-menu="${id}"]:focus`).waitFor();
    await choose(page, id, 'Revocar…');
    await page.locator('#revoke-form button.main').click();
    await page.locator('#tab-claves details').waitFor();
    // Its row and its menu are gone, so the focus has another place.
    await page.locator('[data-new-key]:focus').waitFor();
    await page.locator('#tab-claves details summary').click();
    expect(await axeFindings(page)).toEqual([]);
    expect((await list()).filter(({ revokedAt }) => revokedAt !== undefined)).toHaveLength(1);
    expectQuiet();
  });

  test("the console changes a key's label, expiry, scopes and origins (contract §11)", async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Inicio');
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const make = async (body: object) => {
      const answer = await fetch(`${service.url}/v1/account/keys`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
      return ((await answer.json()) as { id: string }).id;
    };
    const id = await make({
      ...{ kind: 'publishable', label: 'Página', scopes: ['rates', 'history'] },
      ...{ origins: ['https://a.example'], expires_at: '2027-05-01T12:00:00Z' },
    });
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    const found = async () => {
      const { keys } = await service.service.accounts.listKeys(accountId);
      return keys.find((one) => one.id === id);
    };
    const form = page.locator('#change-form');
    await goTo(page, 'claves');
    await choose(page, id, 'Editar');
    expect(await form.locator('[name=label]').inputValue()).toBe('Página');
    expect(await form.locator('[name=expires]').inputValue()).toBe('2027-05-01');
    expect(await form.locator('[name=origins]').inputValue()).toBe('https://a.example');
    expect(await form.locator('[value=history]').isChecked()).toBe(true);
    expect(await form.locator('[value="account.read"]').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await form.locator('[name=label]').fill('');
    await form.locator('[name=origins]').fill('https://*.example, https://c.example');
    await form.locator('[value=history]').uncheck();
    await form.locator('[name=no-origin]').check();
    await form.locator('button.main').click();
    // All that is wrong is said at once, and nothing changes.
    await form.getByRole('alert').getByText('Un origen no lleva comodines').waitFor();
    await form.getByRole('alert').getByText('Escriba un nombre').waitFor();
    const marked = form.locator('[aria-invalid=true]');
    expect(await marked.evaluateAll((all) => all.map((one) => one.getAttribute('name')))).toEqual([
      ...['label', 'origins'],
    ]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('label');
    await form.locator('[name=label]').fill('Tienda');
    expect((await found())?.label).toBe('Página');
    await form.locator('[name=origins]').fill('https://b.example/, https://c.example');
    await form.locator('button.main').click();
    await form.waitFor({ state: 'detached' });
    await page.locator(`[data-menu="${id}"]:focus`).waitFor();
    const changed = await found();
    expect(changed?.label).toBe('Tienda');
    expect(changed?.grant).toMatchObject({
      scopes: ['rates'],
      origins: ['https://b.example', 'https://c.example'],
      allowNoOrigin: true,
    });
    // An expiry that the form does not change stays exact to the second.
    expect(changed?.lastsUntil).toBe(Date.parse('2027-05-01T12:00:00Z'));
    await choose(page, id, 'Editar');
    await form.locator('[name=expires]').fill('');
    await form.locator('button.main').click();
    await form.waitFor({ state: 'detached' });
    expect((await found())?.lastsUntil).toBeUndefined();
    expectQuiet();
  });

  test('a key opens the account in its tab, without traces in addresses, lasting storage or the log', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await signIn(page, key);
    expect(await page.textContent('#account-name')).toBe('Tienda La Esquina');
    expect(await page.textContent('#tab-resumen')).toContain('15.000');
    expect(await page.locator('#key').count()).toBe(0);
    await page.reload();
    await page.locator('#account').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('#account').waitFor();
    expect(await page.textContent('#tab-resumen')).toContain('15,000');
    expect(await traces(page)).not.toContain(key);
    expect(addresses.join()).not.toContain(key);
    expect(JSON.stringify(service.log.lines)).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/console`);
    await other.locator('#sign-in').waitFor();
    await other.close();
    await page.locator('#sign-out').click();
    await page.locator('#sign-in').getByRole('status').getByText('You are signed out').waitFor();
    expect(await page.textContent('#sign-in [role=alert]')).toBe('');
    expect(await page.inputValue('#key')).toBe('');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('key');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
    await page.reload();
    await page.locator('#sign-in').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
    expectQuiet();
  });

  test('a key typed before the script of the console has loaded is kept, and its submit honoured', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/status`);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(`${request.method()} ${request.url()}`));
    const { loadScript } = await openWithoutItsScript(page, `${service.url}/console`);
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.locator('#sign-in button.main').click();
    expect(await page.inputValue('#key')).toBe(key);
    loadScript();
    await page.locator('#account').waitFor();
    expect(await traces(page)).not.toContain(key);
    expect(addresses.join()).not.toContain(key);
    expect(addresses.filter((one) => one.endsWith('/console'))).toHaveLength(1);
    expectQuiet();
  });

  test('a key typed before the script has loaded stays in its field until it is submitted', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/status`);
    const { loadScript } = await openWithoutItsScript(page, `${service.url}/console`);
    await page.fill('#key', key);
    loadScript();
    await page.waitForLoadState();
    expect(await page.inputValue('#key')).toBe(key);
    expect(await page.locator('#account').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('#account').waitFor();
  });

  test('a wrong key gets a clear message, and a key that ends leads back to the form', async () => {
    const service = serving();
    const { key, id } = await holder(service, 'Gratis');
    const { page, troubles } = await open(`${service.url}/console`);
    await page.locator('#sign-in button.main').click();
    await page.getByRole('alert').getByText('Escriba su clave').waitFor();
    for (const wrong of ['vfx_live_000000000000000000000000000000000hBrRk', 'no es una clave ñ']) {
      await page.fill('#key', wrong);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Esa clave no es válida').waitFor();
      expect(await page.locator('#account').isVisible()).toBe(false);
    }
    // Only the first of the two can be sent.
    expect(troubles).toEqual([REFUSED]);
    await signIn(page, key);
    await goTo(page, 'margenes');
    await page.getByRole('heading', { name: 'Su plan no incluye márgenes' }).waitFor();
    expect(await page.locator('[data-new]').count()).toBe(0);
    await goTo(page, 'resumen');
    await service.service.accounts.revokeKey(id);
    await service.service.changePoller.poll();
    await refreshIfSignedIn(page);
    await page.getByRole('alert').getByText('Su clave ya no es válida').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(new Set(troubles)).toEqual(new Set([REFUSED]));
  });

  test('a suspended account leads back to the form, which says why (contract §11)', async () => {
    const service = serving();
    const { key, accountId } = await holder(service, 'Gratis');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await service.service.accounts.setStatus(accountId, 'suspended');
    await service.service.changePoller.poll();
    await refreshIfSignedIn(page);
    await page.getByRole('alert').getByText('La cuenta está suspendida').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
  });

  test('a key that may only read shows no buttons that would be refused (contract §11)', async () => {
    const service = serving();
    const { accountId } = await holder(service, 'Inicio');
    const grant = { kind: 'restricted', scopes: ['account.read'] } as const;
    const { key } = await service.service.accounts.createKey(accountId, { grant });
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    for (const tab of ['claves', 'margenes'] as const) {
      await goTo(page, tab);
      const place = page.locator(`#tab-${tab}`);
      await place.getByText('puede ver la cuenta, pero no cambiarla').waitFor();
      expect(await place.locator('button').count()).toBe(0);
    }
    await page.getByRole('heading', { name: 'Todavía no tiene márgenes' }).waitFor();
    expectQuiet();
  });

  test('a wrong value is explained below its field, until it changes', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`, { width: 360 });
    await signIn(page, key);
    await goTo(page, 'margenes');
    await page.locator('[data-new]').click();
    await page.getByLabel('Etiqueta').fill('tienda');
    const value = page.getByLabel('Valor', { exact: true });
    await value.fill('5000');
    await page.getByRole('button', { name: 'Guardar' }).click();
    const alert = page.getByRole('alert').getByText('Un porcentaje va de -99 a 1.000');
    await alert.waitFor();
    const [field, said] = [await value.boundingBox(), await alert.boundingBox()];
    const gap = (said?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0);
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(20);
    expect(await value.getAttribute('aria-errormessage')).toBe(await alert.getAttribute('id'));
    expect(await axeFindings(page)).toEqual([]);
    await value.fill('3,5');
    await alert.waitFor({ state: 'detached' });
    expect(await value.getAttribute('aria-invalid')).toBeNull();
    // A group of boxes has no state of its own: its sentence stands in it.
    await page.keyboard.press('Escape');
    await goTo(page, 'claves');
    await page.locator('[data-new-key]').click();
    await page.selectOption('#key-form [name=kind]', 'restricted');
    await page.uncheck('#key-form [value=rates]');
    await page.locator('#key-form button.main').click();
    await page.locator('fieldset').getByRole('alert').getByText('Marque al menos').waitFor();
  });

  test.each([
    ['es', [320, 760, 761, 832]],
    ['en', [761]],
  ] as const)(
    'tables keep every word, day and button whole at any width (%s)',
    async (language, widths) => {
      const service = serving();
      const { accountId, key } = await holder(service, 'Escala');
      const { accounts } = service.service;
      const scopes = ['rates', 'history'] as const;
      const origins = ['https://www.tienda-de-repuestos-la-esquina.example'];
      const limits = { allowNoOrigin: true, requestsPerMinute: 60 };
      await accounts.createKey(accountId, {
        ...{ label: 'Página', lastsUntil: Date.now() + 30 * DAY_MS },
        grant: { kind: 'publishable', scopes: [...scopes], origins, ...limits },
      });
      const { page } = await open(`${service.url}/console`, { language });
      await signIn(page, key);
      await goTo(page, 'claves');
      await page.locator('#tab-claves tbody tr').nth(1).waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const { cut, scrolling } = await page.evaluate(() => {
          const found: string[] = [];
          for (const cell of document.querySelectorAll('#account .stacks :is(th, td)')) {
            const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
              for (const word of (node.nodeValue ?? '').matchAll(/[\p{L}\d/:]{2,}/gu)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const isAddress = node.nodeValue?.startsWith('https:');
                if (!isAddress && range.getClientRects().length > 1) found.push(word[0]);
              }
            }
          }
          for (const whole of document.querySelectorAll('#account .stacks .nowrap')) {
            if (whole.getClientRects().length > 1) found.push(whole.textContent ?? '');
          }
          const tables = [...document.querySelectorAll('#account .stacks')];
          return {
            cut: found,
            scrolling: tables.filter((one) => one.scrollWidth > one.clientWidth).length,
          };
        });
        expect(cut, `${width} px`).toEqual([]);
        expect(scrolling, `${width} px`).toBe(0);
      }
      // Where there is little room, what a key may do has more of it than the day on which it ends.
      await page.setViewportSize({ width: 768, height: 800 });
      const columns = page.locator('#tab-claves thead').first().locator('th');
      const column = async (at: number) => (await columns.nth(at).boundingBox())?.width ?? 0;
      expect(await column(1)).toBeGreaterThan(1.5 * (await column(4)));
    },
  );

  test.each(['light', 'dark'] as const)(
    'examples in empty fields are as clear as other quiet text (%s)',
    async (theme) => {
      const service = serving();
      const { key } = await holder(service, 'Inicio');
      const { page } = await open(`${service.url}/console`, { theme });
      await signIn(page, key);
      await goTo(page, 'probar');
      await page.locator('#operation').selectOption('GET /v1/fx/convert');
      const colorOf = (selector: string, part?: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((one, pseudo) => getComputedStyle(one, pseudo).color, part);
      expect(await colorOf('#try input[placeholder]', '::placeholder')).toBe(
        await colorOf('#try p.hint'),
      );
    },
  );

  test('usage has a chart and its figures, and a name with markup is shown as text', async () => {
    const service = serving();
    const name = '<img src=x onerror="document.title=1">';
    const { key, accountId, id: keyId } = await holder(service, 'Inicio', name);
    const counted = (ago: number, endpoint: string, calls: number, clientErrors = 0) => ({
      ...{ accountId, keyId, endpoint, calls, units: calls - clientErrors },
      ...{ clientErrors, serverErrors: 0 },
      day: utcDayOf(Date.now() - ago * DAY_MS),
    });
    await service.service.store.addUsageDays([
      counted(0, 'GET /v1/fx/rates', 1_200),
      counted(1, 'GET /v1/fx/convert', 34, 4),
      counted(20, 'GET /v1/fx/rates', 5),
      counted(50, name, 6),
    ]);
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    const chart = page.getByRole('img', { name: /Consultas por día/ });
    // The month's chart has a place for each of its days; which of these calls it has, the day says.
    await chart.waitFor();
    const { start, end } = utcMonthOf(Date.now());
    expect(await chart.locator('g').count()).toBe((end - start) / DAY_MS);
    const period = (text: string) => page.getByText(text, { exact: true }).click();
    await period('7 d');
    await page.getByRole('img', { name: /1\.234 en total, 4 con error\./ }).waitFor();
    // A finger has no title to read.
    await chart.locator('g').nth(5).click();
    await page
      .locator('#usage output')
      .getByText(/: 34 consultas, 4 errores$/)
      .waitFor();
    await page.getByRole('heading', { name: /toque uno para ver su gráfica$/ }).waitFor();
    const endpoints = page.locator('#endpoints');
    await endpoints.getByRole('button', { name: 'GET /v1/fx/convert' }).click();
    // What was read from one chart is not said of another.
    await expect.poll(() => page.innerText('#usage output')).toBe('');
    await page.getByRole('img', { name: /: 34 en total/ }).waitFor();
    expect(await endpoints.getByRole('row', { name: /convert/ }).innerText()).toMatch(/34\s+4$/);
    expect(await page.locator('#by-key tbody').innerText()).toMatch(/1\.234\s+1\.230$/);
    await page.getByText('Los mismos datos por día').click();
    expect(await page.locator('#usage tbody').innerText()).toContain('34\t30\t4');
    // The chart of one endpoint may have the same total, so only its days show that they have loaded.
    await period('90 d');
    await chart.locator('g').nth(89).waitFor({ state: 'attached' });
    expect(await chart.locator('g').count()).toBe(90);
    await endpoints.getByRole('button', { name }).click();
    await page.locator('.chosen').getByText(name).waitFor();
    expect(await page.textContent('#account-name')).toBe(name);
    expect(await page.locator('main img').count()).toBe(0);
    expectQuiet();
    await page.context().setOffline(true);
    await page.locator('#refresh').click();
    await page.locator('#account > .wrap > [role=alert]').getByText('No hubo respuesta').waitFor();
    await page.getByText('Los datos son de las').waitFor();
    await expect.poll(() => page.getByText('No hubo respuesta').count()).toBe(1);
    expect(await page.textContent('#units')).toContain('15.000');
    // Nobody has to press anything once the connection is back.
    await page.context().setOffline(false);
    await page.locator('#account > .wrap > [role=alert]').waitFor({ state: 'detached' });
    await page.locator('#units').getByText('15.000').first().waitFor();
  });

  test('a form opens at its first field, and for a finger at its title', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    for (const first of ['#key-form [name=label]', 'dialog h2']) {
      const { page } = await open(`${service.url}/console#claves`, { ownPage: true });
      const session = await page.context().newCDPSession(page);
      if (first === 'dialog h2') {
        await session.send('Emulation.setDeviceMetricsOverride', {
          ...{ width: 360, height: 700, deviceScaleFactor: 1, mobile: true },
        });
        await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      }
      await signIn(page, key);
      await page.locator('[data-new-key]').click();
      await page.locator(`${first}:focus`).waitFor();
    }
  });

  test('an account that could not be read is read again, though the browser never lost its network', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`, { ownPage: true });
    await signIn(page, key);
    await page.locator('#units').waitFor();
    await page.clock.install();
    await page.route('**/v1/account', (route) => route.abort());
    await page.locator('#refresh').click();
    const trouble = page.locator('#account > .wrap > [role=alert]');
    await trouble.waitFor();
    await page.unroute('**/v1/account');
    await page.clock.runFor(5_000);
    await trouble.waitFor({ state: 'detached' });
  });

  test('a markup is previewed, saved, changed and deleted, with the keyboard alone', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, troubles } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.locator('.tabs a[href="#margenes"]').press('Enter');
    await page.locator('#tab-margenes h1:focus').waitFor();
    await page.locator('[data-new]').focus();
    await page.keyboard.press('Enter');
    await page.locator('#rule-form').waitFor();
    await page.keyboard.type('tienda');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3,5');
    const preview = page.locator('#preview');
    await preview.getByText('1.047,7823').waitFor();
    expect(await preview.innerText()).toContain('+35,4323');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Margen tienda guardado.').waitFor();
    const marked = await service.call('/v1/fx/rates?markup=tienda', { key });
    expect(marked.text).toContain('"mid_with_markup":1047.7823');
    // The list has the dollar before it and with it, and asks for it without a unit.
    await page.locator('#tab-margenes tbody').getByText('889,5754 → 920,7105').waitFor();
    // The button that opened the form is gone: the row of the first rule has the focus.
    await page.locator('[data-menu=tienda]:focus').press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Tipo').selectOption('fixed');
    await page.getByLabel('Valor', { exact: true }).fill('no');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Escriba un número').waitFor();
    // An amount that some read otherwise is asked for once more.
    await page.getByLabel('Valor', { exact: true }).fill('1.500');
    expect(await preview.innerText()).toBe('');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('escriba 1.500,00 o 1,5').waitFor();
    await page.getByLabel('Valor', { exact: true }).fill('2000000000000');
    // What cannot be saved has no preview.
    expect(await preview.innerText()).toBe('');
    await page.getByText('hasta un billón (10^12) de VES').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('hasta un billón (10^12) de VES').waitFor();
    await page.getByLabel('Valor', { exact: true }).fill('-2');
    await page.locator('#rule-form summary').click();
    await page.getByLabel('BCV, dólar', { exact: true }).check();
    await preview.getByText('887,5754').waitFor();
    expect(await preview.innerText()).not.toContain('Dólar paralelo');
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.locator('#tab-margenes tbody').getByText('−2 VES').waitFor();
    await page.locator('[data-menu=tienda]:focus').press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('recibirán el error markup_not_found').waitFor();
    await page.getByRole('button', { name: 'Sí, borrar' }).press('Enter');
    await page.getByRole('heading', { name: 'Todavía no tiene márgenes' }).waitFor();
    await page.locator('[data-new]:focus').waitFor();
    expect(troubles.filter((line) => !line.includes('status of 400'))).toEqual([]);
  });

  test('what is said of a markup goes with the next change, also one of another tab', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'margenes');
    const said = page.locator('#tab-margenes > .said');
    const save = async () => {
      await page.locator('#rule-form [name=value]').fill('3');
      await page.getByRole('button', { name: 'Guardar' }).click();
      await said.getByText('Margen tienda guardado.').waitFor();
    };
    await page.locator('[data-new]').click();
    await page.locator('#rule-form [name=tag]').fill('tienda');
    await save();
    await choose(page, 'tienda', 'Borrar…');
    await expect.poll(() => said.textContent()).toBe('');
    await page.keyboard.press('Escape');
    await choose(page, 'tienda', 'Editar');
    await save();
    await goTo(page, 'probar');
    await page.locator('#operation').selectOption('DELETE /v1/account/markups/{tag}');
    await page.locator('#try [name=tag]').selectOption('tienda');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('button', { name: 'Sí, borrar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 204/ }).waitFor();
    await goTo(page, 'margenes');
    await page.getByRole('heading', { name: 'Todavía no tiene márgenes' }).waitFor();
    expect(await said.textContent()).toBe('');
    expectQuiet();
  });

  test('a form of a markup that another tab deleted says so, and the list no longer has it', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const body = { tag: 'tienda', kind: 'percent', value: 3, markets: [], active: true };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'margenes');
    await choose(page, 'tienda', 'Editar');
    await service.call('/v1/account/markups/tienda', { key, method: 'DELETE' });
    await page.locator('#rule-form [name=value]').fill('4');
    await page.getByRole('button', { name: 'Guardar' }).click();
    const emptied = page.getByText('Todavía no tiene márgenes');
    await emptied.waitFor({ state: 'attached' });
    // The list behind it is empty by now, and the form still says why it was refused.
    await page.getByRole('alert').getByText('Ese margen ya no existe').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#rule-form').waitFor({ state: 'detached' });
    expect(await emptied.isVisible()).toBe(true);
  });

  test('an optional field of the playground stays in sight while its problem is mended', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console#probar`);
    await signIn(page, key);
    const from = page.locator('#try [name=date]');
    await page.locator('#try summary').click();
    await from.fill('2020-01-01');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.locator('#try .trouble').getByText('El primer día que alcanza su plan es').waitFor();
    await from.fill(utcDayOf(Date.now() + 9 * DAY_MS));
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.locator('#try .trouble').getByText('un día que ya haya comenzado').waitFor();
    await page.locator('#tried [role=alert]').getByText('que ya haya comenzado').waitFor();
    await from.fill('2026-11-01');
    await page.locator('#try .trouble').waitFor({ state: 'detached' });
    expect(await from.isVisible()).toBe(true);
  });

  test('a reload while the service does not answer offers to try again, with the same key', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.route('**/v1/account', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('No hubo respuesta').waitFor();
    expect(await page.locator('#key').count()).toBe(0);
    await page.unroute('**/v1/account');
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.locator('#account').waitFor();
  });

  test('a plan whose markups are all used says so, and opens no form', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const body = { tag: 'tienda', kind: 'percent', value: 3 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    const { page } = await open(`${service.url}/console#margenes`);
    await signIn(page, key);
    await page.getByText('Máximo de márgenes en su plan: 1.').waitFor();
    expect(await page.locator('[data-new]').count()).toBe(0);
    await choose(page, 'tienda', 'Editar');
    await page.getByLabel('Activo').uncheck();
    await page.locator('#rule-form').getByText('Mientras esté inactivo').waitFor();
  });

  test('the form of a new key begins with a kind that the plan still allows, and says which is full', async () => {
    const service = serving();
    const { key } = await holder(service, 'Gratis');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'claves');
    await page.locator('[data-new-key]').click();
    expect(await page.inputValue('#f-kind')).toBe('publishable');
    const form = page.locator('#key-form');
    expect(await form.locator('.trouble').allInnerTexts()).toEqual(['']);
    // Those that are full cannot be chosen, and it is said why, once.
    expect(await form.locator('option:disabled').allInnerTexts()).toEqual([
      ...['Restringida', 'Completa'],
    ]);
    const why = form.getByText('Restringida y Completa: máximo en su plan, 1');
    expect(await why.count()).toBe(1);
    await why.getByRole('link', { name: 'Comparar planes' }).waitFor();
    await form.locator('[name=label]').fill('Página');
    await form.locator('[name=no-origin]').check();
    await form.locator('button.main').click();
    await page.locator('[data-saved]').click();
    // The plan has no other publishable key.
    await page.locator('[data-new-key]:disabled').waitFor();
    await page.locator('#tab-claves').getByRole('link', { name: 'Comparar planes' }).waitFor();
    expectQuiet();
  });

  test.each([
    [360, 3, 'below'],
    [768, 6, 'below'],
    [1280, 6, 'beside'],
  ] as const)(
    'at %d px the preview of a markup has %d whole rows, %s its value, and all when asked, with the keyboard',
    async (width, count, place) => {
      const service = serving();
      const p2p = { binance: 1015, bingx: 1014, bitget: 1016, bybit: 1013, mexc: 1015, okx: 1014 };
      await service.push(...quotesAt(Date.now(), p2p));
      const { key } = await holder(service, 'Escala');
      const { page } = await open(`${service.url}/console#margenes`, { width });
      await signIn(page, key);
      await page.locator('[data-new]').click();
      const value = page.getByLabel('Valor', { exact: true });
      await value.fill('3');
      const rows = page.locator('#preview tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(count);
      const field = await value.boundingBox();
      const aside = await page.locator('#rule-form aside').boundingBox();
      const isBeside = (aside?.x ?? 0) > (field?.x ?? 0) + (field?.width ?? 0);
      expect(isBeside ? 'beside' : 'below').toBe(place);
      await page.locator('[data-all]').press('Enter');
      expect(await rows.count()).toBeGreaterThan(count);
      // What was pressed is gone: the rows have the focus, so that the keys scroll them.
      await page.locator('#preview .scroll:focus').waitFor();
    },
  );

  test.each([360, 1280])(
    'a form stays where it is while its preview comes (%d px)',
    async (width) => {
      const service = serving();
      const { key } = await holder(service, 'Inicio');
      const { page } = await open(`${service.url}/console#margenes`, { width });
      await signIn(page, key);
      await page.locator('[data-new]').click();
      const value = page.getByLabel('Valor', { exact: true });
      const before = await value.boundingBox();
      await value.fill('3');
      await page.locator('#preview td').first().waitFor();
      expect(await value.boundingBox()).toEqual(before);
      // Its buttons are in view without scrolling.
      const save = await page.getByRole('button', { name: 'Guardar' }).boundingBox();
      const height = page.viewportSize()?.height ?? 0;
      expect((save?.y ?? height) + (save?.height ?? 0)).toBeLessThanOrEqual(height);
      await page.getByLabel('Etiqueta').fill('Mi tienda');
      await value.fill('x');
      await page.getByRole('button', { name: 'Guardar' }).click();
      // Both are wrong, and both say so.
      await page.locator('#rule-form [name=tag][aria-invalid=true]').waitFor();
      await page.locator('#rule-form [name=value][aria-invalid=true]').waitFor();
      await page.locator('#rule-form [name=tag]:focus').waitFor();
      // At the end of the form they cover no field.
      await page.locator('dialog').evaluate((one) => one.scrollTo(0, one.scrollHeight));
      const last = await page.getByLabel('Activo').boundingBox();
      const buttons = await page.locator('#rule-form .buttons').boundingBox();
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(buttons?.y ?? 0);
    },
  );

  test.each([360, 1280])(
    'while the account and its usage load, the page says so, and nothing in it moves (%d px)',
    async (width) => {
      const service = serving();
      const { key } = await holder(service, 'Inicio');
      await service.call('/v1/fx/rates', { key });
      const { page } = await open(`${service.url}/console`, { width, ownPage: true });
      await signIn(page, key);
      await page.context().addInitScript(() => {
        const shifts: unknown[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
          type: 'layout-shift',
          buffered: true,
        });
      });
      const gates = ['**/v1/account', '**/v1/account/usage?*'].map(async (address) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        await page.route(address, async (route) => {
          await promise;
          await route.continue();
        });
        return resolve;
      });
      const [answerAccount, answerUsage] = await Promise.all(gates);
      await page.reload();
      await page.getByRole('status').getByText('Cargando…').waitFor();
      answerAccount?.();
      await page.locator('#account').getByText('Cargando…').waitFor();
      const panel = await page.locator('#usage').boundingBox();
      answerUsage?.();
      await page.locator('#endpoints').waitFor();
      await page.locator('#plan').waitFor();
      expect(await page.locator('#usage').boundingBox()).toEqual(panel);
      const shifted = () =>
        page.evaluate(() => {
          const { shifts } = window as unknown as { shifts: readonly { value: number }[] };
          return new Promise<number>((done) => {
            // Entries come after the frame that they are about.
            const told = () => done(shifts.reduce((sum, { value }) => sum + value, 0));
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told)));
          });
        });
      expect(await shifted()).toBeLessThan(0.01);
    },
  );

  test('who signs out of a page that is scrolled sees the form from its top', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    await service.call('/v1/fx/rates', { key });
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.locator('#endpoints').waitFor();
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.evaluate(() => scrollTo(0, 600));
    await page.locator('#sign-out').click();
    await page.getByRole('heading', { name: 'Consola' }).waitFor();
    await page.locator('#key:focus').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('a short page fills its window exactly, and the form of the key is as wide as the header', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    const isHigher = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await isHigher()).toBe(0);
      const form = await page.locator('#sign-in').boundingBox();
      const header = await page.locator('.bar').boundingBox();
      expect(form?.width).toBe((header?.width ?? 0) - 64);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await signIn(page, key);
    await goTo(page, 'margenes');
    await page.getByRole('heading', { name: 'Todavía no tiene márgenes' }).waitFor();
    expect(await isHigher()).toBe(0);
  });

  test('on a phone the tabs stay in view and the account goes, unless the window is low', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`, { width: 360 });
    await signIn(page, key);
    await page.locator('#plan').waitFor();
    const top = async (place: string) => {
      await page.evaluate(() => scrollTo(0, 900));
      return (await page.locator(place).boundingBox())?.y ?? 0;
    };
    expect(await top('.tabs')).toBeGreaterThanOrEqual(0);
    expect(await top('.tabs')).toBeLessThan(4);
    expect(await top('#sign-out')).toBeLessThan(-40);
    await page.setViewportSize({ width: 360, height: 400 });
    expect(await top('.tabs')).toBeLessThan(-100);
  });

  test('a rotated key is shown once, and the console continues with it', async () => {
    const service = serving();
    const { accountId, key, id } = await holder(service, 'Gratis');
    const { page, expectQuiet } = await open(`${service.url}/console`, { language: 'en' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, key);
    await goTo(page, 'claves');
    await choose(page, id, 'Rotate…');
    await page.getByLabel('The old key stops working').selectOption('3600');
    await page.locator('#rotate-form button.main').click();
    const shown = page.locator('#new-key code');
    await shown.waitFor();
    const next = await shown.innerText();
    await page.locator('#new-key').getByText('This console is already using it.').waitFor();
    await page.locator('#new-key').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(next);
    expect(await page.evaluate(() => Object.values({ ...sessionStorage }))).toEqual([next]);
    for (const one of [key, next]) {
      expect((await service.call('/v1/account', { key: one })).status).toBe(200);
    }
    // Nothing but its owner's word takes it away: neither Escape, twice, nor another address.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.goBack();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your new key');
    await page.locator('#new-key').getByRole('status').getByText('Before you go on').waitFor();
    expect(await shown.innerText()).toBe(next);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(next);
    await goTo(page, 'claves');
    const { keys } = await service.service.accounts.listKeys(accountId);
    const successor = keys.find((one) => one.id !== id)?.id;
    await page
      .locator(`tr:has([data-menu="${id}"])`)
      .getByText(`replaced by ${successor}`)
      .waitFor();
    const mark = page.locator('.tag', { hasText: 'replaced by' });
    // With a space that is seen.
    expect(await mark.innerText()).toBe(`replaced by ${successor}`);
    await page
      .locator(`tr:has([data-menu="${id}"])`)
      .getByText(/in (?:5\d\smin|1\sh)/)
      .waitFor();
    await page.reload();
    await page.locator('#account').waitFor();
    expect(JSON.stringify(service.log.lines)).not.toContain(next);
    expectQuiet();
  });

  test('the playground asks before it deletes, and offers what the account has', async () => {
    const service = serving();
    const { key, id, accountId } = await holder(service, 'Inicio');
    const grant = { kind: 'restricted', scopes: ['rates'] } as const;
    const other = await service.service.accounts.createKey(accountId, { grant, label: 'Caja' });
    const body = { tag: 'tienda', kind: 'percent', value: 3.5 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    const { page, expectQuiet } = await open(`${service.url}/console#probar`);
    const deleted: string[] = [];
    page.on('request', (one) => one.method() === 'DELETE' && deleted.push(one.url()));
    await signIn(page, key);
    const send = page.getByRole('button', { name: 'Enviar' });
    await page.locator('#operation').selectOption('DELETE /v1/account/keys/{id}');
    await send.click();
    // The page says what is missing, not the browser; the field has the focus.
    await page.locator('#try [name=id]:focus').waitFor();
    await page.locator('#try').getByText('Falta este dato.').waitFor();
    const offered = await page.locator('#try [name=id] option').allInnerTexts();
    expect(offered.toSorted()).toEqual(['elija', `Caja (${other.id})`, id].toSorted());
    await page.locator('#try [name=id]').selectOption(other.id);
    await send.click();
    await page.locator('#revoke-form dd').getByText(other.id).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('#revoke-form [data-cancel]').click();
    expect(deleted).toEqual([]);
    await send.click();
    await page.locator('#revoke-form button.main').click();
    await page.getByRole('heading', { name: /Respuesta: 204/ }).waitFor();
    const tried = page.locator('#tried');
    await tried.getByText('Sin contenido').waitFor();
    expect(await tried.getByRole('button').count()).toBe(0);
    expect(deleted).toEqual([`${service.url}/v1/account/keys/${other.id}`]);
    await page.locator('#operation').selectOption('DELETE /v1/account/markups/{tag}');
    await page.locator('#try [name=tag]').selectOption('tienda');
    await send.click();
    await page.locator('#delete-form button.main').click();
    await page.getByRole('heading', { name: /Respuesta: 204/ }).waitFor();
    expect(deleted).toHaveLength(2);
    expectQuiet();
  });

  test('a confirmed deletion closes its dialog at once, and nothing is chosen in its place', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    for (const tag of ['ferreteria', 'tienda']) {
      const body = { tag, kind: 'percent', value: 3.5 };
      await service.call('/v1/account/markups', { key, method: 'POST', body });
    }
    const { page, expectQuiet } = await open(`${service.url}/console#probar`);
    await signIn(page, key);
    const send = page.getByRole('button', { name: 'Enviar' });
    await page.locator('#operation').selectOption('DELETE /v1/account/markups/{tag}');
    const choice = page.locator('#try [name=tag]');
    for (const [tag, left] of [
      ['ferreteria', 'elija'],
      ['tienda', 'Todavía no tiene márgenes'],
    ] as const) {
      const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
      await page.route(`**/markups/${tag}`, async (route) => {
        await mayAnswer;
        await route.continue();
      });
      await choice.selectOption(tag);
      await send.click();
      await page.getByRole('button', { name: 'Sí, borrar' }).click();
      await page.locator('#tried').getByText('Enviando…').waitFor();
      expect(await page.locator('dialog').count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Enviar');
      answer();
      await page.getByRole('heading', { name: /Respuesta: 204/ }).waitFor();
      await expect.poll(() => choice.locator('option:checked').innerText()).toBe(left);
      expect(await page.locator('#sample').innerText()).toContain('/markups/{tag}');
    }
    expectQuiet();
  });

  test('the playground keeps its operation and fields through a reload and a change of language', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console?try=convert`);
    await signIn(page, key);
    await page.fill('#try [name=amount]', '7.5');
    await page.reload();
    await page.locator('#try').waitFor();
    expect(await page.locator('#try [name=amount]').inputValue()).toBe('7.5');
    await page.locator('#operation').selectOption('GET /v1/fx/rates/{market}');
    await page.selectOption('#try [name=market]', 'parallel');
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL('**lang=en**');
    await page.locator('#try').waitFor();
    expect(await page.locator('#operation').inputValue()).toBe('GET /v1/fx/rates/{market}');
    expect(await page.locator('#try [name=market]').inputValue()).toBe('parallel');
    await page.locator('#sign-out').click();
    await page.locator('#sign-in').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expectQuiet();
  });

  test('a percentage above 100 is asked about once more, and a percent sign is no mistake', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console#margenes`);
    await signIn(page, key);
    await page.locator('[data-new]').click();
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('alert').getByText('Falta este dato.').first().waitFor();
    expect(await page.getByRole('alert').getByText('Falta este dato.').count()).toBe(2);
    await page.getByLabel('Etiqueta').fill('tienda');
    await page.getByLabel('Valor', { exact: true }).fill('1000 %');
    await page.getByText('= +1.000 %').waitFor();
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('alert').getByText('guarde otra vez').waitFor();
    expect((await service.call('/v1/account/markups', { key })).text).not.toContain('tienda');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.locator('[data-menu=tienda]:focus').waitFor();
    expectQuiet();
  });

  test('a name without spaces takes two lines at most, and hides no menu', async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Escala');
    const label = 'x'.repeat(100);
    const { id } = await service.service.accounts.createKey(accountId, {
      ...{ grant: { kind: 'full' }, label },
    });
    const { page } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const name = await page.getByText(label).first().boundingBox();
      expect(name?.height, `${width} px`).toBeLessThan(60);
      const menu = await page.locator(`[data-menu="${id}"]`).boundingBox();
      expect((menu?.x ?? width) + (menu?.width ?? 0), `${width} px`).toBeLessThanOrEqual(width);
      const end = (name?.x ?? width) + (name?.width ?? 0);
      expect(end, `${width} px`).toBeLessThanOrEqual(menu?.x ?? 0);
    }
  });

  test('a refused answer of the playground links to the plans in a colour that can be read', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'probar');
    await page.locator('#operation').selectOption('GET /v1/fx/route');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.locator('#tried').getByRole('link', { name: 'Comparar planes' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test("the playground sends the form's request, and shows it as code without the key by default", async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, troubles } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'probar');
    await page.locator('#operation').selectOption('GET /v1/fx/convert');
    await page.fill('#try [name=amount]', '200');
    await page.locator('#try summary').click();
    await page.selectOption('#try [name=via]', 'parallel');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    const tried = page.locator('#tried');
    expect(await tried.innerText()).toContain('"amount": 202470');
    expect(await tried.innerText()).toContain('1 unidad');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tried.getByRole('button', { name: 'Copiar la respuesta' }).click();
    await tried.getByRole('status').getByText('Copiado').waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied.to.amount).toBe(202_470);
    await tried.getByText('Encabezados').click();
    expect(await tried.innerText()).toContain('x-ratelimit-cost: 1');
    expect(await tried.innerText()).toContain('x-ratelimit-remaining: 14999');
    await tried.locator('label', { hasText: 'Respuesta' }).click();
    await goTo(page, 'resumen');
    await page.getByRole('img', { name: /: 1 en total/ }).waitFor();
    await page.goBack();
    await tried.getByText('202470').waitFor();
    await page.fill('#try [name=amount]', '-5');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 400/ }).waitFor();
    expect(await tried.innerText()).toContain('"code": "invalid_format"');
    await tried.getByText('amount: Escriba un número mayor que 0').waitFor();
    const marked = page.locator('#try [aria-invalid=true]');
    expect(await marked.getAttribute('name')).toBe('amount');
    const reason = page.locator('#about-amount');
    const rule = 'Escriba un número mayor que 0 y hasta un billón (10^12), con punto decimal';
    expect(await reason.innerText()).toContain(rule);
    // The message of an error is seen whole.
    expect(await tried.locator('pre').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.fill('#try [name=amount]', '1.234,5');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 400/ }).waitFor();
    await reason.getByText(rule).waitFor();
    await page.fill('#try [name=amount]', '1');
    // What was said of the value before is no longer true.
    expect(await marked.count()).toBe(0);
    await tried.getByText('De la consulta anterior').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    expect(await marked.count()).toBe(0);
    await page.locator('#operation').selectOption('POST /v1/account/markups');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 201/ }).waitFor();
    await goTo(page, 'margenes');
    await page.locator('#tab-margenes tbody').getByText('tienda').first().waitFor();
    await goTo(page, 'probar');
    await page.locator('#operation').selectOption('GET /v1/fx/convert');
    await page.fill('#try [name=amount]', '7.5');
    const sample = page.locator('#sample');
    const address = `${service.url}/v1/fx/convert?from=USD&to=VES&amount=7.5`;
    const signs = { sh: 'curl ', js: 'fetch(', python: 'urlopen', php: '<?php' };
    for (const [kind, sign] of Object.entries(signs)) {
      await page.locator(`[name=sample-kind][value=${kind}]`).check({ force: true });
      const code = await sample.innerText();
      expect(code).toContain(sign);
      expect(code).toContain(kind === 'sh' ? "-d 'from=USD&to=VES&amount=7.5'" : address);
      expect(code).toContain('VESFX_KEY');
      expect(code).not.toContain(key);
    }
    await page.getByLabel('Poner mi clave en el código').check();
    expect(await sample.innerText()).toContain(key);
    await page.getByLabel('Poner mi clave en el código').uncheck();
    expect(await page.content()).not.toContain(key);
    expect(troubles.filter((line) => !line.includes('status of 400'))).toEqual([]);
  });

  test('an answer comes into view on a phone, where it is below the form, and so does its lack', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console?try=convert`, { width: 360 });
    await signIn(page, key);
    const topOf = async (text: string) =>
      (await page.locator('#tried').getByText(text).boundingBox())?.y ?? 780;
    await page.locator('#try [name=amount]').press('Enter');
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    expect(await topOf('200 OK')).toBeLessThan(500);
    await page.evaluate(() => scrollTo(0, 0));
    await page.route('**/v1/fx/convert?*', (route) => route.abort());
    await page.locator('#try [name=amount]').press('Enter');
    await page.locator('#tried [role=alert]').waitFor();
    expect(await topOf('No hubo respuesta')).toBeLessThan(700);
  });

  test('a link of the reference opens the playground at its operation, filled in, in both languages', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/docs/reference/conversion#convert`);
    await page.locator('#convert').getByRole('link', { name: 'Probar en la consola' }).click();
    await page.waitForURL('**/console?try=convert');
    await page.waitForLoadState();
    await signIn(page, key);
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('operation');
    expect(await page.locator('#operation').inputValue()).toBe('GET /v1/fx/convert');
    expect(await page.locator('#try [name=amount]').inputValue()).toBe('100');
    expect(await page.locator('#sample').innerText()).toContain('from=USD&to=VES&amount=100');
    // As the reference groups them.
    expect(await page.locator('#operation optgroup').evaluateAll(labels)).toEqual([
      ...['Tasas', 'Conversión', 'Análisis', 'Banco Central', 'Cuenta'],
    ]);
    expect(await page.locator('optgroup:has(:checked)').evaluateAll(labels)).toEqual([
      'Conversión',
    ]);
    const form = await page.locator('#try').innerText();
    expect(await page.locator('#operation option:checked').innerText()).toBe('Convertir un monto');
    expect(form).toContain('en mayúsculas o minúsculas');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    expectQuiet();
  });

  test('its forms and tables stand on the grid of the header, none cut, at any width', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const origins = ['https://a-rather-long-name-of-a-shop.example'];
    const body = JSON.stringify({ kind: 'publishable', scopes: ['rates'], origins });
    await fetch(`${service.url}/v1/account/keys`, { method: 'POST', headers, body });
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    for (const [tab, open] of [
      ['resumen', undefined],
      ['claves', '[data-new-key]'],
      ['margenes', '[data-new]'],
      ['probar', undefined],
    ] as const) {
      await goTo(page, tab);
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await offTheGrid(page), `${tab}, ${width} px`).toEqual([]);
        if (open === undefined) continue;
        await page.locator(open).click();
        await page.locator('dialog form').waitFor();
        if (tab === 'claves') await page.selectOption('#key-form [name=kind]', 'publishable');
        else await page.getByLabel('Valor', { exact: true }).fill('3,5');
        expect(await offTheGrid(page), `${open}, ${width} px`).toEqual([]);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
    }
  });

  test('fits and is accessible in every view, signed in', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    const body = { tag: 'tienda', kind: 'percent', value: 3.5 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    await service.call('/v1/fx/rates/parallel', { key });
    const states: Readonly<Record<Tab, (page: Page) => Promise<unknown>>> = {
      resumen: (page) => page.getByRole('img', { name: /:/ }).waitFor(),
      claves: (page) => page.locator('[data-menu]').first().click(),
      margenes: (page) => choose(page, 'tienda', 'Editar').catch(() => undefined),
      probar: async (page) => {
        await page.locator('#try button.main').click();
        await page.locator('#tried h2').waitFor();
      },
    };
    for (const [tab, reach] of Object.entries(states)) {
      const ready = async (page: Page) => {
        await signIn(page, key);
        if (tab === 'margenes') await page.locator('[data-menu=tienda]').click();
        else await reach(page);
        if (tab === 'margenes') {
          await page.getByRole('menuitem').first().click();
          await page.locator('#rule-form').waitFor();
        }
      };
      await expectGoodInEveryView(open, `${service.url}/console#${tab}`, { ready });
    }
  });

  test('each tab has its address: a link opens it, and the browser goes back to it', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    const current = () => page.locator('.tabs [aria-current=page]').getAttribute('href');
    expect(await current()).toBe('#claves');
    await goTo(page, 'probar');
    await goTo(page, 'margenes');
    expect(page.url()).toBe(`${service.url}/console#margenes`);
    // The title follows once the tab is drawn.
    await expect.poll(() => page.title()).toBe('Márgenes · vesfx');
    await page.goBack();
    await page.locator('#tab-probar h1').waitFor();
    expect(await current()).toBe('#probar');
    expect(await page.locator('section.tab:visible').count()).toBe(1);
    await page.reload();
    await page.locator('#try').waitFor();
    expect(await current()).toBe('#probar');
    expectQuiet();
  });

  test('the link of the other language opens the same tab, in both directions', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL('**/console?lang=en#claves');
    await page.locator('#tab-claves h1').getByText('Keys').waitFor();
    await goTo(page, 'margenes');
    await page.getByRole('link', { name: 'Español' }).click();
    await page.waitForURL('**/console?lang=es#margenes');
    await page.locator('#tab-margenes h1').waitFor();
    expectQuiet();
  });

  test('the menu of a key works with arrow keys, and Escape returns to its button', async () => {
    const service = serving();
    const { key, id } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    const button = page.locator(`[data-menu="${id}"]`);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await button.press('ArrowDown');
    expect(await page.getByRole('menu').count()).toBe(1);
    const seen = [await focused()];
    for (const move of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End']) {
      await page.keyboard.press(move);
      seen.push(await focused());
    }
    const [change, rotate, revoke] = ['Editar', 'Rotar…', 'Revocar…'];
    expect(seen).toEqual([change, rotate, revoke, change, revoke, change, revoke]);
    await page.keyboard.press('Escape');
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.getByRole('menu').count()).toBe(0);
    await button.click();
    await page.locator('h1:visible').click();
    expect(await page.getByRole('menu').count()).toBe(0);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 420 });
      await button.click();
      const box = await page.getByRole('menu').boundingBox();
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(420);
      // It ends where its button ends, below or above it.
      const from = await button.boundingBox();
      const right = (at: typeof box) => (at?.x ?? 0) + (at?.width ?? 0);
      const bottom = (at: typeof box) => (at?.y ?? 0) + (at?.height ?? 0);
      expect(Math.abs(right(box) - right(from))).toBeLessThan(1);
      const isAbove = (box?.y ?? 0) < (from?.y ?? 0);
      const gap = isAbove ? (from?.y ?? 0) - bottom(box) : (box?.y ?? 0) - bottom(from);
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(12);
      await page.keyboard.press('Escape');
    }
  });

  test('what was done is in view in a list longer than the window, at the height of its row', async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Escala');
    const grant = { kind: 'restricted', scopes: ['rates'] } as const;
    for (let count = 0; count < 15; count += 1) {
      await service.service.accounts.createKey(accountId, { grant, label: `Caja ${count}` });
    }
    const { page } = await open(`${service.url}/console#claves`, { width: 360 });
    await signIn(page, key);
    const isInView = async (label: string, action: string) => {
      const row = page.locator('tr', { hasText: label });
      await row.locator('[data-menu]').click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
      await page.locator('dialog button.main').click();
      const said = page.locator('#tab-claves > .said', { hasText: label });
      await said.waitFor();
      await page.locator('dialog').waitFor({ state: 'detached' });
      const box = await said.boundingBox();
      expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(780);
    };
    await isInView('Caja 7', 'Editar');
    await isInView('Caja 8', 'Revocar…');
    await page.locator('[data-new-key]').click();
    expect(await page.locator('#tab-claves > .said').isVisible()).toBe(false);
  });

  test('a key cannot outlive the one that makes it, and the form says until when', async () => {
    const service = serving();
    service.clock.set(Date.now());
    const { accountId } = await holder(service, 'Inicio');
    const lastsUntil = Date.now() + 40 * DAY_MS;
    const { accounts } = service.service;
    const { key } = await accounts.createKey(accountId, { grant: { kind: 'full' }, lastsUntil });
    const { page } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    await page.locator('[data-new-key]').click();
    const said = await page.locator('#expires-hint').innerText();
    expect(said).toContain(`A más tardar el ${shortDay(caracasDayOf(lastsUntil), 'es')}`);
  });

  test('what another tab changed is there when the reader comes back', async () => {
    const service = serving();
    service.clock.set(Date.now());
    const { accountId, key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console#claves`, { ownPage: true });
    await page.clock.install();
    await signIn(page, key);
    await page.locator('.keys tbody tr').first().waitFor();
    const grant = { kind: 'restricted', scopes: ['rates'] } as const;
    await service.service.accounts.createKey(accountId, { grant, label: 'De otra pestaña' });
    await page.clock.runFor(30_000);
    await goTo(page, 'resumen');
    await goTo(page, 'claves');
    await page.getByText('De otra pestaña').waitFor();
  });

  test('a playground whose first opening had no network can be read again', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    await page.route('**/console/operations.json*', (route) => route.abort());
    await signIn(page, key);
    await goTo(page, 'probar');
    const trouble = page.locator('#tab-probar [role=alert]');
    await trouble.waitFor();
    await page.unroute('**/console/operations.json*');
    await trouble.getByRole('button', { name: 'Reintentar' }).click();
    await page.locator('#try').waitFor();
    expect(await trouble.count()).toBe(0);
    const read = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    expect(read).not.toContain('/openapi.json');
  });

  test('a half-typed day in the playground is not sent as no day', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'probar');
    await page.getByText('Parámetros opcionales').click();
    await page.locator('#try [name=date]').focus();
    await page.keyboard.type('11');
    await page.locator('#try button.main').click();
    await page.locator('#try [name=date][aria-invalid=true]').waitFor();
    expect(await page.innerText('#about-date')).toContain('Escriba el día completo');
    expect(await page.locator('#tried pre').count()).toBe(0);
  });

  test('markups that could not be read can be read again', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`);
    await page.route('**/v1/account/markups', (route) => route.abort());
    await signIn(page, key);
    await goTo(page, 'margenes');
    const retry = page.locator('#tab-margenes').getByRole('button', { name: 'Reintentar' });
    await retry.waitFor();
    await page.unroute('**/v1/account/markups');
    await retry.click();
    await page.getByRole('heading', { name: 'Todavía no tiene márgenes' }).waitFor();
    expect(await retry.count()).toBe(0);
  });

  test('who revokes the key of the console reads that it is done, and a publishable key does not enter', async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Inicio');
    const { accounts } = service.service;
    const { id } = await accounts.createKey(accountId, { grant: { kind: 'full' }, label: 'Otra' });
    const { page, expectQuiet } = await open(`${service.url}/console#claves`);
    await page.fill('#key', `vfx_pub_${key.slice('vfx_live_'.length)}`);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('no entra a la consola').waitFor();
    await signIn(page, key);
    const own = page.locator('tr', { hasText: 'en uso aquí' }).locator('[data-menu]');
    expect(await own.getAttribute('data-menu')).not.toBe(id);
    await choose(page, (await own.getAttribute('data-menu')) ?? '', 'Revocar…');
    await page.locator('#revoke-form button.danger').click();
    await page
      .getByRole('status')
      .getByText(/^Clave key_\w+ revocada\.$/)
      .waitFor();
    expect(await page.locator('#key').getAttribute('aria-invalid')).toBeNull();
    expectQuiet();
  });

  test('the form of a markup that is opened again soon costs no second unit, and the list says how many there are', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const body = { tag: 'tienda', kind: 'percent', value: 3.5 };
    expect((await service.call('/v1/account/markups', { key, method: 'POST', body })).status).toBe(
      201,
    );
    const { page } = await open(`${service.url}/console`);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await signIn(page, key);
    await goTo(page, 'margenes');
    await page.getByText(/^Márgenes: 1 de \d+\.$/).waitFor();
    for (let time = 0; time < 2; time += 1) {
      await choose(page, 'tienda', 'Editar');
      await page.locator('#preview tbody tr').first().waitFor();
      await page.locator('[data-cancel]').click();
    }
    expect(asked.filter((path) => path === '/v1/fx/rates')).toHaveLength(1);
  });

  test('CSV in the playground keeps its lines whole, without colours', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await goTo(page, 'probar');
    await page.getByText('Parámetros opcionales').click();
    await page.locator('#try [name=format]').selectOption('csv');
    await page.locator('#try button.main').click();
    const code = page.locator('#tried pre');
    await code.getByText('market,').waitFor();
    expect(await code.locator('span').count()).toBe(0);
    expect(await code.evaluate((one) => getComputedStyle(one).whiteSpace)).toBe('pre');
  });

  test('every list has one layout: what it is with its action, its rows, and how many there may be', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    const body = { tag: 'tienda', kind: 'percent', value: 3.5 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    // The plan stands once.
    expect(await page.innerText('.app-bar')).not.toContain('Escala');
    expect(await page.innerText('#plan h2')).toContain('Escala');
    for (const tab of ['claves', 'margenes'] as const) {
      await goTo(page, tab);
      await page.locator(`#tab-${tab} tbody tr`).first().waitFor();
      const parts = await page.$$eval(`#tab-${tab} > .panel.keys > *`, (all) =>
        all.map(({ className }) => className.split(' ')[0]),
      );
      expect([tab, ...parts]).toEqual([tab, 'head', 'scroll', 'foot']);
      expect(await page.locator(`#tab-${tab} .panel .head .main`).count()).toBe(1);
    }
  });

  test('keys are listed by their names, with their last use', async () => {
    const service = serving();
    // The browser's time goes on while that of the service stands still.
    service.clock.set(Date.now());
    const { accountId, key } = await holder(service, 'Inicio');
    const { accounts, store } = service.service;
    const grant = { kind: 'restricted', scopes: ['rates'] } as const;
    const used = await accounts.createKey(accountId, { grant, label: 'Facturación' });
    await store.noteKeyUse([used.id], Date.now() - 3 * 60 * 60_000);
    const { page } = await open(`${service.url}/console#claves`);
    await signIn(page, key);
    const row = (name: string) => page.locator('#tab-claves tr', { hasText: name });
    expect(await row('Facturación').innerText()).toMatch(/hace 3\sh/);
    expect(await row('Sin nombre').innerText()).toContain('hace un momento');
    await page.getByText('Claves: 2 de 2; publicables, aparte: 0 de 2.').waitFor();
  });
});

describeInBrowser('the console of a demonstration', (open) => {
  const notice = { es: 'Demostración', en: 'Demonstration' };
  const serving = sharedService(addRates, { start: Date.now(), config: { notice } });

  test('opens with one press on a plan; no other service offers that', async () => {
    const service = serving();
    const { accounts } = service.service;
    const { id } = await accounts.create('Demo Escala', 'Escala');
    await accounts.createKey(id, { grant: { kind: 'full' }, key: demoKey('Escala') });
    const { page, expectQuiet } = await open(`${service.url}/console`);
    expect(await page.locator('.plan-choice b').allInnerTexts()).toEqual([
      ...['Gratis', 'Inicio', 'Esencial', 'Profesional', 'Escala'],
    ]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('Ver las claves').click();
    await page.getByRole('button', { name: 'Copiar: Escala' }).click();
    await page.getByText('Copiada', { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(demoKey('Escala'));
    expect(await axeFindings(page)).toEqual([]);
    await page.locator('.plan-choice', { hasText: 'Escala' }).click();
    await page.locator('#account').waitFor();
    expect(await page.textContent('#account-name')).toBe('Demo Escala');
    // Nobody ends by mistake what everyone enters with.
    await goTo(page, 'claves');
    await page.getByText('La usan todos los visitantes').waitFor();
    expect(await page.locator('.keys [aria-haspopup]').count()).toBe(0);
    await page.locator('#sign-out').click();
    // Nor with a key of one's own.
    service.clock.advance(60_000);
    const own = await accounts.createKey(id, { grant: { kind: 'full' }, label: 'Caja' });
    await signIn(page, own.key);
    await page.locator('tr', { hasText: 'La usan todos los visitantes' }).waitFor();
    const menus = page.locator('.keys [data-menu]');
    expect(await menus.count()).toBe(1);
    expect(await menus.getAttribute('data-menu')).toBe(own.id);
    await goTo(page, 'probar');
    await page.locator('#operation').selectOption('DELETE /v1/account/keys/{id}');
    const offered = await page.locator('#try [name=id] option').allInnerTexts();
    expect(offered).toEqual(['elija', `Caja (${own.id})`]);
    expectQuiet();
    // Also with one that comes before the script of the page.
    await page.locator('#sign-out').click();
    const { loadScript } = await openWithoutItsScript(page, `${service.url}/console`);
    await page.getByRole('button', { name: /Escala/ }).click();
    loadScript();
    await page.locator('#account').waitFor();
    expect(await page.textContent('#account-name')).toBe('Demo Escala');
    expectQuiet();
  });
});
