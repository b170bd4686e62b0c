import { SourceFailure } from '../../app/failures.ts';

// limit: Upstream's text about a page | 60 characters | cut
const MAX_SHOWN_LENGTH = 60;

/**
 * Text of an upstream for messages: one short line without control characters. Whitespace is
 * collapsed before the cut, so that a figure after a page's indentation is included.
 */
export function excerpt(text: string, maxLength = MAX_SHOWN_LENGTH): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}

/** The failure of a body that is not in its source's format, with what was expected instead. */
export function contentFailure(expected: string, options?: ErrorOptions): SourceFailure {
  return new SourceFailure('content', `expected ${expected}`, options);
}

/** The same for a body of which one part is wrong. */
export function unexpected(expected: string, there: string): SourceFailure {
  return contentFailure(`${expected}, there was ${there}`);
}
