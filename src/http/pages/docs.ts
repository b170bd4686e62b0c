import type { ApiDocument } from '../../web/docs/api-document.ts';
import {
  groupPath,
  REFERENCE,
  REFERENCE_ERRORS,
  REFERENCE_TAGS,
} from '../../web/docs/docs-addresses.ts';
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
  const reference = () => ({ document: document(), plans });
  return [
    textPage({ path: '/docs', site }, async (view) => {
      const { startPage } = await import('../../web/docs/start-page.ts');
      return startPage(view, reference());
    }),
    textPage({ path: REFERENCE, site }, async (view) => {
      const { referencePage } = await import('../../web/docs/docs-page.ts');
      return referencePage(view, reference());
    }),
    textPage({ path: `${REFERENCE}.md`, ...markdown }, async ({ language }) => {
      const { referenceMarkdown } = await import('../../web/docs/docs-markdown.ts');
      return referenceMarkdown(document(), plans, language);
    }),
    textPage({ path: REFERENCE_ERRORS, site }, async (view) => {
      const { referenceErrorsPage } = await import('../../web/docs/docs-page.ts');
      return referenceErrorsPage(view, reference());
    }),
    ...REFERENCE_TAGS.map((tag) =>
      textPage({ path: groupPath(tag), site }, async (view) => {
        const { groupPage } = await import('../../web/docs/docs-page.ts');
        return groupPage(view, { ...reference(), tag });
      }),
    ),
    ...[
      ...REFERENCE_TAGS.map((tag) => ({ path: groupPath(tag), tag })),
      { path: REFERENCE_ERRORS },
    ].map(({ path, ...part }) =>
      textPage({ path: `${path}.md`, ...markdown }, async ({ language }) => {
        const { referencePartMarkdown } = await import('../../web/docs/docs-markdown.ts');
        return referencePartMarkdown({ ...reference(), ...part }, language);
      }),
    ),
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
