import { closeSync, openSync } from 'node:fs';

/**
 * Loaded before the program: at SIGUSR2 it opens files until the system gives it no more descriptors,
 * and closes them at the next one.
 */

let held: number[] = [];

process.on('SIGUSR2', () => {
  if (held.length > 0) {
    for (const descriptor of held) closeSync(descriptor);
    held = [];
    return;
  }
  for (;;) {
    try {
      held.push(openSync('/dev/null', 'r'));
    } catch {
      return;
    }
  }
});
