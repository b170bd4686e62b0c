/** What the reference shows of one endpoint, besides what it declares. */
export interface OperationExample {
  readonly operationId: string;
  /** Name of the answer among the component schemas. */
  readonly schema?: string;
  /** Name of the body among the component schemas. */
  readonly bodySchema?: string;
  /** Values of parameters that tell more than the ones of their schemas. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** By name; the first is the one that pages show first. */
  readonly answers: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

/** A single example answer. */
export function one(summary: string, value: object): OperationExample['answers'] {
  return { answer: { summary, value } };
}
