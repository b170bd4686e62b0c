import { loadCatalogue } from '../src/core/catalogue/catalogue.ts';
import type { Language } from '../src/core/domain/words/language.ts';
import { allEndpoints } from '../src/core/http/endpoints/all.ts';
import { boardEndpoints } from '../src/core/http/endpoints/board/board.ts';
import { openApiDocument } from '../src/core/http/openapi/document.ts';
import { isDocumented } from '../src/core/http/openapi/error-codes.ts';

const { plans } = loadCatalogue('catalog');

const noFigures = {
  board: { historyDays: 365 },
  at: () => Promise.reject(new Error('a document has no figures')),
};

/** Every endpoint of the reference, as a service with a board documents them. */
export const documentedEndpoints = [
  ...allEndpoints({ admin: true }),
  ...boardEndpoints(noFigures).filter(isDocumented),
];

/** The OpenAPI document of such a service. */
export function referenceDocument(publicUrl: string, language: Language = 'en') {
  return openApiDocument({
    ...{ endpoints: documentedEndpoints, plans, publicUrl },
    ...{ version: '0.2.0', language },
  });
}
