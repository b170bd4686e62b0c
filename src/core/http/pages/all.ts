import { homePage } from '../../../web/board/home-page.ts';
import type { DemoKey } from '../../../web/console/console-data.ts';
import { consolePage } from '../../../web/console/console-page.ts';
import type { PageView } from '../../../web/frame/page-view.ts';
import { demoKey } from '../../app/access/keys.ts';
import type { Plans } from '../../domain/plans.ts';
import type { Language } from '../../domain/words/language.ts';
import { once } from '../encoding/made-once.ts';
import type { CurrentFigures } from '../endpoints/board/current-figures.ts';
import type { ApiDocument } from '../openapi/api-document.ts';
import type { AddressLimits } from '../routing/address-limits.ts';
import type { Page } from '../routing/router.ts';
import type { Services } from '../routing/services.ts';
import { assetFiles, assetPages } from './assets.ts';
import { boardPages } from './board-pages.ts';
import { docsPages } from './docs.ts';
import { textPage } from './html-pages.ts';
import { embedScript, missingPage, siteFiles } from './site-files.ts';
import { liveStatusPage } from './status-page.ts';

interface PageParts {
  readonly services: Services;
  readonly document: (language: Language) => ApiDocument;
  readonly notice: PageView['notice'];
  /** Undefined if the operator has turned the board off. */
  readonly board: CurrentFigures | undefined;
  readonly limits: AddressLimits;
  readonly publicUrl: () => string;
}

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

/** The pages that people read in a browser, their files, and the 404 page. */
export function allPages(parts: PageParts): {
  readonly pages: readonly Page[];
  readonly notFound: Page;
} {
  const { services, document, notice, publicUrl, board, limits } = parts;
  const site = once(() => ({ notice, assets: files().address, publicUrl: publicUrl() }));
  const pages = [
    ...(board === undefined
      ? [textPage({ path: '/', site }, homePage)]
      : boardPages(board, { limits, site })),
    textPage({ path: '/console', site }, (view) =>
      consolePage(view, {
        markets: services.markets.list,
        demoKeys: notice === undefined ? [] : demoKeys(services.plans),
      }),
    ),
    ...docsPages({ services, site, document, publicUrl }),
    liveStatusPage(services, site),
    ...assetPages(files),
    ...siteFiles(site),
    embedScript(services.markets.list),
  ];
  return { pages, notFound: missingPage(site) };
}
