import type { ApiDocument } from '../../web/api-document.ts';
import { llmsText, referenceMarkdown } from '../../web/docs-markdown.ts';
import { docsPage } from '../../web/docs-page.ts';
import { guidePage } from '../../web/guide-page.ts';
import { GUIDE_NAMES, guideText } from '../../web/guides.ts';
import { methodologyPage } from '../../web/methodology-page.ts';
import type { Services } from '../endpoint.ts';
import type { Page } from '../router.ts';
import { type Site, textPage } from './html-pages.ts';

const MARKDOWN = { contentType: 'text/markdown; charset=utf-8' };
const PLAIN = { contentType: 'text/plain; charset=utf-8' };

/** What there is to read: the reference, the guides and the methodology, as pages and as Markdown. */
export function docsPages({
  services: { plans, markets, thresholds },
  site,
  document,
  publicUrl,
}: {
  readonly services: Pick<Services, 'plans' | 'markets' | 'thresholds'>;
  readonly site: () => Site;
  readonly document: () => ApiDocument;
  readonly publicUrl: () => string;
}): readonly Page[] {
  const facts = () => ({ publicUrl: publicUrl(), plans });
  return [
    textPage('/docs', site, (view) => docsPage(view, { document: document(), plans })),
    textPage(
      '/docs/reference.md',
      site,
      ({ language }) => referenceMarkdown(document(), plans, language),
      MARKDOWN,
    ),
    ...GUIDE_NAMES.flatMap((name) => [
      textPage(`/docs/${name}`, site, (view) => guidePage(view, name, facts())),
      textPage(
        `/docs/${name}.md`,
        site,
        ({ language }) => guideText(name, language, facts()),
        MARKDOWN,
      ),
    ]),
    textPage('/llms.txt', site, ({ language }) => llmsText(publicUrl(), language), PLAIN),
    textPage('/methodology', site, (view) => methodologyPage(view, { markets, thresholds })),
  ];
}
