import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { iso, quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { openedStream } from '../opened.ts';

test('contract §23 a stream on which nothing is sent outlives idle connections', async () => {
  const service = await startTestService();
  await service.push(quote('parallel', 880));
  const key = await service.keyFor('Inicio');
  const stream = await openedStream(`${service.url}/v1/fx/stream`, { key });
  await stream.next();
  // Opened later, and closed by the time for clients that take no byte.
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket.resume(), 'close');
  service.clock.advance(1_000);
  const at = iso(service.clock.now());
  await service.push(quote('parallel', 881, { updated_at: at, captured_at: at }));
  expect((await stream.next()).data.rates).toMatchObject([{ mid: 881 }]);
});
