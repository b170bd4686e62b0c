import type { Language } from '../../../core/domain/words/language.ts';
import { CONTENT_TYPES } from '../../../core/http/framework/encoding/formats.ts';
import type { ApiDocument } from '../../../core/http/openapi/api-document.ts';
import type { Page } from '../../../core/http/pipeline/router.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { ServingParts } from '../../../core/http/serving/server-parts.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS, REFERENCE_TAGS } from '../docs/docs-addresses.ts';
import type { PageView } from '../frame/page-view.ts';
import { GUIDE_NAMES } from '../guides/guides.ts';
import { type Site, textPage } from './html-pages.ts';

const PLAIN = 'text/plain; charset=utf-8';

/**
 * The documents: reference, guides and methodology, as pages and as Markdown. Their texts are
 * loaded at the first request, not at the start.
 */
export function docsPages(parts: {
  readonly services: Pick<Services, 'plans' | 'markets' | 'judgementRules'>;
  readonly site: () => Site;
  readonly document: (language: Language) => ApiDocument;
  readonly publicUrl: () => string;
  readonly handedOut: ServingParts['handedOut'];
  readonly hasBoard: boolean;
  readonly added: ServingParts['added'];
}): readonly Page[] {
  const { site, document, publicUrl, handedOut, hasBoard, added } = parts;
  const { plans, markets, judgementRules } = parts.services;
  const facts = async () => ({
    ...{ publicUrl: publicUrl(), plans, markets: markets.list },
    ...{ document: document('en'), handedOut: await handedOut(), hasBoard },
    endpoints: added(),
  });
  const markdown = { site, contentType: 'text/markdown; charset=utf-8' };
  const reference = async ({ language }: Pick<PageView, 'language'>) => {
    const { referenceText } = await import('../docs/reference.ts');
    return referenceText(document(language), plans, language);
  };
  return [
    textPage({ path: '/docs', site }, async (view) => {
      const { startPage } = await import('../docs/start-page.ts');
      return startPage(view, await reference(view));
    }),
    textPage({ path: REFERENCE, site }, async (view) => {
      const { referencePage } = await import('../docs/docs-page.ts');
      return referencePage(view, await reference(view));
    }),
    textPage({ path: `${REFERENCE}.md`, ...markdown }, async (view) => {
      const { referenceMarkdown } = await import('../docs/docs-markdown.ts');
      return referenceMarkdown(await reference(view));
    }),
    textPage({ path: REFERENCE_ERRORS, site }, async (view) => {
      const { referenceErrorsPage } = await import('../docs/docs-page.ts');
      return referenceErrorsPage(view, await reference(view));
    }),
    ...REFERENCE_TAGS.map((tag) =>
      textPage({ path: groupPath(tag), site }, async (view) => {
        const { groupPage } = await import('../docs/docs-page.ts');
        return groupPage(view, await reference(view), tag);
      }),
    ),
    ...[undefined, ...REFERENCE_TAGS].map((tag) =>
      textPage(
        { path: `${tag ? groupPath(tag) : REFERENCE_ERRORS}.md`, ...markdown },
        async (view) => {
          const { referencePartMarkdown } = await import('../docs/docs-markdown.ts');
          return referencePartMarkdown(await reference(view), tag);
        },
      ),
    ),
    ...GUIDE_NAMES.flatMap((name) => [
      textPage({ path: `/docs/${name}`, site }, async (view) => {
        const { guidePage } = await import('../docs/markdown-page.ts');
        return guidePage(view, name, await facts());
      }),
      textPage({ path: `/docs/${name}.md`, ...markdown }, async ({ language }) => {
        const { guideText } = await import('../docs/markdown-page.ts');
        return guideText(name, language, await facts());
      }),
    ]),
    textPage({ path: '/llms.txt', site, contentType: PLAIN }, async ({ language }) => {
      const { llmsText } = await import('../docs/docs-markdown.ts');
      return llmsText(publicUrl(), language);
    }),
    textPage({ path: '/llms-full.txt', site, contentType: PLAIN }, async ({ language }) => {
      const [{ llmsText, referenceMarkdown }, { guideText }, { methodologyText }] =
        await Promise.all([
          import('../docs/docs-markdown.ts'),
          import('../docs/markdown-page.ts'),
          import('../methodology/methodology-text.ts'),
        ]);
      const given = await facts();
      // The comments name the figures that are filled in.
      const methodology = methodologyText(language, { markets, rules: judgementRules });
      return [
        llmsText(publicUrl(), language),
        ...GUIDE_NAMES.map((name) => guideText(name, language, given)),
        referenceMarkdown(await reference({ language })),
        methodology.replaceAll(/<!--[^>]*-->/g, ''),
      ].join('\n\n');
    }),
    textPage(
      { path: '/docs/search.json', site, contentType: CONTENT_TYPES.json },
      async ({ language }) => {
        const [{ searchIndex }, { methodologyText }] = await Promise.all([
          import('../docs/search/search-index.ts'),
          import('../methodology/methodology-text.ts'),
        ]);
        const given = async (one: Language) => ({
          reference: await reference({ language: one }),
          // Nobody looks for a checksum.
          facts: { ...(await facts()), handedOut: [], endpoints: undefined },
          methodology: methodologyText(one, { markets, rules: judgementRules }),
        });
        return JSON.stringify(
          searchIndex({ es: await given('es'), en: await given('en') }, language),
        );
      },
    ),
    textPage({ path: '/methodology', site }, async (view) => {
      const { methodologyPage } = await import('../docs/markdown-page.ts');
      return methodologyPage(view, { markets, rules: judgementRules });
    }),
  ];
}
