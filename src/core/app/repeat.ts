/**
 * Runs `work` every `intervalMs`, one run at a time. It must not reject.
 * @returns a function that ends the runs and waits for the one in progress.
 */
export function repeat(intervalMs: number, work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work().finally(() => {
      running = undefined;
    });
  }, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
