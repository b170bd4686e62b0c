import type { Capability } from '../../core/capability.ts';

/** The official rate of a month: table, close, average. */
export const month: Capability = {
  name: 'month',
  open: async () => ({ endpoints: [(await import('./official-month.ts')).officialMonth] }),
};
