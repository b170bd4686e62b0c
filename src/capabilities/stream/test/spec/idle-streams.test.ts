import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { iso, quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { MAX_STREAMS } from '../../limits.ts';
import { openedStream } from '../opened.ts';

// Half a second and less in place of 10 s and 65 s.
vi.mock('../../../../core/http/server/limits.ts', async (original) => ({
  ...(await original<object>()),
  ...{ READER_TIMEOUT_MS: 100, KEEP_ALIVE_MS: 300 },
}));
vi.mock('../../limits.ts', async (original) => ({
  ...(await original<object>()),
  ...{ MAX_STREAMS: 4 },
}));

const STREAM = '/v1/fx/stream';

test('contract §23 a stream on which nothing is sent outlives idle connections', async () => {
  const service = await startTestService();
  await service.push(quote('parallel', 880));
  const stream = await openedStream(service.url + STREAM, { key: await service.keyFor('Inicio') });
  await stream.next();
  for (let idle = 0; idle < 4; idle += 1) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket.resume(), 'close');
  }
  service.clock.advance(1_000);
  const at = iso(service.clock.now());
  await service.push(quote('parallel', 881, { updated_at: at, captured_at: at }));
  expect((await stream.next()).data.rates).toMatchObject([{ mid: 881 }]);
});

test('contract §23 a process opens as many streams as it may: one more is 503, and half are for accounts', async () => {
  const service = await startTestService({ config: { trustProxy: true } });
  await service.push(quote('parallel', 880));
  const key = await service.keyFor('Profesional');
  const ofBoard = (address: string) =>
    openedStream(`${service.url}/board/stream`, { headers: { 'X-Forwarded-For': address } });
  expect(MAX_STREAMS).toBe(4);
  const board = [await ofBoard('192.0.2.1'), await ofBoard('192.0.2.2')];
  expect(board.map(({ status }) => status)).toEqual([200, 200]);
  expect((await ofBoard('192.0.2.3')).status).toBe(503);
  const own = [1, 2, 3].map(() => openedStream(service.url + STREAM, { key }));
  const statuses = (await Promise.all(own)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 503]);
  const refused = await service.call(STREAM, { key });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
});
