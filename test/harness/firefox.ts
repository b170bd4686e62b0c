import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { FIREFOX } from './repository.ts';

interface FirefoxPage {
  readonly page: Page;
  /** Fails after an error or a warning in the console: of scripts, styles or the content policy. */
  expectNoTroubles(): void;
}

/** Tests in Firefox. Without it they report clearly that they did not run. */
export function describeInFirefox(
  name: string,
  tests: (open: (url: string) => Promise<FirefoxPage>) => void,
): void {
  if (!existsSync(FIREFOX)) {
    const line = `NOT RUN, for there is no ${FIREFOX}: ${name}`;
    process.stderr.write(`\n${'*'.repeat(line.length)}\n${line}\n${'*'.repeat(line.length)}\n`);
  }
  describe.skipIf(!existsSync(FIREFOX))(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX });
    });
    afterAll(() => browser.close());
    tests(async (url) => {
      const context = await browser.createBrowserContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('console', (message) => {
        if (/^(?:error|warn)/.test(message.type())) troubles.push(message.text());
      });
      page.on('pageerror', (error) => troubles.push(String(error)));
      await page.goto(url);
      return { page, expectNoTroubles: () => expect(troubles).toEqual([]) };
    });
  });
}
