import { expect, test } from 'vitest';
import { hasCapability } from '../../../../../test/harness/capabilities.ts';
import { quote } from '../../../../../test/harness/make.ts';
import { startTestService } from '../../../../../test/harness/service.ts';
import { CAPABILITIES } from '../../../../capabilities.ts';
import type { Capability } from '../../../../core/capability.ts';
import { streamJob } from '../../job.ts';
import { openedStream } from '../opened.ts';

const STREAM = '/v1/fx/stream';
const FEW: Capability = {
  name: 'stream',
  open: async ({ store, clock, log }) => streamJob({ engine: store.engine, clock, log, max: 4 }),
};

test.runIf(hasCapability('site'))(
  'contract §23 a process opens as many streams as it may, and the board half of them; one more is 503',
  async () => {
    const others = CAPABILITIES.filter(({ name }) => name !== FEW.name);
    const service = await startTestService({
      config: { trustProxy: true },
      capabilities: [...others, FEW],
    });
    await service.push(quote('parallel', 880));
    const key = await service.keyFor('Profesional');
    const ofBoard = (address: string) =>
      openedStream(`${service.url}/board/stream`, { headers: { 'X-Forwarded-For': address } });
    const board = [await ofBoard('192.0.2.1'), await ofBoard('192.0.2.2')];
    expect(board.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ofBoard('192.0.2.3')).status).toBe(503);
    const own = [1, 2, 3].map(() => openedStream(service.url + STREAM, { key }));
    const statuses = (await Promise.all(own)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 503]);
    const refused = await service.call(STREAM, { key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  },
);
