import type { Peers, ProcessCounts } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { PageView } from '../../web/frame/page-view.ts';
import type { CompatService } from '../compat/all.ts';
import type { Services } from '../routing/endpoint.ts';

/** The settings of which the server needs to know. */
export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** Other processes listen on the same port, and the system spreads connections over them. */
  readonly reusePort: boolean;
  readonly publicUrl: string | undefined;
  readonly publicHosts: readonly string[];
  readonly adminToken: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly notice: PageView['notice'];
  /** How long requests are still taken once the server is told to stop. */
  readonly drainMs: number;
  readonly calculator: boolean;
  readonly board: boolean;
  readonly boardHistoryDays: number;
  /** Other services at whose addresses we answer too (decisions §12). */
  readonly compat: readonly CompatService[];
  /** Whether those addresses need no key. */
  readonly compatOpen: boolean;
}

export interface RunningServer {
  readonly url: string;
  /** From then on `/readyz` is 503. Answers what is in flight, then closes every connection. */
  close(): Promise<void>;
  /** Counts a request that another process admitted under a limit by address. */
  hearOfAdmitted(limit: string, address: string): void;
  /** What this process counted for `/metrics`. */
  counts(): Promise<ProcessCounts>;
}

export interface ServerParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: Services;
  readonly peers?: Peers | undefined;
}

/** What changes while the server runs. */
export interface ServerState {
  url: string;
  /** Told to stop. */
  closing: boolean;
  portClosed: boolean;
}
