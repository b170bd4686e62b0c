import { z } from 'zod';
import type { DatabaseState } from '../../app/store-monitor.ts';
import { sentence } from '../../domain/errors/sentence.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Language, languageNamed } from '../../domain/words/language.ts';
import { CONTENT_TYPES } from '../framework/encoding/formats.ts';
import { keptBy, once } from '../framework/encoding/made-once.ts';
import {
  PAGE_MAX_AGE_SEC,
  type WrittenAnswer,
  WrittenBody,
} from '../framework/encoding/written-answer.ts';
import { withoutUnions } from '../openapi/without-unions.ts';
import { type Endpoint, writtenEndpoint } from '../pipeline/endpoint.ts';
import type { SampleEdition } from '../samples/samples.ts';

interface ServiceParts {
  /** The text for Prometheus. */
  readonly metrics: () => Promise<Pick<WrittenAnswer, 'contentType' | 'body'>>;
  /** Whether a token opens the metrics. */
  readonly hasMetrics: boolean;
  readonly isClosing: () => boolean;
  readonly samples: () => Promise<SampleEdition>;
}

const NO_STORE = ['Cache-Control', 'no-store'];

function state(status: string, database?: DatabaseState): WrittenAnswer {
  const body = JSON.stringify({ status, database });
  return { contentType: CONTENT_TYPES.json, body, headers: NO_STORE };
}

/** Endpoints about the service itself: the OpenAPI document, health probes and metrics. */
export function serviceEndpoints(parts: ServiceParts): readonly Endpoint[] {
  const documents = keptBy((edition: SampleEdition) => {
    const inLanguage = (language: Language) =>
      once(() => new WrittenBody(JSON.stringify(withoutUnions(edition.document(language)))));
    return { en: inLanguage('en'), es: inLanguage('es') };
  });
  const metrics = writtenEndpoint({
    path: '/metrics',
    access: 'metrics',
    handle: async () => ({ ...(await parts.metrics()), headers: NO_STORE }),
  });
  return [
    writtenEndpoint({
      path: '/openapi.json',
      access: 'open',
      // Another language is ignored, as on the pages.
      query: z.object({ lang: z.string().optional() }),
      handle: async ({ input: { lang } }) => ({
        contentType: CONTENT_TYPES.json,
        body: documents(await parts.samples())[languageNamed(lang) ?? 'en'](),
        headers: ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
      }),
    }),
    writtenEndpoint({ path: '/healthz', access: 'open', handle: () => state('ok') }),
    writtenEndpoint({
      path: '/readyz',
      access: 'open',
      handle({ services: { monitor } }) {
        if (parts.isClosing()) {
          throw new ApiError('service_unavailable', {
            message: sentence('The service is stopping.', 'El servicio se está deteniendo.'),
          });
        }
        const { state: database } = monitor.condition;
        // The snapshot still serves, and no other server could do more.
        return database === 'ok' ? state('ready') : state('degraded', database);
      },
    }),
    ...(parts.hasMetrics ? [metrics] : []),
  ];
}
