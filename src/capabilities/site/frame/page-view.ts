import { type Language, languageNamed } from '../../../core/domain/words/language.ts';
import { preferredLanguage } from '../../../core/http/framework/encoding/accept.ts';
import type { Assets } from './asset-names.ts';

/** The request for a page, and the data that every page needs. */
export interface PageView {
  readonly language: Language;
  /**
   * Whether the address names the language. Then links repeat it, because nothing else remembers
   * it.
   */
  readonly languageChosen: boolean;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The demonstration's notice, at the top of every page. */
  readonly notice: Readonly<Record<Language, string>> | undefined;
  readonly assets: Assets;
  /** Base address of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** The view of a request: `?lang=` wins over `Accept-Language`. */
export function viewOf(
  asked: {
    readonly path: string;
    readonly query: URLSearchParams;
    readonly acceptLanguage: string | undefined;
  },
  site: Pick<PageView, 'notice' | 'assets' | 'publicUrl'>,
): PageView {
  const { path, query, acceptLanguage } = asked;
  const chosen = languageNamed(query.get('lang'));
  return {
    language: chosen ?? preferredLanguage(acceptLanguage),
    languageChosen: chosen !== undefined,
    path,
    query,
    ...site,
  };
}

/** An address of this site that keeps the chosen language. `path` may have a query. */
export function linkTo(view: Pick<PageView, 'language' | 'languageChosen'>, path: string): string {
  if (!view.languageChosen) return path;
  const [before = '', fragment] = path.split('#');
  const joined = `${before}${before.includes('?') ? '&' : '?'}lang=${view.language}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** The same address in another language. */
export function inLanguage({ path, query }: PageView, language: Language): string {
  const changed = new URLSearchParams(query);
  changed.set('lang', language);
  return `${path}?${changed}`;
}
