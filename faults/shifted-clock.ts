import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Setting } from './process.ts';
import type { Trial } from './scenario.ts';
import { pause } from './wire.ts';

/** Time until every process has read a change of its clock file. */
const SEEN_WITHIN_MS = 20;

/** A shifted wall clock for the processes of a run. */
export interface ShiftedClock {
  readonly setting: Required<Pick<Setting, 'env' | 'preload'>>;
  /** Milliseconds ahead of the system's clock. */
  readonly shiftMs: number;
  now(): number;
  /** Moves it forwards or back. Resolves when every process has read it. */
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
