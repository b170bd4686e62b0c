import type { ApiDocument } from '../../web/docs/api-document.ts';
import { GUIDE_NAMES } from '../../web/guides/guides.ts';
import { CONTENT_TYPES } from '../encoding/formats.ts';
import type { Page } from '../routing/router.ts';
import type { Services } from '../routing/services.ts';
import { type Site, textPage } from './html-pages.ts';

const PLAIN = 'text/plain; charset=utf-8';

/**
 * The documents: reference, guides and methodology, as pages and as Markdown. Their texts are
 * loaded at the first request, not at the start.
 */
export function docsPages(parts: {
  readonly services: Pick<Services, 'plans' | 'markets' | 'judgementRules'>;
  readonly site: () => Site;
  readonly document: () => ApiDocument;
  readonly publicUrl: () => string;
}): readonly Page[] {
  const { site, document, publicUrl } = parts;
  const { plans, markets, judgementRules } = parts.services;
  const facts = () => ({ publicUrl: publicUrl(), plans, markets: markets.list });
  const markdown = { site, contentType: 'text/markdown; charset=utf-8' };
  return [
    textPage({ path: '/docs', site }, async (view) => {
      const { docsPage } = await import('../../web/docs/docs-page.ts');
      return docsPage(view, { document: document(), plans });
    }),
    textPage({ path: '/docs/reference.md', ...markdown }, async ({ language }) => {
      const { referenceMarkdown } = await import('../../web/docs/docs-markdown.ts');
      return referenceMarkdown(document(), plans, language);
    }),
    ...GUIDE_NAMES.flatMap((name) => [
      textPage({ path: `/docs/${name}`, site }, async (view) => {
        const { guidePage } = await import('../../web/docs/markdown-page.ts');
        return guidePage(view, name, facts());
      }),
      textPage({ path: `/docs/${name}.md`, ...markdown }, async ({ language }) => {
        const { guideText } = await import('../../web/docs/markdown-page.ts');
        return guideText(name, language, facts());
      }),
    ]),
    textPage({ path: '/llms.txt', site, contentType: PLAIN }, async ({ language }) => {
      const { llmsText } = await import('../../web/docs/docs-markdown.ts');
      return llmsText(publicUrl(), language);
    }),
    textPage(
      { path: '/docs/search.json', site, contentType: CONTENT_TYPES.json },
      async ({ language }) => {
        const [{ searchIndex }, { methodologyText }] = await Promise.all([
          import('../../web/docs/search/search-index.ts'),
          import('../../web/methodology/methodology-text.ts'),
        ]);
        const methodology = methodologyText(language, { markets, rules: judgementRules });
        const texts = { document: document(), plans, facts: facts(), methodology };
        return JSON.stringify(searchIndex(texts, language));
      },
    ),
    textPage({ path: '/methodology', site }, async (view) => {
      const { methodologyPage } = await import('../../web/docs/markdown-page.ts');
      return methodologyPage(view, { markets, rules: judgementRules });
    }),
  ];
}
