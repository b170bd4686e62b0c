import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ANSWER_WAIT_MS } from '../src/core/cli/commands/alive.ts';
import { runHere } from './harness/commands.ts';
import { listening } from './harness/listening.ts';
import { startTestService } from './harness/service.ts';

/** `vesfx alive`: the health check of an image. */

const alive = (url: string, host = '0.0.0.0') =>
  runHere(['alive'], { ...process.env, VESFX_HOST: host, VESFX_PORT: new URL(url).port });

describe('vesfx alive', () => {
  test('is 0 for a service that answers, whatever address it listens on', async () => {
    const service = await startTestService();
    expect(await alive(service.url)).toEqual({ code: 0, out: 'alive\n', err: '' });
    expect((await alive(service.url, '127.0.0.1')).code).toBe(0);
  });

  test.each([
    ['nobody answers', undefined],
    ['the answer is an error', 503],
  ])('is 1, in one sentence, when %s', async (_, status) => {
    const server = createServer((_, response) => response.writeHead(status ?? 200).end());
    const url = await listening(server);
    if (status === undefined) server.close();
    const { port } = new URL(url);
    expect(await alive(url)).toEqual({
      code: 1,
      out: '',
      err: `error: No service answers at http://127.0.0.1:${port}/healthz.\n`,
    });
  });

  test('waits ANSWER_WAIT_MS and no longer', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    onTestFinished(() => timeout.mockRestore());
    const url = await listening(createServer(() => undefined));
    expect((await alive(url)).code).toBe(1);
    expect(timeout).toHaveBeenCalledWith(ANSWER_WAIT_MS);
  });
});
