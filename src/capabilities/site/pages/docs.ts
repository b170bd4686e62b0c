import { within } from '../../../core/app/within.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { CONTENT_TYPES } from '../../../core/http/framework/encoding/formats.ts';
import { keptBy } from '../../../core/http/framework/encoding/made-once.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { SampleEdition } from '../../../core/http/samples/samples.ts';
import type { ServingParts } from '../../../core/http/serving/server-parts.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS, REFERENCE_TAGS } from '../docs/docs-addresses.ts';
import type { GuideFigures } from '../guides/guide-figures.ts';
import { GUIDE_NAMES } from '../guides/guides.ts';
import { type Site, samplePage, textPage } from './html-pages.ts';

// limit: Wait of a reader for the guides' figures | 1 s | those of before, or the demonstration's
const FIGURES_WAIT_MS = 1_000;

/** Samples, with the figures that the guides have of them. */
interface GuideSamples {
  readonly edition: SampleEdition;
  readonly figures: GuideFigures | undefined;
}

/** The figures are found once for an edition; readers do not wait for them longer than that. */
function guideSamples(samples: ServingParts['samples']): () => Promise<GuideSamples> {
  const figuresOf = keptBy(async (edition: SampleEdition) => {
    const { guideFigures } = await import('../guides/guide-figures.ts');
    return { edition, figures: await guideFigures(edition) };
  });
  const declared = keptBy((edition: SampleEdition) => ({ edition, figures: undefined }));
  let last: GuideSamples | undefined;
  return async () => {
    const edition = await samples();
    const made = await within(figuresOf(edition), FIGURES_WAIT_MS);
    if (made === 'late') return last ?? declared(edition);
    last = made;
    return made;
  };
}

const PLAIN = 'text/plain; charset=utf-8';

/**
 * The documents: reference, guides and methodology, as pages and as Markdown. Their texts are
 * loaded at the first request, not at the start.
 */
export function docsPages(parts: {
  readonly services: Pick<Services, 'plans' | 'markets' | 'judgementRules'>;
  readonly site: () => Site;
  readonly samples: ServingParts['samples'];
  readonly publicUrl: () => string;
  readonly handedOut: ServingParts['handedOut'];
  readonly hasBoard: boolean;
  readonly added: ServingParts['added'];
}): readonly Page[] {
  const { site, samples, publicUrl, handedOut, hasBoard, added } = parts;
  const { plans, markets, judgementRules } = parts.services;
  const withFigures = guideSamples(samples);
  const facts = async ({ figures }: GuideSamples) => ({
    ...{ publicUrl: publicUrl(), plans, markets: markets.list },
    ...{ handedOut: await handedOut(), hasBoard, endpoints: added() },
    figures,
  });
  const markdown = { site, contentType: 'text/markdown; charset=utf-8' };
  const reference = async (language: Language, edition: SampleEdition) => {
    const { referenceText } = await import('../docs/reference.ts');
    return referenceText(edition, plans, language);
  };
  return [
    samplePage({ path: '/docs', site, samples }, async (view, edition) => {
      const { startPage } = await import('../docs/start-page.ts');
      return startPage(view, await reference(view.language, edition));
    }),
    samplePage({ path: REFERENCE, site, samples }, async (view, edition) => {
      const { referencePage } = await import('../docs/docs-page.ts');
      return referencePage(view, await reference(view.language, edition));
    }),
    samplePage({ path: `${REFERENCE}.md`, ...markdown, samples }, async ({ language }, edition) => {
      const { referenceMarkdown } = await import('../docs/docs-markdown.ts');
      return referenceMarkdown(await reference(language, edition));
    }),
    samplePage({ path: REFERENCE_ERRORS, site, samples }, async (view, edition) => {
      const { referenceErrorsPage } = await import('../docs/docs-page.ts');
      return referenceErrorsPage(view, await reference(view.language, edition));
    }),
    ...REFERENCE_TAGS.map((tag) =>
      samplePage({ path: groupPath(tag), site, samples }, async (view, edition) => {
        const { groupPage } = await import('../docs/docs-page.ts');
        return groupPage(view, await reference(view.language, edition), tag);
      }),
    ),
    ...[undefined, ...REFERENCE_TAGS].map((tag) =>
      samplePage(
        { path: `${tag ? groupPath(tag) : REFERENCE_ERRORS}.md`, ...markdown, samples },
        async ({ language }, edition) => {
          const { referencePartMarkdown } = await import('../docs/docs-markdown.ts');
          return referencePartMarkdown(await reference(language, edition), tag);
        },
      ),
    ),
    ...GUIDE_NAMES.flatMap((name) => [
      samplePage({ path: `/docs/${name}`, site, samples: withFigures }, async (view, given) => {
        const { guidePage } = await import('../docs/markdown-page.ts');
        return guidePage(view, name, await facts(given));
      }),
      samplePage(
        { path: `/docs/${name}.md`, ...markdown, samples: withFigures },
        async ({ language }, given) => {
          const { guideText } = await import('../docs/markdown-page.ts');
          return guideText(name, language, await facts(given));
        },
      ),
    ]),
    textPage({ path: '/llms.txt', site, contentType: PLAIN }, async ({ language }) => {
      const { llmsText } = await import('../docs/docs-markdown.ts');
      return llmsText(publicUrl(), language);
    }),
    samplePage(
      { path: '/llms-full.txt', site, contentType: PLAIN, samples: withFigures },
      async ({ language }, filled) => {
        const [{ llmsText, referenceMarkdown }, { guideText }, { methodologyText }] =
          await Promise.all([
            import('../docs/docs-markdown.ts'),
            import('../docs/markdown-page.ts'),
            import('../methodology/methodology-text.ts'),
          ]);
        const given = await facts(filled);
        // The comments name the figures that are filled in.
        const methodology = methodologyText(language, { markets, rules: judgementRules });
        return [
          llmsText(publicUrl(), language),
          ...GUIDE_NAMES.map((name) => guideText(name, language, given)),
          referenceMarkdown(await reference(language, filled.edition)),
          methodology.replaceAll(/<!--[^>]*-->/g, ''),
        ].join('\n\n');
      },
    ),
    samplePage(
      { path: '/docs/search.json', site, contentType: CONTENT_TYPES.json, samples: withFigures },
      async ({ language }, filled) => {
        const [{ searchIndex }, { methodologyText }] = await Promise.all([
          import('../docs/search/search-index.ts'),
          import('../methodology/methodology-text.ts'),
        ]);
        const given = async (one: Language) => ({
          reference: await reference(one, filled.edition),
          // Nobody looks for a checksum.
          facts: { ...(await facts(filled)), handedOut: [], endpoints: undefined },
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
