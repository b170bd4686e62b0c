import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  isTriedInConsole,
  referred,
} from '../../../core/http/openapi/api-document.ts';

/** Most characters of an answer that are shown: more would stop the page for seconds. */
// limit: Answer that the console's playground shows | 100,000 characters | cut
export const MAX_SHOWN_ANSWER = 100_000;

export interface TriedOperation {
  /** `GET /v1/fx/rates/{market}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  readonly parameters: readonly ApiParameter[];
  readonly contentType?: string;
  /** An example of the body. */
  readonly body?: string;
}

/** The operations that take a key, in the order of the document, without their headers. */
export function triedOperations(document: ApiDocument): readonly TriedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isTriedInConsole(operation))
      .map(([lower, operation]): TriedOperation => {
        const method = lower.toUpperCase();
        const parameters = operation.parameters
          .map((one) => referred(document.components.parameters, one))
          .filter((one) => one.in !== 'header');
        const common = { name: `${method} ${path}`, method, path, operation, parameters };
        const [content] = Object.entries(operation.requestBody?.content ?? {});
        if (content === undefined) return common;
        const [contentType, { examples = {} }] = content;
        const [example] = Object.values(examples);
        const value = example === undefined || '$ref' in example ? {} : example.value;
        return { ...common, contentType, body: JSON.stringify(value, undefined, 2) };
      }),
  );
}

/**
 * The path and query of a request; empty values are left out. A part of the path that is not
 * filled in stays as `{id}`, so that the code shows what is missing.
 */
export function addressOf(
  { path, parameters }: TriedOperation,
  values: Readonly<Record<string, string>>,
): string {
  const filledPath = path.replaceAll(
    /\{(\w+)\}/g,
    (part, name: string) => encodeURIComponent(values[name] ?? '') || part,
  );
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (place === 'query' && value) query.set(name, value);
  }
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

/**
 * What a form begins with. Only required fields get an example, because an optional one would narrow
 * the answer. A change must name the reader's own key or rule.
 */
export function firstValues({ parameters, method, body }: TriedOperation): Record<string, string> {
  const filledIn = parameters
    .filter(({ required, in: place }) => required && (place !== 'path' || method === 'GET'))
    .map(({ name, example }) => [name, String(example ?? '')] as const);
  return { ...Object.fromEntries(filledIn), ...(body !== undefined && { [BODY]: body }) };
}

/** Name of the field for the body. No parameter has a colon in its name. */
export const BODY = 'body:';

/** The text of an answer as it is shown: JSON indented, XML with an element on a line. */
export function shownAnswer(body: string): string {
  if (body.startsWith('<')) return body.replaceAll('><', '>\n<');
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
