/** The parts of an OpenAPI 3.1 document that the service writes and the reference page reads. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly SecurityNeed[];
  readonly tags: readonly ApiTag[];
  /** Operations by path and lower-case method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  /** Messages that the service sends, by name; absent where it sends none. */
  readonly webhooks?: Readonly<Record<string, { readonly post: ApiMessage }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>;
    readonly headers: Readonly<Record<string, ApiHeader>>;
    readonly parameters: Readonly<Record<string, ApiParameter>>;
    readonly examples: Readonly<Record<string, ApiExample>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  /** Every error code of the service, including those of the protocol. */
  readonly 'x-errors': readonly DocumentedError[];
  /** Every word of `details.rule`. */
  readonly 'x-rules': readonly DocumentedRule[];
}

type SecurityNeed = Readonly<Record<string, readonly string[]>>;

export interface ApiTag {
  readonly name: string;
  readonly description: string;
}

export interface ApiMessage {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly [];
  readonly requestBody: { readonly required: true; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly SecurityNeed[];
  readonly parameters: readonly (ApiParameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: ApiContent };
  /** By status. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
  /** Section of the interface with the rule. */
  readonly 'x-section': string;
  /** Units that an answered call costs. */
  readonly 'x-cost': number;
  /** Scope that a restricted key needs to call it. */
  readonly 'x-scope'?: string;
  /** The cheapest plan that may call it; absent when every plan may, or none is needed. */
  readonly 'x-plan'?: string;
  /** The error codes it may answer with, by status. */
  readonly 'x-error-codes': Readonly<Record<string, readonly string[]>>;
}

export interface Reference {
  readonly $ref: string;
}

/** Resolves a reference to a component; returns anything else unchanged. */
export function referred<Component extends object>(
  components: Readonly<Record<string, Component>>,
  given: Component | Reference,
): Component {
  if (!('$ref' in given)) return given;
  const found = components[given.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
  return found;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: ApiSchema;
  readonly example?: unknown;
  /** Whether the request that the first example answers has it. */
  readonly 'x-asked'?: true;
}

export interface ApiHeader {
  readonly description: string;
  readonly schema: ApiSchema;
  readonly example: unknown;
}

export interface ApiExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: ApiContent;
  /** Examples of the other formats, by media type. Generators would make a union of the content. */
  readonly 'x-other-formats'?: Readonly<Record<string, Pick<ApiMedia, 'examples'>>>;
}

/** By media type. */
export type ApiContent = Readonly<Record<string, ApiMedia>>;

export interface ApiMedia {
  readonly schema: ApiSchema;
  readonly examples?: Readonly<Record<string, ApiExample | Reference>>;
}

export interface DocumentedRule {
  readonly rule: string;
  readonly message: string;
}

export interface DocumentedError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

/** The keywords of JSON Schema 2020-12 that the page knows. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  /** The forms of an answer. */
  readonly oneOf?: readonly ApiSchema[];
  /** Fields of other forms, which this form never has. */
  readonly not?: ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** The console has a form for each key, which does not lose it. The answer of a stream does not end. */
const NOT_TRIED: readonly string[] = ['rotateKey', 'createKey', 'openStream'];

/** Whether the playground of the console offers the operation. */
export function isTriedInConsole({ security, operationId }: ApiOperation): boolean {
  return takesAccountKey(security) && !NOT_TRIED.includes(operationId);
}

/** Whether an operation needs a key of an account, by itself or by the document's default. */
export function takesAccountKey(security: readonly SecurityNeed[] | undefined): boolean {
  return security === undefined || security.some((need) => 'apiKey' in need);
}
