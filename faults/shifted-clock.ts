import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Setting } from './process.ts';
import type { Trial } from './scenario.ts';
import { pause } from './wire.ts';

/** A process looks at its clock's file this often, and the system takes its time. */
const SEEN_WITHIN_MS = 20;

/** A wall clock of which the processes of a run believe that it is the system's. */
export interface ShiftedClock {
  readonly setting: Required<Pick<Setting, 'env' | 'preload'>>;
  /** Milliseconds by which it is ahead of the system's. */
  readonly shiftMs: number;
  now(): number;
  /** Moves it, forwards or back; resolves when every process has seen it. */
  move(ms: number): Promise<void>;
}

export function shiftedClock(trial: Trial, name = 'clock'): ShiftedClock {
  const file = join(trial.dir, name);
  let shift = 0;
  const write = () => writeFileSync(file, String(shift));
  write();
  return {
    setting: {
      env: { CLOCK_FILE: file },
      preload: fileURLToPath(new URL('./preload/clock.ts', import.meta.url)),
    },
    get shiftMs() {
      return shift;
    },
    now: () => Date.now() + shift,
    async move(ms) {
      shift += ms;
      write();
      await pause(SEEN_WITHIN_MS);
    },
  };
}
