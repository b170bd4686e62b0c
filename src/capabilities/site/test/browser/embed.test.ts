import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../../../../../test/harness/axe.ts';
import { describeInBrowser, sidewaysOverflow } from '../../../../../test/harness/browser.ts';
import { listening } from '../../../../../test/harness/listening.ts';
import { capture, fullMarket, iso, official } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { PUBLISHABLE_SCOPES } from '../../../../core/domain/keys.ts';
import { HOUR_MS } from '../../../../core/domain/time.ts';
import { EMBED_FILE, MAX_EMBED_BYTES, minifiedEmbed } from '../minify-embed.ts';

/** The element `<vesfx-rate>` on a page of another origin. */

test('the minified script is built from the readable one', async () => {
  expect(
    readFileSync(EMBED_FILE, 'utf8'),
    'run: node src/capabilities/site/test/minify-embed.ts',
  ).toBe(await minifiedEmbed());
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

  test('has at most 8 kB, uncompressed, with the names of all markets', async () => {
    const { text } = await (await startTestService()).call('/embed/v1.js');
    expect(text).toContain('"Casa de cambio 1","Exchange house 1"');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EMBED_BYTES);
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

const MINUTE_MS = 60_000;
/** What a visitor gets instead of an answer; nothing for none. */
const FAILURES = {
  away: undefined,
  refused: { status: 401, headers: { 'Access-Control-Allow-Origin': '*' } },
  spent: {
    status: 429,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
      'Retry-After': '664113',
    },
  },
};
/** In Caracas, after the start of the tests. */
const MIDNIGHT = Date.parse('2026-11-22T04:00:00.000Z');

/** Runs on the page, for `hasKeptOutcome`: notes at each request what was kept until then. */
function noteRequests(): void {
  const { fetch } = window;
  window.fetch = (...asked) => {
    document.documentElement.dataset['keptBefore'] = JSON.stringify(localStorage);
    return fetch(...asked);
  };
}

/** Runs on the page. The requests that a test counts reach it later than the page makes them. */
function hasKeptOutcome(): boolean {
  return document.documentElement.dataset['keptBefore'] !== JSON.stringify(localStorage);
}

describeInBrowser('<vesfx-rate>', (open) => {
  /** A visitor with a clock of its own, and a count of what its pages request. */
  async function visited(market: string) {
    const { service, origin } = await shop(
      (key) => `<vesfx-rate key="${key}" market="${market}"></vesfx-rate>`,
    );
    const { page } = await open('about:blank', { ownPage: true });
    let mode: 'answers' | keyof typeof FAILURES = 'answers';
    let requests = 0;
    await page.route(`${service.url}/v1/**`, async (route) => {
      requests += 1;
      if (mode === 'answers') return route.continue();
      const failure = FAILURES[mode];
      return failure === undefined ? route.abort() : route.fulfill(failure);
    });
    await page.addInitScript(noteRequests);
    // Its time stands still between the steps of a test: a slow machine brings no time-out nearer.
    await page.clock.install({ time: service.clock.now() });
    await page.clock.pauseAt(service.clock.now() + 1_000);
    /** Lets the element tick, and waits for its request if it makes one. */
    const settled = async () => {
      await page.clock.runFor(1_100);
      await expect.poll(() => page.evaluate(hasKeptOutcome)).toBe(true);
      await page.clock.runFor(1_100);
    };
    return {
      service,
      page,
      requests: () => requests,
      fails(how: typeof mode) {
        mode = how;
      },
      async visit() {
        await page.goto(`${origin}/`);
        await page.locator('vesfx-rate').waitFor();
        await settled();
      },
      async run(milliseconds: number) {
        await page.clock.fastForward(milliseconds);
        await settled();
      },
      async runUntil(instant: number) {
        await page.clock.fastForward(instant - (await page.evaluate(() => Date.now())));
        await settled();
      },
      hide: (hidden: boolean) =>
        page.evaluate((is) => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: is });
        }, hidden),
    };
  }

  test('shows market, rate, and the day from which it is in force or its age, with a publishable key, and marks a stale rate', async () => {
    const { origin } = await shop(
      (key) =>
        `<vesfx-rate key="${key}"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="eur_reference" lang="en"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="parallel"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="parallel" lang="en" label="<i>Mine</i>"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="nobody"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="cucuta" lang="en"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="euro"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="bcv_eur"></vesfx-rate>` +
        `<vesfx-rate key="${key}" market="binance"></vesfx-rate>`,
    );
    const { page } = await open(`${origin}/`);
    const shown = (position: number, part: string) =>
      page.locator('vesfx-rate').nth(position).locator(`[part=${part}]`);
    const text = async (position: number, part: string) =>
      (await shown(position, part).textContent())?.replaceAll(/\s/g, ' ');

    await page.locator('vesfx-rate [part=value]', { hasText: 'Bs.' }).nth(7).waitFor();
    expect(await text(0, 'value')).toBe('Bs. 800,5000');
    expect(await text(0, 'details')).toMatch(/^rige desde vie,? 20 (?:de )?nov\.?$/);
    expect(await text(0, 'notice')).toBe('');
    expect(await text(0, 'name')).toBe('BCV, dólar · 1 USD =');
    expect(await text(1, 'name')).toBe('BCV, euro · 1 EUR =');
    expect(await text(1, 'value')).toBe('Bs. 920.2500');
    expect(await text(2, 'value')).toBe('Bs. 850,0000');
    expect(await text(2, 'details')).toBe('hace 4 horas · no la use para cobrar');
    expect(await text(2, 'notice')).toBe('desactualizada');
    expect(await text(3, 'notice')).toBe('out of date');
    expect(await text(3, 'details')).toBe('4 hours ago · do not charge with it');
    await page.locator('vesfx-rate [part=notice]', { hasText: 'no disponible' }).waitFor();
    expect(await text(4, 'value')).toBe('');
    expect(await text(5, 'name')).toBe('Cash in Cúcuta · 1 USD =');
    for (const alias of [6, 7]) {
      expect(await text(alias, 'name')).toBe('BCV, euro · 1 EUR =');
      expect(await text(alias, 'value')).toBe('Bs. 920,2500');
    }
    // The unit of the board.
    expect(await text(8, 'name')).toBe('Binance P2P · 1 USDT =');
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
      'hace menos de un minuto',
      'less than a minute ago',
    ]);
  });

  test('requests an official rate every 15 minutes while visible and at midnight in Caracas, once for the pages of a visitor', async () => {
    const { requests, visit, run, runUntil, hide } = await visited('reference');
    await visit();
    await expect.poll(requests).toBe(1);
    await run(14 * MINUTE_MS);
    await visit();
    await expect.poll(requests).toBe(1);
    await hide(true);
    await run(HOUR_MS);
    await expect.poll(requests).toBe(1);
    await hide(false);
    await run(1_000);
    await expect.poll(requests).toBe(2);
    await runUntil(MIDNIGHT - MINUTE_MS);
    await expect.poll(requests).toBe(3);
    await runUntil(MIDNIGHT - 3_000);
    await expect.poll(requests).toBe(3);
    await runUntil(MIDNIGHT);
    await expect.poll(requests).toBe(4);
  });

  test('requests another rate every five minutes', async () => {
    const { requests, visit, run } = await visited('binance');
    await visit();
    await run(4 * MINUTE_MS);
    await expect.poll(requests).toBe(1);
    await run(MINUTE_MS);
    await expect.poll(requests).toBe(2);
  });

  test('after a failure keeps the last rate with its age, waits a minute, and says after an hour not to charge with it', async () => {
    const { page, requests, visit, run, fails } = await visited('reference');
    await visit();
    const text = (part: string) => page.locator(`vesfx-rate [part=${part}]`).textContent();
    fails('away');
    await run(16 * MINUTE_MS);
    await expect.poll(() => text('details')).toContain(' · no se pudo actualizar');
    expect(await text('notice')).toBe('');
    const failed = requests();
    await visit();
    await expect.poll(requests).toBe(failed);
    await run(50 * MINUTE_MS);
    await expect.poll(() => text('value')).toContain('800,50');
    await expect.poll(() => text('notice')).toBe('desactualizada');
    expect(await text('details')).toMatch(
      /^del vie,? 20 (?:de )?nov\.?, hace \d+ horas · no la use para cobrar · no se pudo actualizar$/,
    );
    await expect.poll(requests).toBeLessThanOrEqual(failed + 50);
    await run(24 * HOUR_MS);
    await expect.poll(() => text('value')).toBe('');
    await expect.poll(() => text('notice')).toBe('tasa no disponible');
    expect(await text('details')).toBe('la última tiene más de un día');
  });

  /** A shop of a static copy, on the day of the tests, with what the rates have more. */
  async function copyShop(body: (copy: string) => string, more: Readonly<Record<string, object>>) {
    const service = await startTestService();
    const now = service.clock.now();
    const { page } = await open('about:blank', { ownPage: true });
    await page.clock.install({ time: now });
    const rate = (market: string, base: string, mid: number) => ({
      ...{ market, base, mid, stale_after_sec: 7_200, updated_at: iso(now - 12 * MINUTE_MS) },
      ...more[market],
    });
    const copy = {
      rates: [rate('reference', 'USD', 766.8603), rate('parallel', 'USD', 867.5)],
      official: {
        rates: {
          USD: {
            next: {
              rate: 771.0714,
              value_date: '2026-11-23',
              effective_at: iso(MIDNIGHT + 86_400_000),
            },
          },
        },
      },
    };
    await page.route('**/copy/v1/latest.json', (route) =>
      route.fulfill({ json: copy, headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
    const origin = await shopWith(
      () =>
        `<meta name="viewport" content="width=device-width"><script src="${service.url}/embed/v1.js"></script>${body(`static="${service.url}/copy"`)}`,
      () =>
        `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; style-src 'unsafe-inline'`,
    );
    await page.goto(`${origin}/`);
    await page
      .locator('vesfx-rate [part~=none], vesfx-rate [part=value]:not(:text("…"))')
      .first()
      .waitFor();
    return page;
  }

  const OFFICIAL = {
    ...{ stale_after_sec: 475_200, effective_date: '2026-11-20' },
    updated_at: '2026-11-20T04:00:00.000Z',
  };

  test.each([
    ['es', 'desactualizada', 'sin confirmar', 'tasa no disponible'],
    ['en', 'out of date', 'not confirmed', 'rate not available'],
  ])(
    'a rate that is stale, not confirmed or not available says so in %s, each in its own words and look',
    async (lang, ...words) => {
      const page = await copyShop(
        (copy) =>
          ['reference', 'parallel', 'nobody']
            .flatMap((market) => [market, `${market}" size="line`])
            .map((market) => `<vesfx-rate ${copy} lang="${lang}" market="${market}"></vesfx-rate>`)
            .join(''),
        {
          reference: {
            ...OFFICIAL,
            effective_date: '2026-11-12',
            updated_at: '2026-11-12T04:00:00.000Z',
          },
          parallel: { in_doubt: true },
        },
      );
      const texts = async (part: string) =>
        (await page.locator(`vesfx-rate [part=${part}]`).allTextContents()).map((text) =>
          text.replaceAll(/\s/g, ' '),
        );
      await expect.poll(() => texts('notice')).toEqual(words.flatMap((word) => [word, word]));
      const [late, lateLine, doubt, doubtLine, none, noneLine] = await texts('details');
      const [age, advice, ofDoubt] =
        lang === 'es'
          ? ['hace 9 días', 'no la use para cobrar', 'ninguna otra fuente la confirma: compruébela']
          : ['9 days ago', 'do not charge with it', 'no other source confirms it: check it'];
      expect(late).toMatch(new RegExp(`12.*, ${age} · ${advice}$`));
      expect(lateLine).toMatch(new RegExp(`^\\(BCV, d.*, ${age} · ${advice}\\)$`));
      expect(doubt).toMatch(new RegExp(`12 minut.* · ${ofDoubt}$`));
      expect(doubtLine).toContain(ofDoubt);
      expect([none, noneLine]).toEqual(['', '(nobody)']);
      expect((await texts('value')).slice(4)).toEqual(['', '']);
      // Not by colour alone, and not alike.
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        const looks = await page
          .locator('vesfx-rate:not([size]) [part=notice]')
          .evaluateAll((all) =>
            all.map((one) => {
              const { backgroundColor, borderStyle, fontSize } = getComputedStyle(one);
              return `${backgroundColor} ${borderStyle} ${fontSize}`;
            }),
          );
        expect(new Set(looks).size, looks.join('; ')).toBe(3);
        expect(await axeFindings(page, { rule: 'color-contrast' })).toEqual([]);
      }
    },
  );

  test('stands in a sentence, in a card or on the screen of a shop, in the size of its page', async () => {
    const page = await copyShop(
      (copy) =>
        `<body style="font: 14px serif"><p>USD 12,50 a <vesfx-rate ${copy} size="line"></vesfx-rate> hoy</p>` +
        `<vesfx-rate ${copy}></vesfx-rate><vesfx-rate ${copy} size="sign"></vesfx-rate>` +
        `<div style="width: 300px"><vesfx-rate ${copy} size="sign" market="parallel"></vesfx-rate></div>`,
      { reference: OFFICIAL, parallel: { mid: 0.000_000_012_345 } },
    );
    const part = (position: number, name: string) =>
      page.locator('vesfx-rate').nth(position).locator(`[part=${name}]`);
    const size = (position: number, name = 'value') =>
      part(position, name).evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    // As text of the sentence.
    expect((await part(0, 'details').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^\(BCV, dólar · rige desde vie,? 20 (?:de )?nov\.?\)$/,
    );
    expect((await page.locator('p').boundingBox())?.height).toBeLessThan(28);
    expect([await size(0), await size(1)]).toEqual([14, 24.5]);
    expect(await part(0, 'name').isVisible()).toBe(false);
    // Only a sign has the next rate.
    for (const position of [0, 1]) expect(await part(position, 'next').isVisible()).toBe(false);
    expect((await part(2, 'next').innerText()).replaceAll(/\u00a0/g, ' ')).toMatch(
      /^desde el lun,? 23 (?:de )?nov\.?\nBs. 771,0714$/,
    );
    // A small rate is none of zero, and nothing is cut in a narrow place.
    expect(await part(3, 'value').textContent()).toBe('Bs.\u00a00,000000012345');
    const signs = [];
    for (const width of [1920, 1280, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      signs.push(await size(2));
      expect([width, await sidewaysOverflow(page)]).toEqual([width, 0]);
      const small = await page.locator('vesfx-rate').evaluateAll((all) =>
        all.flatMap(({ shadowRoot }) =>
          [...(shadowRoot?.querySelectorAll('[part]') ?? [])]
            .filter((one) => one.checkVisibility())
            .map((one) => Number.parseFloat(getComputedStyle(one).fontSize))
            .filter((px) => px < 13),
        ),
      );
      expect(small).toEqual([]);
    }
    // The next rate stands beside the figure, never on it, and breaks only after its day.
    for (const width of [700, 900, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      const [figure, next] = await Promise.all(
        ['value', 'next'].map((name) =>
          part(2, name).evaluate((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            const { left, right } = range.getBoundingClientRect();
            const tops = [...range.getClientRects()].map(({ top }) => top);
            return { left, right, lines: new Set(tops).size };
          }),
        ),
      );
      expect([width, figure?.lines, next?.lines]).toEqual([width, 1, 2]);
      expect(figure?.right).toBeLessThan(next?.left ?? 0);
    }
    expect(signs).toEqual([...new Set(signs)].sort((one, other) => other - one));
    expect(await size(3)).toBeLessThan(40);
  });

  test('a sign asks the service for the next rate too, and shows the rate of today without that permission', async () => {
    const { service, origin } = await shop((key) =>
      ['sign', 'card']
        .map((size) => `<vesfx-rate key="${key}" size="${size}"></vesfx-rate>`)
        .join(''),
    );
    await service.push(official('2026-11-24', { USD: 805 }));
    const asked: string[] = [];
    const { page } = await open('about:blank', { ownPage: true });
    let isAllowed = true;
    await page.route(`${service.url}/v1/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      asked.push(pathname);
      const refused = { status: 403, headers: { 'Access-Control-Allow-Origin': '*' } };
      return isAllowed || pathname !== '/v1/fx/official'
        ? route.continue()
        : route.fulfill(refused);
    });
    await page.clock.install({ time: service.clock.now() });
    const signText = () => page.locator('vesfx-rate').first().locator('[part~=box]').innerText();
    await page.goto(`${origin}/`);
    await expect.poll(signText).toContain('805,0000');
    expect(asked.sort()).toEqual(['/v1/fx/convert', '/v1/fx/convert', '/v1/fx/official']);
    isAllowed = false;
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect.poll(signText).toContain('800,5000');
    await expect.poll(() => asked).toHaveLength(6);
    expect(await signText()).not.toContain('805');
    expect(await signText()).not.toContain('no se pudo');
  });

  test('says of a rate of the service that nothing confirms it', async () => {
    const { origin } = await shop((key) => `<vesfx-rate key="${key}"></vesfx-rate>`);
    const { page } = await open('about:blank', { ownPage: true });
    await page.route('**/v1/fx/convert?*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'x-vesfx-in-doubt': 'reference' };
      return route.fulfill({ response, headers });
    });
    await page.goto(`${origin}/`);
    const text = (part: string) => page.locator(`vesfx-rate [part=${part}]`).textContent();
    await expect.poll(() => text('notice')).toBe('sin\u00a0confirmar');
    expect(await text('details')).toMatch(/^rige desde .* · ninguna otra fuente la confirma/);
    expect(await page.locator('vesfx-rate [part~=doubt]').count()).toBe(1);
  });

  test.each([
    ['market="parallel" lang="es"', 'Dólar paralelo', 'tasa no disponible'],
    ['market="parallel" lang="en"', 'Parallel dollar', 'rate not available'],
    ['lang="es"', 'BCV, dólar', 'tasa no disponible'],
    ['market="parallel" lang="es" label="Mine"', 'Mine', 'tasa no disponible'],
  ])('names its market when its key is wrong: %s', async (attributes, name, notice) => {
    const { origin } = await shop(() => `<vesfx-rate key="wrong" ${attributes}></vesfx-rate>`);
    const { page } = await open(`${origin}/`);
    const text = (part: string) => page.locator(`vesfx-rate [part=${part}]`).textContent();
    await expect.poll(() => text('notice')).toBe(notice);
    expect([await text('name'), await text('value')]).toEqual([name, '']);
  });

  test('requests again 15 minutes after the refusal of a key, and within the hour when told to wait for the month', async () => {
    const { requests, visit, run, fails } = await visited('reference');
    fails('refused');
    await visit();
    await run(14 * MINUTE_MS);
    await visit();
    await expect.poll(requests).toBe(1);
    fails('spent');
    await run(2 * MINUTE_MS);
    await expect.poll(requests).toBe(2);
    await run(58 * MINUTE_MS);
    await expect.poll(requests).toBe(2);
    await run(3 * MINUTE_MS);
    await expect.poll(requests).toBe(3);
  });

  test('reads a static copy without a key: the rate, its age and staleness by the visitor, and the next official rate from midnight', async () => {
    const { service, page, requests, run, runUntil } = await visited('reference');
    const now = service.clock.now();
    const official = { effective_date: '2026-11-20', stale_after_sec: 475_200 };
    const copy = {
      rates: [
        {
          ...{ market: 'reference', base: 'USD', mid: 800.5, ...official },
          ...{ updated_at: '2026-11-20T04:00:00.000Z', stale_at: '2026-11-25T16:00:00.000Z' },
        },
        {
          ...{ market: 'parallel', base: 'USD', mid: 850, stale_after_sec: 7_200 },
          ...{ updated_at: iso(now - HOUR_MS), stale_at: iso(now + HOUR_MS) },
        },
      ],
      official: {
        rates: {
          USD: { next: { rate: 805, value_date: '2026-11-22', effective_at: iso(MIDNIGHT) } },
        },
      },
    };
    const asked: (string | undefined)[] = [];
    await page.route('**/copy/v1/latest.json', (route) => {
      asked.push(route.request().headers()['x-api-key']);
      const headers = { 'Access-Control-Allow-Origin': '*' };
      return route.fulfill({ json: copy, headers });
    });
    const origin = await shopWith(
      () =>
        `<script src="${service.url}/embed/v1.js"></script>` +
        ['reference', 'parallel', 'nobody']
          .map((id) => `<vesfx-rate static="${service.url}/copy/" market="${id}"></vesfx-rate>`)
          .join(''),
      () => `default-src 'none'; script-src ${service.url}; connect-src ${service.url}`,
    );
    await page.goto(`${origin}/`);
    await page.clock.runFor(1_100);
    const texts = async (part: string) =>
      (await page.locator(`vesfx-rate [part=${part}]`).allTextContents()).map((text) =>
        text.replaceAll(/\s/g, ' '),
      );
    await expect.poll(() => texts('value')).toEqual(['Bs. 800,5000', 'Bs. 850,0000', '']);
    expect((await texts('details'))[1]).toBe('hace 60 minutos');
    await expect.poll(() => texts('notice')).toEqual(['', '', 'tasa no disponible']);
    expect(asked).toEqual([undefined, undefined, undefined]);
    await run(HOUR_MS + 2_000);
    await expect.poll(async () => (await texts('notice'))[1]).toBe('desactualizada');
    await runUntil(MIDNIGHT + 1_000);
    await expect.poll(async () => (await texts('value'))[0]).toBe('Bs. 805,0000');
    expect((await texts('details'))[0]).toMatch(/^rige desde dom,? 22/);
    expect(requests()).toBe(0);
  });
});
