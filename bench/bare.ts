import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The baseline: Node's own HTTP server and nothing else, answering fixed bytes with a fixed list of
 * headers, both given by the parent process.
 */
process.once('message', ({ headers, body }: { headers: string[]; body: string }) => {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    process.send?.((server.address() as AddressInfo).port);
  });
});
