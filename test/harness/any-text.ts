import fc from 'fast-check';

/**
 * Any character, including half a surrogate pair. fast-check's own `binary` makes an
 * index of all characters for each arbitrary, which takes seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff)
  .map((codePoint) => String.fromCodePoint(codePoint));
