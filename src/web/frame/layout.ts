import type { AssetName } from './asset-names.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { ICON } from './icon.ts';
import { LANGUAGES, type Language } from './language.ts';
import { LAYOUT_TEXTS } from './layout-texts.ts';
import { inLanguage, linkTo, type PageView } from './page-view.ts';

export { type TableColumn, table } from './table.ts';

/** Inside the page, so that a browser need not ask for it. */
const ICON_ADDRESS = `data:image/svg+xml,${encodeURIComponent(ICON)}`;

/** The parts of the site, in the order of the navigation. */
const NAVIGATION = [
  { path: '/', text: 'board' },
  { path: '/console', text: 'console' },
  { path: '/docs', text: 'docs' },
  { path: '/methodology', text: 'methodology' },
  { path: '/status', text: 'status' },
] as const;

export interface PageFrame {
  readonly title: string;
  readonly description: string;
  /** A class of the body, for pages that are wider than text. */
  readonly kind?: string;
  /** Stylesheets and scripts besides those of every page. */
  readonly assets?: readonly AssetName[];
  readonly content: HtmlValue;
}

/** A whole page around its content. */
export function page(view: PageView, frame: PageFrame): string {
  const { language, notice, assets } = view;
  const { title, description, kind = '', content, assets: own = [] } = frame;
  const texts = LAYOUT_TEXTS[language];
  const links = NAVIGATION.map(({ path, text }) => {
    const current = path === view.path && html` aria-current="page"`;
    return html`<a href="${linkTo(view, path)}"${current}>${texts[text]}</a>`;
  });
  const styles = own.filter((name) => name.endsWith('.css'));
  const scripts = own.filter((name) => name.endsWith('.js'));
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${ICON_ADDRESS}">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="apple-touch-icon" href="/icon.png">
${LANGUAGES.map(
  (one) => html`<link rel="alternate" hreflang="${one}" href="${inLanguage(view, one)}">\n`,
)}<link rel="stylesheet" href="${assets('pages.css')}">
${styles.map((name) => html`<link rel="stylesheet" href="${assets(name)}">\n`)}<script src="${assets('theme.js')}"></script>
${scripts.map((name) => html`<script type="module" src="${assets(name)}"></script>\n`)}</head>
<body class="${kind}">
<a class="skip" href="#content">${texts.skip}</a>
${notice !== undefined && html`<p class="notice" role="note">${notice[language]}</p>`}
<header class="top"><div class="bar">
<a class="name" href="${linkTo(view, '/')}">vesfx</a>
<nav aria-label="${texts.site}">${links}</nav>
<div class="choices">
${themeChoice(texts)}
${languageLink(view)}
</div>
</div></header>
<main id="content" tabindex="-1">
${content}
</main>
<footer><p>${texts.footer}</p></footer>
</body>
</html>
`.markup;
}

/** The page itself in the other language. */
function languageLink(view: PageView): Html {
  const other = view.language === 'es' ? 'en' : 'es';
  const name = LAYOUT_TEXTS[view.language].otherLanguage;
  const address = inLanguage(view, other);
  return html`<a class="language" href="${address}" hreflang="${other}" lang="${other}">${name}</a>`;
}

/** Hidden until the script that it needs is there. */
function themeChoice(texts: (typeof LAYOUT_TEXTS)[Language]): Html {
  return html`<select id="theme" aria-label="${texts.theme}" hidden>
<option value="">${texts.themeSystem}</option>
<option value="light">${texts.themeLight}</option>
<option value="dark">${texts.themeDark}</option>
</select>`;
}
