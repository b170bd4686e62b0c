const MAX_SHOWN_LENGTH = 60;

/**
 * Text of an upstream as messages may show it: one line, short, without control characters. Blanks
 * are collapsed before the cut, so that the figure behind a page's indentation is shown.
 */
export function excerpt(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > MAX_SHOWN_LENGTH ? `${plain.slice(0, MAX_SHOWN_LENGTH)}…` : plain;
}
