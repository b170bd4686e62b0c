import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import { exampleAddress } from '../embed/embed-examples.ts';
import { EMBED_TEXTS } from '../texts/texts.ts';

const NOW = exampleAddress('now');
const LATE = exampleAddress('late');
const DOUBT = exampleAddress('doubt');

/** The element itself on its page of the documents, where the text has `{{shown:NAME}}`. */
const SHOWN: Readonly<Record<string, (language: Language) => Html>> = {
  card: (
    language,
  ) => html`<figure class="shown"><figcaption>${EMBED_TEXTS[language].now}</figcaption>
<p class="cards"><vesfx-rate static="${NOW}"></vesfx-rate><vesfx-rate static="${NOW}" market="parallel"></vesfx-rate></p>
<noscript>${EMBED_TEXTS[language].needsScript}</noscript><script src="/embed/v1.js" async></script></figure>`,
  sizes: (
    language,
  ) => html`<figure class="shown"><figcaption>${EMBED_TEXTS[language].line}</figcaption>
<p>${EMBED_TEXTS[language].product} <vesfx-rate size="line" static="${NOW}"></vesfx-rate></p></figure>
<figure class="shown"><figcaption>${EMBED_TEXTS[language].sign}</figcaption>
<vesfx-rate size="sign" static="${NOW}"></vesfx-rate></figure>`,
  states: (
    language,
  ) => html`<figure class="shown"><figcaption>${EMBED_TEXTS[language].states}</figcaption>
<p class="cards"><vesfx-rate static="${LATE}"></vesfx-rate><vesfx-rate static="${DOUBT}" market="parallel"></vesfx-rate><vesfx-rate static="${NOW}" market="none" label="${EMBED_TEXTS[language].label}"></vesfx-rate></p>
<p>${EMBED_TEXTS[language].product} <vesfx-rate size="line" static="${LATE}"></vesfx-rate></p></figure>`,
};

/** Where the element is shown. A reader of Markdown has the text alone. */
const PLACE = /\{\{shown:(\w+)\}\}/;

export const withoutShown = (text: string) =>
  text.replaceAll(new RegExp(`${PLACE.source}\\n\\n`, 'g'), '');

/** Puts the element into its places of a page. */
export function withShown(markup: string, language: Language): string {
  return markup.replaceAll(new RegExp(`<p>${PLACE.source}</p>`, 'g'), (_, name) =>
    markupOf(SHOWN[name]?.(language)),
  );
}
