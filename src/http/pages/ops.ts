import { ApiError } from '../../domain/errors.ts';
import { homePage } from '../../web/board/home-page.ts';
import { consolePage } from '../../web/console/console-page.ts';
import type { PageView } from '../../web/frame/page-view.ts';
import { boardPages } from '../endpoints/board/board.ts';
import { statusAddress, statusAnswer, statusPage } from '../endpoints/status.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Endpoint, Services } from '../routing/endpoint.ts';
import type { Page, PageAnswer } from '../routing/router.ts';
import type { Metrics } from '../server/metrics.ts';
import { assetFiles, assetsPage, serviceWorkerPage } from './assets.ts';
import { docsPages } from './docs.ts';
import { embedScript } from './embed.ts';
import { once, PAGE_MAX_AGE_SEC, textPage } from './html-pages.ts';
import { PageBody } from './page-body.ts';
import { notFound, siteFiles } from './site-files.ts';

export interface PageParts {
  readonly services: Services;
  readonly endpoints: readonly Endpoint[];
  readonly metrics: Metrics;
  readonly notice: PageView['notice'];
  readonly board: { readonly enabled: boolean; readonly historyDays: number };
  /** Whether there is an admin token to ask for. */
  readonly admin: boolean;
  readonly publicUrl: () => string;
  readonly isClosing: () => boolean;
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

/** The same for every service of a process. */
const files = once(assetFiles);

/** What anyone may read without a key, and the metrics; and what stands where nothing else does. */
export function allPages(parts: PageParts): {
  readonly pages: readonly Page[];
  readonly notFound: Page;
} {
  const { services, endpoints, metrics, notice, publicUrl, board } = parts;
  const { plans } = services;
  const document = once(() =>
    openApiDocument({ endpoints, open: [statusAddress], plans, publicUrl: publicUrl() }),
  );
  const openApi = once(() => new PageBody(JSON.stringify(document())));
  const site = once(() => ({ notice, assets: files().address }));
  const metricsPage: Page = {
    path: '/metrics',
    admin: true,
    respond: async () => ({
      ...(await metrics.text()),
      headers: ['Cache-Control', 'no-store'],
    }),
  };
  const pages = [
    ...(board.enabled
      ? boardPages({ services, publicUrl, site, historyDays: board.historyDays })
      : [textPage('/', site, (view) => homePage(view, { publicUrl: publicUrl() }))]),
    textPage('/console', site, consolePage),
    ...docsPages({ services, site, document, publicUrl }),
    statusPage(services, site),
    assetsPage(files),
    serviceWorkerPage(files),
    ...siteFiles(site),
    embedScript(),
    {
      path: '/openapi.json',
      respond: () => ({
        contentType: 'application/json; charset=utf-8',
        body: openApi(),
        headers: ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
      }),
    },
    statusAnswer(services),
    { path: '/healthz', respond: () => status('ok') },
    {
      path: '/readyz',
      respond: () => {
        if (parts.isClosing()) throw unavailable('The service is stopping.');
        if (!services.changePoller.storeAnswers) throw unavailable('The store does not answer.');
        return status('ready');
      },
    },
    ...(parts.admin ? [metricsPage] : []),
  ];
  return { pages, notFound: notFound(site) };
}
