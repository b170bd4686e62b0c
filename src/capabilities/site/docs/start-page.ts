import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { type Code, codeBlock, codeBlocks } from '../text/code-block.ts';
import { SAMPLE_TEXTS, START_TEXTS } from '../texts/texts.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS } from './docs-addresses.ts';
import { searchPlace } from './docs-frame.ts';
import { docsGroups } from './docs-places.ts';
import type { ReferenceText } from './reference.ts';

/** The endpoint whose request and answer open the documentation. */
const FIRST_SHOWN = 'convert';

/** A calculation that needs no key. */
const CALCULATION = '/v1/fx/public/calculator?amount=100&from=USD&to=VES';

/** What most readers come for. */
const CARDS = [
  { name: 'invoice', path: '/docs/invoice-rate', mark: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7' },
  { name: 'sheet', path: '/docs/google-sheets', mark: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9' },
  {
    name: 'shop',
    path: '/docs/woocommerce',
    mark: 'M4 9 6 4h12l2 5M4 9v11h16V9M4 9h16M9 20v-6h6v6',
  },
  { name: 'curve', path: '/docs/history', mark: 'M3 17 9 9 13 14 21 4' },
  { name: 'change', path: '/docs/switch-from-dolarapi', mark: 'M4 8h14l-4-4M20 16H6l4 4' },
  { name: 'code', path: '/docs/reference', mark: 'M8 6 2 12l6 6M16 6l6 6-6 6M14 4l-4 16' },
] as const;

/** The way into the documentation: a request with its answer, what readers need, every page. */
export function startPage(view: PageView, { texts, groups }: ReferenceText): string {
  const { language } = view;
  const first = groups.flatMap(({ operations }) => operations).find(({ id }) => id === FIRST_SHOWN);
  const guides = docsGroups(language).slice(0, -1);
  const [answer] = first?.answer?.examples ?? [];
  const link = (path: string, text: string) => html`<a href="${linkTo(view, path)}">${text}</a>`;
  // The ids are those of the time when the reference was one page; old links end here, one step away.
  const moved = (id: string, path: string, text: string) =>
    html`<li id="${id}"><a class="moved" href="${linkTo(view, `${path}#${id}`)}">${text}</a></li>\n`;
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'reference',
    assets: ['docs.js'],
    content: html`<div class="docs-start">
<div class="opening">
<div>
<h1>${texts.lead.title}</h1>
<p>${texts.lead.about}</p>
<p>${texts.lead.noKey} <a href="${CALCULATION}">${texts.lead.calculator}</a>, <a href="${linkTo(view, '/docs/board-data')}"><code>/board.json</code></a> ${texts.lead.or} <a href="${linkTo(view, '/docs/website')}#from-a-static-copy">${texts.lead.staticCopy}</a>. ${texts.lead.withKey}</p>
<p class="ways"><a class="button main" href="${linkTo(view, '/docs/first-request')}">${texts.lead.first}</a>${' '}<a class="button" href="${linkTo(view, `/console?try=${FIRST_SHOWN}`)}">${texts.lead.tryIt}</a></p>
${searchPlace(view)}
</div>
<div class="sample">
${first !== undefined && codeBlocks(withKey(first.codes, texts.key), language)}
${answer !== undefined && codeBlock({ ...answer, label: `${SAMPLE_TEXTS[language].answer} · 200 OK · ${texts.oneUnit}` }, language)}
</div>
</div>
<h2 id="guides">${texts.needs}</h2>
<ul class="cards">
${CARDS.map(({ name, path, mark }) => card(linkTo(view, path), { ...START_TEXTS[language][name], mark }))}</ul>
<h2 id="all-guides">${texts.allGuides}</h2>
<details class="fold"><summary>${texts.showList}</summary>
<div class="endpoints">
${guides.map(({ name, places }) =>
  part(
    name,
    places.map(({ path, title }) => html`<li>${link(path, title)}</li>\n`),
  ),
)}</div></details>
<h2 id="start">${texts.allEndpoints}</h2>
<details class="fold"><summary>${texts.showList}</summary>
<div class="endpoints">
${groups.map(({ tag, name, operations }) =>
  part(
    link(groupPath(tag), name),
    operations.map(({ id, title }) => moved(id, groupPath(tag), title)),
  ),
)}${part(link(REFERENCE, texts.start), [
  moved('headers', REFERENCE, texts.headers),
  moved('errors', REFERENCE_ERRORS, texts.errors),
  moved('plans', REFERENCE_ERRORS, texts.plans),
  html`<li><a href="/openapi.json">openapi.json</a></li>\n`,
  html`<li>${link('/llms.txt', 'llms.txt')}</li>\n`,
])}</div></details>
</div>`,
  });
}

/** The command as a shell needs it: with the line that sets the key. */
const withKey = (codes: readonly Code[], key: string): readonly Code[] =>
  codes.map((code) =>
    code.kind === 'sh' ? { ...code, text: `export VESFX_KEY="${key}"\n${code.text}` } : code,
  );

function part(name: Html, links: readonly Html[]): Html {
  return html`<section>\n<h3>${name}</h3>\n<ul>\n${links}</ul>\n</section>\n`;
}

function card(
  address: string,
  { title, about, mark }: { readonly title: string; readonly about: string; readonly mark: string },
): Html {
  return html`<li><a class="card" href="${address}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${mark}"/></svg><strong>${title}</strong>${' '}<span>${about}</span></a></li>\n`;
}
