const MAX_SHOWN_LENGTH = 60;

/** Text of an upstream as messages may show it: one line, short, without control characters. */
export function shown(text: string): string {
  const plain = text.replace(/\p{Cc}|\p{Cf}/gu, ' ');
  return plain.length > MAX_SHOWN_LENGTH ? `${plain.slice(0, MAX_SHOWN_LENGTH)}…` : plain;
}
