import type { DocsTexts } from './docs-texts.ts';

/** A table in words: text between backticks is code. */
export interface TextTable {
  /** What it shows, told apart from every other table of its page. */
  readonly label: string;
  readonly columns: readonly TextColumn[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of fields, with what stands above it. */
export interface FieldTable extends TextTable {
  readonly title: string;
}

export interface TextColumn {
  readonly label: string;
  readonly kind?: 'figure' | 'wide' | 'nowrap' | 'type';
}

export interface ShownExample {
  /** Media type. */
  readonly type: string;
  readonly summary: string;
  readonly text: string;
}

/** An operation in words, as the page and the Markdown both show it. */
export interface ShownOperation {
  readonly id: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** Who may call it, and what it costs. */
  readonly facts: readonly string[];
  readonly description: string;
  readonly curl: string;
  /** Whether the playground of the console offers it. */
  readonly tried: boolean;
  readonly parameters: TextTable | undefined;
  readonly body: { readonly about: string; readonly fields: TextTable | undefined } | undefined;
  readonly answer:
    | {
        readonly status: string;
        readonly about: string;
        readonly examples: readonly ShownExample[];
        readonly fields: readonly FieldTable[];
      }
    | undefined;
  readonly errors: TextTable;
}

export interface ReferenceText {
  readonly texts: DocsTexts;
  readonly about: string;
  readonly baseUrl: string;
  readonly plans: TextTable;
  readonly errors: TextTable;
  readonly headers: TextTable;
  readonly groups: readonly {
    readonly name: string;
    readonly about: string;
    readonly operations: readonly ShownOperation[];
  }[];
}
