import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** The port of a server that listens on one. */
export function portOf(server: Pick<Server, 'address'>): number {
  // A server that listens on a port has an address object.
  return (server.address() as AddressInfo).port;
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
