import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the program: tells over the socket `MEMORY_SOCKET` what the process keeps. Only a
 * collection shows it: V8 leaves what nothing holds for tens of seconds.
 */

setFlagsFromString('--expose-gc');
/** The cast is safe: V8 has the function while the flag is set. */
const collect = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');

/** Finalizers of buffers run in the turn after a collection. */
async function kept(): Promise<number> {
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const path = process.env['MEMORY_SOCKET'];
// The threads of the program load this too.
if (isMainThread && path !== undefined) {
  createServer((socket) => {
    socket.on('error', () => undefined);
    void kept().then((bytes) => socket.end(`${bytes}`));
  })
    .listen(path)
    .unref();
}
