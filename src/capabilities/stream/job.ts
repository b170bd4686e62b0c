import type { Job } from '../../core/capability.ts';
import { Streams } from './streams.ts';

export function streamJob(parts: ConstructorParameters<typeof Streams>[0]): Job {
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
