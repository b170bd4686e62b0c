import { readFileSync } from 'node:fs';

/**
 * Loaded before the program: shifts its wall clock by the milliseconds in the file `CLOCK_FILE`,
 * which may change while it runs. Timers are unaffected, as when a real clock is set.
 */

const file = process.env['CLOCK_FILE'] ?? '';
/** How often the file is read again. */
const LOOK_EVERY_MS = 5;

let shift = 0;
let lookedAt = Number.NEGATIVE_INFINITY;

function shiftNow(): number {
  if (performance.now() - lookedAt < LOOK_EVERY_MS) return shift;
  lookedAt = performance.now();
  shift = Number(readFileSync(file, 'utf8'));
  return shift;
}

const RealDate = Date;
const realNow = Date.now;

/** `new Date()` and `Date.now()` are shifted. A `Date` from a given instant is not. */
globalThis.Date = new Proxy(RealDate, {
  construct(target, values: unknown[], made) {
    return Reflect.construct(target, values.length === 0 ? [realNow() + shiftNow()] : values, made);
  },
  get(target, name, receiver) {
    if (name === 'now') return () => realNow() + shiftNow();
    return Reflect.get(target, name, receiver);
  },
});
