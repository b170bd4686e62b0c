const MAX_SHOWN_LENGTH = 60;

/**
 * Text of an upstream for messages: one short line without control characters. Whitespace is
 * collapsed before the cut, so that a figure after a page's indentation is included.
 */
export function excerpt(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length > MAX_SHOWN_LENGTH ? `${plain.slice(0, MAX_SHOWN_LENGTH)}…` : plain;
}
