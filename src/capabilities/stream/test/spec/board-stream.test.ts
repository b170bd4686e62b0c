import { describe, expect, test, vi } from 'vitest';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { iso, official, quote } from '../../../../../test/harness/make.ts';
import { fault, startTestService } from '../../../../../test/harness/service.ts';
import { openedStream } from '../opened.ts';

const BOARD = '/board/stream';

/** Addresses are told apart by what a proxy says. */
async function board(config: object = {}) {
  const service = await startTestService({ config: { trustProxy: true, ...config } });
  await service.push(
    official('2026-11-20', { USD: 800.5 }),
    quote('parallel', 880),
    quote('cash', 890),
  );
  const open = (address = '192.0.2.1', headers = {}) =>
    openedStream(service.url + BOARD, { headers: { 'X-Forwarded-For': address, ...headers } });
  return { service, open };
}

describe.runIf(hasCapability('site'))('contract §23 the stream of the board', () => {
  test('has the rates of the board without a key, for pages of any origin', async () => {
    const { service, open } = await board();
    const stream = await open('192.0.2.1', { Origin: 'https://a.example' });
    expect(stream.headers['access-control-allow-origin']).toBe('*');
    expect(stream.headers).not.toHaveProperty('x-ratelimit-cost');
    const markets = (rates: readonly { market: string }[]) => rates.map(({ market }) => market);
    const { data, id } = await stream.next();
    const { json } = await service.call('/board.json');
    expect(markets(data.rates)).toEqual(markets(json.rates));
    service.clock.advance(1_000);
    const at = iso(service.clock.now());
    await service.push(quote('parallel', 881, { updated_at: at, captured_at: at }));
    expect((await stream.next()).data.rates).toMatchObject([{ market: 'parallel', mid: 881 }]);
    const again = await open('192.0.2.2', { 'Last-Event-ID': id ?? '' });
    expect((await again.next()).event).toBe('snapshot');
  });

  test('an address has 3 at a time, and another one its own; who leaves makes room', async () => {
    const { service, open } = await board();
    const streams = await Promise.all(Array.from({ length: 10 }, () => open()));
    const opened = streams.filter(({ status }) => status === 200);
    expect(opened.length).toBe(3);
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const refused = await service.call(BOARD, { headers });
    expect(fault(refused)).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.json.details).toEqual({ limit: 'streams', max: 3 });
    expect((await open('192.0.2.2')).status).toBe(200);
    opened[0]?.leave();
    await vi.waitFor(async () => expect((await open()).status).toBe(200), 5_000);
    expect((await open()).status).toBe(429);
  });

  test('is 404 where the operator shows no figures without a key', async () => {
    const { service } = await board({ added: { VESFX_BOARD: '0' } });
    expect(fault(await service.call(BOARD))).toEqual([404, 'resource_not_found']);
  });
});
