import { type Html, html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { codeBlock, codeBlocks } from '../text/code-block.ts';
import { groupPath, REFERENCE, REFERENCE_ERRORS } from './docs-addresses.ts';
import { searchPlace } from './docs-frame.ts';
import type { ReferenceText } from './reference.ts';
import { START_CARDS } from './start-texts.ts';

/** The endpoint whose request and answer open the documentation. */
const FIRST_SHOWN = 'convert';

/** The way into the documentation: a request with its answer, what readers need, every endpoint. */
export function startPage(view: PageView, { texts, groups }: ReferenceText): string {
  const { language } = view;
  const first = groups.flatMap(({ operations }) => operations).find(({ id }) => id === FIRST_SHOWN);
  const [answer] = first?.answer?.examples ?? [];
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
<p class="ways"><a class="button main" href="${linkTo(view, '/docs/first-request')}">${texts.lead.first}</a>${' '}<a class="button" href="${linkTo(view, `/console?try=${FIRST_SHOWN}`)}">${texts.lead.tryIt}</a></p>
${searchPlace(view)}
</div>
<div class="sample">
${first !== undefined && codeBlocks(first.codes, language)}
${answer !== undefined && codeBlock({ ...answer, label: `200 OK · ${texts.oneUnit}` }, language)}
</div>
</div>
<h2 id="guides">${texts.needs}</h2>
<ul class="cards">
${START_CARDS[language].map(({ path, title, about, mark }) => card(linkTo(view, path), { title, about, mark }))}</ul>
<h2 id="start">${texts.allEndpoints}</h2>
<div class="endpoints">
${groups.map(
  ({ tag, name, operations }) => html`<section>
<h3><a href="${linkTo(view, groupPath(tag))}">${name}</a></h3>
<ul>
${operations.map(({ id, title }) => moved(id, groupPath(tag), title))}</ul>
</section>
`,
)}<section>
<h3><a href="${linkTo(view, REFERENCE)}">${texts.start}</a></h3>
<ul>
${moved('headers', REFERENCE, texts.headers)}${moved('errors', REFERENCE_ERRORS, texts.errors)}${moved('plans', REFERENCE_ERRORS, texts.plans)}</ul>
</section>
</div>
</div>`,
  });
}

function card(
  address: string,
  { title, about, mark }: { readonly title: string; readonly about: string; readonly mark: string },
): Html {
  return html`<li><a class="card" href="${address}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${mark}"/></svg><strong>${title}</strong>${' '}<span>${about}</span></a></li>\n`;
}
