import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { LEASE_MS } from '../../src/core/app/collecting/collector-lease.ts';
import { MINUTE_MS } from '../../src/core/domain/time.ts';
import { axeFindings } from './axe.ts';
import { CHROMIUM } from './repository.ts';
import { START, type TestService } from './service.ts';

/** A real browser for tests of the pages. */

/**
 * Features that are off. The last list counts, so this repeats what matters of Playwright's own, and
 * adds the suggestions under the address bar: no test sees them, and each window has two pages for
 * them, which take more time than most pages under test.
 */
const FEATURES_OFF = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'LensOverlay', 'MediaRouter', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
];

const FLAGS = [
  '--headless',
  `--disable-features=${FEATURES_OFF.join(',')}`,
  // On two cores, more threads to paint with only wait for each other.
  '--num-raster-threads=1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // All services of a run are on one machine, so a page keeps its process across services.
  '--disable-site-isolation-trials',
];

/** Ends a page's own action that hangs. */
const PAGE_TIMEOUT_MS = 60_000;

export interface View {
  readonly language?: 'es' | 'en';
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** False for a browser without scripts. */
  readonly script?: boolean;
  /** True for a test of the service worker. To install it takes longer than to open a page. */
  readonly serviceWorker?: boolean;
  /** True for a test with lasting changes, such as to the clock of the page. */
  readonly ownPage?: boolean;
}

type Open = (url: string, view?: View) => Promise<OpenedPage>;

export interface OpenedPage {
  readonly page: Page;
  /** Errors on the page, except those that `expectQuiet` ignores. */
  readonly troubles: string[];
  /** Fails after an error in the console or a request to another host. */
  expectQuiet(): void;
}

/** Tests in a browser. Without a browser they report clearly that they did not run. */
export function describeInBrowser(name: string, tests: (open: Open) => void): void {
  if (!existsSync(CHROMIUM)) {
    const line = `NOT RUN, for there is no ${CHROMIUM}: ${name}`;
    process.stderr.write(`\n${'*'.repeat(line.length)}\n${line}\n${'*'.repeat(line.length)}\n`);
  }
  describe.skipIf(!existsSync(CHROMIUM))(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      started ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
      browser = await started;
    });
    tests((url, view) => openPage(browser, url, view));
  });
}

/**
 * One browser for all files of a worker, because starting one takes longer than most tests. It ends
 * with the worker. Workers have separate browsers, because a clipboard belongs to a browser.
 */
let started: Promise<Browser> | undefined;

/**
 * Pages that tests have finished with, by the settings of their context. A new page is a new
 * process of the browser, which takes longer than most tests.
 */
const idle = new Map<string, Page[]>();

async function openPage(
  browser: Browser,
  url: string,
  {
    language = 'es',
    theme = 'light',
    width = 1280,
    script = true,
    serviceWorker = false,
    ownPage = false,
  }: View = {},
): Promise<OpenedPage> {
  const kind = `${language} ${script} ${serviceWorker}`;
  const pages = idle.get(kind) ?? [];
  idle.set(kind, pages);
  const old = ownPage ? undefined : pages.pop();
  const page = old ?? (await newPage(browser, { language, script, serviceWorker }));
  const context = page.context();
  await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
  await page.emulateMedia({
    ...{ colorScheme: theme, reducedMotion: 'reduce', media: null, forcedColors: 'none' },
  });
  const troubles = watched(context, new URL(url).host);
  onTestFinished(async () => {
    if (ownPage) return context.close();
    context.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearCookies();
    await context.clearPermissions();
    await context.setOffline(false);
    await leave(page);
    pages.push(page);
  });
  await page.goto(url);
  return { page, troubles, expectQuiet: () => expect(troubles).toEqual([]) };
}

async function newPage(
  browser: Browser,
  {
    language,
    script,
    serviceWorker,
  }: Required<Pick<View, 'language' | 'script' | 'serviceWorker'>>,
): Promise<Page> {
  const context = await browser.newContext({
    locale: language === 'es' ? 'es-VE' : 'en-US',
    javaScriptEnabled: script,
  });
  if (!serviceWorker) await context.addInitScript(withoutServiceWorker);
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return page;
}

/** Runs on the page, which then finds what a page over plain HTTP finds. */
function withoutServiceWorker(): void {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
}

/** Leaves nothing stored for the next test on the same address. */
async function leave(page: Page): Promise<void> {
  const { origin, protocol } = new URL(page.url());
  const isServed = protocol === 'http:';
  if (isServed) await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  if (!isServed) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}

/** Records errors of console, scripts and content policy, and requests to other hosts. */
function watched(context: BrowserContext, host: string): string[] {
  const troubles: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  context.on('weberror', (error) => troubles.push(String(error.error())));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.host !== host) {
      troubles.push(`a request to ${url.host}`);
    }
  });
  return troubles;
}

/** Pixels by which the page is wider than its window, for which one would scroll sideways. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** Each language in both themes and both widths, the phone last; each width in both themes. */
const VIEWS = {
  es: [
    { width: 1280, theme: 'light' },
    { width: 360, theme: 'dark' },
  ],
  en: [
    { width: 1280, theme: 'dark' },
    { width: 360, theme: 'light' },
  ],
} as const;

export interface EveryView {
  /** Waits until the page is in the state to check. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** Checks the page once more on a phone, in each language. It may change the view. */
  readonly onPhone?: (page: Page) => Promise<unknown>;
  /** Selector of elements that axe ignores. */
  readonly except?: string;
  /** Accepted errors. */
  readonly expected?: readonly string[];
  /** False for a page with the styles of another, which is checked in the dark already. */
  readonly inTheDark?: boolean;
}

/**
 * Checks a page in both languages, both themes, on a phone and on a desktop: it fits, axe-core finds
 * nothing, and only `expected` errors occur.
 */
export async function expectGoodInEveryView(
  open: Open,
  url: string,
  { ready, onPhone, except, expected = [], inTheDark = true }: EveryView = {},
): Promise<void> {
  for (const language of ['es', 'en'] as const) {
    const [first, ...others] = VIEWS[language];
    const { page, troubles } = await open(url, { language, ...first });
    await ready?.(page);
    for (const { width, theme } of [first, ...others]) {
      if (width !== first.width) await page.setViewportSize({ width, height: 800 });
      if (theme !== first.theme) await page.emulateMedia({ colorScheme: theme });
      if (theme === 'light' || inTheDark) {
        const rule = theme === 'dark' ? 'color-contrast' : undefined;
        const findings = await axeFindings(page, { rule, ...(except !== undefined && { except }) });
        expect(findings, `${language}, ${theme}, ${width} px`).toEqual([]);
      }
      // Charts follow the window a moment later; by then axe has finished.
      expect(await sidewaysOverflow(page), `${language}, ${width} px`).toBe(0);
    }
    await onPhone?.(page);
    expect(troubles.filter((line) => !expected.includes(line))).toEqual([]);
  }
}

/** Sources that were read a minute ago, and one whose last three readings failed. */
export async function readSources(
  { service: { store } }: TestService,
  good: readonly string[],
  failing: string,
): Promise<void> {
  const state = {
    lastAttemptAt: START - MINUTE_MS,
    lastSuccessAt: START - MINUTE_MS,
    lastChangeAt: START - 5 * MINUTE_MS,
    consecutiveFailures: 0,
    nextRunAt: START + MINUTE_MS,
  };
  await store.takeLease('collector', START, START + LEASE_MS);
  for (const source of good) await store.saveSourceState({ source, ...state });
  const failure = { reason: 'timeout', message: 'late' } as const;
  await store.saveSourceState({ source: failing, ...state, consecutiveFailures: 3, failure });
}
