import { ApiError } from '../../domain/errors.ts';
import { docsPage } from '../../web/docs-page.ts';
import { homePage } from '../../web/home-page.ts';
import { methodologyPage } from '../../web/methodology-page.ts';
import { STYLESHEET } from '../../web/style.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import type { Metrics } from '../metrics.ts';
import { openApiDocument } from '../openapi.ts';
import type { Page, PageAnswer } from '../router.ts';
import { statusAddress, statusPage } from './status.ts';

/** No script, nothing from elsewhere, nothing to frame or submit. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

const PAGE_MAX_AGE_SEC = 300;

export interface PageParts {
  readonly services: Services;
  readonly endpoints: readonly Endpoint[];
  readonly metrics: Metrics;
  readonly notice: string | undefined;
  /** Whether there is an admin token to ask for. */
  readonly admin: boolean;
  readonly publicUrl: () => string;
  readonly isClosing: () => boolean;
}

function html(body: string): PageAnswer {
  return {
    contentType: 'text/html; charset=utf-8',
    body,
    headers: [
      'Content-Security-Policy',
      CONTENT_SECURITY_POLICY,
      'Referrer-Policy',
      'no-referrer',
      'Cache-Control',
      `public, max-age=${PAGE_MAX_AGE_SEC}`,
    ],
  };
}

function status(word: string): PageAnswer {
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ status: word }),
    headers: ['Cache-Control', 'no-store'],
  };
}

function unavailable(message: string): ApiError {
  return new ApiError('service_unavailable', { message });
}

/** Made at the first request and kept: the public address is known once the port is open. */
function once<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}

/** What anyone may read without a key, and the metrics. */
export function allPages(parts: PageParts): readonly Page[] {
  const { services, endpoints, metrics, notice, publicUrl } = parts;
  const { markets, plans, thresholds } = services;
  const document = once(() =>
    openApiDocument({ endpoints, open: [statusAddress], plans, publicUrl: publicUrl() }),
  );
  const docs = once(() => docsPage({ document: document(), plans, notice }));
  const methodology = once(() => methodologyPage({ markets, thresholds, notice }));
  const home = once(() => homePage({ notice, publicUrl: publicUrl() }));
  const metricsPage: Page = {
    path: '/metrics',
    admin: true,
    respond: async () => ({
      contentType: metrics.contentType,
      body: await metrics.text(),
      headers: ['Cache-Control', 'no-store'],
    }),
  };
  return [
    { path: '/', respond: () => html(home()) },
    { path: '/docs', respond: () => html(docs()) },
    { path: '/methodology', respond: () => html(methodology()) },
    {
      path: '/web/style.css',
      respond: () => ({
        contentType: 'text/css; charset=utf-8',
        body: STYLESHEET,
        headers: ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
      }),
    },
    {
      path: '/openapi.json',
      respond: () => ({
        contentType: 'application/json; charset=utf-8',
        body: JSON.stringify(document()),
        headers: ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
      }),
    },
    statusPage(services),
    { path: '/healthz', respond: () => status('ok') },
    {
      path: '/readyz',
      respond: () => {
        if (parts.isClosing()) throw unavailable('The service is stopping.');
        if (!services.news.storeAnswers) throw unavailable('The store does not answer.');
        return status('ready');
      },
    },
    ...(parts.admin ? [metricsPage] : []),
  ];
}
