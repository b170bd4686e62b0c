import { type Html, html, inlineCode } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { CONSOLE_TEXTS } from './texts.ts';

interface NamedMarket {
  readonly id: string;
  readonly name: string;
  readonly nameEn: string;
}

/**
 * The console's frame. A script requests its content with the reader's key. The key's field has no
 * name, so no form can send it. The page carries the names of the markets, because some plans may
 * not request the catalogue. It also carries the texts, so that a browser loads one language.
 */
export function consolePage(view: PageView, markets: readonly NamedMarket[]): string {
  const texts = CONSOLE_TEXTS[view.language];
  const names = markets.map(
    ({ id, name, nameEn }) => [id, view.language === 'en' ? nameEn : name] as const,
  );
  const part = (id: string, heading: string, help: string | undefined, tools?: Html) =>
    html`<section id="${id}">
<div class="part-head"><h2 id="${id}-heading" tabindex="-1">${heading}</h2>${tools}</div>
${help !== undefined && html`<p class="quiet">${inlineCode(help)}</p>`}
<div id="${id}-view"></div>
</section>
`;
  const days = [7, 30, 90].map(
    (count) =>
      html`<option value="${count}" selected=${count === 30}>${texts.lastDays.replace('{n}', String(count))}</option>`,
  );
  const usageTools = html`<p class="fields">
<label>${texts.period} <select id="usage-days">${days}</select></label>
<label>${texts.endpoint} <select id="usage-endpoint"><option value="">${texts.allEndpoints}</option></select></label>
<button type="button" id="refresh">${texts.refresh}</button></p>`;
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'console',
    assets: ['console.css', 'console.js', 'copy.js'],
    content: html`<h1>${texts.heading}</h1>
<p class="lead">${texts.lead}</p>
<noscript><p>${texts.needsScript}</p></noscript>
<form id="sign-in" class="panel" method="post" hidden>
<label for="key">${texts.keyLabel}</label>
<p class="key-row"><input id="key" type="password" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="key-help" />
<button class="main">${texts.signIn}</button></p>
<p class="trouble" role="alert"></p>
<p role="status"></p>
<p class="quiet" id="key-help">${texts.keyHelp} ${texts.noKey}</p>
</form>
<div id="account" hidden data-market-names="${JSON.stringify(Object.fromEntries(names))}" data-texts="${JSON.stringify(texts)}">
<div class="account-head"><p id="account-name"></p><button type="button" id="sign-out">${texts.signOut}</button></div>
<nav class="parts" aria-label="${texts.sections}"><a href="#plan">${texts.plan}</a> <a href="#usage">${texts.usage}</a> <a href="#keys">${texts.keys}</a> <a href="#markups">${texts.markups}</a> <a href="#playground">${texts.playground}</a></nav>
${part('plan', texts.plan, undefined)}
${part('usage', texts.usage, texts.usageHelp, usageTools)}
${part('keys', texts.keys, texts.keysHelp)}
${part('markups', texts.markups, texts.markupsHelp)}
${part('playground', texts.playground, texts.playgroundHelp)}
</div>`,
  });
}
