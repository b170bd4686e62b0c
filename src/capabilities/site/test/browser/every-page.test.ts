import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { MOST_OPERATIONS } from '../../../../../test/harness/axe.ts';
import {
  describeInBrowser,
  expectGoodInEveryView,
  readSources,
} from '../../../../../test/harness/browser.ts';
import { bankTable, capture, fullMarket, iso, official } from '../../../../../test/harness/make.ts';
import { START, sharedService, type TestService } from '../../../../../test/harness/service.ts';
import { DAY_MS } from '../../../../core/domain/time.ts';
import {
  groupPath,
  REFERENCE,
  REFERENCE_ERRORS,
  REFERENCE_TAGS,
} from '../../docs/docs-addresses.ts';
import { GUIDE_NAMES } from '../../guides/guides.ts';

/** Every page in both languages, both themes, on a phone and on a desk; the console signed out. */

/** The browser's own message about a missing page. */
const NOT_FOUND = 'Failed to load resource: the server responded with a status of 404 (Not Found)';

/** Figures in every market, two of them with a past, and sources that work, fail and were never read. */
async function full(service: TestService): Promise<void> {
  for (const day of ['2026-11-18', '2026-11-19']) {
    const at = `${day}T12:00:00Z`;
    await service.push(official(day, { USD: 790 }, { captured_at: at }), capture(840, at));
  }
  await service.push(
    ...fullMarket(),
    // A premium of two digits, which takes more room.
    capture(899.5, iso(START + 1)),
    bankTable('2026-11-20', [{ bank: 'Banesco', date: '2026-11-20', buy: 800.1, sell: 805.2 }]),
  );
  await readSources(service, ['bcv-official', 'criptoya'], 'yadio');
}

/** The same figures, ten days later: all are stale or gone. */
async function stale(service: TestService): Promise<void> {
  await full(service);
  service.clock.advance(10 * DAY_MS);
}

interface Case {
  readonly path: string;
  readonly state: 'full' | 'stale' | 'empty';
  /** Selector of what the page draws last. */
  readonly ready?: string;
}

/** All guides have the same styles. */
const GUIDES = GUIDE_NAMES.map((name) => `/docs/${name}`);
const REFERENCES = [REFERENCE, REFERENCE_ERRORS, ...REFERENCE_TAGS.map(groupPath)];

const BOARDS: readonly Case[] = ['/', '/?market=binance', '/?amount=20&from=USD&via=parallel'].map(
  (path) => ({ path, state: 'full', ready: '#chart .u-over' }),
);
const PAGES: readonly Case[] = [
  ...['/docs', '/methodology', '/status', '/console', '/mes', '/nowhere'],
  ...GUIDES,
  ...REFERENCES,
].map((path) => ({ path, state: 'full' }));
const OTHER_STATES: readonly Case[] = [
  { path: '/', state: 'stale' },
  { path: '/status', state: 'stale' },
  { path: '/mes', state: 'stale' },
  { path: '/mes/2026-11', state: 'stale' },
  { path: '/', state: 'empty' },
  { path: '/status', state: 'empty' },
  { path: '/mes', state: 'empty' },
];

/** Between the margins of a page of paper, A4 or Letter. */
const PAPER_WIDTH_PX = 680;

/** Elements beyond the page or wider than their box, which cannot be scrolled to on paper. */
function cutOff(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('main *')].filter((one) => {
      const { display } = getComputedStyle(one);
      if (!one.checkVisibility() || display === 'inline' || one.matches('.unseen, .unseen *')) {
        return false;
      }
      return (
        one.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
        one.scrollWidth > one.clientWidth + 1
      );
    });
    return wide.map(({ outerHTML }) => outerHTML.slice(0, 100));
  });
}

const MIN_TEXT_PX = 13;

/** Text that is too small to read on a phone. */
function smallText(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const sizes = [...document.querySelectorAll('body *:not(script)')]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
      .map((one) => ({ one, size: Number.parseFloat(getComputedStyle(one).fontSize) }));
    const small = sizes.filter(({ size }) => size < least);
    return small.map(({ one, size }) => `${size}: ${one.outerHTML.slice(0, 80)}`);
  }, MIN_TEXT_PX);
}

/** Buttons, fields and the links of the navigation that a finger would miss. */
function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const targets = 'button, select, summary, nav a, input:not([type=checkbox], [type=radio])';
    return [...document.querySelectorAll(targets)]
      .filter((one) => one.checkVisibility() && !one.matches('.unseen, .contents *'))
      .filter((one) => one.getBoundingClientRect().height < 40)
      .map(({ outerHTML }) => outerHTML.slice(0, 100));
  });
}

/** What stands beyond the page and cannot be scrolled to, and text that ends in dots. */
function cutText(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    const cut = [...document.querySelectorAll('body *')].filter((one) => {
      if (!one.checkVisibility() || one.closest('.unseen, svg, thead')) return false;
      const { right } = one.getBoundingClientRect();
      const isBeyond = right > document.documentElement.clientWidth + 1;
      const isDotted =
        getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth + 1;
      return isDotted || (isBeyond && !scrolls(one.parentElement));
    });
    return cut.map(({ outerHTML }) => outerHTML.slice(0, 100));
  });
}

/** A page of 1280 px, zoomed to 400 %. */
const ZOOMED_WIDTH_PX = 320;

/** On a phone, zoomed in, then on paper. */
async function expectReadable(page: Page): Promise<void> {
  await page.setViewportSize({ width: ZOOMED_WIDTH_PX, height: 780 });
  expect(await cutText(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await smallTargets(page)).toEqual([]);
  expect(await smallText(page)).toEqual([]);
  await page.setViewportSize({ width: PAPER_WIDTH_PX, height: 900 });
  await page.emulateMedia({ media: 'print' });
  expect(await cutOff(page)).toEqual([]);
}

describeInBrowser('every page', (open) => {
  const services = {
    full: sharedService(full),
    stale: sharedService(stale),
    empty: sharedService(async () => undefined),
  };

  test.each([...BOARDS, ...PAGES, ...OTHER_STATES])(
    '$path ($state) fits, has readable text and large enough buttons, prints completely, and axe finds nothing in any view',
    async ({ path, state, ready }) => {
      const { url } = services[state]();
      await expectGoodInEveryView(open, url + path, {
        ready: async (page) => ready && page.waitForSelector(ready),
        except: MOST_OPERATIONS,
        expected: path === '/nowhere' ? [NOT_FOUND] : [],
        inTheDark: ![...GUIDES.slice(1), ...REFERENCES.slice(3)].includes(path),
        onPhone: expectReadable,
      });
    },
  );

  test('in forced colours the chosen buttons, the lines of the chart and the days of a source differ', async () => {
    const { url } = services.full();
    const { page } = await open(url);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.reload();
    await page.waitForSelector('#chart .u-over');
    const grounds = (selector: string) =>
      page.$$eval(selector, (all) => all.map((one) => getComputedStyle(one).backgroundColor));
    const [canvas] = await grounds('body');
    const chosen = await grounds('.segments label:has(:checked)');
    expect(chosen.length).toBeGreaterThan(1);
    expect(chosen).not.toContain(canvas);
    await page.waitForSelector('#chart .point');
    const lines = await grounds('#chart .point');
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines).size).toBe(lines.length);
    await page.goto(`${url}/status`);
    expect(new Set(await grounds('.legend .strip i')).size).toBe(4);
  });

  test('a short page prints on one sheet', async () => {
    const { url } = services.full();
    const { page } = await open(`${url}/nowhere`);
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});
