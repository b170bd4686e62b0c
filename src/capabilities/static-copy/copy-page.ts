import { LANGUAGES, type Language, type Texts } from '../../core/domain/words/language.ts';
import { type Html, html } from '../../core/http/framework/encoding/html.ts';
import { markupOf } from '../../core/http/framework/encoding/markup.ts';
import { COPY_TEXTS } from './copy-texts.ts';

/** What a static copy has, for its page. */
export interface CopyContents {
  readonly notice: Texts<string>;
  readonly hasOfficial: boolean;
  readonly officialYears: readonly number[];
  readonly markets: readonly {
    readonly id: string;
    readonly name: string;
    readonly nameEn: string;
    readonly years: readonly number[];
  }[];
}

/** Any server may deliver the page, so it needs no other file. */
const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}' +
  'h1{font-size:1.5rem}h2{font-size:1.1rem}code{font-size:.95em}' +
  'section+section{border-top:1px solid;margin-top:2.5rem;padding-top:1rem}';

/** The page of a static copy, in both languages one below the other. */
export function copyPage(contents: CopyContents): string {
  return `<!doctype html>\n${markupOf(html`<html lang="es">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${COPY_TEXTS.es.title}</title>
<style>${STYLE}</style>
</head>
<body>
${LANGUAGES.map((language) => section(language, contents))}</body>
</html>`)}\n`;
}

function section(
  language: Language,
  { notice, hasOfficial, officialYears, markets }: CopyContents,
): Html {
  const texts = COPY_TEXTS[language];
  return html`<section lang="${language}">
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<ul>
${file('v1/latest.json', texts.latest)}
${hasOfficial && file('v1/official/latest.json', texts.official)}
${officialYears.length > 0 && html`<li><code>v1/official/YYYY-MM-DD.json</code>: ${texts.day}</li>`}
${file('index.json', texts.index)}
</ul>
${
  officialYears.length > 0 &&
  html`<h2>${texts.officialYears}</h2>
<p>${years('v1/official', officialYears)}</p>`
}
<h2>${texts.markets}</h2>
<ul>
${markets
  .filter((market) => market.years.length > 0)
  .map(
    ({ id, name, nameEn, years: own }) =>
      html`<li>${language === 'es' ? name : nameEn} (<code>${id}</code>): ${years(`v1/markets/${id}`, own)}</li>\n`,
  )}</ul>
<h2>${texts.terms}</h2>
<p>${notice[language]}</p>
</section>\n`;
}

function file(path: string, about: string): Html {
  return html`<li><a href="${path}"><code>${path}</code></a>: ${about}</li>`;
}

function years(folder: string, list: readonly number[]): Html {
  return list.map(
    (year, place) => html`${place > 0 && ', '}<a href="${folder}/${year}.csv">${year}</a>`,
  );
}
