import type { Language } from '../../../core/domain/words/language.ts';
import { GUIDE_NAMES, guideTitle } from '../guides/guides.ts';
import type { Code } from '../text/code-block.ts';
import { markdownTable } from '../text/markdown.ts';
import type { DocsTexts } from '../texts/es/docs.ts';
import { GUIDE_TEXTS, SUMMARY_TEXTS } from '../texts/texts.ts';
import type { ReferenceText, ShownOperation } from './reference.ts';
import { ERROR_SAMPLE } from './reference-tables.ts';

const fenced = ({ kind, text }: Code) => `\`\`\`${kind}\n${text}\n\`\`\``;

function operationText(shown: ShownOperation, texts: DocsTexts): readonly string[] {
  const { title, method, path, facts, description, codes, parameters, body, answer } = shown;
  return [
    `### ${title}`,
    `\`${method} ${path}\` (${facts.join(', ')})`,
    ...(description === '' ? [] : [description]),
    ...codes.slice(0, 1).map(fenced),
    ...(parameters === undefined ? [] : [`#### ${texts.parameters}`, markdownTable(parameters)]),
    ...(body === undefined ? [] : [`#### ${texts.body}`, body.about]),
    ...(body?.fields === undefined ? [] : [markdownTable(body.fields)]),
    ...(answer === undefined
      ? []
      : [
          `#### ${texts.answer} ${answer.status}`,
          ...(answer.examples.length === 0 ? [answer.about] : []),
          ...answer.examples.flatMap((one) => [`${one.summary} (\`${one.type}\`):`, fenced(one)]),
          ...answer.fields.flatMap((table) => [`${table.title}:`, markdownTable(table)]),
        ]),
    `#### ${texts.errors}`,
    markdownTable(shown.errors),
  ];
}

const written = (blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

function errorBlocks({ texts, ...reference }: ReferenceText): readonly string[] {
  return [
    `## ${texts.errors}`,
    texts.errorsAbout,
    fenced(ERROR_SAMPLE),
    markdownTable(reference.errors),
    `## ${texts.rules}`,
    texts.rulesAbout,
    markdownTable(reference.rules),
    `## ${texts.plans}`,
    `${texts.plansAbout} [${texts.marketPlans}](/docs/markets.md).`,
    markdownTable(reference.plans),
  ];
}

/** The whole reference as Markdown, with the contents of all its pages. */
export function referenceMarkdown(reference: ReferenceText): string {
  const { texts } = reference;
  return written([
    `# ${texts.reference}`,
    reference.about,
    `${texts.addresses} \`${reference.baseUrl}\`. ${texts.programs}: [openapi.json](/openapi.json).`,
    `## ${texts.headers}`,
    markdownTable(reference.headers),
    ...reference.groups.flatMap(({ name, about, operations }) => [
      `## ${name}`,
      about,
      ...operations.flatMap((shown) => operationText(shown, texts)),
    ]),
    ...errorBlocks(reference),
  ]);
}

/** A page of the reference as Markdown: a group by its English name, or errors and limits. */
export function referencePartMarkdown(reference: ReferenceText, tag?: string): string {
  const { texts, groups, samplesSaid } = reference;
  const group = groups.find((one) => one.tag === tag);
  if (group === undefined) {
    return written([`# ${texts.errorsAndLimits}`, ...errorBlocks(reference)]);
  }
  const { name, about, operations } = group;
  const told = operations.flatMap((shown) => operationText(shown, texts));
  const aboutSamples = told.length === 0 ? [] : [samplesSaid];
  return written([`# ${name}`, about, ...aboutSamples, ...told]);
}

/** `/llms.txt`: tells language models what the service is and where its texts are. */
export function llmsText(publicUrl: string, language: Language): string {
  const texts = SUMMARY_TEXTS[language];
  const at = (path: string) => `${publicUrl}${path}?lang=${language}`;
  const guides = GUIDE_NAMES.map(
    (name) =>
      `- [${guideTitle(name, language)}](${at(`/docs/${name}.md`)}): ${GUIDE_TEXTS[language][name]}`,
  );
  return `# vesfx

> ${texts.summary}

## ${texts.guides}

${guides.join('\n')}

## ${texts.reference}

- [${texts.referenceTitle}](${at('/docs/reference.md')}): ${texts.referenceAbout}
- [openapi.json](${publicUrl}/openapi.json): ${texts.openApiAbout}
- [llms-full.txt](${at('/llms-full.txt')}): ${texts.allAbout}

## ${texts.pages}

- [${texts.methodology}](${at('/methodology')})
- [${texts.status}](${publicUrl}/v1/status)
`;
}
