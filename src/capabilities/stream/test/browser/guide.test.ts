import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../../../../test/harness/browser.ts';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { listening } from '../../../../../test/harness/listening.ts';
import { iso, quote } from '../../../../../test/harness/make.ts';
import { read } from '../../../../../test/harness/repository.ts';
import { startTestService } from '../../../../../test/harness/service.ts';

const LONG = { timeout: 60_000 };

/** Runs on the page, which then keeps its streams for the test. */
function withStreams(): void {
  const streams: EventSource[] = [];
  Reflect.set(window, 'streams', streams);
  window.EventSource = class extends EventSource {
    constructor(address: string | URL) {
      super(address);
      streams.push(this);
    }
  };
}

describeInBrowser('contract §23 the page of the guide on the stream', (open) => {
  test.runIf(hasCapability('site')).each(['es', 'en'])(
    'shows each state, and stops with the reason when its key is revoked (%s)',
    async (language) => {
      const service = await startTestService();
      await service.push(quote('parallel', 880), quote('binance', 870));
      let script = '';
      const shop = await listening(
        createServer((request, response) => {
          const isScript = request.url === '/rates.js';
          response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
          const link = '<link rel="icon" href="data:,"><script src="/rates.js" defer></script>';
          response.end(isScript ? script : `<!doctype html>${link}<p id="rates"></p>`);
        }),
      );
      const { accounts } = service.service;
      const account = await accounts.create('shop', 'Escala');
      const grant = {
        ...{ kind: 'publishable' as const, scopes: ['stream'] as const, origins: [shop] },
        ...{ allowNoOrigin: false, requestsPerMinute: 60 },
      };
      const { id, key } = await accounts.createKey(account.id, { grant });
      const guide = read(`src/capabilities/site/guides/${language}/stream.md`);
      const [, program = ''] = /```js\n([^`]*EventSource[^`]*)\n```/.exec(guide) ?? [];
      script = program.replace('{{url}}', service.url).replace('vfx_pub_…', key);
      const { page } = await open('about:blank', { ownPage: true });
      await page.addInitScript(withStreams);
      await page.goto(shop);
      const shown = async () => JSON.parse((await page.innerText('#rates')) || '{}');
      await expect.poll(shown, LONG).toEqual({ parallel: 880, binance: 870 });
      const change = (mid: number) => {
        service.clock.advance(1_000);
        const at = iso(service.clock.now());
        return service.push(quote('parallel', mid, { updated_at: at, captured_at: at }));
      };
      await change(881.5);
      await expect.poll(shown, LONG).toEqual({ parallel: 881.5, binance: 870 });
      // One that would come again is connecting, not closed.
      const states = () =>
        page.evaluate(() =>
          Reflect.get(window, 'streams').map((one: EventSource) => one.readyState),
        );
      expect(await states()).toEqual([1]);
      await accounts.revokeKey(id);
      await expect.poll(states, LONG).toEqual([2]);
    },
  );
});
