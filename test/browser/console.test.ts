import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DAY_MS, utcDayOf } from '../../src/domain/time.ts';
import { axeFindings } from '../harness/axe.ts';
import { describeInBrowser, expectGoodInEveryView } from '../harness/browser.ts';
import { official, quote } from '../harness/make.ts';
import { sharedService, type TestService } from '../harness/service.ts';

/** The browser's own message when a key is refused, which a page cannot prevent. */
const REFUSED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';

async function addRates(service: TestService): Promise<void> {
  const day = utcDayOf(Date.now() - DAY_MS);
  await service.push(official(day, { USD: 889.5754 }), quote('parallel', 1012.35));
}

async function holder(service: TestService, plan: string, name = 'Tienda La Esquina') {
  const { accounts } = service.service;
  const account = await accounts.create(name, plan);
  return { accountId: account.id, ...(await accounts.createKey(account.id)) };
}

async function signIn(page: Page, key: string) {
  await page.fill('#key', key);
  await page.locator('#sign-in button').click();
  await page.locator('#sample').waitFor();
}

/** Everything that the browser keeps or shows as an address, in which no key may ever be. */
function traces(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([location.href, { ...localStorage }, document.cookie, history.state]),
  );
}

describeInBrowser('the console', (open) => {
  // On the browser's own time, because the console counts its days by that. Each test has its account.
  const serving = sharedService(addRates, { start: Date.now() });

  test('the console creates and revokes keys of every kind (decisions §11)', async () => {
    const service = serving();
    const { accountId, key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.locator('[data-new-key]').click();
    expect(await page.locator('#key-form fieldset').isVisible()).toBe(false);
    await page.selectOption('#key-form [name=kind]', 'publishable');
    await page.fill('#key-form [name=label]', 'Página');
    await page.fill('#key-form [name=origins]', 'https://a.example https://b.example');
    await page.check('#key-form [value=rates]');
    expect(await page.isVisible('#key-form [value=mcp]')).toBe(false);
    await page.locator('#key-form button.main').click();
    expect(await page.locator('#new-key code').textContent()).toMatch(/^vfx_pub_/);
    await page.locator('[data-saved]').click();
    const list = async () => (await service.service.accounts.listKeys(accountId)).keys;
    const made = (await list()).find(({ label }) => label === 'Página');
    expect(made?.grant).toMatchObject({
      kind: 'publishable',
      scopes: ['rates'],
      origins: ['https://a.example', 'https://b.example'],
    });
    const revoke = page.locator(`[data-revoke="${made?.id}"]`);
    await revoke.click();
    await page.locator('#revoke-form [data-cancel]').click();
    expect(await revoke.evaluate((button) => button === document.activeElement)).toBe(true);
    await revoke.click();
    await page.locator('#revoke-form button.main').click();
    await page.locator('#keys details').waitFor();
    await page.locator('#keys details summary').click();
    expect(await axeFindings(page)).toEqual([]);
    expect((await list()).filter(({ revokedAt }) => revokedAt !== undefined)).toHaveLength(1);
    expectQuiet();
  });

  test("the console changes a key's label, expiry, scopes and origins (decisions §11)", async () => {
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
    const { page, troubles } = await open(`${service.url}/console`);
    await signIn(page, key);
    const found = async () => {
      const { keys } = await service.service.accounts.listKeys(accountId);
      return keys.find((one) => one.id === id);
    };
    const form = page.locator('#change-form');
    await page.locator(`[data-change="${id}"]`).click();
    expect(await form.locator('[name=label]').inputValue()).toBe('Página');
    expect(await form.locator('[name=expires]').inputValue()).toBe('2027-05-01');
    expect(await form.locator('[name=origins]').inputValue()).toBe('https://a.example');
    expect(await form.locator('[value=history]').isChecked()).toBe(true);
    expect(await form.locator('[value=mcp]').isVisible()).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    await form.locator('[name=label]').fill('');
    await form.locator('[name=origins]').fill('https://b.example/, https://c.example');
    await form.locator('[value=history]').uncheck();
    await form.locator('[name=no-origin]').check();
    await form.locator('button.main').click();
    // An origin has no trailing slash: the form says so, and nothing changes.
    await form.getByRole('alert').getByText('orígenes exactos, sin barra al final').waitFor();
    const marked = form.locator('[aria-invalid=true]');
    expect(await marked.evaluateAll((all) => all.map((one) => one.getAttribute('name')))).toEqual([
      'origins',
    ]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('origins');
    expect((await found())?.label).toBe('Página');
    await form.locator('[name=origins]').fill('https://b.example https://c.example');
    await form.locator('button.main').click();
    await form.waitFor({ state: 'detached' });
    await page.locator(`[data-change="${id}"]:focus`).waitFor();
    const changed = await found();
    expect(changed?.label).toBeUndefined();
    expect(changed?.grant).toMatchObject({
      scopes: ['rates'],
      origins: ['https://b.example', 'https://c.example'],
      allowNoOrigin: true,
    });
    // An expiry that the form does not change stays exact to the second.
    expect(changed?.lastsUntil).toBe(Date.parse('2027-05-01T12:00:00Z'));
    await page.locator(`[data-change="${id}"]`).click();
    await form.locator('[name=expires]').fill('');
    await form.locator('button.main').click();
    await form.waitFor({ state: 'detached' });
    expect((await found())?.lastsUntil).toBeUndefined();
    expect(troubles).toEqual([expect.stringContaining('400')]);
  });

  test('a key opens the account in its tab, without traces in addresses, lasting storage or the log', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/console`);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await signIn(page, key);
    expect(await page.textContent('#account-name')).toBe('Tienda La Esquina');
    expect(await page.textContent('#plan')).toContain('15.000');
    expect(await page.inputValue('#key')).toBe('');
    await page.reload();
    await page.locator('#sample').waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('#sample').waitFor();
    expect(await page.textContent('#plan')).toContain('15,000');
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
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
    await page.reload();
    await page.locator('#sign-in').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
    expectQuiet();
  });

  test('a wrong key gets a clear message, and a key that ends leads back to the form', async () => {
    const service = serving();
    const { key, id } = await holder(service, 'Gratis');
    const { page, troubles } = await open(`${service.url}/console`);
    for (const wrong of ['vfx_live_000000000000000000000000000000000hBrRk', 'no es una clave ñ']) {
      await page.fill('#key', wrong);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Esa clave no es válida').waitFor();
      expect(await page.locator('#account').isVisible()).toBe(false);
    }
    // Only the first of the two can be sent.
    expect(troubles).toEqual([REFUSED]);
    await signIn(page, key);
    await page.locator('#markups').getByText('Su plan no incluye reglas').waitFor();
    await service.service.accounts.revokeKey(id);
    await service.service.changePoller.poll();
    await page.locator('#refresh').click();
    await page.getByRole('alert').getByText('Su clave ya no es válida').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(new Set(troubles)).toEqual(new Set([REFUSED]));
  });

  test('a suspended account leads back to the form, which says why (decisions §11)', async () => {
    const service = serving();
    const { key, accountId } = await holder(service, 'Gratis');
    const { page } = await open(`${service.url}/console`);
    await signIn(page, key);
    await service.service.accounts.setStatus(accountId, 'suspended');
    await service.service.changePoller.poll();
    await page.locator('#refresh').click();
    await page.getByRole('alert').getByText('La cuenta está suspendida').waitFor();
    expect(await page.locator('#account').isVisible()).toBe(false);
  });

  test('a key that may only read shows no buttons that would be refused (decisions §11)', async () => {
    const service = serving();
    const { accountId } = await holder(service, 'Inicio');
    const grant = { kind: 'restricted', scopes: ['account.read'] } as const;
    const { key } = await service.service.accounts.createKey(accountId, { grant });
    const { page, expectQuiet } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.getByText('puede ver la cuenta, pero no cambiarla').waitFor();
    await page.getByText('Todavía no hay reglas.').waitFor();
    expect(await page.locator('#keys button, #markups button').count()).toBe(0);
    expectQuiet();
  });

  test('a wrong value is explained below its field, until it changes', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page } = await open(`${service.url}/console`, { width: 360 });
    await signIn(page, key);
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
    await page.locator('[data-new-key]').click();
    await page.selectOption('#key-form [name=kind]', 'restricted');
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
      await page.locator('#keys tbody tr').nth(1).waitFor();
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
    },
  );

  test.each(['light', 'dark'] as const)(
    'examples in empty fields are as clear as other quiet text (%s)',
    async (theme) => {
      const service = serving();
      const { key } = await holder(service, 'Inicio');
      const { page } = await open(`${service.url}/console`, { theme });
      await signIn(page, key);
      const colorOf = (selector: string, part?: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((one, pseudo) => getComputedStyle(one, pseudo).color, part);
      expect(await colorOf('#try input', '::placeholder')).toBe(await colorOf('#try p.quiet'));
    },
  );

  test('usage has a chart and its figures, and a name with markup is shown as text', async () => {
    const service = serving();
    const name = '<img src=x onerror="document.title=1">';
    const { key, accountId } = await holder(service, 'Inicio', name);
    const counted = (ago: number, endpoint: string, calls: number, clientErrors = 0) => ({
      ...{ accountId, endpoint, calls, units: calls - clientErrors, clientErrors, serverErrors: 0 },
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
    expect(await chart.getAttribute('aria-label')).toContain('1.239 en total, 4 con error.');
    expect(await chart.locator('g').count()).toBe(30);
    await page.getByLabel('Período').selectOption('7');
    await page.getByRole('img', { name: /1\.234 en total/ }).waitFor();
    await page.getByLabel('Endpoint').first().selectOption('GET /v1/fx/convert');
    await page.getByRole('img', { name: /: 34 en total/ }).waitFor();
    expect(await page.locator('#usage-view tbody').first().innerText()).toContain('34\t30\t4');
    // Ninety days have the same total, so only their number shows that they have loaded.
    await page.getByLabel('Período').selectOption('90');
    await chart.locator('g').nth(89).waitFor({ state: 'attached' });
    expect(await chart.locator('g').count()).toBe(90);
    await page.getByLabel('Endpoint').first().selectOption(name);
    await page.locator('#usage-view tbody').first().getByText(name).waitFor();
    expect(await page.textContent('#account-name')).toBe(name);
    expect(await page.locator('main img').count()).toBe(0);
    expectQuiet();
    await page.context().setOffline(true);
    await page.locator('#refresh').click();
    await page.locator('#plan').getByText('No hubo respuesta del servicio').waitFor();
    await page.context().setOffline(false);
    await page.locator('#refresh').click();
    await page.locator('#plan').getByText('15.000').first().waitFor();
  });

  test('a markup is previewed, saved, changed and deleted, with the keyboard alone', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, troubles } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.locator('[data-new]').focus();
    await page.keyboard.press('Enter');
    await page.locator('#rule-form').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('tienda');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3,5');
    const preview = page.locator('#preview');
    await preview.getByText('1.047,7823').waitFor();
    expect(await preview.innerText()).toContain('+35,4323');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Regla tienda guardada.').waitFor();
    const marked = await service.call('/v1/fx/rates?markup=tienda', { key });
    expect(marked.text).toContain('"mid_with_markup":1047.7823');
    await page.locator('[data-edit=tienda]').press('Enter');
    await page.getByLabel('Tipo').selectOption('fixed');
    await page.getByLabel('Valor', { exact: true }).fill('no');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Escriba un número').waitFor();
    await page.getByLabel('Valor', { exact: true }).fill('2000000000000');
    await page.keyboard.press('Enter');
    // The API has the last word.
    await page.getByRole('alert').getByText('hasta un billón (10^12) de VES').waitFor();
    await page.getByLabel('Valor', { exact: true }).fill('-2');
    await page.getByLabel('BCV, dólar', { exact: true }).check();
    await preview.getByText('887,5754').waitFor();
    expect(await preview.innerText()).not.toContain('Dólar paralelo');
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.locator('#markups tbody').getByText('−2 VES').waitFor();
    await page.locator('[data-edit=tienda]:focus').waitFor();
    await page.locator('[data-delete=tienda]').press('Enter');
    await page.getByRole('button', { name: 'Sí, borrar' }).press('Enter');
    await page.getByText('Todavía no hay reglas.').waitFor();
    expect(troubles.filter((line) => !line.includes('status of 400'))).toEqual([]);
  });

  test('a rotated key is shown once, and the console continues with it', async () => {
    const service = serving();
    const { key, id } = await holder(service, 'Gratis');
    const { page, expectQuiet } = await open(`${service.url}/console`, { language: 'en' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, key);
    await page.getByRole('button', { name: `Rotate ${id}` }).click();
    await page.getByLabel('The old key stops working').selectOption('3600');
    await page.locator('#rotate-form button.main').click();
    const shown = page.locator('#new-key code');
    await shown.waitFor();
    const next = await shown.innerText();
    await page.locator('#new-key').getByText('This console is already using it.').waitFor();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(next);
    expect(await page.evaluate(() => Object.values({ ...sessionStorage }))).toEqual([next]);
    for (const one of [key, next]) {
      expect((await service.call('/v1/account', { key: one })).status).toBe(200);
    }
    await page
      .locator('#keys')
      .getByText(/Live until/)
      .waitFor();
    // Who signs out would lose the key: the console leads back to it.
    await page.locator('#sign-out').click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your new key');
    await page.locator('#new-key').getByRole('status').getByText('Before you go on').waitFor();
    expect(await shown.innerText()).toBe(next);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await page.content()).not.toContain(next);
    await page.locator('#refresh').click();
    await page.reload();
    await page.locator('#sample').waitFor();
    expect(JSON.stringify(service.log.lines)).not.toContain(next);
    expectQuiet();
  });

  test("the playground sends the form's request, and shows it as code without the key by default", async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, troubles } = await open(`${service.url}/console`);
    await signIn(page, key);
    await page.locator('#operation').selectOption('GET /v1/fx/convert');
    await page.fill('#try [name=amount]', '200');
    await page.fill('#try [name=via]', 'parallel');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    const tried = page.locator('#tried');
    expect(await tried.innerText()).toContain('"amount": 202470');
    expect(await tried.innerText()).toContain('x-ratelimit-cost: 1');
    expect(await tried.locator('pre').count()).toBe(2);
    expect(await tried.getByRole('button', { name: 'Copiar el código' }).count()).toBe(2);
    expect(await tried.innerText()).toContain('x-ratelimit-remaining: 14999');
    await page.getByRole('img', { name: /: 1 en total/ }).waitFor();
    await page.fill('#try [name=amount]', '0');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 400/ }).waitFor();
    expect(await tried.innerText()).toContain('"code": "invalid_format"');
    await tried.getByText('Un parámetro tiene un valor que no se acepta: amount.').waitFor();
    const marked = page.locator('#try [aria-invalid=true]');
    expect(await marked.getAttribute('name')).toBe('amount');
    await page.fill('#try [name=amount]', '1');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 200/ }).waitFor();
    expect(await marked.count()).toBe(0);
    await page.locator('#operation').selectOption('POST /v1/account/markups');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('heading', { name: /Respuesta: 201/ }).waitFor();
    await page.locator('#markups tbody').getByText('tienda').first().waitFor();
    await page.locator('#operation').selectOption('GET /v1/fx/convert');
    await page.fill('#try [name=amount]', '7.5');
    const sample = page.locator('#sample');
    const address = `${service.url}/v1/fx/convert?from=USD&to=VES&amount=7.5`;
    const signs = { curl: 'curl ', javascript: 'fetch(', python: 'urlopen', php: '<?php' };
    for (const [kind, sign] of Object.entries(signs)) {
      await page.locator('#sample-kind').selectOption(kind);
      const code = await sample.innerText();
      expect(code).toContain(sign);
      expect(code).toContain(address);
      expect(code).toContain('SU_CLAVE');
      expect(code).not.toContain(key);
    }
    await page.getByLabel('Poner mi clave en el código').check();
    expect(await sample.innerText()).toContain(key);
    await page.getByLabel('Poner mi clave en el código').uncheck();
    expect(await page.content()).not.toContain(key);
    expect(troubles.filter((line) => !line.includes('status of 400'))).toEqual([]);
  });

  test('a link of the reference opens the playground at its operation, filled in, in both languages', async () => {
    const service = serving();
    const { key } = await holder(service, 'Inicio');
    const { page, expectQuiet } = await open(`${service.url}/docs/reference/conversion#convert`);
    await page.locator('#convert').getByRole('link', { name: 'Probar en la consola' }).click();
    await signIn(page, key);
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('operation');
    expect(await page.locator('#operation').inputValue()).toBe('GET /v1/fx/convert');
    expect(await page.locator('#try [name=amount]').inputValue()).toBe('100');
    expect(await page.locator('#sample').innerText()).toContain(
      'convert?from=USD&to=VES&amount=100',
    );
    const form = await page.locator('#try').innerText();
    expect(form).toContain('Convertir un monto');
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
    await page.locator('[data-new-key]').click();
    await page.selectOption('#key-form [name=kind]', 'publishable');
    await page.locator('[data-new]').click();
    await page.locator('#rule-form').waitFor();
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const { edge, ends, cut } = await page.evaluate(() => {
        const bar = document.querySelector('.bar .choices')?.getBoundingClientRect();
        const parts = [...document.querySelectorAll('main .panel, main .scroll')];
        const inner = [...document.querySelectorAll('main :is(td, th, dd, label, p, input)')];
        return {
          edge: Math.round(bar?.right ?? 0),
          ends: [
            ...new Set(
              parts
                .filter((one) => one.checkVisibility() && one.closest('.panel .scroll') === null)
                .map((one) => Math.round(one.getBoundingClientRect().right)),
            ),
          ],
          cut: inner
            .filter((one) => one.checkVisibility() && one.closest('thead, .unseen') === null)
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .filter((one) => getComputedStyle(one).display !== 'inline')
            .map((one) => one.outerHTML),
        };
      });
      expect(ends, `${width} px`).toEqual([edge]);
      expect(cut, `${width} px`).toEqual([]);
    }
  });

  test('fits and is accessible in every view, signed in', async () => {
    const service = serving();
    const { key } = await holder(service, 'Escala');
    const body = { tag: 'tienda', kind: 'percent', value: 3.5 };
    await service.call('/v1/account/markups', { key, method: 'POST', body });
    await service.call('/v1/fx/rates/parallel', { key });
    const ready = async (page: Page) => {
      await signIn(page, key);
      await page.locator('[data-edit=tienda]').click();
      await page.locator('[data-rotate]').first().click();
      await page.locator('#rotate-form').waitFor();
      await page.locator('#rule-form').waitFor();
      await page.locator('#try button').click();
      await page.locator('#tried h3').waitFor();
    };
    await expectGoodInEveryView(open, `${service.url}/console`, { ready });
  });
});
