import { nearMarkets } from '../../../core/domain/near-names.ts';
import type { Language } from '../../../core/domain/words/language.ts';
import { groupName } from '../../../core/http/pipeline/reference-groups.ts';
import { SITE_PARTS } from '../frame/site-parts.ts';
import { GUIDE_GROUPS, guideTitle } from '../guides/guides.ts';
import { DOCS_TEXTS, LAYOUT_TEXTS } from '../texts/texts.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS, REFERENCE_TAGS } from './docs-addresses.ts';

/** A page of the documentation. */
export interface DocsPlace {
  readonly path: string;
  readonly title: string;
}

export interface DocsGroup {
  readonly name: string;
  readonly places: readonly DocsPlace[];
}

/** All pages of the documentation, in the order in which a reader may go on from one to the next. */
export function docsGroups(language: Language): readonly DocsGroup[] {
  const texts = DOCS_TEXTS[language];
  const guides = Object.entries(GUIDE_GROUPS).map(([group, names]) => ({
    name: texts.groups[group as keyof typeof GUIDE_GROUPS],
    places: names.map((name) => ({
      path: `/docs/${name}`,
      title: guideTitle(name, language),
    })),
  }));
  const reference = {
    name: texts.groups.reference,
    places: [
      { path: REFERENCE, title: texts.start },
      ...REFERENCE_TAGS.map((tag) => ({
        path: groupPath(tag),
        title: groupName(tag)[language],
      })),
      { path: REFERENCE_ERRORS, title: texts.errorsAndLimits },
      { path: '/methodology', title: LAYOUT_TEXTS[language].methodology },
    ],
  };
  return [...guides, reference];
}

/** The page that a reader probably wanted: by the letters of its address, its last word, or a typing error. */
export function nearestPlace(wanted: string, language: Language): DocsPlace | undefined {
  const places = [
    ...docsGroups(language).flatMap((group) => group.places),
    ...SITE_PARTS.map(({ path, name }) => ({ path, title: LAYOUT_TEXTS[language][name] })),
  ];
  const list = places.map(({ path }) => ({
    id: path,
    aliases: path.startsWith('/docs/') ? path.split('/').slice(-1) : [],
    alsoKnownAs: [],
  }));
  const [near] = nearMarkets({ list }, wanted.replace(/\.\w+$/, ''));
  return places.find(({ path }) => path === near);
}
