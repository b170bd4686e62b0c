import { expect, test, vi } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';

describeInBrowser('contract §23 the board and its stream', (open) => {
  const streaming = async () => {
    const service = await startTestService();
    await service.push(official('2026-11-20', { USD: 800.5 }), quote('parallel', 880));
    const openStreams = async () => {
      const { headers, text } = await service.call('/metrics', {
        headers: { Authorization: 'Bearer admin-token-of-the-tests' },
      });
      expect(headers.get('content-type')).toMatch('text/plain');
      return Number(/^vesfx_streams_open (\d+)/m.exec(text)?.[1]);
    };
    const change = (mid: number) => {
      service.clock.advance(1_000);
      const at = iso(service.clock.now());
      return service.push(quote('parallel', mid, { updated_at: at, captured_at: at }));
    };
    return { service, openStreams, change };
  };

  test.runIf(hasCapability('site'))(
    'a change is on the page without a poll, and a hidden page closes its stream',
    async () => {
      const { service, openStreams, change } = await streaming();
      const { page } = await open(service.url);
      await vi.waitFor(async () => expect(await openStreams()).toBe(1), 10_000);
      await change(912.34);
      // The next poll would be half a minute later.
      await expect.poll(() => page.innerText('#market'), { timeout: 15_000 }).toContain('912,34');
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await vi.waitFor(async () => expect(await openStreams()).toBe(0), 10_000);
    },
  );

  test.runIf(hasCapability('site'))('a page that is refused a stream asks as before', async () => {
    const { service, openStreams, change } = await streaming();
    const { page } = await open('about:blank');
    await page.route('**/board/stream', (route) => route.fulfill({ status: 429 }));
    await page.goto(service.url);
    await change(912.34);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => page.innerText('#market'), { timeout: 15_000 }).toContain('912,34');
    expect(await openStreams()).toBe(0);
  });
});
