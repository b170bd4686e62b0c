import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { EMBED_FILE, minifiedEmbed } from '../../scripts/minify-embed.ts';
import { PUBLISHABLE_SCOPES } from '../../src/domain/keys.ts';
import { describeInBrowser } from '../harness/browser.ts';
import { listening } from '../harness/listening.ts';
import { capture, fullMarket, iso } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';

/** The element `<vesfx-rate>` on a page of another origin. */

const MAX_BYTES = 4_096;

test('the minified script is built from the readable one', () => {
  expect(readFileSync(EMBED_FILE, 'utf8'), 'run: node scripts/minify-embed.ts').toBe(
    minifiedEmbed(),
  );
});

describe('/embed/v1.js', () => {
  test('is sent to pages of every origin, without a key, and may be cached', async () => {
    const service = await startTestService();
    const reply = await service.call('/embed/v1.js', {
      headers: { Origin: 'https://shop.example' },
    });
    expect(reply.status).toBe(200);
    const [start = '', end = ''] = readFileSync(EMBED_FILE, 'utf8').split('MARKET_NAMES');
    expect(reply.text.startsWith(start)).toBe(true);
    expect(reply.text.endsWith(end)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=86400'),
    });
  });

  test('has at most 4 kB, uncompressed, with the names of all markets', async () => {
    const { text } = await (await startTestService()).call('/embed/v1.js');
    expect(text).toContain('"Casa de cambio 1","Exchange house 1"');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** A shop: a page of its own origin with a strict content policy. */
async function shopWith(body: () => string, policy: () => string): Promise<string> {
  const server = createServer((request, response) => {
    const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': policy() };
    if (request.url !== '/') response.writeHead(204).end();
    else response.writeHead(200, headers).end(`<!doctype html><html lang="es">${body()}</html>`);
  });
  return listening(server);
}

async function shop(elements: (key: string) => string) {
  const service = await startTestService();
  await service.push(...fullMarket());
  service.clock.advance(4 * 3_600_000);
  let key = '';
  const origin = await shopWith(
    () => `<script src="${service.url}/embed/v1.js"></script>${elements(key)}`,
    () => `default-src 'none'; script-src ${service.url}; connect-src ${service.url}`,
  );
  const { accounts } = service.service;
  const { id } = await accounts.create('A shop', 'Escala');
  const grant = {
    kind: 'publishable',
    scopes: PUBLISHABLE_SCOPES,
    origins: [origin],
    allowNoOrigin: false,
    requestsPerMinute: 60,
  } as const;
  ({ key } = await accounts.createKey(id, { grant }));
  return { service, origin };
}

describeInBrowser('<vesfx-rate>', (open) => {
  test('shows rate, value date, age and source with a publishable key, and marks a stale rate', async () => {
    const { origin } = await shop(
      (key) =>
        `<vesfx-rate key="${key}"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="eur_reference" lang="en"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="parallel"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="parallel" lang="en" label="<i>Mine</i>"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="nobody"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="cucuta" lang="en"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="euro"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="bcv_eur"></vesfx-rate>`,
    );
    const { page } = await open(`${origin}/`);
    const shown = (position: number, part: string) =>
      page.locator('vesfx-rate').nth(position).locator(`[part=${part}]`);
    const text = async (position: number, part: string) =>
      (await shown(position, part).textContent())?.replaceAll(/\s/g, ' ');

    await page.locator('vesfx-rate [part=value]', { hasText: 'Bs.' }).nth(6).waitFor();
    expect(await text(0, 'value')).toBe('Bs. 800,50');
    expect(await text(0, 'details')).toMatch(
      /^Fuente: BCV, dólar · fecha valor 20 nov\.? 2026 · hace 36 horas$/,
    );
    expect(await text(0, 'notice')).toBe('');
    expect(await text(1, 'name')).toBe('EUR 1 =');
    expect(await text(1, 'value')).toBe('Bs. 920.25');
    expect(await text(2, 'value')).toBe('Bs. 850,00');
    expect(await text(2, 'details')).toBe('Fuente: Dólar paralelo · hace 4 horas');
    expect(await text(2, 'notice')).toContain('desactualizada');
    expect(await text(3, 'notice')).toContain('out of date');
    expect(await text(3, 'details')).toBe('Source: <i>Mine</i> · 4 hours ago');
    await page.locator('vesfx-rate [part=notice]', { hasText: 'no disponible' }).waitFor();
    expect(await text(4, 'value')).toBe('');
    expect(await text(5, 'details')).toContain('Source: Cash in Cúcuta · ');
    for (const alias of [6, 7]) {
      expect(await text(alias, 'name')).toBe('EUR 1 =');
      expect(await text(alias, 'value')).toBe('Bs. 920,25');
    }
  });

  test('says of a young rate in words that it is less than a minute old', async () => {
    const { service, origin } = await shop((key) =>
      ['es', 'en']
        .map((lang) => `<vesfx-rate key="${key}" market="parallel" lang="${lang}"></vesfx-rate>`)
        .join(''),
    );
    await service.push(capture(851, iso(service.clock.now())));
    const { page } = await open(`${origin}/`);
    await page.locator('vesfx-rate [part=value]', { hasText: 'Bs.' }).nth(1).waitFor();
    expect(await page.locator('vesfx-rate [part=details]').allTextContents()).toEqual([
      'Fuente: Dólar paralelo · hace menos de un minuto',
      'Source: Parallel dollar · less than a minute ago',
    ]);
  });

  test('requests the rate each minute while visible, and after a failure keeps the last one and says so', async () => {
    const { service, origin } = await shop((key) => `<vesfx-rate key="${key}"></vesfx-rate>`);
    const { page } = await open('about:blank', { ownPage: true });
    await page.clock.install();
    await page.goto(`${origin}/`);
    const value = page.locator('vesfx-rate [part=value]');
    await value.filter({ hasText: '800,50' }).waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/convert')) asked += 1;
    });
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: is });
      }, hidden);

    await hide(true);
    await page.clock.runFor(130_000);
    expect(asked).toBe(0);
    await hide(false);
    const again = page.waitForResponse((response) => response.url().includes('/convert'));
    await page.clock.runFor(2_000);
    await again;
    expect(asked).toBe(1);

    await page.route(`${service.url}/**`, (route) => route.abort());
    await page.clock.runFor(61_000);
    await page.locator('vesfx-rate [part=notice]', { hasText: 'no se pudo actualizar' }).waitFor();
    expect(await value.textContent()).toContain('800,50');
    await page.unroute(`${service.url}/**`);
  });
});
