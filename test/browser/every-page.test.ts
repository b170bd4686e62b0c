import { test } from 'vitest';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { GUIDE_NAMES } from '../../src/web/guides/guides.ts';
import { describeInBrowser, expectGoodInEveryView, MOST_OPERATIONS } from '../harness/browser.ts';
import { bankTable, fullMarket } from '../harness/make.ts';
import { START, startTestService, type TestService } from '../harness/service.ts';

/** Every page in both languages, both themes, on a phone and on a desk. The console has its own test. */

/** What the browser itself writes of a page that is not there. */
const NOT_FOUND = 'Failed to load resource: the server responded with a status of 404 (Not Found)';

/** Figures in every market, and sources that work, fail and were never read. */
async function full(): Promise<TestService> {
  const service = await startTestService();
  await service.push(
    ...fullMarket(),
    bankTable('2026-11-20', [{ bank: 'Banesco', date: '2026-11-20', buy: 800.1, sell: 805.2 }]),
  );
  const good = {
    lastAttemptAt: START - MINUTE_MS,
    lastSuccessAt: START - MINUTE_MS,
    lastChangeAt: START - 5 * MINUTE_MS,
    consecutiveFailures: 0,
    nextRunAt: START + MINUTE_MS,
  };
  const failure = { reason: 'timeout', message: 'late' } as const;
  const { store } = service.service;
  await store.saveSourceState({ source: 'bcv-official', ...good });
  await store.saveSourceState({ source: 'criptoya', ...good });
  await store.saveSourceState({ source: 'yadio', ...good, consecutiveFailures: 3, failure });
  return service;
}

/** The same figures, ten days later: all are stale or gone. */
async function stale(): Promise<TestService> {
  const service = await full();
  service.clock.advance(10 * 24 * 60 * MINUTE_MS);
  return service;
}

const empty = () => startTestService();

const STATES = { full, stale, empty };

interface Case {
  readonly path: string;
  readonly state: keyof typeof STATES;
}

const PAGES: readonly Case[] = [
  ...['/', '/?market=binance', '/?amount=20&from=USD&via=parallel'],
  ...['/docs', '/methodology', '/status', '/console', '/nowhere'],
  ...GUIDE_NAMES.map((name) => `/docs/${name}`),
].map((path) => ({ path, state: 'full' }));
const OTHER_STATES: readonly Case[] = [
  { path: '/', state: 'stale' },
  { path: '/status', state: 'stale' },
  { path: '/', state: 'empty' },
  { path: '/status', state: 'empty' },
];

describeInBrowser('every page', (open) => {
  test.each([...PAGES, ...OTHER_STATES])(
    '$path ($state) fits, and axe finds nothing in any view',
    async ({ path, state }) => {
      const { url } = await STATES[state]();
      await expectGoodInEveryView(open, url + path, undefined, {
        except: MOST_OPERATIONS,
        expected: path === '/nowhere' ? [NOT_FOUND] : [],
      });
    },
  );
});
