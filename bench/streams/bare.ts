import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The baseline: Node's own server, which writes the same bytes to every response that it has. */
const open = new Set<ServerResponse>();
const server = createServer({ keepAliveTimeout: 0 }, (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('retry: 3000\n\n');
  open.add(response);
});
process.on('message', (text: string) => {
  const bytes = Buffer.from(text);
  for (const response of open) response.write(bytes);
});
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  process.send?.((server.address() as AddressInfo).port);
});
