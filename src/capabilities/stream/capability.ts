import type { Capability } from '../../core/capability.ts';

/** Rates as they change: server-sent events. */
export const stream: Capability = {
  name: 'stream',
  // Import on demand: a process that only collects has no streams.
  open: async ({ store, clock, log }) => {
    const { streamJob } = await import('./job.ts');
    return streamJob({ engine: store.engine, clock, log });
  },
};
