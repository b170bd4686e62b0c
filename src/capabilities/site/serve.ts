import { demoKey } from '../../core/app/access/keys.ts';
import type { Plans } from '../../core/domain/plans.ts';
import { CONTENT_TYPES } from '../../core/http/framework/encoding/formats.ts';
import { once } from '../../core/http/framework/encoding/made-once.ts';
import type { Serve } from '../../core/http/serving/server-parts.ts';
import { homePage } from './board/home-page.ts';
import type { DemoKey } from './console/console-data.ts';
import { consolePage } from './console/console-page.ts';
import { OPERATIONS_PATH } from './console/playground.ts';
import { sampleDollar } from './console/sample-dollar.ts';
import { triedOperations } from './console/tried-operations.ts';
import { embedExamples } from './embed/embed-examples.ts';
import { boardEndpoints } from './figures/board.ts';
import { CurrentFigures } from './figures/current-figures.ts';
import { monthFiles } from './month/month-files.ts';
import { monthPages } from './month/month-pages.ts';
import { assetFiles, assetPages } from './pages/assets.ts';
import { boardPages } from './pages/board-pages.ts';
import { docsPages } from './pages/docs.ts';
import { samplePage, textPage } from './pages/html-pages.ts';
import { embedScript, missingPage, siteFiles } from './pages/site-files.ts';
import { liveStatusPage } from './pages/status-page.ts';
import type { SiteSettings } from './settings.ts';

/** An address of a capability that may be absent, or switched off. */
const WEBHOOKS = '/v1/account/webhooks';

/** The keys of every demonstration, which documents show too. */
function demoKeys({ list }: Plans): readonly DemoKey[] {
  return list.map(({ name, unitsPerMonth, historyDays }) => ({
    plan: name,
    key: demoKey(name),
    units: unitsPerMonth,
    historyDays,
  }));
}

/** Shared by all servers of a process. */
const files = once(assetFiles);

/** The board's endpoints, the pages that people read in a browser, their files, and the 404 page. */
export const serveSite =
  ({ hasBoard, historyDays, notice, mayHaveWebhooks }: SiteSettings): Serve =>
  ({ services, samples, publicUrl, answers, handedOut, added }) => {
    const board = hasBoard ? new CurrentFigures({ services, publicUrl, historyDays }) : undefined;
    const site = once(() => ({ notice, assets: files().address, publicUrl: publicUrl() }));
    const pages = [
      ...(board === undefined
        ? [textPage({ path: '/', site }, homePage)]
        : [...boardPages(board, site, answers), ...monthPages(board, site), embedExamples(board)]),
      samplePage({ path: '/console', site, samples }, async (view, edition) =>
        consolePage(view, {
          markets: services.markets.list,
          demoKeys: notice === undefined ? [] : demoKeys(services.plans),
          webhooks: answers(WEBHOOKS) ? 'on' : mayHaveWebhooks ? 'off' : undefined,
          sampleDollar: await sampleDollar(edition),
        }),
      ),
      samplePage(
        { path: OPERATIONS_PATH, site, contentType: CONTENT_TYPES.json, samples },
        ({ language }, edition) => JSON.stringify(triedOperations(edition.document(language))),
      ),
      ...docsPages({ services, site, samples, publicUrl, handedOut, hasBoard, added }),
      liveStatusPage(services, site),
      ...assetPages(files),
      ...siteFiles(site),
      embedScript(services.markets.list),
    ];
    const endpoints =
      board === undefined ? [] : [...boardEndpoints(board), ...monthFiles(historyDays)];
    return { endpoints, pages, notFound: missingPage(site) };
  };
