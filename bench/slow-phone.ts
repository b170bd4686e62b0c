import { type CDPSession, chromium, type Page } from 'playwright-core';

/*
 * Measures the pages of a running service as a slow phone shows them, in Chromium:
 * bench/slow-phone.ts ADDRESS [KEY]. 400 kbit/s, 150 ms to the service, a processor four times slower.
 * With the key of an account the console is measured signed in, too, and how long its playground
 * takes from the tap to the form.
 */

const CHROMIUM = '/usr/bin/chromium';
const PHONE = { width: 360, height: 740 };
const BYTES_A_SECOND = (400 * 1000) / 8;
const LATENCY_MS = 150;
const CPU_SLOWDOWN = 4;
/** How long a page may go on loading after its load event, such as the board's history. */
const SETTLE_MS = 4_000;
const RUNS = 3;

interface Measured {
  readonly paintMs: number;
  readonly shift: number;
  readonly interactionMs: number;
}

/** Collects what the browser measures, from before the page's first byte. */
function observe(): void {
  const seen = { paintMs: 0, shift: 0, interactionMs: 0 };
  Object.assign(globalThis, { seen });
  const each = (type: string, more: object, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      ...{ type, buffered: true },
      ...more,
    });
  each('largest-contentful-paint', {}, ({ startTime }) => {
    seen.paintMs = startTime;
  });
  each('layout-shift', {}, (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
    };
    if (!hadRecentInput) seen.shift += value;
  });
  each('event', { durationThreshold: 16 }, ({ duration }) => {
    seen.interactionMs = Math.max(seen.interactionMs, duration);
  });
}

async function slowed(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return session;
}

/**
 * Types into the first field and presses the buttons that stay on the page, each in the middle of the
 * screen: of one at the lower edge Chromium's event timing misses the frame that shows it, and counts
 * until the next change.
 */
async function use(page: Page): Promise<void> {
  const field = page
    .locator('input[inputmode=decimal]:visible, input[type=search]:visible')
    .first();
  if ((await field.count()) > 0) {
    await field.click();
    await page.keyboard.type('1234,5', { delay: 120 });
  }
  const choices = page.locator('main label:has(input[type=radio]):visible');
  for (let at = 0; at < Math.min(6, await choices.count()); at += 1) {
    const choice = choices.nth(at);
    await choice.evaluate((label) => label.scrollIntoView({ block: 'center' }));
    await page.waitForTimeout(200);
    await choice.click({ timeout: 2_000 }).catch(() => undefined);
    await page.waitForTimeout(200);
  }
}

async function measure(address: string, key: string | undefined): Promise<Measured> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true });
    await page.addInitScript(observe);
    await slowed(page);
    await page.goto(address, { waitUntil: 'load', timeout: 60_000 });
    if (key !== undefined) {
      await page.fill('input[type=password]', key);
      await page.keyboard.press('Enter');
    }
    await page.waitForTimeout(SETTLE_MS);
    const read = () =>
      page.evaluate(() => (globalThis as unknown as { readonly seen: Measured }).seen);
    const { paintMs, shift } = await read();
    await use(page);
    await page.waitForTimeout(500);
    return { paintMs, shift, interactionMs: (await read()).interactionMs };
  } finally {
    await browser.close();
  }
}

/** From the tap on its tab until the form is there, in a console that is open. */
async function playgroundMs(origin: string, key: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true });
    await slowed(page);
    await page.goto(`${origin}/console`, { waitUntil: 'load', timeout: 60_000 });
    await page.fill('input[type=password]', key);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(SETTLE_MS);
    return await page.evaluate(async () => {
      const started = performance.now();
      document.querySelector<HTMLElement>('a[href="#probar"]')?.click();
      while (document.querySelector('#try') === null) {
        await new Promise((next) => requestAnimationFrame(next));
      }
      return performance.now() - started;
    });
  } finally {
    await browser.close();
  }
}

const [origin = 'http://127.0.0.1:8080', key] = process.argv.slice(2);
const paths = [
  '/',
  '/?amount=20&from=USD',
  '/console',
  '/docs',
  '/docs/first-request',
  '/methodology',
  '/status',
];
console.log('| Page | Largest paint, s | Layout shift | Longest interaction, ms |');
console.log('| - | -: | -: | -: |');
for (const path of [...paths, ...(key === undefined ? [] : ['/console, signed in'])]) {
  const isSignedIn = path.includes(',');
  const runs: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    runs.push(await measure(origin + (path.split(',')[0] ?? ''), isSignedIn ? key : undefined));
  }
  const worst = (of: (measured: Measured) => number) => Math.max(...runs.map(of));
  console.log(
    `| \`${path}\` | ${runs.map(({ paintMs }) => (paintMs / 1000).toFixed(2)).join(', ')} | ${worst(({ shift }) => shift).toFixed(3)} | ${worst(({ interactionMs }) => interactionMs)} |`,
  );
}
if (key !== undefined) {
  const opened: string[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    opened.push(((await playgroundMs(origin, key)) / 1000).toFixed(2));
  }
  console.log(`\nThe playground opens in ${opened.join(', ')} s.`);
}
