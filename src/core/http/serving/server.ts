import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { ThrottledLog } from '../../app/throttled-log.ts';
import { methodNotAllowed } from '../../domain/errors.ts';
import { BufferedRequest } from '../framework/server/buffered-request.ts';
import { closeServer } from '../framework/server/closing.ts';
import { Connections } from '../framework/server/connections.ts';
import { maxConnections } from '../framework/server/descriptors.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  PARSER_HEADER_BYTES,
  READER_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  STREAMS_END_MS,
  TIMEOUT_CHECK_MS,
} from '../framework/server/limits.ts';
import { SERVED_METHODS } from '../pipeline/router.ts';
import { HttpServer } from './http-server.ts';
import { Metrics } from './metrics.ts';
import type { ServerConfig, ServerParts, ServerState } from './server-parts.ts';

/** Opens the port and answers requests. */
export async function startServer(parts: ServerParts) {
  const { config, clock, log } = parts;
  const state: ServerState = { url: '', requests: 0, closing: false, portClosed: false };
  const server = createServer({
    IncomingMessage: BufferedRequest,
    maxHeaderSize: PARSER_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // No `optimizeEmptyRequests`: with it a POST without a body hung.
    // A missing Host gets our own error.
    requireHostHeader: false,
  });
  allowHalfOpen(server);
  const connections = new Connections(server, { max: maxConnections(), clock, log });
  const metrics = new Metrics({
    ...parts,
    version: config.version,
    hasAccounts: config.metricsAccounts,
  });
  let http = new HttpServer(parts, state, metrics);
  server.on('request', (request, response) => {
    http.take(connections.of(request.socket), request, response);
  });
  server.on('checkExpectation', (request, response: ServerResponse) => {
    http.take(connections.of(request.socket), request, response, 'expectation_failed');
  });
  server.on('connect', (request, socket: Socket) => {
    // CONNECT is a method of proxies. No route takes it.
    http.refuseRest(connections.of(socket), methodNotAllowed(SERVED_METHODS), { request });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    http.refuseBytes(connections.of(socket), error);
  });
  server.setTimeout(READER_TIMEOUT_MS, (socket) => {
    // Close a client that is idle or has taken no byte of its answer for this long.
    if (socket.writableLength > 0 || !connections.of(socket).isInUse) socket.destroy();
  });
  await listen(server, config);
  const acceptLog = new ThrottledLog(log, 'a connection could not be accepted');
  server.on('error', (err) => acceptLog.warn({ err }, clock.now()));
  state.url = urlOf(server, config);
  return {
    url: state.url,
    /** Answers later requests with other services. Those in progress end as they began. */
    use(changed: Pick<ServerParts, 'config' | 'services'>): void {
      metrics.use(changed.services);
      http = new HttpServer({ ...parts, ...changed }, state, metrics);
    },
    /** Makes `/readyz` answer 503, finishes the requests in flight, then closes every connection. */
    close(): Promise<void> {
      state.closing = true;
      return closeServer(server, connections, {
        drainMs: config.drainMs,
        othersClosed: async () => parts.peers?.portClosed(),
        onPortClosed: () => {
          state.portClosed = true;
          connections.endStreams(STREAMS_END_MS);
        },
      });
    },
    /** Counts a request that another process admitted under a limit by address. */
    countAdmittedOfPeer(limit: string, address: string): void {
      http.limits.countOfPeer(limit, address, clock.now());
    },
    /** The counts of this process for `/metrics`. */
    counts: () => metrics.counts(),
    endpoints: http.endpoints,
  };
}

/** Lets a client close its side and still get the answer. Node's types lack the property. */
function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

function listen(server: Server, { host, port, reusePort }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, { host }: ServerConfig): string {
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
