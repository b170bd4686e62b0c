import { LANGUAGES, type Language, otherThan } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { LAYOUT_TEXTS } from '../texts/texts.ts';
import type { AssetName } from './asset-names.ts';
import { ICON, MARK_PATH } from './icon.ts';
import { linkPreview } from './link-preview.ts';
import { inLanguage, linkTo, type PageView } from './page-view.ts';
import { partOf, SITE_PARTS } from './site-parts.ts';

/** The icon is part of the page and costs no request. */
const ICON_ADDRESS = `data:image/svg+xml,${encodeURIComponent(ICON)}`;

interface PageFrame {
  readonly title: string;
  readonly description: string;
  /** A class of the body, for pages that are wider than text. */
  readonly kind?: string;
  /** Stylesheets and scripts besides the common ones. */
  readonly assets?: readonly AssetName[];
  /** The preview of a link in a chat, for a page that has one of its own. */
  readonly head?: Html;
  readonly content: Html;
}

export function page(view: PageView, frame: PageFrame): string {
  const { language, notice, assets } = view;
  const {
    title,
    description,
    kind = '',
    content,
    head = previewOf(view, frame),
    assets: own = [],
  } = frame;
  const texts = LAYOUT_TEXTS[language];
  const docsName = html`<span class="long">${texts.docs}</span><span class="short">${texts.docsShort}</span>`;
  const links = SITE_PARTS.map(({ path, name }) => {
    return html`<a href="${linkTo(view, path)}" aria-current=${currentPart({ path, name }, view.path)}>${name === 'docs' ? docsName : texts[name]}</a>`;
  });
  const styles = own.filter((name) => name.endsWith('.css'));
  const main = markupOf(content);
  const hasCode = main.includes('<pre') && !own.includes('copy.js') && !own.includes('docs.js');
  const scripts = [...own, ...(hasCode ? (['copy.js'] as const) : [])].filter((name) =>
    name.endsWith('.js'),
  );
  return `<!doctype html>\n${markupOf(html`<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title}</title>
<meta name="description" content="${description}" />
${head}<link rel="icon" href="${ICON_ADDRESS}" />
<link rel="manifest" href="/manifest.webmanifest" />
<link rel="apple-touch-icon" href="/icon.png" />
${LANGUAGES.map(
  (one) => html`<link rel="alternate" hreflang="${one}" href="${inLanguage(view, one)}" />\n`,
)}<link rel="stylesheet" href="${assets('pages.css')}" />
${styles.map((name) => html`<link rel="stylesheet" href="${assets(name)}" />\n`)}<script src="${assets('theme.js')}"></script>
${scripts.map((name) => html`<script type="module" src="${assets(name)}" fetchpriority="low"></script>\n`)}</head>
<body class="${kind}">
<a class="skip" href="#content">${texts.skip}</a>
${notice !== undefined && html`<aside class="notice">${notice[language]}</aside>`}
<header class="top"><div class="bar">
<a class="name" href="${linkTo(view, '/')}">${BRAND}vesfx</a>
<nav aria-label="${texts.site}">${links}</nav>
<div class="choices">
${languageLink(view)}
${themeChoice(texts)}
</div>
</div></header>
<p class="paper" data-printed="${texts.printed}">vesfx · ${view.publicUrl}${view.path}</p>
<main id="content" tabindex="-1" dangerouslySetInnerHTML=${{ __html: main }}></main>
<footer><p>${texts.footer} <a href="${linkTo(view, '/methodology')}">${texts.methodology}</a></p></footer>
</body>
</html>`)}\n`;
}

/** The picture of a page without figures of its own is that of its part of the site. */
function previewOf(view: PageView, { title, description }: PageFrame): Html {
  const { language, path, notice, publicUrl } = view;
  return linkPreview({
    title,
    description: notice?.[language] ?? description,
    address: `${publicUrl}${path}?lang=${language}`,
    picture: `${publicUrl}/picture/${partOf(path) ?? 'board'}.png?lang=${language}`,
    language,
  });
}

/** The value of `aria-current` for a part: `page` on the page itself, `true` on a page below it. */
function currentPart(
  part: { readonly path: string; readonly name: string },
  path: string,
): 'page' | 'true' | undefined {
  if (path === part.path) return 'page';
  return partOf(path) === part.name ? 'true' : undefined;
}

function languageLink(view: PageView): Html {
  const other = otherThan(view.language);
  const name = LAYOUT_TEXTS[view.language].otherLanguage;
  return html`<a class="language" href="${inLanguage(view, other)}" hreflang="${other}" lang="${other}">${name}</a>`;
}

const BRAND = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${MARK_PATH}"/></svg>`;

/** The button for the three choices of colours. A page without scripts does not show it. */
function themeChoice(texts: (typeof LAYOUT_TEXTS)[Language]): Html {
  return html`<button type="button" id="theme" class="theme" data-label="${texts.theme}" data-auto="${texts.themeSystem}" data-light="${texts.themeLight}" data-dark="${texts.themeDark}" aria-label="${texts.theme}">
<svg class="auto" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 3v18M12 7l6-1M12 12h9M12 17l6 1"/></svg>
<svg class="sun" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2"/></svg>
<svg class="moon" viewBox="0 0 24 24" aria-hidden="true"><path d="M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10Z"/></svg>
</button>`;
}
