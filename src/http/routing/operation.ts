/** Sections of the reference. They are ordered by their first endpoint. */
export const TAGS = {
  Rates: 'Quotes, their history and the catalogue of markets.',
  Conversion: 'Amounts from one currency to another. They are calculations, not offers.',
  Analysis: 'Figures calculated from several markets.',
  'Central bank': 'What the Banco Central de Venezuela publishes.',
  Account: 'Your plan, usage, keys and markup rules. These requests cost nothing.',
  Status: 'State of the service. It needs no key.',
  Operator: 'For the operator of the service, with the admin token.',
} as const satisfies Readonly<Record<string, string>>;

type Tag = keyof typeof TAGS;

/** The documentation of an endpoint. */
export interface Operation {
  /** Name of the operation in the reference and in clients; never renamed. */
  readonly id: string;
  readonly tag: Tag;
  /** Name of the answer among the component schemas. */
  readonly schema?: string;
  /** Name of the body among the component schemas. */
  readonly bodySchema?: string;
  /** Parameters of the request that the first example answers. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Example answers by name. Pages show the first one first. */
  readonly answers: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

/** The answers of an operation with a single example. */
export function oneExample(summary: string, value: object): Operation['answers'] {
  return { answer: { summary, value } };
}
