import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { listening } from '../../../../../test/harness/listening.ts';
import { publishableKey, startCompatService } from '../official-week.ts';

/** A page of another origin, with nothing on it. */
async function startPage(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end('<!doctype html><title>A shop</title>');
  });
  return listening(server);
}

describeInBrowser('a browser page on another origin', (open) => {
  /** Runs on the page. */
  async function rateAt(url: string): Promise<number> {
    const response = await fetch(url, { headers: { 'Content-Type': 'application/json' } });
    const rows = (await response.json()) as { fuente: string; promedio: number }[];
    return rows.find(({ fuente }) => fuente === 'oficial')?.promedio ?? 0;
  }

  test('reads the rates if the operator opened them, also after a preflight', async () => {
    const { url: base } = await startCompatService(['dolarapi']);
    const { page } = await open(await startPage());
    expect(await page.evaluate(rateAt, `${base}/v1/dolares`)).toBe(804.5);
  });

  test('reads them with a publishable key in the base address', async () => {
    const service = await startCompatService(['dolarapi'], { open: false });
    const origin = await startPage();
    const { page } = await open(origin);
    const key = await publishableKey(service, { origins: [origin] });
    expect(await page.evaluate(rateAt, `${service.url}/k/${key}/v1/dolares`)).toBe(804.5);
  });
});
