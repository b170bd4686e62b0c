import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../harness/browser.ts';
import { listening } from '../harness/listening.ts';
import { official, quote } from '../harness/make.ts';
import { startTestService } from '../harness/service.ts';

/** A page of another origin, as a shop would have one. */
async function shopOrigin(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>shop</title><link rel="icon" href="data:,">');
  });
  return listening(server);
}

/** Status that a script of the page gets; 0 if the browser blocks the answer. */
function fetched(page: Page, url: string, headers: Record<string, string> = {}) {
  return page.evaluate(
    async ([address, sent]) => {
      try {
        const response = await fetch(address, { headers: sent });
        return { status: response.status, body: await response.json() };
      } catch {
        return { status: 0, body: undefined };
      }
    },
    [url, headers] as const,
  );
}

describeInBrowser('a page of another origin', (open) => {
  test("a page of a key's origin reads rates with it in header or address, and no other page can (contract §11)", async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 200.5 }), quote('parallel', 300));
    const { accounts } = service.service;
    const { id } = await accounts.create('a shop', 'Gratis');
    const [shop, other] = [await shopOrigin(), await shopOrigin()];
    const { key } = await accounts.createKey(id, {
      grant: {
        kind: 'publishable',
        scopes: ['rates'],
        origins: [shop],
        allowNoOrigin: false,
        requestsPerMinute: 60,
      },
    });
    const rates = `${service.url}/v1/fx/rates/reference`;
    const withKey = `${rates}?key=${key}`;
    const calculator = `${service.url}/v1/fx/public/calculator?amount=2&from=USD&to=VES`;
    const { page } = await open(shop);
    for (const answer of [
      await fetched(page, rates, { 'X-API-Key': key }),
      await fetched(page, withKey),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { mid: 200.5 } });
    }
    const lacking = await fetched(page, `${service.url}/v1/fx/official?key=${key}`);
    expect(lacking).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    expect(await fetched(page, calculator)).toMatchObject({ status: 200 });
    await page.goto(other);
    expect((await fetched(page, rates, { 'X-API-Key': key })).status).toBe(0);
    expect((await fetched(page, withKey)).status).toBe(0);
    expect(await fetched(page, calculator)).toMatchObject({ status: 200 });
  });
});
