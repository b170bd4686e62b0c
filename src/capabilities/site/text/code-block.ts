import type { Language } from '../../../core/domain/words/language.ts';
import { type Html, html } from '../../../core/http/framework/encoding/html.ts';
import { SAMPLE_TEXTS } from '../texts/texts.ts';
import { CodeHead } from './code-head.ts';
import { highlighted } from './highlight.ts';
import { CODE_NAMES } from './samples.ts';

/** A block of code, by the kind that Markdown writes after the fence. */
export interface Code {
  readonly kind: string;
  readonly text: string;
  /** What the line above says, if it is not the name of the kind. */
  readonly label?: string;
}

/** Blocks with more lines than this scroll: whole files. Any other would only stop a finger. */
const LONG_LINES = 100;

const KIND_NAMES: Readonly<Record<string, string>> = {
  ...CODE_NAMES,
  sh: 'Shell',
  ts: 'TypeScript',
  json: 'JSON',
  csv: 'CSV',
  xml: 'XML',
  html: 'HTML',
  css: 'CSS',
  powerquery: 'Power Query',
};

/** Long lines do not wrap. The block scrolls. */
function pre(shown: Code): Html {
  const { kind, text } = shown;
  const isLong = text.split('\n').length > LONG_LINES;
  const markup = highlighted(text, kind);
  const code =
    markup === undefined
      ? html`<code>${text}</code>`
      : html`<code dangerouslySetInnerHTML=${{ __html: markup }}></code>`;
  return html`<pre class=${isLong ? 'long' : undefined} tabindex="0">${code}</pre>`;
}

/** The line above the code. The script of the page goes on with it, from the same properties. */
function head(language: Language, kinds: readonly string[], label: string): Html {
  return html`<div class="code-head" data-kinds="${kinds.join(' ')}" data-label="${label}"><${CodeHead} ...${{ language, kinds, label }} /></div>`;
}

function single(code: Code, language: Language): Html {
  const name = code.label ?? KIND_NAMES[code.kind] ?? SAMPLE_TEXTS[language].text;
  return html`${head(language, [], name)}${pre(code)}`;
}

/** A block that a phone folds under its name. The button that copies cannot stand in a summary. */
export function foldedBlock(code: Code, language: Language): Html {
  return html`<div class="code dark folded"><details><summary>${code.label}</summary></details>${single(code, language)}</div>`;
}

export function codeBlock(code: Code, language: Language): Html {
  return html`<div class="code dark">${single(code, language)}</div>`;
}

const isProgram = ({ kind }: Code) => kind in CODE_NAMES;

/** Programs with what follows each: its answer. */
function programsOf(codes: readonly Code[]): readonly (readonly [Code, ...Code[]])[] {
  const programs: [Code, ...Code[]][] = [];
  for (const code of codes) {
    const last = programs.at(-1);
    if (isProgram(code) || last === undefined) programs.push([code]);
    else last.push(code);
  }
  return programs;
}

/**
 * Blocks that stand together. Programs in different languages are a choice; without scripts all of
 * them are shown. Others stand under each other.
 */
export function codeBlocks(codes: readonly Code[], language: Language): Html {
  const programs = programsOf(codes);
  const kinds = programs.map(([{ kind }]) => kind);
  const isChoice = programs.length > 1 && new Set(kinds).size === kinds.length;
  if (!isChoice || !programs.every(([first]) => isProgram(first))) {
    const label = SAMPLE_TEXTS[language].answer;
    return programs.map(
      ([first, ...others]) =>
        html`<div class="code dark">${single(first, language)}${others.map((one) =>
          single(isProgram(first) ? { label, ...one } : one, language),
        )}</div>`,
    );
  }
  return html`<div class="code dark choice">${head(language, kinds, '')}${programs.map(
    ([program, ...answers]) => html`<div data-code="${program.kind}">
<p class="code-name">${CODE_NAMES[program.kind]}</p>${pre(program)}${answers.map((answer) =>
      single({ label: SAMPLE_TEXTS[language].answer, ...answer }, language),
    )}</div>`,
  )}</div>`;
}
