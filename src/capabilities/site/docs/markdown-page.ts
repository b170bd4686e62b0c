import type { Market } from '../../../core/domain/markets.ts';
import type { Plans } from '../../../core/domain/plans.ts';
import { type Language, otherThan } from '../../../core/domain/words/language.ts';
import { html } from '../../../core/http/framework/encoding/html.ts';
import type { Endpoint } from '../../../core/http/pipeline/endpoint.ts';
import type { HandedOut } from '../../../core/http/serving/server-parts.ts';
import { linkTo, type PageView } from '../frame/page-view.ts';
import { declaredIn } from '../guides/declared-figures.ts';
import type { GuideFigures } from '../guides/guide-figures.ts';
import { exampleFile, type GuideName, guideFile } from '../guides/guides.ts';
import { switchText } from '../guides/switching.ts';
import { type MethodologyFacts, methodologyText } from '../methodology/methodology-text.ts';
import {
  chaptersOf,
  headingsOf,
  type MarkdownOptions,
  markdownHtml,
  markdownTable,
} from '../text/markdown.ts';
import { GUIDE_TEXTS, METHODOLOGY_TEXTS, SAMPLE_TEXTS } from '../texts/texts.ts';
import { docsFrame } from './docs-frame.ts';
import { withoutShown, withShown } from './embed-shown.ts';
import { marketTable } from './market-table.ts';
import { planTable } from './plan-table.ts';

/** The values for the placeholders of guides. */
export interface GuideFacts {
  /** Address of this service, without a slash at its end. */
  readonly publicUrl: string;
  readonly plans: Plans;
  readonly markets: readonly Market[];
  /** Those of this service, in the place of the demonstration's; undefined when it has none. */
  readonly figures?: GuideFigures | undefined;
  readonly handedOut: readonly HandedOut[];
  /** Whether the board's figures are open, with which a page shows the element `<vesfx-rate>`. */
  readonly hasBoard: boolean;
  /** Those of capabilities, among them the addresses of other services; undefined for the search. */
  readonly endpoints: readonly Pick<Endpoint, 'path' | 'access'>[] | undefined;
}

/** A guide in Markdown, with the addresses and the plans of this service. */
export function guideText(name: GuideName, language: Language, facts: GuideFacts): string {
  return withoutShown(filledText(name, language, facts));
}

function filledText(name: GuideName, language: Language, facts: GuideFacts): string {
  const { figures } = facts;
  const said = SAMPLE_TEXTS[language];
  const filled = withFacts(guideFile(name, language), { name, language, facts });
  const closed = (text: string, note: string) => `${text.trimEnd()}\n\n${note}\n`;
  if (declaredIn(filled).length === 0) return figures?.replaced(filled) ?? filled;
  if (figures === undefined) return closed(filled, said.figures(undefined));
  // A section is one world: the service's figures, or all the demonstration's.
  const sections = chaptersOf(filled).map((section) => ({
    section,
    own: figures.replaced(section),
  }));
  const isOwn = sections.some(
    ({ section, own }) => own !== undefined && declaredIn(section).length > 0,
  );
  if (!isOwn) return closed(filled, said.figures(undefined));
  const text = sections
    .map(({ section, own }) => own ?? `${closed(section, said.demonstration)}\n`)
    .join('');
  return closed(text, said.figures(figures.friday));
}

function withFacts(
  text: string,
  {
    name,
    language,
    facts,
  }: { readonly name: GuideName; readonly language: Language; readonly facts: GuideFacts },
): string {
  // A page links only to paths of this service.
  const linked = text.replaceAll(/<\{\{url\}\}(\/[\w./-]+)>/g, '[{{url}}$1]($1)');
  return linked
    .replaceAll('{{url}}', facts.publicUrl)
    .replaceAll(/\{\{example:([\w./-]+)\}\}/g, (_, file) => exampleFile(file))
    .replaceAll('{{switch}}', () =>
      // Nobody looks for what many guides say alike.
      facts.endpoints === undefined
        ? ''
        : switchText(name, language, { ...facts, endpoints: facts.endpoints }),
    )
    .replaceAll('{{handed-out}}', () => handedOutText(facts, language))
    .replaceAll('{{plans}}', () => markdownTable(planTable(facts.plans, language)))
    .replaceAll('{{markets}}', () => markdownTable(marketTable(facts.markets, language)));
}

/** The files that this service hands out, each with the line that installs it. */
function handedOutText(
  { handedOut, publicUrl }: Pick<GuideFacts, 'handedOut' | 'publicUrl'>,
  language: Language,
): string {
  return handedOut
    .map(
      ({ path, about, install, sha256 }) => `[\`${path}\`](${path}): ${about[language]}.

\`\`\`sh install
${install(publicUrl + path)}
\`\`\`

SHA-256: \`${sha256}\``,
    )
    .join('\n\n');
}

/** A guide as a page, with a link to its Markdown. */
export function guidePage(view: PageView, name: GuideName, facts: GuideFacts): string {
  const write = facts.hasBoard ? filledText : guideText;
  return markdownPage(view, {
    textIn: (language) => write(name, language, facts),
    description: GUIDE_TEXTS[view.language][name],
    markdown: `/docs/${name}.md`,
  });
}

/** Tables of the methodology with more rows than this are folded. */
const LONG_ROWS = 8;

/** A sentence for readers of the file, who do not see the numbers of this service. */
const FOR_THE_FILE = /<!--file-->[\s\S]*?<!--\/file-->\s/g;

/** How every figure is made; anyone may read it without a key. */
export function methodologyPage(view: PageView, facts: MethodologyFacts): string {
  // The comments name the filled-in numbers, for editors of the text.
  const textIn = (language: Language) =>
    methodologyText(language, facts)
      .replaceAll(FOR_THE_FILE, '')
      .replaceAll(/<!--.*?-->/g, '');
  return markdownPage(view, {
    textIn,
    description: METHODOLOGY_TEXTS[view.language].description,
    fold: (rows) => (rows > LONG_ROWS ? METHODOLOGY_TEXTS[view.language].rows(rows) : undefined),
  });
}

/** A page from a text in Markdown. The first heading is the title, the others form the contents. */
function markdownPage(
  view: PageView,
  {
    textIn,
    fold,
    ...frame
  }: Pick<MarkdownOptions, 'fold'> & {
    readonly textIn: (language: Language) => string;
    readonly description: string;
    readonly markdown?: string;
  },
): string {
  const { language } = view;
  const text = textIn(language);
  const headings = headingsOf(text);
  const aliases = headingsOf(textIn(otherThan(language))).map(({ anchor }) => anchor);
  const title = headings.find(({ depth }) => depth === 1)?.text ?? '';
  const sections = headings.filter(({ depth }) => depth === 2);
  const link = (path: string) => linkTo(view, path);
  const markup = withShown(markdownHtml(text, { language, link, fold, aliases }), language);
  return docsFrame(view, {
    ...frame,
    title,
    sections,
    content: html`<div dangerouslySetInnerHTML=${{ __html: markup }}></div>\n`,
  });
}
