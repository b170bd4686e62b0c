import { CAPABILITIES } from '../src/capabilities.ts';
import { openJobs } from '../src/core/capability.ts';
import { loadCatalogue } from '../src/core/catalogue/catalogue.ts';
import { demonstrationTexts } from '../src/core/cli/added.ts';
import { readConfig } from '../src/core/config.ts';
import type { Language } from '../src/core/domain/words/language.ts';
import { allEndpoints } from '../src/core/http/endpoints/all.ts';
import { openApiDocument } from '../src/core/http/openapi/document.ts';
import { isDocumented } from '../src/core/http/openapi/error-codes.ts';

const { plans, markets } = loadCatalogue('catalog');

/** Every endpoint of the reference, as a service with all capabilities documents them. */
export const documentedEndpoints = [
  ...allEndpoints({ admin: true }),
  ...(await endpointsOfCapabilities()).filter(isDocumented),
];

async function endpointsOfCapabilities() {
  const process = { store: anything(), clock: anything(), log: anything(), monitor: anything() };
  // As the demonstration: some addresses are there only with a setting.
  const config = { ...readConfig({}, {}), added: demonstrationTexts(CAPABILITIES) };
  const parts = { ...process, config, edition: anything };
  const serve = await (
    await openJobs(CAPABILITIES, parts as Parameters<typeof openJobs>[1])
  ).serve();
  const services = { plans, markets };
  return serve({ services } as Parameters<typeof serve>[0]).endpoints ?? [];
}

/** In the place of a part that the list of endpoints does not rest on: it takes every call. */
function anything(): object {
  return new Proxy(anything, { get: anything, apply: anything });
}

/** The OpenAPI document of such a service. */
export function referenceDocument(publicUrl: string, language: Language = 'en') {
  return openApiDocument({
    ...{ endpoints: documentedEndpoints, plans, publicUrl },
    ...{ version: '0.2.0', language },
  });
}
