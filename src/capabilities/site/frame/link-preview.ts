import { LANGUAGES, type Language, type Texts } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';

/** Open Graph names a language with its territory. */
const TERRITORIES: Texts<string> = { es: 'es_VE', en: 'en_US' };

/** What a chat shows of a link: a title, a sentence and a picture. Addresses are absolute. */
export function linkPreview(shown: {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly picture: string;
  readonly language: Language;
}): Html {
  const { title, description, address, picture, language } = shown;
  const others = LANGUAGES.filter((one) => one !== language);
  return html`<meta property="og:type" content="website" />
<meta property="og:site_name" content="vesfx" />
<meta property="og:title" content="${title}" />
<meta property="og:description" content="${description}" />
<meta property="og:url" content="${address}" />
<meta property="og:locale" content="${TERRITORIES[language]}" />
${others.map((one) => html`<meta property="og:locale:alternate" content="${TERRITORIES[one]}" />\n`)}<meta property="og:image" content="${picture}" />
<meta property="og:image:type" content="image/png" />
<meta property="og:image:width" content="1200" />
<meta property="og:image:height" content="630" />
<meta name="twitter:card" content="summary_large_image" />
`;
}
