/** Lets timers and requests of the process run between two stretches of work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
