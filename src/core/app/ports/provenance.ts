/** The upstream bodies and the parser from which a capture comes. */
export interface Provenance {
  readonly parserVersion: number;
  /** One for each body of the reading, in order. */
  readonly bodies: readonly BodyReference[];
}

export interface BodyReference {
  readonly url: string;
  /** SHA-256 of the bytes, in lower-case hex. */
  readonly digest: string;
}
