/** Markup that is safe to send. Only `html` makes it and escapes every text in it. */
declare const safe: unique symbol;
export type Html = { readonly markup: string; readonly [safe]: true };

export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ESCAPES[one] ?? '');
}

/** The brand only exists for the compiler, so this cast adds nothing at run time. */
const asHtml = (markup: string) => ({ markup }) as Html;

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value);
}

function rendered(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeHtml(value);
  return isList(value) ? value.map(rendered).join('') : value.markup;
}

/** Makes markup. Texts are escaped; markup from another `html` stays unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return asHtml(
    parts.reduce((text, part, position) => text + rendered(values[position - 1]) + part),
  );
}

/** Paragraphs of a text: empty lines separate them, backticks mark code. */
export function paragraphs(text: string): readonly Html[] {
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

export function inlineCode(text: string): readonly HtmlValue[] {
  return text.split('`').map((piece, position) => (position % 2 === 1 ? codeSpan(piece) : piece));
}
