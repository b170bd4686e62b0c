import type { Job } from '../../core/capability.ts';
import { Streams, type StreamsParts } from './streams.ts';

export function streamJob(parts: StreamsParts): Job {
  const streams = new Streams(parts);
  return {
    async serve() {
      const { streamEndpoints } = await import('./endpoints.ts');
      return (serving) => {
        streams.use(serving);
        return { endpoints: streamEndpoints(streams, serving) };
      };
    },
    close: () => streams.close(),
    // Import on demand: loading the library takes a tenth of a start.
    addMetrics: async (registry) => (await import('./metrics.ts')).addStreams(registry, streams),
  };
}
