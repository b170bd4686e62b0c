/** What a capture can be traced back to. */
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
