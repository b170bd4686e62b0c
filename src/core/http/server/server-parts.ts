import type { Peers } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Texts } from '../../domain/words/language.ts';
import type { Endpoint } from '../routing/endpoint.ts';
import type { Services } from '../routing/services.ts';

/** The settings of the server. */
export interface ServerConfig {
  /** Version of the package. */
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** Whether other processes listen on the same port. The kernel spreads connections. */
  readonly reusePort: boolean;
  readonly publicUrl: string | undefined;
  readonly publicHosts: readonly string[];
  readonly adminToken: string | undefined;
  /** Opens `/metrics` in the place of the admin token. */
  readonly metricsToken: string | undefined;
  /** Whether `/metrics` names accounts. */
  readonly metricsAccounts: boolean;
  /** At `debug` each answer has a line in the log. */
  readonly logLevel: string;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly notice: Texts<string> | undefined;
  /** How long the server accepts new requests after a stop signal. */
  readonly drainMs: number;
  readonly calculator: boolean;
  readonly board: boolean;
  readonly boardHistoryDays: number;
}

export interface ServerParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: Services;
  /** The endpoints of capabilities. */
  readonly added: readonly Endpoint[];
  readonly peers?: Peers | undefined;
}

/** What changes while the server runs. */
export interface ServerState {
  url: string;
  /** Requests so far. */
  requests: number;
  /** Whether the server is stopping. */
  closing: boolean;
  portClosed: boolean;
}
