import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Setting } from './process.ts';
import type { Trial } from './scenario.ts';

const PRELOAD = fileURLToPath(new URL('./preload/memory.ts', import.meta.url));
const MEGABYTE = 1024 * 1024;

/** A setting in which the process tells what it keeps, and how to ask for it. */
export function memoryOf(trial: Trial): {
  readonly setting: Setting;
  /** Megabytes of objects and buffers that are still held, after a collection. */
  readonly kept: () => Promise<number>;
} {
  const path = join(trial.dir, 'memory');
  return {
    setting: { preload: PRELOAD, env: { MEMORY_SOCKET: path } },
    kept: async () => Number(await text(connect(path))) / MEGABYTE,
  };
}
