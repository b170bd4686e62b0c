import type { Peers } from '../../app/peers.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Sentence } from '../../domain/errors/sentence.ts';
import type { Texts } from '../../domain/words/language.ts';
import type { ListenerConfig } from '../framework/server/server.ts';
import type { Endpoint } from '../pipeline/endpoint.ts';
import type { Page } from '../pipeline/route.ts';
import type { Services } from '../pipeline/services.ts';
import type { SampleEdition } from '../samples/samples.ts';

/** The settings of the server. */
export interface ServerConfig extends ListenerConfig {
  /** Version of the package. */
  readonly version: string;
  readonly publicUrl: string | undefined;
  readonly publicHosts: readonly string[];
  readonly adminToken: string | undefined;
  /** Opens `/metrics` in the place of the admin token. */
  readonly metricsToken: string | undefined;
  /** Whether `/metrics` names accounts. */
  readonly metricsAccounts: boolean;
  readonly corsOrigins: readonly string[];
  readonly notice: Texts<string> | undefined;
  readonly calculator: boolean;
}

/** What a capability answers, made anew when the catalogue was read again. */
export type Serve = (parts: ServingParts) => Served;

export interface ServingParts {
  readonly services: Services;
  /** The base address of the service, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string;
  /** The reference of the API, with the endpoints of every capability and samples of the service. */
  readonly samples: () => Promise<SampleEdition>;
  /** Whether the service has the address, for a request: pages and streams depend on each other. */
  readonly answers: (path: string) => boolean;
  /** What every capability hands out; for a request, since all have been served by then. */
  readonly handedOut: () => Promise<readonly HandedOut[]>;
  /** What every capability adds to the endpoints, for a request too. */
  readonly added: () => readonly Endpoint[];
}

/** A file that programs install from the service. */
export interface HandedOut {
  readonly path: string;
  readonly about: Sentence;
  readonly sha256: string;
  /** The line that installs it from its whole address. */
  readonly install: (address: string) => string;
}

export interface Served {
  /**
   * One with an operation is in the reference, and one with a `refusal` has its own form of errors.
   */
  readonly endpoints?: readonly Endpoint[];
  /** What people read in a browser, and its files. */
  readonly pages?: readonly Page[];
  /** What a browser gets at an unknown address; others, and without it all, get our 404. */
  readonly notFound?: Page | undefined;
  /** The files that it hands out, for the page that lists them. */
  readonly handedOut?: ServingParts['handedOut'];
}

export interface ServerParts {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: Services;
  /** What capabilities answer. */
  readonly serve: Serve;
  readonly peers?: Peers | undefined;
}
