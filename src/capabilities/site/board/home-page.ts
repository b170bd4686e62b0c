import { html } from '../../../core/http/framework/encoding/html.ts';
import { page } from '../frame/layout.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { HOME_TEXTS } from '../texts/texts.ts';

/** The front page without figures: a description of the service and links. */
export function homePage(view: PageView): string {
  const texts = HOME_TEXTS[view.language];
  return page(view, {
    title: texts.title,
    description: texts.description,
    content: html`<h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p>
<p>${texts.more}</p>
<h2>${texts.ask}</h2>
<pre class="wrap"><code>curl -H "X-API-Key: $VESFX_KEY" ${view.publicUrl}/v1/fx/rates</code></pre>
<p class="quiet">${texts.key}</p>
<h2>${texts.readOn}</h2>
<ul class="ways">
<li><a href="${linkTo(view, '/docs')}"><strong>${texts.reference}</strong> ${texts.referenceAbout}</a></li>
<li><a href="${linkTo(view, '/methodology')}"><strong>${texts.methodology}</strong> ${texts.methodologyAbout}</a></li>
<li><a href="/openapi.json"><strong>openapi.json</strong> ${texts.openApiAbout}</a></li>
</ul>`,
  });
}
