import { readFileSync } from 'node:fs';

/**
 * Loaded before the program: shifts its wall clock by the milliseconds that stand in the file
 * `CLOCK_FILE`, at any time while it runs. Timers go on as they do when a real clock is set.
 */

const file = process.env['CLOCK_FILE'] ?? '';
/** How old the last look at the file may be. */
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

/** `new Date()` and `Date.now()` are shifted; an instant that is given stays what it is. */
globalThis.Date = new Proxy(RealDate, {
  construct(target, values: unknown[], made) {
    return Reflect.construct(target, values.length === 0 ? [realNow() + shiftNow()] : values, made);
  },
  get(target, name, receiver) {
    if (name === 'now') return () => realNow() + shiftNow();
    return Reflect.get(target, name, receiver);
  },
});
