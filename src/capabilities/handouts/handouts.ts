import type { Capability } from '../../core/capability.ts';

/** The files that programs install from the service: its clients, and add-ons for shops. */
export const handouts: Capability = {
  name: 'handouts',
  open: async () => ({ serve: async () => (await import('./serve.ts')).serveHandouts }),
};
