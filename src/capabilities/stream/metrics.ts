import { Gauge, type Registry } from 'prom-client';

export function addStreams(registry: Registry, streams: { readonly open: number }): void {
  new Gauge({
    name: 'vesfx_streams_open',
    help: 'Streams of rates that are open.',
    registers: [registry],
    collect() {
      this.set(streams.open);
    },
  });
}
