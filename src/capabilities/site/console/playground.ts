/** Where the service has the operations that the playground tries. */
export const OPERATIONS_PATH = '/console/operations.json';

/** Most characters of an answer that are shown: more would stop the page for seconds. */
// limit: Answer in the playground | 100,000 characters | cut
export const MAX_SHOWN_ANSWER = 100_000;

export interface TriedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example?: string | undefined;
  /** All that it may be. */
  readonly values?: readonly string[] | undefined;
  readonly isDay?: boolean | undefined;
}

export interface TriedOperation {
  /** By which the reference links to it. */
  readonly id: string;
  /** `GET /v1/fx/rates/{market}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly group: string;
  /** The lowest plan that may call it, if not every plan may. */
  readonly plan?: string | undefined;
  readonly cost: number;
  readonly parameters: readonly TriedParameter[];
  readonly contentType?: string;
  /** An example of the body. */
  readonly body?: string;
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
    .map(({ name, example }) => [name, example ?? ''] as const);
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
