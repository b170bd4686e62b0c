import fc from 'fast-check';

/**
 * A character of any text, also one that is half a character. fast-check's own `binary` makes an
 * index of all characters for each arbitrary, which takes seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff)
  .map((codePoint) => String.fromCodePoint(codePoint));
