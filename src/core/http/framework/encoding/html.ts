import { html as elements } from 'htm/preact';
import type { ComponentChildren } from 'preact';

/** What a component may contain: an element, a text, or a list of them. */
export type Html = ComponentChildren;

/** Makes elements of Preact. Texts and attributes are escaped when they are rendered. */
export const html: (parts: TemplateStringsArray, ...values: readonly unknown[]) => Html = elements;

/** Paragraphs of a text: empty lines separate them, backticks mark code. */
export function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${inlineCode(paragraph)}</p>`);
}

/** Longest word of code that never breaks, in characters. It fits a cell on a phone. */
const WHOLE_WORD_LETTERS = 17;

/** Code in a sentence. Short code never breaks; a browser would break `--date` at its hyphens. */
export function codeSpan(text: string): Html {
  const words = text.split(' ').map((word, position) => {
    const isWhole = word.includes('-') && word.length <= WHOLE_WORD_LETTERS;
    const shown = isWhole ? html`<span class="one">${word}</span>` : word;
    return position === 0 ? shown : [' ', shown];
  });
  return html`<code>${words}</code>`;
}

export function inlineCode(text: string): Html[] {
  return text.split('`').map((piece, position) => (position % 2 === 1 ? codeSpan(piece) : piece));
}
