import { allEndpoints } from '../endpoints/all.ts';
import { serviceEndpoints } from '../endpoints/service.ts';
import { once } from '../framework/encoding/made-once.ts';
import { openApiDocument } from '../openapi/document.ts';
import { AddressLimits } from '../pipeline/address-limits.ts';
import type { AskSample } from '../samples/sample-answers.ts';
import { Samples } from '../samples/samples.ts';
import type { Metrics } from './metrics.ts';
import type { ServerParts } from './server-parts.ts';

/** Everything that the server answers, with the limits by address that endpoints and pages share. */
export function allRoutes(
  { config, clock, log, services, serve, peers }: ServerParts,
  own: {
    readonly metrics: () => ReturnType<Metrics['text']>;
    readonly publicUrl: () => string;
    readonly isClosing: () => boolean;
    readonly ask: AskSample;
  },
) {
  const { publicUrl } = own;
  const admin = config.adminToken !== undefined;
  const { calculator, version } = config;
  const hasMetrics = admin || config.metricsToken !== undefined;
  const { plans } = services;
  const served = serve({
    ...{ services, publicUrl },
    samples: () => samples.current(),
    answers: (path) => paths().has(path),
    handedOut: async () => (await served.handedOut?.()) ?? [],
    added: () => served.endpoints ?? [],
  });
  const { endpoints: added = [], pages = [], notFound } = served;
  // The address for records is in the document even where no token opens it.
  const documented = [...allEndpoints({ admin: true, calculator }), ...added];
  const samples = new Samples({
    endpoints: documented,
    document: (all, language, day) =>
      openApiDocument({ endpoints: all, plans, publicUrl: publicUrl(), version, language, day }),
    ask: own.ask,
    snapshots: services.snapshots,
    log,
    now: () => clock.now(),
  });
  const endpoints = [
    ...allEndpoints({ admin, calculator }),
    ...serviceEndpoints({ ...own, hasMetrics, samples: () => samples.current() }),
    ...added,
  ];
  const paths = once(() => new Set([...endpoints, ...pages].map(({ path }) => path)));
  const limits = new AddressLimits(
    [
      ...endpoints.flatMap(({ addressLimit }) => addressLimit ?? []),
      ...pages.flatMap(({ addressLimits }) => addressLimits ?? []),
    ],
    (limit, address) => peers?.reportAdmitted(limit, address),
  );
  return { endpoints, pages, notFound, limits };
}
