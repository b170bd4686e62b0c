import type { Worker } from 'node:worker_threads';

/** Shortest time between two looks at the processor time of a thread. */
// limit: Between looks at a parser's time | 20 ms at least | waits
const MIN_LOOK_MS = 20;

/**
 * Calls `onOver` once the thread has used `cpuMs` of processor time from now on. Time in which other
 * work has the core does not count: a sound body must not fail because the machine is busy.
 * @returns a function that stops it.
 */
export function afterProcessorTime(thread: Worker, cpuMs: number, onOver: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  // A thread uses at most a second in a second, so it cannot be over before `leftMs`.
  const look = (leftMs: number, before: number) => {
    if (isOver) return;
    timer = setTimeout(async () => {
      const used = (await processorMsOf(thread)) - before;
      if (used < cpuMs) look(Math.max(cpuMs - used, MIN_LOOK_MS), before);
      else if (!isOver) onOver();
    }, leftMs);
  };
  void processorMsOf(thread).then((before) => {
    if (Number.isFinite(before)) look(cpuMs, before);
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** NaN for a thread that has ended, and on Node before 24.6, which does not tell it. */
async function processorMsOf(thread: Worker): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return Number.NaN;
  }
}
