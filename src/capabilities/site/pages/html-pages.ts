import type { Language } from '../../../core/domain/words/language.ts';
import { keptBy, madeOnce } from '../../../core/http/framework/encoding/made-once.ts';
import {
  PAGE_MAX_AGE_SEC,
  type WrittenAnswer,
  WrittenBody,
} from '../../../core/http/framework/encoding/written-answer.ts';
import type { Page, PageRequest } from '../../../core/http/pipeline/route.ts';
import { type PageView, viewOf } from '../frame/page-view.ts';

/** Pages load nothing from other sites, run nothing inline, and cannot be framed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export type Site = Pick<PageView, 'notice' | 'assets' | 'publicUrl'>;

export function htmlAnswer(
  { language }: Pick<PageView, 'language'>,
  body: WrittenAnswer['body'],
  { cacheControl }: { readonly cacheControl: string },
): WrittenAnswer {
  return {
    contentType: 'text/html; charset=utf-8',
    body,
    headers: [
      'Content-Security-Policy',
      CONTENT_SECURITY_POLICY,
      'Referrer-Policy',
      'no-referrer',
      'Content-Language',
      language,
      'Vary',
      'Accept-Language',
      'Cache-Control',
      cacheControl,
    ],
  };
}

/** A request for a page, with the reader's language. */
export function pageView({ path, query, acceptLanguage }: PageRequest, site: Site): PageView {
  return viewOf({ path, query: new URLSearchParams(query), acceptLanguage }, site);
}

/** A request for a page on which no parameter but the language has an effect. */
export function languageView(request: PageRequest, site: Site): PageView {
  const view = pageView(request, site);
  const { language, languageChosen } = view;
  return { ...view, query: new URLSearchParams(languageChosen ? { lang: language } : {}) };
}

type TextPage = Partial<Pick<WrittenAnswer, 'status' | 'contentType'>> & {
  readonly path: string;
  readonly site: () => Site;
  readonly cacheControl?: string;
};

/** A page of text, rendered once per language, and once for links that keep the language. */
export function textPage(
  page: TextPage,
  write: (view: PageView) => string | Promise<string>,
): Page {
  const always = {};
  return samplePage({ ...page, samples: async () => always }, write);
}

/** A page of text with samples, rendered again when the samples have changed. */
export function samplePage<Samples extends object>(
  {
    path,
    site,
    samples,
    cacheControl = `public, max-age=${PAGE_MAX_AGE_SEC}`,
    ...own
  }: TextPage & { readonly samples: () => Promise<Samples> },
  write: (view: PageView, samples: Samples) => string | Promise<string>,
): Page {
  const writtenOf = keptBy(
    (_: Samples) => new Map<`${Language} ${boolean}`, Promise<WrittenBody>>(),
  );
  return {
    path,
    async respond(request) {
      const view = languageView(request, site());
      const name = `${view.language} ${view.languageChosen}` as const;
      const edition = await samples();
      const body = await madeOnce(
        writtenOf(edition),
        name,
        async () => new WrittenBody(await write(view, edition)),
      );
      return { ...htmlAnswer(view, body, { cacheControl }), ...own };
    },
  };
}
