import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFindings } from '../harness/axe.ts';
import { describeInBrowser, sidewaysOverflow } from '../harness/browser.ts';
import { listening } from '../harness/listening.ts';
import { official } from '../harness/make.ts';
import { ROOT } from '../harness/repository.ts';
import { startTestService } from '../harness/service.ts';

/** The till of examples/till in a browser, at midnight and without a network. */

const caracas = (text: string) => Date.parse(`${text}-04:00`);
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** The address of a shop that serves the folder of the till as it is. */
function shopOrigin(): Promise<string> {
  return listening(
    createServer((request, response) => {
      const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
      readFile(join(ROOT, 'examples/till', name)).then(
        (file) => response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? '' }).end(file),
        () => response.writeHead(404).end(),
      );
    }),
  );
}

async function shop() {
  const service = await startTestService({ start: caracas('2026-11-19T23:50:00') });
  await service.push(
    official('2026-11-19', { USD: 886.4754 }, { captured_at: '2026-11-18T21:10:00.000Z' }),
    official('2026-11-20', { USD: 889.5754 }, { captured_at: '2026-11-19T21:10:00.000Z' }),
  );
  const origin = await shopOrigin();
  const { accounts } = service.service;
  const { id } = await accounts.create('A shop', 'Gratis');
  const { key } = await accounts.createKey(id, {
    grant: {
      ...{ kind: 'publishable', scopes: ['official', 'rates'], origins: [origin] },
      ...{ allowNoOrigin: false, requestsPerMinute: 60 },
    },
  });
  return { service, origin, key };
}

describeInBrowser('the till of examples/till', (open) => {
  /** A till that has read its rates, at a time that stands still between the steps of a test. */
  async function opened(language: 'es' | 'en' = 'es') {
    const { service, origin, key } = await shop();
    const view = { language, ownPage: true, serviceWorker: true, width: 360 };
    const { page } = await open('about:blank', view);
    await page.clock.install({ time: service.clock.now() });
    await page.clock.pauseAt(service.clock.now() + 1_000);
    await page.goto(`${origin}/`);
    await page.locator('[name=url]').fill(service.url);
    await page.locator('[name=key]').fill(key);
    await page.locator('#settings button').click();
    const shown = async (name: string) =>
      ((await page.locator(`#${name}`).textContent()) ?? '').replaceAll('\u00a0', ' ');
    await expect.poll(() => shown('rate')).toContain('886');
    await page.evaluate(() => navigator.serviceWorker.ready);
    return {
      ...{ service, page, shown },
      /** Lets the till tick at that time. */
      async at(time: string) {
        await page.clock.fastForward(
          caracas(time) - (await page.evaluate(() => Date.now())) - 1_000,
        );
        await page.clock.runFor(1_000);
      },
    };
  }

  test('with the network cut at 23:58 the published rate is used from 00:00 in Caracas, also after a restart', async () => {
    const { service, page, shown, at } = await opened();
    expect(await shown('date')).toBe('Fecha valor: jueves, 19 de noviembre de 2026');
    expect(await shown('next')).toBe(
      'Próxima: Bs. 889,5754, desde el viernes, 20 de noviembre de 2026',
    );
    await at('2026-11-19T23:58:00');
    await page.context().setOffline(true);
    await page.reload();
    await expect.poll(() => shown('rate')).toBe('Bs. 886,4754');
    // A sale that began before midnight keeps its rate.
    await page.locator('[name=total]').fill('12,50');
    await page.locator('[name=usd]').fill('10');
    await at('2026-11-19T23:59:59');
    expect(await shown('rate')).toBe('Bs. 886,4754');
    expect(await shown('result')).toContain('Total: Bs. 11.080,94');
    await at('2026-11-20T00:00:00');
    expect(await shown('rate')).toBe('Bs. 889,5754');
    expect(await shown('date')).toBe('Fecha valor: viernes, 20 de noviembre de 2026');
    expect(await shown('state')).toBe('La tasa que rige.');
    expect(await shown('next')).toBe('La próxima tasa todavía no se ha publicado.');
    expect(await shown('result')).toContain('Total: Bs. 11.080,94');
    expect(await shown('result')).toContain(
      'Esta venta se queda con Bs. 886,4754, fecha valor jueves',
    );
    await page.locator('#sale button').click();
    await page.clock.runFor(1_000);
    await page.locator('[name=total]').fill('12,50');
    expect(await shown('result')).toBe('Total: Bs. 11.119,69\nFalta: Bs. 11.115,00, o $ 12,50');
    await page.locator('[name=usd]').fill('20');
    expect(await shown('result')).toBe(
      'Total: Bs. 11.119,69\nVuelto: $ 7,00 y Bs. 445,00\nEl redondeo a billetes es de Bs. 0,21, a favor del cliente.',
    );
    // The weekend and Monday's bank holiday have no rate of their own; Tuesday has, and nobody read it.
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23']) {
      await at(`${day}T12:00:00`);
      expect(await shown('state'), day).toBe('La tasa que rige.');
    }
    expect(await shown('notes')).toBe(
      'Sin conexión con el servicio. Leída el 19/11, 23:50 (hora de Caracas).',
    );
    await at('2026-11-23T23:59:59');
    expect(await page.locator('#state').getAttribute('data-sell')).toBe('yes');
    await at('2026-11-24T00:00:00');
    expect(await shown('rate')).toBe('Bs. 889,5754');
    expect(await page.locator('#state').getAttribute('data-sell')).toBe('marked');
    expect(await shown('state')).toBe(
      'Tasa anterior. La del martes, 24 de noviembre de 2026 no estaba publicada en la última lectura: se sigue con la del viernes, 20 de noviembre de 2026.',
    );
    service.clock.set(caracas('2026-11-24T00:00:00'));
    await service.push(
      official('2026-11-24', { USD: 888.0754 }, { captured_at: '2026-11-20T21:10:00.000Z' }),
    );
    await page.context().setOffline(false);
    await expect.poll(() => shown('rate')).toBe('Bs. 888,0754');
    expect(await shown('state')).toBe('La tasa que rige.');
  });

  test('says in English what it says in Spanish, and fits a phone', async () => {
    const { page, shown, at } = await opened('en');
    expect(await shown('state')).toBe('Rate in force.');
    expect(await shown('next')).toBe('Next: Bs. 889.5754, from Friday, November 20, 2026');
    await page.context().setOffline(true);
    await at('2026-11-23T00:00:00');
    await page.locator('[name=total]').fill('1.012');
    expect(await shown('result')).toBe('Write amounts like this: 12.50');
    expect(await sidewaysOverflow(page)).toBe(0);
    // axe waits with the clock of the page.
    await page.clock.resume();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('sells nothing in bolívares with a stale rate', async () => {
    const { page, shown, at } = await opened();
    await page.context().setOffline(true);
    await at('2026-11-25T12:00:01');
    await page.locator('[name=total]').fill('1');
    expect(await shown('result')).toBe('Tasa desactualizada: no cobre en bolívares con ella.');
    expect(await page.locator('#state').getAttribute('data-sell')).toBe('no');
  });
});
